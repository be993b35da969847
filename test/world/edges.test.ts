// Nights at the limits of what can be asked for: they are answered, and nothing crashes.

import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { exponential } from '../../src/sim/distributions/exponential.ts';
import { play } from '../../src/world/play.ts';
import type { WorldEvent } from '../../src/world/world-event.ts';
import { jobClass, pool, scenario } from './scenario-fixture.ts';

const one = (over: Partial<Scenario>) => play(scenario(over)).nights[0]!;
const window = (lastsMs: number): Scenario['window'] => ({ lastsMs, everyMs: 86_400_000 });

describe('a night at its limits', () => {
  it('without classes, or with classes of nobody, is over when it has been flushed', () => {
    const store = { write: constant(100), writers: 1, flushMs: 70 };
    for (const jobs of [
      [],
      [jobClass({ count: 0 })],
      [jobClass({ count: 0 }), jobClass({ name: 'b', count: 0 })],
    ]) {
      expect(one({ jobs, store, pool: pool() })).toMatchObject({
        jobs: 0,
        done: 0,
        attempts: 0,
        refusalRate: null,
        finishedMs: 70,
        lastWriteMs: null,
      });
    }
  });

  it('with one job does it', () => {
    expect(one({ jobs: [jobClass({ count: 1 })], lanes: 10 })).toMatchObject({
      jobs: 1,
      done: 1,
      finishedMs: 10_100,
    });
  });

  it('with a class of nobody beside another leaves that one alone', () => {
    const { classes } = play(scenario({ jobs: [jobClass({ name: 'none', count: 0 }), jobClass()] }));
    expect(classes.none).toMatchObject({ jobs: 0, done: 0 });
    expect(classes.plain).toMatchObject({ jobs: 10, done: 10 });
  });

  it('with 10,000 lanes has them wait for each other’s tokens', () => {
    // A thousand holds fit at once; the others wait, and every wave leaves its unspent part to the next.
    const night = one({
      lanes: 10_000,
      jobs: [jobClass({ count: 10_000 })],
      pool: pool({ capacity: 2_000_000, quota: 2_000_000 }),
      store: { write: constant(0), writers: 10_000, flushMs: 0 },
    });
    // Used up to the last that an envelope fits in: 1,100 each of 2,000,000, and 2,000 free for the last one.
    expect(night.done).toBe(1 + Math.floor((2_000_000 - 2_000) / 1_100));
    expect(night.done + night.refused).toBe(10_000);
  });

  it('with a window of 1 ms and nothing held back declines everything', () => {
    const budget = { reserveMs: 0, floorMs: 3_000, capMs: 120_000, attempts: 3 };
    expect(one({ window: window(1), budget })).toMatchObject({
      done: 0,
      deferred: 10,
      deferCauses: { 'not-reached': 10 },
      attempts: 0,
      finishedMs: 0,
    });
  });

  it('with a window of 1 ms and no floor cuts the first call and is killed while it writes that down', () => {
    const budget = { reserveMs: 0, floorMs: 0.5, capMs: 120_000, attempts: 3 };
    expect(one({ window: window(1), budget })).toMatchObject({
      done: 0,
      unknown: 1,
      deferred: 9,
      attempts: 0,
      finishedMs: null,
    });
  });

  it('400 times in a row, carries over what does not fit', () => {
    // 3 of 4 fit the window of 40 s: job k starts at k × 10.1 s and is granted until 33 s.
    const small = {
      nights: 400,
      window: window(40_000),
      budget: { reserveMs: 5_000, floorMs: 3_000, capMs: 20_000, attempts: 1 },
      jobs: [jobClass({ count: 4, attempts: 1 })],
      pool: pool(),
    };
    const { nights, total } = play(scenario(small));
    expect(nights).toHaveLength(400);
    expect(total.done).toBe(1_200);
    // One more is cut off by the reserve every night; the backlog grows by one.
    expect(nights[399]).toMatchObject({ night: 400, jobs: 399 + 4, carriedOver: 399, done: 3 });
  });

  it('with a pool of nothing finds every job inadmissible', () => {
    expect(one({ pool: pool({ capacity: 0, quota: 0 }) })).toMatchObject({ inadmissible: 10, attempts: 0 });
  });

  it('with a pool of nothing under the shared counter refuses every job', () => {
    const policy = { timeouts: 'clamp', admission: 'shared-counter', reclaim: 'refund' } as const;
    expect(one({ pool: pool({ capacity: 0, quota: 0 }), policy })).toMatchObject({
      refused: 10,
      attempts: 0,
    });
  });

  it('with envelopes of nothing admits everybody, and records all of it as overspent', () => {
    const night = one({
      jobs: [jobClass({ envelope: { kind: 'tokens', tokens: 0 } })],
      pool: pool({ capacity: 0, quota: 0 }),
    });
    expect(night).toMatchObject({ done: 10, refused: 0 });
    expect(night.pools.free).toMatchObject({ consumed: 0, overspent: 11_000, billed: 11_000, drift: 11_000 });
  });

  it('in which every call hangs ends before the kill all the same', () => {
    const night = one({ provider: { ...scenario().provider, hangs: 1 }, lanes: 4, pool: pool() });
    expect(night).toMatchObject({ done: 0, deferred: 10, unsettled: 0 });
    expect(night.finishedMs).toBeLessThan(600_000 - 44_000);
  });

  it('in which every call hangs is killed in mid-call under fixed timeouts', () => {
    const policy = { timeouts: 'fixed', admission: 'envelope', reclaim: 'refund' } as const;
    expect(one({ provider: { ...scenario().provider, hangs: 1 }, policy, pool: pool() })).toMatchObject({
      done: 0,
      unknown: 1,
      finishedMs: null,
      unsettled: 1,
    });
  });
});

describe('a lease', () => {
  function eventsOf(over: Partial<Scenario>) {
    const events: WorldEvent[] = [];
    const [night] = play(scenario(over), { observe: (event) => events.push(event) }).nights;
    return { night: night!, events };
  }

  it('shorter than a call is renewed while the call is out', () => {
    // A sweep comes by at 60 s, in the middle of the first call, and finds nothing to take back.
    const { night, events } = eventsOf({
      pool: pool({ leaseMs: 9_000 }),
      jobs: [jobClass({ count: 3 })],
      provider: { ...scenario().provider, latency: { kind: 'direct', call: constant(100_000) } },
    });
    expect(night).toMatchObject({ done: 3, attempts: 3 });
    expect(night.pools.free).toMatchObject({ consumed: 3_300, refunded: 2_700, shortfall: 0 });
    expect(events.filter((event) => event.type === 'books' && event.operation === 'reclaim')).toEqual([]);
  });

  it('shorter than a backoff is renewed while nothing is out', () => {
    const { night, events } = eventsOf({
      pool: pool({ leaseMs: 9_000 }),
      jobs: [jobClass({ count: 1 })],
      provider: { ...scenario().provider, errors: 1 },
      backoff: { baseMs: 70_000, factor: 2, maxMs: 140_000, jitter: 'none' },
    });
    expect(night).toMatchObject({ attempts: 3, errors: 3, deferCauses: { 'attempts-used-up': 1 } });
    expect(events.filter((event) => event.type === 'books' && event.operation === 'reclaim')).toEqual([]);
  });

  it('that runs out while a checkpoint is being written gives the job to another lane; it is done once', () => {
    // Answered at 10 s, durable at 130 s, swept at 60 s: the second lane, with a job of its own until then,
    // may take it up again. Both write it down as done, and it counts once.
    const { night, events } = eventsOf({
      lanes: 2,
      pool: pool({ leaseMs: 9_000 }),
      jobs: [jobClass({ count: 2 })],
      provider: { ...scenario().provider, latency: { kind: 'direct', call: exponential({ mean: 30_000 }) } },
      store: { write: constant(120_000), writers: 4, flushMs: 0 },
    });
    expect(night).toMatchObject({ jobs: 2, done: 2 });
    expect(events.some((event) => event.type === 'books' && event.operation === 'reclaim')).toBe(true);
    const done = events.filter((event) => event.type === 'outcome');
    expect(done.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
  });

  it('longer than the longest that the ledger gives is clipped, and does no harm', () => {
    expect(one({ pool: pool({ leaseMs: 30 * 86_400_000 }) })).toMatchObject({ done: 10, unsettled: 0 });
  });

  it('of a millisecond is renewed three times as often', () => {
    expect(one({ pool: pool({ leaseMs: 1 }), jobs: [jobClass({ count: 2 })] })).toMatchObject({ done: 2 });
  });
});
