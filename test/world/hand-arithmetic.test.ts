// Nights without chance in them: constant latency, constant tokens, no jitter. Every figure that a night
// comes to is worked out by hand here, and compared whole.

import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { noDrift } from '../../src/world/drift-account.ts';
import { play } from '../../src/world/play.ts';
import type { DriftCauses, NightResult, PoolFigures } from '../../src/world/run-result.ts';
import { jobClass, pool, scenario } from './scenario-fixture.ts';

const OUTCOMES = {
  jobs: 0,
  done: 0,
  deferred: 0,
  refused: 0,
  inadmissible: 0,
  failed: 0,
  unknown: 0,
  lostWrites: 0,
};

/** A night of one class, of which everything is nought that is not named. */
function night(figures: Partial<NightResult>): NightResult {
  const { jobs, done, deferred, refused, inadmissible, failed, unknown, lostWrites } = {
    ...OUTCOMES,
    ...figures,
  };
  const outcomes = { jobs, done, deferred, refused, inadmissible, failed, unknown, lostWrites };
  return {
    night: 1,
    ...outcomes,
    carriedOver: 0,
    deferCauses: {},
    attempts: 0,
    timeouts: 0,
    errors: 0,
    invalid: 0,
    rateLimited: 0,
    hiddenCalls: 0,
    refusalRate: null,
    unsettled: 0,
    duplicated: 0,
    finishedMs: null,
    lastWriteMs: null,
    alerts: [],
    trips: [],
    firstTripMs: null,
    pools: {},
    classes: { plain: outcomes },
    ...figures,
  };
}

function books(figures: Partial<PoolFigures>, causes: Partial<DriftCauses> = {}): { free: PoolFigures } {
  return {
    free: {
      capacity: 0,
      balance: 0,
      held: 0,
      consumed: 0,
      refunded: 0,
      overspent: 0,
      shortfall: 0,
      stranded: 0,
      billed: 0,
      drift: 0,
      ...figures,
      driftCauses: { ...noDrift(), ...causes },
    },
  };
}

const nightsOf = (over: Partial<Scenario>) => play(scenario(over)).nights;
const calls = (ms: number): Pick<Scenario, 'provider'> => ({
  provider: { ...scenario().provider, latency: { kind: 'direct', call: constant(ms) } },
});
const writes = (ms: number, writers = 1, flushMs = 0): Pick<Scenario, 'store'> => ({
  store: { write: constant(ms), writers, flushMs },
});
const noJitter: Pick<Scenario, 'backoff'> = { backoff: { ...scenario().backoff, jitter: 'none' } };
const fixed: Pick<Scenario, 'policy'> = { policy: { ...scenario().policy, timeouts: 'fixed' } };
const HUNDRED_SECONDS = { window: { lastsMs: 100_000, everyMs: 86_400_000 } };

describe('lanes and writers', () => {
  it('one lane does one job after the other', () => {
    // Ten times 10 s of call and 0.1 s of write.
    expect(play(scenario())).toEqual({
      scenario: 'fixture',
      seed: 'fixture',
      nights: [night({ jobs: 10, done: 10, attempts: 10, finishedMs: 101_000, lastWriteMs: 101_000 })],
      total: { ...OUTCOMES, jobs: 10, done: 10, attempts: 10, unsettled: 0 },
      pools: {},
      classes: { plain: { ...OUTCOMES, jobs: 10, done: 10, attempts: 10, heldTokens: 0, usedTokens: 0 } },
      compare: {},
    });
  });

  it('of two lanes, the second writes behind the first', () => {
    // Both calls end at 10 s; one writer is at them until 10.1 s and 10.2 s. From there on the lanes are
    // apart by one write: five rounds of 10.1 s, and 0.1 s for the second.
    expect(nightsOf({ lanes: 2 })).toEqual([
      night({ jobs: 10, done: 10, attempts: 10, finishedMs: 50_600, lastWriteMs: 50_600 }),
    ]);
  });

  it('with two writers, two lanes are as fast as each other', () => {
    expect(nightsOf({ lanes: 2, ...writes(100, 2) })).toEqual([
      night({ jobs: 10, done: 10, attempts: 10, finishedMs: 50_500, lastWriteMs: 50_500 }),
    ]);
  });

  it('more lanes than jobs are as many as jobs', () => {
    // All ten calls end at 10 s, and ten writes follow each other.
    expect(nightsOf({ lanes: 64 })).toEqual([
      night({ jobs: 10, done: 10, attempts: 10, finishedMs: 11_000, lastWriteMs: 11_000 }),
    ]);
  });

  it('a write that takes longer than a call makes the writer the bottleneck', () => {
    // The three calls end at 10 s, and from there on the writer never rests: 10 + 6 × 15 s.
    expect(nightsOf({ lanes: 3, jobs: [jobClass({ count: 6 })], ...writes(15_000) })).toEqual([
      night({ jobs: 6, done: 6, attempts: 6, finishedMs: 100_000, lastWriteMs: 100_000 }),
    ]);
  });

  it('the flush comes after the last write, once', () => {
    expect(nightsOf({ ...writes(100, 1, 7_000) })).toEqual([
      night({ jobs: 10, done: 10, attempts: 10, finishedMs: 108_000, lastWriteMs: 101_000 }),
    ]);
  });

  it('a flush that is cut off by the kill never finished', () => {
    // 600 s less 101 s of jobs is 499 s.
    expect(nightsOf({ ...writes(100, 1, 498_999) })[0]).toMatchObject({ finishedMs: 599_999 });
    expect(nightsOf({ ...writes(100, 1, 499_000) })).toEqual([
      night({ jobs: 10, done: 10, attempts: 10, finishedMs: null, lastWriteMs: 101_000 }),
    ]);
  });

  it('a call by tokens takes its first token and then each of its tokens', () => {
    // 2 s + 100 tokens × 30 ms = 5 s; ten times 5.1 s.
    const latency = { kind: 'by-token', firstToken: constant(2_000), perToken: constant(30) } as const;
    expect(nightsOf({ provider: { ...scenario().provider, latency } })).toEqual([
      night({ jobs: 10, done: 10, attempts: 10, finishedMs: 51_000, lastWriteMs: 51_000 }),
    ]);
  });
});

describe('the window', () => {
  const tight = {
    ...HUNDRED_SECONDS,
    budget: { reserveMs: 20_000, floorMs: 3_000, capMs: 30_000, attempts: 3 },
  };

  it('binds: the last call is cut at the reserve, the rest is not reached', () => {
    // Job k starts at k × 10.1 s. The eighth, at 70.7 s, is granted the 9.3 s before the reserve, times out
    // at 80 s, and is written down as pending until 80.1 s. The other two have to wait.
    expect(nightsOf({ ...tight, ...writes(100, 1, 5_000) })).toEqual([
      night({
        jobs: 10,
        done: 7,
        deferred: 3,
        deferCauses: { 'out-of-time': 1, 'not-reached': 2 },
        attempts: 8,
        timeouts: 1,
        finishedMs: 85_100,
        lastWriteMs: 80_100,
      }),
    ]);
  });

  it('less than the floor left is not granted', () => {
    // Job k starts at k × 11.1 s: the eighth would at 77.7 s, with 2.3 s left.
    expect(nightsOf({ ...tight, ...calls(11_000) })).toEqual([
      night({
        jobs: 10,
        done: 7,
        deferred: 3,
        deferCauses: { 'not-reached': 3 },
        attempts: 7,
        finishedMs: 77_700,
        lastWriteMs: 77_700,
      }),
    ]);
  });

  it('exactly the floor is granted', () => {
    // Job k starts at k × 11 s: the eighth at 77 s, with exactly 3 s left, in which it times out.
    expect(nightsOf({ ...tight, ...calls(10_900) })).toEqual([
      night({
        jobs: 10,
        done: 7,
        deferred: 3,
        deferCauses: { 'out-of-time': 1, 'not-reached': 2 },
        attempts: 8,
        timeouts: 1,
        finishedMs: 80_100,
        lastWriteMs: 80_100,
      }),
    ]);
  });

  it('an answer exactly at the grant is in time', () => {
    // Writes take no time: the eighth call starts at 70 s, is granted the 10 s before the reserve, and takes them.
    expect(nightsOf({ ...tight, ...writes(0) })).toEqual([
      night({
        jobs: 10,
        done: 8,
        deferred: 2,
        deferCauses: { 'not-reached': 2 },
        attempts: 8,
        finishedMs: 80_000,
        lastWriteMs: 80_000,
      }),
    ]);
  });

  it('a call that uses its whole grant, whatever that is, succeeds', () => {
    // Two grants of the cap, 30.1 s each with the write; the third gets the 19.8 s up to the reserve.
    const latency = { kind: 'whole-grant' } as const;
    expect(nightsOf({ ...tight, provider: { ...scenario().provider, latency } })).toEqual([
      night({
        jobs: 10,
        done: 3,
        deferred: 7,
        deferCauses: { 'not-reached': 7 },
        attempts: 3,
        finishedMs: 80_100,
        lastWriteMs: 80_100,
      }),
    ]);
  });

  it('a call longer than the cap uses up its attempts, and its backoffs', () => {
    // Job 1: 120 s, pause 1 s, 120 s, pause 2 s, 120 s, write: 363.1 s. Job 2: 120 s to 483.1 s, pause 1 s,
    // then the 70.9 s that are left before the reserve at 555 s, and no time for another pause.
    expect(nightsOf({ ...calls(200_000), ...noJitter })).toEqual([
      night({
        jobs: 10,
        deferred: 10,
        deferCauses: { 'attempts-used-up': 1, 'out-of-time': 1, 'not-reached': 8 },
        attempts: 5,
        timeouts: 5,
        finishedMs: 555_100,
        lastWriteMs: 555_100,
      }),
    ]);
  });
});

describe('answers that are no success', () => {
  const faults = (over: Partial<Scenario['provider']>): Pick<Scenario, 'provider'> => ({
    provider: { ...scenario().provider, ...over },
  });

  it('invalid at the last attempt has failed, costs both, and never comes back', () => {
    // 10 s, pause 1 s, 10 s, write: 21.1 s each. 2 × 1,100 tokens of a hold of 2,000.
    const twice = {
      nights: 2,
      jobs: [jobClass({ attempts: 2 })],
      pool: pool(),
      ...faults({ invalid: 1 }),
      ...noJitter,
    };
    const one = night({
      jobs: 10,
      failed: 10,
      attempts: 20,
      invalid: 20,
      refusalRate: 0,
      finishedMs: 211_000,
      lastWriteMs: 211_000,
      // The first settle of 2,200 is told; ten are too few to trip.
      alerts: [
        {
          signal: 'overspend',
          class: 'plain',
          pool: null,
          atMs: 21_100,
          figure: 1,
          threshold: 0,
          action: "fix this class's envelope, and no other's",
        },
      ],
      pools: books(
        {
          capacity: 1_000_000,
          balance: 980_000,
          consumed: 20_000,
          overspent: 2_000,
          billed: 22_000,
          drift: 2_000,
        },
        { overspend: 2_000 },
      ),
    });
    expect(nightsOf(twice)).toEqual([one, { ...one, night: 2 }]);
  });

  it('server errors come after the first token and cost nothing', () => {
    // Three attempts that end after 2 s, pauses of 1 s and 2 s, write: 9.1 s each.
    const latency = { kind: 'by-token', firstToken: constant(2_000), perToken: constant(30) } as const;
    expect(nightsOf({ pool: pool(), ...faults({ errors: 1, latency }), ...noJitter })).toEqual([
      night({
        jobs: 10,
        deferred: 10,
        deferCauses: { 'attempts-used-up': 10 },
        attempts: 30,
        errors: 30,
        refusalRate: 0,
        finishedMs: 91_000,
        lastWriteMs: 91_000,
        pools: books({ capacity: 1_000_000, balance: 1_000_000, refunded: 20_000 }),
      }),
    ]);
  });

  it('a call that hangs lasts its grant and bills its input', () => {
    // Four calls of 120 s and a write each: 480.4 s; the fifth is granted 74.6 s, up to 555 s.
    const one = { pool: pool(), jobs: [jobClass({ attempts: 1 })], ...faults({ hangs: 1 }) };
    expect(nightsOf(one)).toEqual([
      night({
        jobs: 10,
        deferred: 10,
        deferCauses: { 'attempts-used-up': 5, 'not-reached': 5 },
        attempts: 5,
        timeouts: 5,
        refusalRate: 0,
        finishedMs: 555_100,
        lastWriteMs: 555_100,
        pools: books({
          capacity: 1_000_000,
          balance: 995_000,
          consumed: 5_000,
          refunded: 5_000,
          billed: 5_000,
        }),
      }),
    ]);
  });

  it('a call that is cut off while it streams bills what it has generated, which nobody settles', () => {
    // 20 s to the first token, then 100 tokens at 1.5 s; cut at 120 s: floor(100 × 100 / 150) = 66 tokens.
    const latency = { kind: 'by-token', firstToken: constant(20_000), perToken: constant(1_500) } as const;
    const one = { pool: pool(), jobs: [jobClass({ count: 2, attempts: 1 })], ...faults({ latency }) };
    expect(nightsOf(one)).toEqual([
      night({
        jobs: 2,
        deferred: 2,
        deferCauses: { 'attempts-used-up': 2 },
        attempts: 2,
        timeouts: 2,
        refusalRate: 0,
        finishedMs: 240_200,
        lastWriteMs: 240_200,
        pools: books(
          {
            capacity: 1_000_000,
            balance: 998_000,
            consumed: 2_000,
            refunded: 2_000,
            billed: 2 * 1_066,
            drift: 2 * 66,
          },
          { abandonedCalls: 2 * 66 },
        ),
      }),
    ]);
  });
});

describe('the pool', () => {
  const tenThousand = pool({ capacity: 10_000, quota: 10_000 });

  it('binds: what no open hold can give back is refused', () => {
    // Each job holds 2,000 and leaves 1,100 used. The eighth starts on 10,000 − 7 × 1,100 = 2,300; after it
    // 1,200 are left, and nothing is held that could come back.
    expect(nightsOf({ pool: tenThousand })).toEqual([
      night({
        jobs: 10,
        done: 8,
        refused: 2,
        attempts: 8,
        refusalRate: 2 / 10,
        finishedMs: 80_800,
        lastWriteMs: 80_800,
        pools: books({
          capacity: 10_000,
          balance: 1_200,
          consumed: 8_800,
          refunded: 7_200,
          billed: 8_800,
        }),
      }),
    ]);
  });

  it('a job that open holds can still pay for waits for them', () => {
    // Job 1 holds 2,000 of 3,100: job 2 waits. At 10.1 s 900 come back: the 2,000 that job 2 needs, and job 3
    // waits. At 20.2 s 900 are left, and nothing is held: job 3 is refused.
    expect(
      nightsOf({ lanes: 2, pool: pool({ capacity: 3_100, quota: 3_100 }), jobs: [jobClass({ count: 3 })] }),
    ).toEqual([
      night({
        jobs: 3,
        done: 2,
        refused: 1,
        attempts: 2,
        refusalRate: 2 / 3,
        finishedMs: 20_200,
        lastWriteMs: 20_200,
        pools: books({ capacity: 3_100, balance: 900, consumed: 2_200, refunded: 1_800, billed: 2_200 }),
      }),
    ]);
  });

  it('a job that waits until the clamp would decline is deferred, out of time', () => {
    // The one call that holds everything takes 500 s; the clamp declines at 600 − 45 − 120 = 435 s.
    const budget = { reserveMs: 45_000, floorMs: 120_000, capMs: 555_000, attempts: 1 };
    expect(
      nightsOf({
        lanes: 2,
        budget,
        pool: pool({ capacity: 2_000, quota: 2_000 }),
        jobs: [jobClass({ count: 3 })],
        ...calls(500_000),
      }),
    ).toEqual([
      night({
        jobs: 3,
        done: 1,
        deferred: 2,
        deferCauses: { 'out-of-time': 1, 'not-reached': 1 },
        attempts: 1,
        refusalRate: 1 / 2,
        finishedMs: 500_100,
        lastWriteMs: 500_100,
        pools: books({ capacity: 2_000, balance: 900, consumed: 1_100, refunded: 900, billed: 1_100 }),
      }),
    ]);
  });

  it('meanwhile a smaller job may go first, unless backfill is off', () => {
    // 3,000 tokens and three lanes. Of the two large jobs (2,000) the first is held, the second has to wait.
    const small = jobClass({
      name: 'small',
      count: 2,
      tokens: { kind: 'independent', input: constant(400), output: constant(100) },
      envelope: { kind: 'tokens', tokens: 500 },
    });
    const starts = (backfill: Scenario['backfill']) => {
      const started: [string, number][] = [];
      const jobs = [jobClass({ count: 2 }), small];
      const three = scenario({ lanes: 3, pool: pool({ capacity: 3_000, quota: 3_000 }), jobs, backfill });
      play(three, {
        observe: (event) => {
          if (event.type === 'granted') started.push([event.job, event.atMs]);
        },
      });
      return started;
    };
    expect(starts('smaller')).toEqual([
      ['plain:1:0', 0],
      ['small:1:0', 0],
      ['small:1:1', 0],
    ]);
    // The third lane had its job before the second one's refusal was known; from then on no lane takes any,
    // until 900 come back at 10.1 s: too few for the large one, which nothing can help any more.
    expect(starts('none')).toEqual([
      ['plain:1:0', 0],
      ['small:1:0', 0],
      ['small:1:1', 10_100],
    ]);
  });

  it('an envelope above the capacity is inadmissible, and nothing is sent', () => {
    expect(nightsOf({ pool: pool({ capacity: 1_999, quota: 1_999 }) })).toEqual([
      night({
        jobs: 10,
        inadmissible: 10,
        refusalRate: 1,
        finishedMs: 0,
        pools: books({ capacity: 1_999, balance: 1_999 }),
      }),
    ]);
  });

  it('is full again every night: what was refused comes first', () => {
    const [first, second] = nightsOf({ nights: 2, pool: tenThousand });
    expect(first).toMatchObject({ done: 8, refused: 2 });
    expect(second).toEqual(
      night({
        night: 2,
        jobs: 12,
        carriedOver: 2,
        done: 8,
        refused: 4,
        attempts: 8,
        refusalRate: 4 / 12,
        finishedMs: 80_800,
        lastWriteMs: 80_800,
        pools: books({
          capacity: 10_000,
          balance: 1_200,
          consumed: 8_800,
          refunded: 7_200,
          billed: 8_800,
        }),
      }),
    );
  });

  it('never refilled, lasts once: flows are summed over the nights, stocks are the last one’s', () => {
    const { nights, total, pools } = play(scenario({ nights: 2, pool: { ...tenThousand, refill: 'never' } }));
    expect(nights[1]).toEqual(
      night({
        night: 2,
        jobs: 12,
        carriedOver: 2,
        refused: 12,
        refusalRate: 1,
        finishedMs: 0,
        pools: books({ capacity: 10_000, balance: 1_200 }),
      }),
    );
    expect(total).toEqual({ ...OUTCOMES, jobs: 22, done: 8, refused: 14, attempts: 8, unsettled: 0 });
    expect(pools).toEqual(
      books({ capacity: 10_000, balance: 1_200, consumed: 8_800, refunded: 7_200, billed: 8_800 }),
    );
  });

  it('refilled, its flows are summed over the nights too', () => {
    expect(play(scenario({ nights: 3, pool: tenThousand })).pools).toEqual(
      books({ capacity: 10_000, balance: 1_200, consumed: 26_400, refunded: 21_600, billed: 26_400 }),
    );
  });

  it('tells a class what it held and what it used', () => {
    expect(play(scenario({ pool: tenThousand })).classes).toEqual({
      plain: {
        ...OUTCOMES,
        jobs: 10,
        done: 8,
        refused: 2,
        attempts: 8,
        heldTokens: 16_000,
        usedTokens: 8_800,
      },
    });
  });
});

describe('the kill', () => {
  // 5 s to the first token and 100 tokens at 250 ms: 30 s a call.
  const streamed: Pick<Scenario, 'provider'> = {
    provider: {
      ...scenario().provider,
      latency: { kind: 'by-token', firstToken: constant(5_000), perToken: constant(250) },
    },
  };
  const killed = { ...HUNDRED_SECONDS, ...fixed, ...streamed, pool: pool() };
  /** Three calls end at 30 s, 60.1 s and 90.2 s and are written; the fourth is cut off after 9.7 s. */
  const first = night({
    jobs: 10,
    done: 3,
    unknown: 1,
    deferred: 6,
    deferCauses: { 'not-reached': 6 },
    attempts: 3,
    refusalRate: 0,
    unsettled: 1,
    lastWriteMs: 90_300,
    pools: books(
      {
        capacity: 1_000_000,
        balance: 1_000_000 - 3 * 1_100 - 2_000,
        held: 2_000,
        consumed: 3_300,
        refunded: 2_700,
        stranded: 2_000,
        // Cut off after 9.7 s, 4.7 of them streaming: floor(100 × 4.7 / 25) = 18 tokens beside the input.
        billed: 3_300 + 1_018,
        drift: 1_018,
      },
      { stillOpen: 1_018 },
    ),
  });

  it('cuts off the call that nobody looked at the clock for', () => {
    expect(nightsOf(killed)).toEqual([first]);
  });

  it('leaves a hold that the next opening takes back, into the books of its own night', () => {
    const [one, two] = nightsOf({ ...killed, nights: 2 });
    expect(one).toEqual(first);
    // The job whose fate is unknown comes first, then the six that waited: the same night again.
    expect(two).toEqual({
      ...first,
      night: 2,
      jobs: 17,
      carriedOver: 7,
      deferred: 13,
      deferCauses: { 'not-reached': 13 },
      // One call more is still open, and the one of the night before will never be settled.
      pools: books({ ...first.pools.free, refunded: 2_700 + 2_000 }, { neverSettled: 1_018 }),
      classes: { plain: { ...OUTCOMES, jobs: 17, done: 3, unknown: 1, deferred: 13 } },
    });
  });

  it('leaves a hold that is charged in full, where that is the policy', () => {
    const policy = { ...killed.policy, reclaim: 'charge' } as const;
    const [one, two] = nightsOf({ ...killed, policy, nights: 2 });
    expect(one).toEqual(first);
    expect(two?.pools).toEqual(
      books(
        { ...first.pools.free, consumed: 3_300 + 2_000, drift: 1_018 - 2_000 },
        { chargedNotSpent: 1_018 - 2_000 },
      ),
    );
  });

  it('leaves a stranded hold in the books of a pool that is never refilled until it is reclaimed', () => {
    const once = pool({ capacity: 20_000, quota: 20_000, refill: 'never' });
    const [one, two] = nightsOf({ ...killed, nights: 2, pool: once });
    expect(one?.pools.free).toMatchObject({ balance: 20_000 - 5_300, held: 2_000, stranded: 2_000 });
    // The 2,000 came back at the opening; three more jobs were settled, and a fourth is out again.
    expect(two?.pools.free).toMatchObject({ balance: 20_000 - 6_600 - 2_000, held: 2_000, stranded: 2_000 });
  });

  it('loses the write that it comes before', () => {
    // Calls of 20 s and writes of 15 s: 35 s, 70 s; the third is answered at 90 s and would be durable at 105 s.
    const over = { ...HUNDRED_SECONDS, ...fixed, ...calls(20_000), ...writes(15_000), pool: pool() };
    expect(nightsOf(over)).toEqual([
      night({
        jobs: 10,
        done: 2,
        lostWrites: 1,
        deferred: 7,
        deferCauses: { 'not-reached': 7 },
        attempts: 3,
        refusalRate: 0,
        unsettled: 1,
        lastWriteMs: 70_000,
        pools: books(
          {
            capacity: 1_000_000,
            balance: 1_000_000 - 2_200 - 2_000,
            held: 2_000,
            consumed: 2_200,
            refunded: 1_800,
            stranded: 2_000,
            billed: 3_300,
            drift: 1_100,
          },
          { stillOpen: 1_100 },
        ),
      }),
    ]);
  });

  it('loses a write that would be durable at that very moment', () => {
    // 3 × (20 + 10) + 10 = 100 s.
    const over = { ...HUNDRED_SECONDS, ...fixed, ...calls(20_000), ...writes(10_000) };
    expect(nightsOf({ ...over, jobs: [jobClass({ count: 3 })] })[0]).toMatchObject({ done: 3 });
    expect(nightsOf({ ...over, window: { lastsMs: 90_000, everyMs: 86_400_000 } })[0]).toMatchObject({
      done: 2,
      lostWrites: 1,
      lastWriteMs: 60_000,
    });
  });

  it('finds a checkpoint that says “pending” under way: the job is deferred, not lost', () => {
    // Cut at the cap of 20 s, once allowed: pending, durable at 70 s, and 50 s of writing for the second.
    const budget = { reserveMs: 0, floorMs: 3_000, capMs: 20_000, attempts: 1 };
    const over = { ...HUNDRED_SECONDS, ...fixed, ...calls(30_000), ...writes(50_000), budget };
    expect(nightsOf({ ...over, jobs: [jobClass({ count: 3, attempts: 1 })] })).toEqual([
      night({
        jobs: 3,
        deferred: 3,
        deferCauses: { 'attempts-used-up': 2, 'not-reached': 1 },
        attempts: 2,
        timeouts: 2,
        lastWriteMs: 70_000,
      }),
    ]);
  });
});

describe('the shared counter', () => {
  const counted = (over: Partial<Scenario> = {}) => ({
    policy: { ...scenario().policy, admission: 'shared-counter' as const },
    pool: pool({ capacity: 4_000, quota: 4_000 }),
    ...over,
  });

  it('lets calls through until one needs more than is left, and refuses that one and all after it', () => {
    // 3 × 1,100 leave 700 of 4,000; the fourth call wants 1,100, takes the 700, and is written down as failed.
    expect(nightsOf(counted())).toEqual([
      night({
        jobs: 10,
        done: 3,
        refused: 7,
        attempts: 4,
        finishedMs: 40_400,
        lastWriteMs: 40_400,
        pools: books({ capacity: 4_000, consumed: 4_000, billed: 4_000 }),
      }),
    ]);
  });

  it('that is empty to the last token has refused nobody who was dispatched', () => {
    expect(nightsOf(counted({ pool: pool({ capacity: 3_300, quota: 3_300 }) }))).toEqual([
      night({
        jobs: 10,
        done: 3,
        refused: 7,
        attempts: 3,
        finishedMs: 30_300,
        lastWriteMs: 30_300,
        pools: books({ capacity: 3_300, consumed: 3_300, billed: 3_300 }),
      }),
    ]);
  });

  it('lets every lane pass while anything is left at all', () => {
    // Four lanes at once see 4,000; their 4,400 are debited in turn at 10 s, and the last hits the wall.
    expect(nightsOf(counted({ lanes: 4 }))).toEqual([
      night({
        jobs: 10,
        done: 3,
        refused: 7,
        attempts: 4,
        finishedMs: 10_400,
        lastWriteMs: 10_400,
        pools: books({ capacity: 4_000, consumed: 4_000, billed: 4_000 }),
      }),
    ]);
  });

  it('is full again every night, or never', () => {
    const [, refilled] = nightsOf(counted({ nights: 2 }));
    expect(refilled).toMatchObject({ jobs: 17, carriedOver: 7, done: 3, refused: 14 });
    const [, empty] = nightsOf(
      counted({ nights: 2, pool: pool({ capacity: 4_000, quota: 4_000, refill: 'never' }) }),
    );
    expect(empty).toEqual(
      night({
        night: 2,
        jobs: 17,
        carriedOver: 7,
        refused: 17,
        finishedMs: 0,
        pools: books({ capacity: 4_000 }),
      }),
    );
  });
});
