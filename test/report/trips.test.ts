// The trip conditions in a report: which night is shown, what its signals were, and what is said of it.

import { describe, expect, test } from 'vitest';
import { planNight } from '../../src/plan/plan-night.ts';
import { NightRecorder } from '../../src/report/night-recorder.ts';
import type { SignalSeries } from '../../src/report/night-series.ts';
import { renderReport } from '../../src/report/render-report.ts';
import { planInput } from '../../src/world/plan-input.ts';
import { play } from '../../src/world/play.ts';
import type { WorldEvent } from '../../src/world/world-event.ts';
import { jobClass, pool, scenario } from '../world/scenario-fixture.ts';
import { planOf, scenarioOf } from './toy-nights.ts';

const WINDOW_MS = 400_000;
const TOY = { windowMs: WINDOW_MS, reserveMs: 0, capacity: 1_000, classes: [] };

type Signal = Extract<WorldEvent, { readonly type: 'signal' }>;

const opened = (night: number): WorldEvent => ({ type: 'opened', night, atMs: 0, jobs: 0, carriedOver: 0 });
function signal(night: number, atMs: number, figure: number | null, over: Partial<Signal> = {}): WorldEvent {
  const subject = { class: null, pool: 'free', threshold: 0.1, events: 20 };
  return { type: 'signal', signal: 'refusal-rate', night, atMs, figure, ...subject, ...over };
}
function tripped(night: number): WorldEvent {
  const trip = {
    signal: 'overspend',
    class: 'a',
    pool: null,
    figure: 1,
    threshold: 0.05,
    action: '',
  } as const;
  return { type: 'tripped', night, atMs: 1, ...trip };
}

function recorded(...events: readonly WorldEvent[]): SignalSeries | null {
  const recorder = new NightRecorder(scenarioOf(TOY), planOf(TOY));
  for (const event of events) recorder.record(event);
  return recorder.series().signals;
}

describe('the signals of a report', () => {
  test('are those of the night with most trips, or else of the one that came closest to one', () => {
    const close = [opened(1), signal(1, 5, 0.09), opened(2), signal(2, 5, 0.05)];
    expect(recorded(...close)?.night).toBe(1);
    expect(recorded(...close, tripped(2))?.night).toBe(2);
  });

  test('keep of each stretch of the window the highest, as a share of its threshold', () => {
    const night = [opened(1), signal(1, 10_000, 0.05), signal(1, 12_000, 0.2), signal(1, 20_000, 0.04)];
    expect(recorded(...night)?.lines).toEqual([
      {
        signal: 'refusal-rate',
        figure: 0.2,
        threshold: 0.1,
        class: null,
        pool: 'free',
        share: 2,
        points: [
          { atMs: 5_000, share: 0.5 },
          { atMs: 15_000, share: 2 },
        ],
      },
    ]);
  });

  test('say nothing of a rate of fewer events than it takes, but of an age they do', () => {
    const few = { events: 19 };
    expect(recorded(opened(1), signal(1, 5, 0.9, few))?.lines).toMatchObject([{ figure: null, points: [] }]);
    const age = { events: 1, signal: 'queue-age', class: 'a', pool: null } as const;
    expect(recorded(opened(1), signal(1, 5, 0.9, age))?.lines).toMatchObject([{ figure: 0.9, class: 'a' }]);
  });

  test('are those of the class that is closest to its own threshold', () => {
    const of = (name: string, threshold: number) =>
      ({ signal: 'unspent-ratio', class: name, pool: null, threshold }) as const;
    const night = [opened(1), signal(1, 5, 0.7, of('wide', 0.9)), signal(1, 5, 0.39, of('tight', 0.4))];
    expect(recorded(...night)?.lines).toMatchObject([{ class: 'tight', figure: 0.39, threshold: 0.4 }]);
  });

  test('are none where none was sampled, and none of a threshold of 0', () => {
    expect(recorded(opened(1))).toBeNull();
    expect(recorded(opened(1), signal(1, 5, 0.5, { threshold: 0 }))?.lines).toMatchObject([{ figure: null }]);
  });
});

async function reportOf(over: Parameters<typeof scenario>[0]): Promise<ReadonlyMap<string, string>> {
  const played = scenario(over);
  const plan = planNight(planInput(played));
  const recorder = new NightRecorder(played, plan);
  const run = play(played, { observe: (event) => recorder.record(event) });
  const series = recorder.series();
  const files = await renderReport({ scenario: played, plan, run, series, rerun: ['x'], sources: [] });
  return new Map(files.map(({ name, text }) => [name, text]));
}

describe('the section about trip conditions', () => {
  test('says which tripped first, by how much, and what to do about it', async () => {
    const files = await reportOf({ pool: pool({ capacity: 15_000 }), jobs: [jobClass({ count: 30 })] });
    const report = files.get('report.md')!;
    expect(report).toContain(
      'The refusal rate of free trips first, 2 min 1 s into the window: 40%, above 5%.',
    );
    expect(report).toContain(
      '| refusal rate | free | 1 | 1 | 2 min 1 s | 40% | 5% | shrink envelopes or lower concurrency |',
    );
    expect(files.has('charts/trips.svg')).toBe(true);
  });

  test('says so where nothing tripped, and has no table then', async () => {
    const report = (await reportOf({ pool: pool(), jobs: [jobClass({ count: 30 })] })).get('report.md')!;
    expect(report).toContain('No trip condition trips: every signal stays below its threshold.');
    expect(report).not.toContain('what to do');
  });

  test('is absent where there is nothing to watch: no pool, and no declared slack', async () => {
    const files = await reportOf({});
    expect(files.get('report.md')).not.toContain('Trip conditions');
    expect(files.has('charts/trips.svg')).toBe(false);
  });
});
