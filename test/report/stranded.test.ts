// Stranded tokens in a report: which night is shown, and what is said of it.

import { describe, expect, test } from 'vitest';
import { NightRecorder } from '../../src/report/night-recorder.ts';
import type { StrandedSeries } from '../../src/report/night-series.ts';
import type { WorldEvent } from '../../src/world/world-event.ts';
import { rendered } from './rendered.ts';
import { stranded } from './toy-findings.ts';
import { planOf, scenarioOf, toyInput } from './toy-nights.ts';

const CLASS = { name: 'a', count: 60, envelope: 14_000, tokens: [2_000, 9_000] } as const;
const TOY = { nights: 3, windowMs: 600_000, reserveMs: 0, capacity: 1_000, classes: [] };

type Told = Partial<WorldEvent> & { readonly type: WorldEvent['type'] };
type At = readonly [atMs: number, event: Told];

const gone = (tokens: number): Told => ({ type: 'stranded', tokens });
const expired = (tokens: number): Told => ({ type: 'expired-unreclaimed', tokens });
const refused: Told = { type: 'reserved', outcome: 'insufficient', returnable: true };

function recorded(...nights: readonly (readonly At[])[]) {
  const recorder = new NightRecorder(scenarioOf(TOY), planOf(TOY));
  for (const [index, events] of nights.entries()) {
    const night = index + 1;
    const all: readonly At[] = [[0, { type: 'opened' }], ...events, [600_000, { type: 'killed' }]];
    for (const [atMs, event] of all) recorder.record({ night, atMs, ...event } as WorldEvent);
  }
  return recorder.series().stranded;
}

describe('the night that is shown', () => {
  test('is the one with most asks turned away above a fifth of the pool, then that with most stranded', () => {
    const much = [[10, gone(900)] as const];
    const alarmed = [[10, gone(300)] as const, [20, refused] as const];
    expect(recorded([[10, gone(100)]], much, [[10, gone(500)]])?.night).toBe(2);
    expect(recorded(much, alarmed, [])).toMatchObject({
      night: 2,
      phantoms: [{ fromMs: 20, toMs: 20, refusals: 1 }],
      phantomRefusals: 1,
      phantomNights: 1,
      mostShare: 0.3,
      alarmTokens: 200,
    });
  });

  test('is none where nothing was stranded and nothing expired', () => {
    expect(recorded([[10, refused]], [])).toBeNull();
    expect(
      recorded([
        [10, expired(50)],
        [20, expired(0)],
      ]),
    ).toMatchObject({
      mostTokens: 0,
      mostExpiredTokens: 50,
    });
  });

  test('counts token-minutes over all nights, and each night from its opening', () => {
    const carried = [[0, gone(100)] as const];
    expect(recorded([[0, gone(100)]], carried, [])?.tokenMinutes).toBe(2 * 100 * 10);
  });

  test('has no more points than a picture can show, and none of its peaks is lost', () => {
    const many = Array.from(
      { length: 900 },
      (_, i) => [i * 600, gone(i === 500 ? 999 : (i % 7) + 1)] as const,
    );
    const { points = [], mostTokens } = recorded(many) ?? {};
    expect(points.length).toBeLessThanOrEqual(101);
    expect(Math.max(...points.map(({ tokens }) => tokens))).toBe(999);
    expect(mostTokens).toBe(999);
    expect(points.at(-1)?.tokens).toBe((899 % 7) + 1);
  });
});

async function reportOf(over: Partial<StrandedSeries> | null, nights = 3) {
  const input = toyInput({ nights, capacity: 1_000_000, classes: [CLASS] });
  const series = { ...input.series, stranded: over === null ? null : stranded(over) };
  return rendered({ ...input, series });
}

describe('what is said of it', () => {
  test('is an alarm where asks are turned away while much is stranded', async () => {
    const { finding, text, rows } = await reportOf({});
    expect(finding('stranded')).toBe(
      'Phantom exhaustion: 17 asks turned away in 2 of 3 nights while workers that are gone hold more than 20% of the pool',
    );
    expect(text).toContain('The pool only looks used up');
    expect(rows('stranded')).toContainEqual({ from: 6, to: 19 });
  });

  test('is no alarm where more than a fifth is stranded and nobody asks in vain', async () => {
    const { finding, text } = await reportOf({ phantoms: [], phantomRefusals: 0, phantomNights: 0 });
    expect(finding('stranded')).toBe(
      'Up to 30% of the pool (300k tokens) is stranded at once, but no ask is turned away while it is more than 20%',
    );
    expect(text).not.toContain('only looks used up');
  });

  test('is how far below the alarm it is, where it is below', async () => {
    const few = { phantoms: [], phantomRefusals: 0, mostTokens: 50_000, mostShare: 0.05 };
    expect((await reportOf(few)).finding('stranded')).toBe(
      'Up to 5% of the pool (50k tokens) is stranded at once; the alarm is at 20%',
    );
  });

  test('is that nothing is stranded, where holds only expired under the living', async () => {
    const none = { phantoms: [], phantomRefusals: 0, mostTokens: 0, mostShare: 0 };
    expect((await reportOf(none)).finding('stranded')).toBe(
      'No token is stranded; up to 300k are in holds that expire under workers that live',
    );
  });

  test('is nothing at all where there is nothing', async () => {
    const { names, text } = await reportOf(null);
    expect(names).not.toContain('charts/stranded.svg');
    expect(text).not.toContain('Stranded tokens');
  });
});
