// Jobs that come in the middle of a night, worked out by hand: lanes wait for them, and for no longer than a
// call could still be made; whoever comes outside of a window waits for the next opening.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JobClass, Scenario } from '../../src/scenario/scenario.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { play } from '../../src/world/play.ts';
import type { WorldEvent } from '../../src/world/world-event.ts';
import { jobClass, pool, scenario } from './scenario-fixture.ts';

/** Ten-second calls in a window of ten minutes, of which the last 45 s are held back, once a day. */
const DAY_MS = 86_400_000;

const coming = (atMs: readonly number[], over: Partial<JobClass> = {}): JobClass =>
  jobClass({ count: atMs.length, arrive: 'first-night', arrivals: { kind: 'moments', atMs }, ...over });

function played(over: Partial<Scenario>) {
  const events: WorldEvent[] = [];
  const store = { write: constant(0), writers: 1, flushMs: 0 };
  const { nights } = play(scenario({ store, ...over }), { observe: (event) => events.push(event) });
  return { nights, events };
}
const startsOf = (events: readonly WorldEvent[]) =>
  events.flatMap((event) => (event.type === 'granted' ? [`${event.job} ${event.atMs}`] : []));

describe('a lane that finds the queue empty', () => {
  test('waits for a job that is to come, and takes it up at that moment', () => {
    const { nights, events } = played({ jobs: [coming([0, 5_000, 100_000, 101_000])] });
    expect(startsOf(events)).toEqual([
      'plain:1:0 0',
      'plain:1:1 10000',
      'plain:1:2 100000',
      'plain:1:3 110000',
    ]);
    expect(nights[0]).toMatchObject({ jobs: 4, done: 4, finishedMs: 120_000 });
  });

  test('leaves when no job comes any more in time for a call, and the job is deferred', () => {
    // A call needs 3 s before 555 s.
    const jobs = [coming([0, 552_000, 552_001])];
    const { nights } = played({ jobs, nights: 2 });
    expect(nights[0]).toMatchObject({
      jobs: 3,
      done: 1,
      deferred: 2,
      deferCauses: { 'not-reached': 1 },
      carriedOver: 0,
    });
    expect(nights[1]).toMatchObject({ jobs: 2, carriedOver: 2, done: 2 });
  });

  test('does not stay for a job that comes too late for a call', () => {
    const { nights } = played({ jobs: [coming([0, 552_001])] });
    expect(nights[0]).toMatchObject({ done: 1, deferred: 1, finishedMs: 10_000 });
  });

  test('is there for each of several, one lane for each job, and none is started twice', () => {
    const { events, nights } = played({ lanes: 3, jobs: [coming([0, 50_000, 50_000, 50_001, 300_000])] });
    expect(startsOf(events)).toEqual([
      'plain:1:0 0',
      'plain:1:1 50000',
      'plain:1:2 50000',
      'plain:1:3 50001',
      'plain:1:4 300000',
    ]);
    expect(nights[0]).toMatchObject({ done: 5, finishedMs: 310_000 });
  });

  test('waits for nobody who comes after the termination signal', () => {
    const window = { lastsMs: 600_000, everyMs: DAY_MS, graceMs: 40_000 };
    // Without the clamp nothing else would tell the lane to leave.
    const policy = { timeouts: 'fixed', admission: 'envelope', reclaim: 'refund' } as const;
    const { nights } = played({ window, policy, jobs: [coming([0, 565_000])] });
    expect(nights[0]).toMatchObject({ done: 1, deferred: 1, finishedMs: 10_000 });
  });
});

describe('a job that comes outside of any window', () => {
  test('waits for the next opening, and belongs to that night', () => {
    const jobs = [coming([0, 600_000, 600_001, DAY_MS - 1, DAY_MS, DAY_MS + 1])];
    const { nights, events } = played({ jobs, nights: 3 });
    expect(nights.map(({ jobs: of, carriedOver, done }) => ({ of, carriedOver, done }))).toEqual([
      // The second comes with the kill.
      { of: 2, carriedOver: 0, done: 1 },
      { of: 5, carriedOver: 1, done: 5 },
      { of: 0, carriedOver: 0, done: 0 },
    ]);
    expect(startsOf(events)).toEqual([
      'plain:1:0 0',
      'plain:1:1 0',
      'plain:2:0 10000',
      'plain:2:1 20000',
      'plain:2:2 30000',
      'plain:2:3 40000',
    ]);
    expect(events.filter(({ type }) => type === 'arrived')).toEqual([
      { type: 'arrived', night: 2, atMs: 1, job: 'plain:2:3' },
    ]);
  });
});

describe('lanes that wait for tokens', () => {
  test('take up a smaller job that comes meanwhile', () => {
    // 2,000 of 3,000 tokens are held for the call of the first; the second needs 2,000, the third 900.
    const large = coming([0, 0]);
    const small = coming([4_000], { name: 'small', envelope: { kind: 'tokens', tokens: 900 } });
    const { events, nights } = played({ lanes: 2, jobs: [large, small], pool: pool({ capacity: 3_000 }) });
    expect(startsOf(events).slice(0, 2)).toEqual(['plain:1:0 0', 'small:1:0 4000']);
    expect(nights[0]).toMatchObject({ jobs: 3, done: 1 + 1, refused: 1 });
  });
});

describe('the age of a queue', () => {
  const slow = { ...scenario().provider, latency: { kind: 'direct' as const, call: constant(100_000) } };
  const agesOf = (jobs: JobClass[]) => {
    const { events } = played({ jobs, provider: slow });
    return events.flatMap((event) =>
      event.type === 'signal' && event.signal === 'queue-age' ? [[event.atMs, event.figure] as const] : [],
    );
  };

  test('counts from the arrival of the oldest that waits', () => {
    // The lane works on the first from 0 to 100 s, on the second from 100 s to 200 s; the third waits.
    const jobs = [coming([0, 60_000, 90_000], { slackMs: 1_000_000, isSlackDeclared: true })];
    const ages = new Map(agesOf(jobs));
    expect(ages.get(54_000)).toBeNull();
    expect(ages.get(96_000)).toBeCloseTo(0.036, 9);
    expect(ages.get(150_000)).toBeCloseTo(0.06, 9);
    expect(ages.get(204_000)).toBeNull();
  });
});

describe('a pool that is full again in the middle of a night', () => {
  /** Refilled as the window opens and 100 s later; each job takes 1,100 of its tokens. */
  const twice = pool({ capacity: 4_000, refill: 'day', refillsAtMs: [0, 100_000] });

  test('lets who waits for tokens go on, and keeps the books of both days', () => {
    // Two calls hold it all for 10 s; then what is left, 1,800, is too little for a third job, which is refused.
    const jobs = [coming([0, 0, 0, 100_000])];
    const { nights, events } = played({ lanes: 2, jobs, pool: twice });
    expect(nights[0]).toMatchObject({ done: 3, refused: 1 });
    expect(startsOf(events)).toEqual(['plain:1:0 0', 'plain:1:1 0', 'plain:1:3 100000']);
    expect(nights[0]?.pools.free).toMatchObject({
      capacity: 4_000,
      balance: 2_900,
      consumed: 3_300,
      drift: 0,
    });
  });

  test('lets a lane that waits at the refill go on at that moment', () => {
    const long = { ...scenario().provider, latency: { kind: 'direct' as const, call: constant(115_000) } };
    const { events } = played({ lanes: 3, jobs: [coming([0, 0, 0])], pool: twice, provider: long });
    expect(startsOf(events)).toEqual(['plain:1:0 0', 'plain:1:1 0', 'plain:1:2 100000']);
  });

  test('is not refilled for a night of the same day', () => {
    const once = pool({ capacity: 4_000, refill: 'month', refillsAtMs: [-1] });
    const { nights } = played({ nights: 2, jobs: [jobClass({ count: 2 })], pool: once });
    expect(nights.map(({ done, refused }) => [done, refused])).toEqual([
      [2, 0],
      [0, 3 - 1],
    ]);
  });
});

describe('for any arrivals', () => {
  const moments = fc
    .array(fc.oneof(fc.integer({ min: 0, max: 700_000 }), fc.double({ min: 0, max: 700_000, noNaN: true })), {
      maxLength: 120,
    })
    .map((atMs) => atMs.toSorted((one, other) => one - other));

  /** First come, first served by so many servers that take ten seconds each. */
  function servedBy(servers: number, arrivals: readonly number[]): number[] {
    const freeAt = new Array<number>(servers).fill(0);
    return arrivals.map((atMs) => {
      const first = freeAt.indexOf(Math.min(...freeAt));
      const startsMs = Math.max(atMs, freeAt[first]!);
      freeAt[first] = startsMs + 10_000;
      return startsMs;
    });
  }

  test('and number of lanes, jobs start when servers of a queue would start them', () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: 1, max: 12 }), (atMs, lanes) => {
        const { events } = played({ lanes, jobs: [coming(atMs, { attempts: 1 })] });
        const starts = events.flatMap((event) => (event.type === 'granted' ? [event.atMs] : []));
        const expected = servedBy(lanes, atMs).filter((startsMs) => startsMs < 545_000);
        expect(starts.length).toBeGreaterThanOrEqual(expected.length);
        for (const [ordinal, startsMs] of expected.entries())
          expect(starts[ordinal]).toBeCloseTo(startsMs, 2);
      }),
    );
  });

  test('workers, crashes and books, every job that has come ends in one outcome, and nobody hangs', () => {
    const fleets = fc.record({
      workers: fc.integer({ min: 1, max: 3 }),
      between: fc.integer({ min: 60_000, max: 900_000 }),
    });
    fc.assert(
      fc.property(moments, fleets, fc.integer({ min: 2_000, max: 60_000 }), (atMs, fleet, capacity) => {
        const random = { betweenMs: fleet.between, lasts: constant(20_000) };
        const { nights } = played({
          nights: 2,
          lanes: 3,
          jobs: [coming(atMs)],
          pool: pool({ capacity }),
          fleet: {
            workers: fleet.workers,
            crashes: { at: [], random },
            pauses: { at: [], random },
            zombies: undefined,
            renewals: true,
          },
        });
        const seen = atMs.filter((one) => one <= 600_000).length;
        expect(nights[0]?.jobs).toBe(seen);
        for (const { jobs, done, deferred, refused, inadmissible, failed, unknown, lostWrites } of nights) {
          expect(done + deferred + refused + inadmissible + failed + unknown + lostWrites).toBe(jobs);
        }
        const later = atMs.length - seen;
        expect(nights[1]?.jobs).toBe(later + (nights[0]?.jobs ?? 0) - (nights[0]?.done ?? 0));
      }),
    );
  });
});
