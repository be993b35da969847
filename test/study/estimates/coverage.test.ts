// How often each bound holds, over a thousand seeded repeats, against a truth that theory gives. The limits
// are the confidence, less what a thousand repeats may be off by.

import { describe, expect, test } from 'vitest';
import { RandomRoot } from '../../../src/base/random-streams.ts';
import { normalQuantile } from '../../../src/sim/special-functions.ts';
import { meanBounds, studentMeanBounds } from '../../../src/study/estimates/mean-bounds.ts';
import { PrecisionWatch } from '../../../src/study/estimates/precision.ts';
import { proportionBounds } from '../../../src/study/estimates/proportion-bounds.ts';
import { quantileBounds } from '../../../src/study/estimates/quantile-bounds.ts';
import { ratioBounds } from '../../../src/study/estimates/ratio-bounds.ts';

const REPEATS = 1_000;
const ALPHA = 0.05;
const root = new RandomRoot('coverage');

/** Uniforms of one repeat of one experiment. */
const uniforms = (experiment: string, repeat: number) => {
  const stream = root.stream(repeat, experiment);
  return (draw: number, purpose = 0) => stream.uniform(purpose, draw);
};

interface Bounds {
  readonly lower: number | null;
  readonly upper: number | null;
}

/** In how many of a thousand each of the two bounds holds; a bound that is missing holds nothing. */
function coverage(
  experiment: string,
  truth: number,
  boundsOf: (uniform: (draw: number, purpose?: number) => number) => Bounds | undefined,
) {
  const held = { lower: 0, upper: 0 };
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const bounds = boundsOf(uniforms(experiment, repeat));
    if ((bounds?.lower ?? Number.POSITIVE_INFINITY) <= truth) held.lower += 1;
    if ((bounds?.upper ?? Number.NEGATIVE_INFINITY) >= truth) held.upper += 1;
  }
  return { lower: held.lower / REPEATS, upper: held.upper / REPEATS };
}

const sample = <Value>(n: number, draw: (index: number) => Value) =>
  Array.from({ length: n }, (_, index) => draw(index));

/** The sum of twelve uniforms less six (mean 0, variance 1): near-normal, by no function under test. */
const nearNormal = (uniform: (draw: number, purpose?: number) => number) => (index: number) =>
  sample(12, (part) => uniform(index, part)).reduce((sum, one) => sum + one, -6);

describe('a one-sided bound at 95 % holds', () => {
  test.each(['lower', 'upper'] as const)(
    'of a mean of 30 near-normal values, %s, in 93.5 to 96.5 %%',
    (side) => {
      const held = coverage('student', 50, (uniform) => {
        const normal = nearNormal(uniform);
        return meanBounds(
          sample(30, (index) => 50 + 7 * normal(index)),
          ALPHA,
        );
      })[side];
      expect(held).toBeGreaterThanOrEqual(0.935);
      expect(held).toBeLessThanOrEqual(0.965);
    },
  );

  test.each([
    [0.5, 40],
    [0.05, 100],
    [0.01, 400],
    [0.97, 150],
  ])('of a proportion of %d in %d trials, in at least 93.5 %%', (truth, n) => {
    const { lower, upper } = coverage(`proportion ${truth}`, truth, (uniform) =>
      proportionBounds(sample(n, uniform).filter((u) => u < truth).length, n, ALPHA),
    );
    expect(Math.min(lower, upper)).toBeGreaterThanOrEqual(0.935);
  });

  test.each([
    [0.5, 30],
    [0.05, 120],
    [0.95, 200],
    [0.99, 500],
  ])('of the %d quantile of %d values of a skewed distribution, in at least 93.5 %%', (p, n) => {
    // Exponential: the quantile is −ln(1 − p).
    const { lower, upper } = coverage(`quantile ${p}`, -Math.log(1 - p), (uniform) => {
      const values = sample(n, (index) => -Math.log(uniform(index)));
      return quantileBounds(Float64Array.from(values).sort(), p, ALPHA);
    });
    expect(Math.min(lower, upper)).toBeGreaterThanOrEqual(0.935);
  });

  test('of a quantile on which many values lie, in at least 93.5 %', () => {
    const { lower, upper } = coverage('ties', 3, (uniform) => {
      const values = sample(80, (index) => Math.floor(uniform(index) * 6));
      return quantileBounds(Float64Array.from(values).sort(), 0.6, ALPHA);
    });
    expect(Math.min(lower, upper)).toBeGreaterThanOrEqual(0.935);
  });

  test('of a ratio of two dependent sums, in about as many', () => {
    // Of 20 to 60 jobs each is refused with a chance that the night itself draws: 0.1 to 0.3, whatever their number.
    const { lower, upper } = coverage('ratio', 0.2, (uniform) =>
      ratioBounds(
        sample(80, (night) => {
          const jobs = 20 + Math.floor(41 * uniform(night, 0));
          const chance = 0.1 + 0.2 * uniform(night, 1);
          const refused = sample(jobs, (job) => uniform(night, 2 + job)).filter((u) => u < chance).length;
          return { numerator: refused, denominator: jobs };
        }),
        ALPHA,
      ),
    );
    expect(Math.min(lower, upper)).toBeGreaterThanOrEqual(0.93);
    expect(Math.max(lower, upper)).toBeLessThanOrEqual(0.97);
  });

  test('of a mean that was played until it was precise to 5 %, in at least 92 %', () => {
    const lengths: number[] = [];
    const { lower, upper } = coverage('sequential', 10, (uniform) => {
      const watch = new PrecisionWatch(0.05, ALPHA);
      const values: number[] = [];
      while (!watch.isReached) {
        const value = 10 + 2.5 * normalQuantile(uniform(values.length));
        values.push(value);
        watch.add(value);
      }
      lengths.push(values.length);
      return studentMeanBounds(values, ALPHA);
    });
    expect(Math.min(lower, upper)).toBeGreaterThanOrEqual(0.92);
    // z² σ² ÷ (5 % of the mean)² = 67.6 would do if σ were known.
    const mean = lengths.reduce((sum, n) => sum + n, 0) / lengths.length;
    expect(mean).toBeGreaterThan(60);
    expect(mean).toBeLessThan(80);
  });
});
