// Trip conditions in nights that can be worked out by hand: one lane, calls of 10 s, writes of 100 ms, so
// that job n is taken up 10.1 s × n after the opening, and settled 10.1 s later.

import { describe, expect, test } from 'vitest';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { play } from '../../src/world/play.ts';
import type { NightResult } from '../../src/world/run-result.ts';
import type { WorldEvent } from '../../src/world/world-event.ts';
import { jobClass, pool, scenario, TRIPS } from './scenario-fixture.ts';

function firstNight(over: Partial<Scenario>): NightResult {
  return play(scenario(over)).nights[0]!;
}

function eventsOf(over: Partial<Scenario>): readonly WorldEvent[] {
  const events: WorldEvent[] = [];
  play(scenario(over), { observe: (event) => events.push(event) });
  return events;
}

const rounded = (ms: number | null): number => Math.round(ms ?? Number.NaN);

describe('the refusal rate of a played night', () => {
  // 15,000 tokens, envelopes of 2,000, of which 1,100 are used: 12 jobs are admitted, one after the other;
  // the 13th finds 1,800 left and nothing that could come back, and so do all after it, at once.
  const short = { pool: pool({ capacity: 15_000 }), jobs: [jobClass({ count: 30 })] };

  test('trips at the twentieth ask, of which the last eight were refused', () => {
    const { done, refused, trips, firstTripMs } = firstNight(short);
    expect([done, refused]).toEqual([12, 18]);
    expect(trips).toMatchObject([
      { signal: 'refusal-rate', class: null, pool: 'free', figure: 0.4, threshold: 0.05 },
    ]);
    expect([rounded(trips[0]!.atMs), rounded(firstTripMs)]).toEqual([121_200, 121_200]);
  });

  test('says nothing of 19 jobs, however many are refused', () => {
    expect(firstNight({ ...short, jobs: [jobClass({ count: 19 })] })).toMatchObject({
      refused: 7,
      trips: [],
      firstTripMs: null,
    });
  });

  test('is watched under the settings of the scenario', () => {
    const trips = { ...TRIPS, leastEvents: 13 };
    expect(firstNight({ ...short, trips }).trips).toMatchObject([{ figure: 1 / 13 }]);
    expect(firstNight({ ...short, trips: { ...TRIPS, refusalRate: 0.6 } }).trips).toEqual([]);
  });

  test('begins anew every night', () => {
    const played = play(scenario({ ...short, nights: 2 }));
    expect(played.nights.map(({ trips }) => trips.map(({ signal }) => signal))).toEqual([
      ['refusal-rate'],
      ['refusal-rate'],
    ]);
  });
});

describe('tokens of a played night', () => {
  test('used beyond every envelope alert at the first settle and trip at the twentieth', () => {
    const jobs = [jobClass({ count: 30, envelope: { kind: 'tokens', tokens: 1_000 } })];
    const { alerts, trips } = firstNight({ pool: pool(), jobs });
    expect(alerts).toMatchObject([{ signal: 'overspend', class: 'plain', figure: 1, threshold: 0 }]);
    expect(trips).toMatchObject([{ signal: 'overspend', class: 'plain', figure: 1, threshold: 0.05 }]);
    expect([rounded(alerts[0]!.atMs), rounded(trips[0]!.atMs)]).toEqual([10_100, 202_000]);
  });

  test('that stay unspent as the plan expects trip nothing, though it is more than 40 %', () => {
    const events = eventsOf({ pool: pool(), jobs: [jobClass({ count: 30 })] });
    const unspent = events.filter((event) => event.type === 'signal' && event.signal === 'unspent-ratio');
    expect(unspent.at(-1)).toMatchObject({ class: 'plain', figure: 0.45, threshold: 0.55 });
    expect(events.filter(({ type }) => type === 'tripped')).toEqual([]);
  });
});

describe('the age of a played queue', () => {
  const waiting = { jobs: [jobClass({ count: 30, slackMs: 100_000, isSlackDeclared: true })] };
  const shed = { trips: { ...TRIPS, onTrip: 'shed' as const } };

  test('trips at the first look after half of the declared slack: the sixth take, at 50.5 s', () => {
    const { done, trips } = firstNight(waiting);
    expect(done).toBe(30);
    expect(trips).toMatchObject([{ signal: 'queue-age', class: 'plain', pool: null, threshold: 0.5 }]);
    expect(rounded(trips[0]!.atMs)).toBe(50_500);
    expect(trips[0]!.figure).toBeCloseTo(0.505, 12);
  });

  test('trips nothing where the slack is only the default', () => {
    expect(firstNight({ jobs: [jobClass({ count: 30, slackMs: 100_000 })] }).trips).toEqual([]);
  });

  test('trips nothing once everybody has been taken up', () => {
    const jobs = [jobClass({ count: 5, slackMs: 100_000, isSlackDeclared: true })];
    // The fifth is taken up at 40.4 s and done at 50.5 s.
    expect(firstNight({ jobs }).trips).toEqual([]);
  });

  test('sheds what waits where the scenario says so, and the night ends with what is done', () => {
    const { done, deferred, deferCauses, finishedMs } = firstNight({ ...waiting, ...shed });
    expect([done, deferred, deferCauses, rounded(finishedMs)]).toEqual([5, 25, { shed: 25 }, 50_500]);
  });

  test('sheds its own class alone', () => {
    const patient = jobClass({ name: 'patient', count: 3 });
    const { classes, deferCauses } = firstNight({ jobs: [...waiting.jobs, patient], ...shed });
    expect([classes.plain!.done, classes.patient!.done, deferCauses]).toEqual([5, 3, { shed: 25 }]);
  });

  test('is counted from tonight’s opening for what was carried over, and shed jobs come again', () => {
    const jobs = waiting.jobs.map((one) => ({ ...one, arrive: 'first-night' as const }));
    const { nights } = play(scenario({ jobs, nights: 2, ...shed }));
    expect(nights.map(({ jobs: all, done }) => [all, done])).toEqual([
      [30, 5],
      [25, 5],
    ]);
  });

  test('is watched under a shared counter too, which has no ledger to report anything else', () => {
    const policy = { timeouts: 'clamp', admission: 'shared-counter', reclaim: 'refund' } as const;
    const over = { ...waiting, pool: pool(), policy: { ...scenario().policy, ...policy } };
    expect(firstNight(over).trips.map(({ signal }) => signal)).toEqual(['queue-age']);
  });
});

describe('the signals', () => {
  test('are sampled at every hundredth of the window for as long as the night lasts', () => {
    // 10 jobs end after 101 s; a hundredth of the window is 6 s.
    const samples = eventsOf({ pool: pool() }).filter((event) => event.type === 'signal');
    const times = [...new Set(samples.map(({ atMs }) => rounded(atMs)))];
    expect(times).toEqual(Array.from({ length: 16 }, (_, index) => 6_000 * (index + 1)));
    expect([...new Set(samples.map(({ signal }) => signal))]).toEqual([
      'refusal-rate',
      'unspent-ratio',
      'overspend',
    ]);
    expect(samples.filter(({ atMs }) => rounded(atMs) === 24_000)).toMatchObject([
      { signal: 'refusal-rate', pool: 'free', events: 3, figure: 0 },
      { signal: 'unspent-ratio', class: 'plain', events: 2, figure: 0.45 },
      { signal: 'overspend', class: 'plain', events: 2, figure: 0 },
    ]);
  });

  test('are told as they trip', () => {
    const jobs = [jobClass({ count: 30, slackMs: 100_000, isSlackDeclared: true })];
    const told = eventsOf({ jobs }).filter(({ type }) => type === 'tripped');
    expect(told).toMatchObject([{ night: 1, signal: 'queue-age', class: 'plain' }]);
  });
});
