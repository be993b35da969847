// What befalls workers: crashes, pauses, zombies; and what becomes of their jobs, their holds and the books.

import { describe, expect, it } from 'vitest';
import { constant, fleet, jobClass, once, played, pool, spoilt, told } from './fleet-fixture.ts';

describe('a fleet', () => {
  it('has all the lanes on each worker, numbered over all of them', () => {
    const { night, events } = played(spoilt({ lanes: 2, fleet: fleet({ workers: 2 }) }));
    expect(night).toMatchObject({ done: 4, duplicated: 0 });
    expect(told(events, 'granted').map(({ lane, atMs }) => [lane, atMs])).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 0],
    ]);
  });

  it('has a worker wait that finds nothing to do while another is at work', () => {
    const { events } = played(spoilt({ jobs: [jobClass({ count: 1 })], fleet: fleet({ workers: 2 }) }));
    const ended = told(events, 'lane-ended').map(({ lane, atMs }) => [lane, atMs]);
    expect(ended).toEqual([
      [1, 10_100],
      [0, 10_100],
    ]);
  });

  it('without a pool has it leave: nothing tells it that the other may die', () => {
    const { events } = played(
      spoilt({ jobs: [jobClass({ count: 1 })], pool: undefined, fleet: fleet({ workers: 2 }) }),
    );
    expect(told(events, 'lane-ended').map(({ lane, atMs }) => [lane, atMs])).toEqual([
      [1, 0],
      [0, 10_100],
    ]);
  });
});

describe('a crash', () => {
  const crashing = (over = {}) =>
    spoilt({ lanes: 2, fleet: fleet({ workers: 2, crashes: once(5_000, 20_000), ...over }) });

  it('takes all lanes of a worker, strands their holds, and bills their calls as far as they went', () => {
    const { night, events } = played(crashing());
    expect(told(events, 'crashed')).toMatchObject([{ atMs: 5_000, worker: 1, stranded: 4_000 }]);
    expect(told(events, 'restarted')).toMatchObject([{ atMs: 25_000, worker: 1 }]);
    // Until somebody closes them, at the next look after their leases have ended.
    expect(told(events, 'stranded').map(({ atMs, tokens }) => [atMs, tokens])).toEqual([
      [5_000, 4_000],
      [60_000, 0],
    ]);
    // Two calls that were cut off bill their input alone, then four whole ones.
    expect(night.pools.free).toMatchObject({ billed: 2 * 1_000 + 4 * 1_100, consumed: 4_400, drift: 2_000 });
    expect(night).toMatchObject({ done: 4, duplicated: 0 });
  });

  it('brings its jobs back when the reclaimer has closed the holds whose leases had ended', () => {
    const { events } = played(crashing());
    const reclaimed = told(events, 'books').filter(({ operation }) => operation === 'reclaim');
    expect(reclaimed).toMatchObject([{ atMs: 60_000 }]);
    const again = told(events, 'granted').filter(({ atMs }) => atMs >= 25_000);
    expect(again.map(({ job, atMs, attempt }) => [job, atMs, attempt])).toEqual([
      ['plain:1:0', 60_000, 2],
      ['plain:1:1', 60_000, 2],
    ]);
  });

  it('without a pool brings them back with its worker', () => {
    const { night, events } = played({ ...crashing(), pool: undefined });
    expect(night.done).toBe(4);
    const again = told(events, 'granted').filter(({ atMs }) => atMs > 5_000);
    expect(again.map(({ lane, atMs }) => [lane, atMs])).toEqual([
      [0, 25_000],
      [1, 25_000],
    ]);
  });

  it('that nobody comes back from leaves its calls unknown', () => {
    const lost = spoilt({
      fleet: fleet({ crashes: once(5_000, 3_600_000) }),
      jobs: [jobClass({ count: 2 })],
    });
    const { night } = played(lost);
    expect(night).toMatchObject({ done: 0, unknown: 1, deferred: 1, finishedMs: null, unsettled: 1 });
    expect(night.pools.free).toMatchObject({ stranded: 2_000, billed: 1_000, consumed: 0 });
  });

  it('in mid-write loses the write, and the job is done once when it is tried again', () => {
    const store = { write: constant(4_000), writers: 1, flushMs: 0 };
    const { night, events } = played(
      spoilt({ store, jobs: [jobClass({ count: 1 })], fleet: fleet({ crashes: once(12_000, 1_000) }) }),
    );
    // Back at 13 s, it looks for expired holds at once and every minute from then on.
    expect(told(events, 'written')).toMatchObject([{ status: 'done', atMs: 73_000 + 14_000 }]);
    expect(night).toMatchObject({ done: 1, lostWrites: 0 });
  });

  it('in mid-write decides nothing any more once the job is tried again', () => {
    const { night } = played(
      spoilt({
        store: { write: constant(4_000), writers: 1, flushMs: 0 },
        jobs: [jobClass({ count: 1 })],
        window: { lastsMs: 80_000, everyMs: 86_400_000 },
        policy: { ...spoilt({}).policy, timeouts: 'fixed' },
        fleet: fleet({ crashes: once(12_000, 1_000) }),
      }),
    );
    // Its second call is out when the kill comes.
    expect(night).toMatchObject({ attempts: 1, unknown: 1, lostWrites: 0 });
  });

  it('of a worker that had left does nothing', () => {
    const { events, night } = played(
      spoilt({ pool: undefined, lanes: 4, fleet: fleet({ workers: 2, crashes: once(5_000, 1_000, 2) }) }),
    );
    expect(told(events, 'crashed')).toEqual([]);
    expect(night).toMatchObject({ done: 4, finishedMs: 10_400 });
  });
});

describe('a pause', () => {
  it('within its lease only takes time', () => {
    const { night, events } = played(
      spoilt({ jobs: [jobClass({ count: 1 })], fleet: fleet({ pauses: once(5_000, 20_000) }) }),
    );
    expect(told(events, 'attempt')).toMatchObject([{ elapsedMs: 25_000, outcome: 'ok', billed: 1_100 }]);
    expect(night).toMatchObject({ done: 1, duplicated: 0, finishedMs: 25_100 });
    expect(night.pools.free).toMatchObject({ consumed: 1_100, drift: 0 });
  });

  it('longer than the grant ends the call, though its answer had come', () => {
    const { events } = played(
      spoilt({ jobs: [jobClass({ count: 1, attempts: 1 })], fleet: fleet({ pauses: once(5_000, 130_000) }) }),
    );
    expect(told(events, 'attempt')).toMatchObject([{ outcome: 'timed-out', billed: 1_100, tokens: 1_000 }]);
  });

  it('longer than its lease has the job done twice, and counts it; the first to write it down wins', () => {
    const { night, events } = played(
      spoilt({ jobs: [jobClass({ count: 1 })], fleet: fleet({ workers: 2, pauses: once(5_000, 63_000) }) }),
    );
    expect(told(events, 'duplicated')).toMatchObject([{ atMs: 60_000, job: 'plain:1:0' }]);
    expect(told(events, 'attempt').map(({ atMs, outcome }) => [atMs, outcome])).toEqual([
      [68_000, 'ok'],
      [70_000, 'ok'],
    ]);
    expect(told(events, 'written').map(({ atMs }) => atMs)).toEqual([68_100, 70_100]);
    expect(night).toMatchObject({ jobs: 1, done: 1, duplicated: 1 });
    expect(night.pools.free).toMatchObject({ billed: 2_200, consumed: 2_200, drift: 0 });
  });

  it('longer than its lease makes what it writes void, unless that is “done”', () => {
    const hanging = { ...spoilt({}).provider, hangs: 1 };
    const { night, events } = played(
      spoilt({
        provider: hanging,
        jobs: [jobClass({ count: 1, attempts: 1 })],
        fleet: fleet({ workers: 2, pauses: once(5_000, 150_000) }),
      }),
    );
    expect(told(events, 'superseded')).toMatchObject([{ atMs: 155_000, status: 'pending' }]);
    expect(told(events, 'written')).toMatchObject([{ atMs: 180_100, status: 'pending' }]);
    expect(night).toMatchObject({ deferred: 1, deferCauses: { 'attempts-used-up': 1 } });
  });
});

describe('renewals', () => {
  const long = { ...spoilt({}).provider, latency: { kind: 'direct', call: constant(100_000) } } as const;
  const one = (renewals: boolean) =>
    played(
      spoilt({ provider: long, jobs: [jobClass({ count: 1 })], fleet: fleet({ workers: 2, renewals }) }),
    );

  it('keep a hold for as long as its call is out', () => {
    const { night } = one(true);
    expect(night).toMatchObject({ done: 1, duplicated: 0, attempts: 1 });
  });

  it('switched off have long calls lose their holds, and their jobs done twice', () => {
    const { night } = one(false);
    expect(night).toMatchObject({ done: 1, duplicated: 1, attempts: 2 });
    expect(night.pools.free).toMatchObject({ billed: 2_200, consumed: 2_200 });
  });
});

describe('a zombie', () => {
  it('renews until its hold has lived as long as any may, and then somebody else does the job', () => {
    const { night, events } = played(
      spoilt({
        jobs: [jobClass({ count: 1 })],
        pool: pool({ leaseMs: 30_000, maxLeaseMs: 150_000 }),
        fleet: fleet({ workers: 2, zombies: once(5_000, 1) }),
      }),
    );
    const reclaimed = told(events, 'books').filter(({ operation }) => operation === 'reclaim');
    expect(reclaimed).toMatchObject([{ atMs: 180_000 }]);
    expect(told(events, 'attempt')).toMatchObject([{ atMs: 190_000, outcome: 'ok' }]);
    // Its call has ended at the provider, and is on the bill; nobody leaves before it is killed.
    expect(night).toMatchObject({ done: 1, duplicated: 1, finishedMs: null });
    expect(night.pools.free).toMatchObject({ billed: 2_200, consumed: 1_100, drift: 1_100 });
  });
});
