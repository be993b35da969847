// How a night ends where there is a grace period: a signal after which nothing is taken up, then the kill.

import { describe, expect, it } from 'vitest';
import { constant, fleet, jobClass, once, played, pool, spoilt, told } from './fleet-fixture.ts';

const window = { lastsMs: 60_000, everyMs: 86_400_000, graceMs: 20_000 };
const budget = { reserveMs: 20_000, floorMs: 1_000, capMs: 30_000, attempts: 1 };
/** Under the clamp nothing would be begun by then anyway: the signal is for those who do not look. */
const policy = { ...spoilt({}).policy, timeouts: 'fixed' } as const;
const jobs = [jobClass({ count: 6 })];

describe('the termination signal', () => {
  it('comes the grace before the kill, and from then on nothing is taken up', () => {
    const { night, events } = played(spoilt({ window, budget, policy, jobs }));
    expect(told(events, 'terminating')).toMatchObject([{ atMs: 40_000 }]);
    // What is under way goes on to its end, and its worker leaves.
    expect(told(events, 'granted').map(({ atMs }) => atMs)).toEqual([0, 10_100, 20_200, 30_300]);
    expect(night).toMatchObject({ done: 4, deferred: 2, finishedMs: 40_400 });
  });

  it('ends the wait for tokens', () => {
    const { night, events } = played(
      spoilt({
        window,
        budget,
        policy,
        lanes: 2,
        pool: pool({ capacity: 2_000, quota: 2_000 }),
        provider: { ...spoilt({}).provider, latency: { kind: 'direct', call: constant(29_000) } },
        store: { write: constant(12_000), writers: 1, flushMs: 0 },
      }),
    );
    expect(told(events, 'lane-ended').map(({ lane, atMs }) => [lane, atMs])).toEqual([
      [1, 40_000],
      [0, 41_000],
    ]);
    expect(night).toMatchObject({ done: 1, deferred: 3, finishedMs: 41_000 });
  });

  it('is heard by a worker that stands still only when it goes on', () => {
    const pauses = once(35_000, 10_000);
    const { night, events } = played(spoilt({ window, budget, policy, jobs, fleet: fleet({ pauses }) }));
    expect(told(events, 'lane-ended')).toMatchObject([{ atMs: 45_100 }]);
    expect(night).toMatchObject({ done: 4, deferred: 2 });
  });

  it('keeps a crashed worker from coming back', () => {
    const { events, night } = played(
      spoilt({ window, budget, fleet: fleet({ crashes: once(5_000, 40_000) }) }),
    );
    expect(told(events, 'restarted')).toEqual([]);
    expect(night).toMatchObject({ done: 0, unknown: 1, finishedMs: null });
  });

  it('without a grace never comes', () => {
    expect(told(played(spoilt({})).events, 'terminating')).toEqual([]);
  });
});

describe('the kill', () => {
  it('loses what is in the line, does not know what is out, and leaves holds unsettled', () => {
    const store = { write: constant(30_000), writers: 1, flushMs: 0 };
    const { night } = played(
      spoilt({ window, budget, policy, store, lanes: 3, jobs: [jobClass({ count: 6, attempts: 1 })] }),
    );
    // Written at 40 s: one. In the line: two. Taken up at 40 s by the lane that was free: one, written in vain.
    expect(night).toMatchObject({ done: 1, lostWrites: 2, finishedMs: null });
    expect(night.done + night.lostWrites + night.unknown + night.deferred).toBe(6);
    expect(night.unsettled).toBe(night.lostWrites + night.unknown);
  });
});
