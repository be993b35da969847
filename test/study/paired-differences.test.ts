import { expect, test } from 'vitest';
import { pairedDifferences } from '../../src/study/paired-differences.ts';
import { recordOf } from '../../src/study/replication-record.ts';
import { play } from '../../src/world/play.ts';
import type { NightResult, Played } from '../../src/world/run-result.ts';
import { scenario } from '../world/scenario-fixture.ts';

const [night] = play(scenario()).nights;
const records = (figures: readonly Partial<NightResult>[]) =>
  figures.map((over, replication) =>
    recordOf(replication, { nights: [{ ...night!, ...over }] } as unknown as Played),
  );

test('each replication is compared with itself, and better is what the metric says it is', () => {
  const own = records([
    { done: 5, timeouts: 2 },
    { done: 7, timeouts: 2 },
    { done: 9, timeouts: 2 },
  ]);
  const variant = records([
    { done: 6, timeouts: 5 },
    { done: 7, timeouts: 1 },
    { done: 5, timeouts: 3 },
  ]);
  const { done, timeouts } = pairedDifferences(own, variant, 0.05);
  expect(done).toEqual({
    count: 3,
    mean: -1,
    lower: null,
    upper: null,
    spread: { min: -4, p5: -4, p50: 0, p95: 1, max: 1 },
    better: 1,
    worse: 1,
  });
  expect(timeouts).toMatchObject({ mean: 1, better: 1, worse: 2 });
});

test('a night that never finished is worse, and has no difference', () => {
  const { finishedMs } = pairedDifferences(
    records([{ finishedMs: 10 }, { finishedMs: 10 }, { finishedMs: null }]),
    records([{ finishedMs: 30 }, { finishedMs: null }, { finishedMs: null }]),
    0.05,
  );
  expect(finishedMs).toMatchObject({ count: 1, mean: 20, better: 0, worse: 2 });
});

test('what neither has is no data', () => {
  const { refusalRate } = pairedDifferences(
    records([{ refusalRate: null }]),
    records([{ refusalRate: 0.5 }]),
    0.05,
  );
  expect(refusalRate).toEqual({
    count: 0,
    mean: null,
    lower: null,
    upper: null,
    spread: null,
    better: 0,
    worse: 0,
  });
});

test('a mean difference has bounds where twenty differences differ from the most frequent one', () => {
  const varied = (n: number) => records(Array.from({ length: n }, (_, index) => ({ done: 50 + index })));
  const same = (n: number) => records(Array.from({ length: n }, () => ({ done: 50 })));
  expect(pairedDifferences(same(20), varied(20), 0.05).done.lower).toBeNull();
  // Differences 0 to 20: mean 10, s = 6.2048, t(0.95, 20) = 1.7247: ± 2.335.
  const { mean, lower, upper } = pairedDifferences(same(21), varied(21), 0.05).done;
  expect([mean, lower!.toFixed(3), upper!.toFixed(3)]).toEqual([10, '7.665', '12.335']);
});
