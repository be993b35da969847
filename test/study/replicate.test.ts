import { describe, expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import { exponential } from '../../src/sim/distributions/exponential.ts';
import { METRICS } from '../../src/study/metrics.ts';
import { replicate } from '../../src/study/replicate.ts';
import { type ReplicatedRun, summarizeReplications } from '../../src/study/replicated-run.ts';
import { replicatedSchema } from '../../src/study/replicated-schema.ts';
import { recordOf } from '../../src/study/replication-record.ts';
import { TRIP_SIGNALS } from '../../src/worker/trip-settings.ts';
import { play } from '../../src/world/play.ts';
import type { NightResult, TripResult } from '../../src/world/run-result.ts';
import { jobClass, pool, scenario } from '../world/scenario-fixture.ts';

/** Two nights that chance has a say in, and a variant that ends them otherwise. */
const chancy = scenario({
  nights: 2,
  pool: pool({ capacity: 60_000 }),
  jobs: [jobClass({ count: 40, slackMs: 600_000, isSlackDeclared: true })],
  provider: {
    ...scenario().provider,
    latency: { kind: 'direct', call: exponential({ mean: 10_000 }) },
    errors: 0.1,
  },
});
const compared = {
  ...chancy,
  compare: [
    { name: 'same', scenario: chancy },
    { name: 'wider', scenario: { ...chancy, lanes: 4 } },
  ],
};

function all(replications: number, of = chancy): ReplicatedRun {
  const nights = replicate(of, replications);
  for (;;) {
    const next = nights.next();
    if (next.done === true) return next.value;
  }
}

describe('replications', () => {
  test('are what is played of each by itself, the first of them today’s run', () => {
    const records = [0, 1, 2].map((replication) => recordOf(replication, play(chancy, { replication })));
    expect(records[0]).toEqual(recordOf(0, play(chancy)));
    expect(all(3)).toMatchObject(summarizeReplications(records));
    expect(all(1)).toMatchObject(summarizeReplications(records.slice(0, 1)));
  });

  test('have each its own draws', () => {
    const ends = Array.from(
      { length: 5 },
      (_, replication) => play(chancy, { replication }).nights[0]!.finishedMs,
    );
    expect(new Set(ends).size).toBe(5);
  });

  test('show every variant the same draws', () => {
    const {
      compare,
      scenario: _name,
      seed: _seed,
      replications: _n,
      confidence: _c,
      ...own
    } = all(4, compared);
    const { paired, ...same } = compare.same!;
    expect(same).toEqual(own);
    expect(Object.values(paired).every(({ better, worse }) => better + worse === 0)).toBe(true);
    expect(compare.wider!.paired.done).toMatchObject({ count: 4, worse: 0 });
    expect(compare.wider!.paired.done.mean).toBeGreaterThan(0);
    expect(compare.wider!.metrics.done.min).toBeGreaterThan(own.metrics.done.min ?? 0);
  });

  test('tell of every night as it is over', () => {
    const told = [...replicate(compared, 2)].map(({ replication, variant, night }) => [
      replication,
      variant ?? 'own',
      night,
    ]);
    expect(told).toEqual(
      [0, 1].flatMap((replication) =>
        ['own', 'same', 'wider'].flatMap((name) => [1, 2].map((night) => [replication, name, night])),
      ),
    );
  });
});

/** A night of which everything is as in a played one that is not named. */
const [calm] = play(scenario({ pool: pool() })).nights;
const nightWith = (night: number, figures: Partial<NightResult>): NightResult => ({
  ...calm!,
  night,
  ...figures,
});
const recordWith = (replication: number, ...nights: readonly Partial<NightResult>[]) =>
  recordOf(replication, {
    ...play(scenario()),
    nights: nights.map((figures, index) => nightWith(index + 1, figures)),
  });

describe('the worst night of a replication', () => {
  test('is that with the least done, and with the greatest of everything else', () => {
    const { worst } = recordWith(
      0,
      { done: 9, refused: 1 },
      { done: 4, refused: 0 },
      { done: 7, refused: 3 },
    );
    expect([worst.done, worst.refused]).toEqual([
      { value: 4, night: 2 },
      { value: 3, night: 3 },
    ]);
  });

  test('is that which never finished, however late the others did', () => {
    const record = recordWith(0, { finishedMs: 5e6 }, { finishedMs: null }, { finishedMs: 9e6 });
    expect(record.worst.finishedMs).toEqual({ value: Number.POSITIVE_INFINITY, night: 2 });
    expect(record.isKilled).toBe(true);
    expect(recordWith(0, { finishedMs: 5e6 }).isKilled).toBe(false);
  });

  test('is none of those without data, and none at all where all are', () => {
    expect(recordWith(0, { refusalRate: null }, { refusalRate: 0.2 }).worst.refusalRate).toEqual({
      value: 0.2,
      night: 2,
    });
    expect(recordWith(0, { refusalRate: null }).worst.refusalRate).toBeNull();
    expect(recordWith(0, { pools: {} }).worst.drift).toBeNull();
  });

  test('sums its pools', () => {
    const one = calm!.pools.free!;
    const pools = { a: { ...one, overspent: 5 }, b: { ...one, overspent: 7 } };
    expect(recordWith(0, { pools }).worst.overspent).toEqual({ value: 12, night: 1 });
  });
});

describe('what is said of all of them', () => {
  test('is where each metric lies, how often it is not 0, and where it is worst', () => {
    const counts = [0, 3, 0, 8, 8];
    const records = counts.map((lostWrites, replication) => recordWith(replication, {}, { lostWrites }));
    expect(summarizeReplications(records).metrics.lostWrites).toEqual({
      worst: 'greatest',
      count: 5,
      nonZero: 3,
      min: 0,
      p5: 0,
      p50: 3,
      p95: 8,
      max: 8,
      mean: null,
      // P(3 or more of 5) = 5 % at p = 0.1893, P(3 or fewer) at p = 0.9236.
      probability: { value: 0.6, lower: expect.closeTo(0.1893, 4), upper: expect.closeTo(0.9236, 4) },
      // Five coins fall one way in 3 %, four of five or all in 2 % at 5 %: ranks 1 and 5, rank 2, rank 4.
      intervals: {
        p5: { lower: null, upper: 0 },
        p50: { lower: 0, upper: 8 },
        p95: { lower: 8, upper: null },
      },
      worstIn: { replication: 3, night: 2 },
    });
  });

  test('has no number for never, and none for no data: the count tells them apart', () => {
    const records = [
      recordWith(0, { finishedMs: 7, refusalRate: null }),
      recordWith(1, { finishedMs: null, refusalRate: null }),
    ];
    const { killed, metrics } = summarizeReplications(records);
    expect(killed).toBe(1);
    expect(metrics.finishedMs).toMatchObject({ count: 2, min: 7, p50: 7, p95: null, max: null });
    expect(metrics.finishedMs.worstIn).toEqual({ replication: 1, night: 1 });
    expect(metrics.refusalRate).toMatchObject({ count: 0, min: null, max: null, worstIn: null });
  });

  test('is which signal trips how often, which first, and when it first did', () => {
    const trip = (signal: TripResult['signal'], atMs: number): TripResult => {
      return { signal, class: null, pool: 'free', atMs, figure: 1, threshold: 0, action: '' };
    };
    const records = [
      recordWith(0, {}, { trips: [trip('overspend', 50), trip('refusal-rate', 60)] }),
      recordWith(1, { trips: [trip('refusal-rate', 10)] }, { trips: [trip('overspend', 5)] }),
      recordWith(
        2,
        { trips: [trip('refusal-rate', 30)] },
        { trips: [trip('overspend', 1), trip('refusal-rate', 2)] },
      ),
      recordWith(3, {}, {}),
    ];
    const { tripped, signals } = summarizeReplications(records);
    expect(tripped).toBe(3);
    expect(signals['refusal-rate']).toEqual({
      replications: 3,
      first: 2,
      night: { min: 1, p5: 1, p50: 1, p95: 2, max: 2 },
      atMs: { min: 10, p5: 10, p50: 30, p95: 60, max: 60 },
    });
    expect(signals.overspend).toMatchObject({ replications: 3, first: 1, night: { min: 2, max: 2 } });
    expect(signals['queue-age']).toEqual({ replications: 0, first: 0, night: null, atMs: null });
  });
});

describe('how sure that is', () => {
  const records = (values: readonly Partial<NightResult>[]) =>
    values.map((of, index) => recordWith(index, of));

  test('a mean has bounds where twenty replications differ from the most frequent value', () => {
    const done = (n: number) => records(Array.from({ length: n }, (_, index) => ({ done: index })));
    expect(summarizeReplications(done(20)).metrics.done.mean).toBeNull();
    // 0 to 20: mean 10, s = 6.2048, t(0.95, 20) = 1.7247.
    const { mean } = summarizeReplications(done(21)).metrics.done;
    expect([mean!.value, mean!.lower.toFixed(3), mean!.upper.toFixed(3)]).toEqual([10, '7.665', '12.335']);
  });

  test('a mean that one night keeps from finishing has none, nor has its time a probability', () => {
    const nights = Array.from({ length: 30 }, (_, index) => ({
      finishedMs: index === 7 ? null : 1000 + index,
    }));
    const { killedProbability, metrics } = summarizeReplications(records(nights));
    expect([metrics.finishedMs.mean, metrics.finishedMs.probability]).toEqual([null, null]);
    expect(killedProbability.value).toBe(1 / 30);
    expect(killedProbability.lower).toBeGreaterThan(0);
  });

  test('a share of all jobs is a ratio of sums, not a mean of shares', () => {
    const outcomes = (jobs: number, done: number) => ({ ...play(scenario()).total, jobs, done });
    const of = (figures: readonly (readonly [number, number])[]) =>
      figures.map(([jobs, done], replication) =>
        recordOf(replication, { ...play(scenario()), total: outcomes(jobs, done) }),
      );
    const { perJob } = summarizeReplications(
      of([
        [100, 50],
        [10, 10],
      ]),
    );
    expect(perJob.done).toEqual({ value: 60 / 110, lower: null, upper: null });
    expect(summarizeReplications(of([[0, 0]])).perJob.done).toBeNull();
  });

  test('the confidence moves the bounds', () => {
    const nights = Array.from({ length: 50 }, (_, index) => ({ lostWrites: index % 5 === 0 ? 1 : 0 }));
    const [loose, strict] = [0.8, 0.99].map(
      (confidence) => summarizeReplications(records(nights), confidence).metrics.lostWrites.probability!,
    );
    expect(strict!.upper).toBeGreaterThan(loose!.upper);
    expect(strict!.lower).toBeLessThan(loose!.lower);
  });
});

describe('replications that end early', () => {
  test('are what so many would have been, where the caller stops them', () => {
    const nights = replicate(compared, 50);
    let next = nights.next();
    while (next.done !== true) {
      next = nights.next(next.value.replication === 3 ? 'stop' : undefined);
    }
    expect(next.value).toEqual(all(3, compared));
  });

  test('play at least the first', () => {
    const nights = replicate(chancy, 50);
    let next = nights.next();
    while (next.done !== true) next = nights.next('stop');
    expect(next.value).toEqual(all(1));
  });

  test('are what so many would have been, where they are enough', () => {
    const nights = replicate(chancy, 50, { isEnough: ({ replication }) => replication === 4 });
    let next = nights.next();
    while (next.done !== true) next = nights.next();
    expect(next.value).toEqual(all(5));
  });
});

describe('the schema of replications', () => {
  test('holds what is answered', () => {
    expect(replicatedSchema.safeParse(JSON.parse(JSON.stringify(all(2, compared)))).error).toBeUndefined();
    const killed = { ...chancy, window: { ...chancy.window, lastsMs: 46_000 }, pool: undefined };
    expect(replicatedSchema.safeParse(JSON.parse(JSON.stringify(all(2, killed)))).error).toBeUndefined();
  });

  test('has every field of the type, every metric and every signal', () => {
    expectTypeOf<z.output<typeof replicatedSchema>>().toExtend<ReplicatedRun>();
    expectTypeOf<keyof z.output<typeof replicatedSchema>>().toEqualTypeOf<keyof ReplicatedRun>();
    const { metrics, signals } = all(1);
    expect([Object.keys(metrics), Object.keys(signals)]).toEqual([[...METRICS], [...TRIP_SIGNALS]]);
  });
});
