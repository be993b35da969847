// Somebody sets the wall clock, or the machine sleeps: what that does to leases, and does not do to budgets.

import { describe, expect, it } from 'vitest';
import type { ClockFaults } from '../../src/scenario/scenario.ts';
import { constant, fleet, jobClass, played, pool, spoilt, told } from './fleet-fixture.ts';

const HOUR_MS = 3_600_000;

const clock = (over: Partial<ClockFaults> = {}): ClockFaults => ({
  steps: [],
  suspensions: [],
  suspension: 'shorten',
  ...over,
});
const step = (atMs: number, byMs: number, night = 1) => ({ night, atMs, byMs, worker: undefined });
const sleep = (atMs: number, lastsMs: number) => ({ night: 1, atMs, lastsMs, worker: undefined });
const long = { ...spoilt({}).provider, latency: { kind: 'direct', call: constant(100_000) } } as const;

describe('a wall clock that is set', () => {
  it('leaves the budget where it was', () => {
    const window = { lastsMs: 60_000, everyMs: 86_400_000 };
    const grants = (by: number) => {
      const steps = by === 0 ? [] : [step(5_000, by)];
      return told(played(spoilt({ window, clock: clock({ steps }) })).events, 'granted').map(
        ({ atMs, timeoutMs }) => [atMs, timeoutMs],
      );
    };
    expect(grants(0)).toEqual([
      [0, 15_000],
      [10_100, 4_900],
    ]);
    expect(grants(HOUR_MS)).toEqual(grants(0));
    expect(grants(-HOUR_MS)).toEqual(grants(0));
  });

  it('forward ends leases early: a hold is reclaimed under its call, and the job done twice', () => {
    const { night, events } = played(
      spoilt({
        provider: long,
        lanes: 2,
        jobs: [jobClass({ count: 1 })],
        pool: pool({ leaseMs: 600_000 }),
        fleet: fleet({ workers: 2 }),
        clock: clock({ steps: [step(30_000, HOUR_MS)] }),
      }),
    );
    expect(told(events, 'clock-set')).toMatchObject([{ worker: 1 }, { worker: 2 }]);
    expect(told(events, 'books').find(({ operation }) => operation === 'reclaim')).toMatchObject({
      atMs: 60_000,
    });
    expect(night).toMatchObject({ done: 1, duplicated: 1, attempts: 2 });
  });

  it('back keeps a dead worker’s hold from being reclaimed for as long', () => {
    const crashed = (steps: ClockFaults['steps']) =>
      played(
        spoilt({
          window: { lastsMs: 2 * HOUR_MS, everyMs: 86_400_000 },
          lanes: 1,
          fleet: fleet({
            workers: 2,
            crashes: {
              at: [{ night: 1, fromMs: 5_000, lastsMs: 3 * HOUR_MS, worker: 1 }],
              random: undefined,
            },
          }),
          clock: clock({ steps }),
        }),
      );
    const reclaimedAt = (steps: ClockFaults['steps']) =>
      told(crashed(steps).events, 'books').find(({ operation }) => operation === 'reclaim')?.atMs;
    expect(reclaimedAt([])).toBe(60_000);
    expect(reclaimedAt([step(6_000, -HOUR_MS)])).toBe(HOUR_MS + 60_000);
  });

  it('stays set in the nights after', () => {
    const two = spoilt({
      nights: 2,
      provider: long,
      window: { lastsMs: 60_000, everyMs: 120_000 },
      budget: { reserveMs: 0, floorMs: 1_000, capMs: 60_000, attempts: 1 },
      policy: { ...spoilt({}).policy, timeouts: 'fixed' },
      pool: pool({ leaseMs: HOUR_MS, refill: 'never' }),
      clock: clock({ steps: [step(50_000, HOUR_MS)] }),
    });
    // The hold that the first night's kill has left is reclaimed at the second opening.
    const reclaim = played(two).events.find(
      (event) => event.type === 'books' && event.operation === 'reclaim',
    );
    expect(reclaim).toMatchObject({ night: 2, atMs: 0 });
  });
});

describe('under policy.clock: wall', () => {
  const window = { lastsMs: 60_000, everyMs: 86_400_000 };
  const wall = { ...spoilt({}).policy, clock: 'wall' } as const;
  const one = (byMs: number, policy = spoilt({}).policy) =>
    played(spoilt({ window, policy, clock: clock({ steps: [step(5_000, byMs)] }) }));

  it('a clock that is set forward ends the night before its time', () => {
    expect(one(HOUR_MS).night).toMatchObject({ done: 1, attempts: 2 });
    expect(one(HOUR_MS, wall).night).toMatchObject({ done: 1, attempts: 1, finishedMs: 10_100 });
  });

  it('a clock that is set back has the worker run into the kill', () => {
    expect(one(-HOUR_MS).night.finishedMs).not.toBeNull();
    expect(one(-HOUR_MS, wall).night).toMatchObject({ done: 4, finishedMs: 40_400 });
    const many = spoilt({ window, policy: wall, jobs: [jobClass({ count: 10 })] });
    const late = played({ ...many, clock: clock({ steps: [step(5_000, -HOUR_MS)] }) });
    expect(late.night).toMatchObject({ done: 5, unknown: 1, finishedMs: null });
  });
});

describe('a machine that sleeps', () => {
  const window = { lastsMs: 100_000, everyMs: 86_400_000 };
  const night = (suspension: ClockFaults['suspension']) =>
    played(
      spoilt({
        window,
        jobs: [jobClass({ count: 10 })],
        clock: clock({ suspensions: [sleep(15_000, 30_000)], suspension }),
      }),
    );

  it('breaks the calls that are out, and goes on where it was', () => {
    const { events } = night('shorten');
    expect(
      told(events, 'attempt').map(({ atMs, elapsedMs, outcome }) => [atMs, elapsedMs, outcome]),
    ).toContainEqual([45_000, 4_900, 'threw']);
  });

  it('brings the deadline nearer by as long, so that the reserve is kept', () => {
    const { events, night: one } = night('shorten');
    // 100 s less a reserve of 45 s, whatever the monotonic clock says.
    const latestMs = Math.max(...told(events, 'granted').map(({ atMs, timeoutMs }) => atMs + timeoutMs));
    expect(latestMs).toBeCloseTo(55_000, 6);
    expect(one.finishedMs).not.toBeNull();
  });

  it('is killed earlier than it thinks where nobody looks at the gap', () => {
    const { events, night: one } = night('ignore');
    const latestMs = Math.max(...told(events, 'granted').map(({ atMs, timeoutMs }) => atMs + timeoutMs));
    expect(latestMs).toBeCloseTo(85_000, 6);
    expect(one.finishedMs).not.toBeNull();
    const short = played(
      spoilt({
        window,
        budget: { reserveMs: 20_000, floorMs: 1_000, capMs: 30_000, attempts: 1 },
        jobs: [jobClass({ count: 10 })],
        clock: clock({ suspensions: [sleep(15_000, 30_000)], suspension: 'ignore' }),
      }),
    );
    expect(short.night).toMatchObject({ unknown: 1, finishedMs: null });
  });

  it('leaves its timers what they had left', () => {
    const { events } = played(
      spoilt({
        jobs: [jobClass({ count: 1, attempts: 2 })],
        backoff: { baseMs: 20_000, factor: 1, maxMs: 20_000, jitter: 'none' },
        provider: { ...spoilt({}).provider, errors: 1 },
        pool: undefined,
        clock: clock({ suspensions: [sleep(15_000, 30_000)] }),
      }),
    );
    // Five of twenty seconds had passed.
    expect(told(events, 'granted').map(({ atMs }) => atMs)).toEqual([0, 60_000]);
  });
});
