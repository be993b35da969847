import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RandomRoot } from '../../../src/base/random-streams.ts';
import type { Distribution } from '../../../src/sim/distribution.ts';
import { FAMILIES, REFERENCE_P } from './families.ts';
import { integrate } from './integrate.ts';
import { quantileRanks } from './order-statistics.ts';

const probability = fc.double({ min: 2 ** -54, max: 1 - 2 ** -53, noNaN: true });
const DRAWS = 20_000;

describe.each(FAMILIES)('$name', ({ name, distribution, quantiles, mean }) => {
  it('has the reference quantiles to 13 digits', () => {
    REFERENCE_P.forEach((p, i) => {
      expect(relativeError(distribution.quantile(p), quantiles[i]!), `at ${p}`).toBeLessThan(1e-12);
    });
  });

  it('has the reference mean to 14 digits', () => {
    expect(relativeError(distribution.mean(), mean)).toBeLessThan(2e-14);
  });

  it('for any p, the quantile is where the CDF reaches p', () => {
    fc.assert(
      fc.property(probability, (p) => {
        const x = distribution.quantile(p);
        expect(distribution.cdf(x * (1 + 1e-12))).toBeGreaterThanOrEqual(p * (1 - 1e-11));
        // Where x = 0 there is nothing below it.
        if (x > 0) expect(distribution.cdf(x * (1 - 1e-12))).toBeLessThanOrEqual(p * (1 + 1e-11) + 1e-15);
      }),
    );
  });

  it('for any two p, the greater has no smaller quantile (to 13 digits)', () => {
    fc.assert(
      fc.property(probability, probability, (one, other) => {
        const low = distribution.quantile(Math.min(one, other));
        const high = distribution.quantile(Math.max(one, other));
        expect(high).toBeGreaterThanOrEqual(low * (1 - 1e-13));
      }),
    );
  });

  it('the part of the mean up to x is x F(x) less the area under F, by numeric integration to 1e-9', () => {
    const breaks = [distribution.quantile(0), ...quantiles];
    for (const x of [...quantiles, quantiles[4]! * 1.01]) {
      const area = integrate((t) => distribution.cdf(t), 0, x, breaks);
      const expected = x * distribution.cdf(x) - area;
      expect(Math.abs(distribution.partialMean(x) - expected), `up to ${x}`).toBeLessThan(1e-9 * x + 1e-300);
    }
    expect(distribution.partialMean(Number.POSITIVE_INFINITY)).toBe(distribution.mean());
  });

  it('20,000 draws put each quantile inside its 99.9 % order-statistic interval', () => {
    const sorted = draw(distribution, name).sort();
    for (const p of [0.01, 0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999]) {
      const { lower, upper } = quantileRanks(DRAWS, p);
      expect(sorted[lower - 1], `at ${p}`).toBeLessThanOrEqual(distribution.quantile(p));
      expect(sorted[upper - 1], `at ${p}`).toBeGreaterThanOrEqual(distribution.quantile(p));
    }
  });
});

describe.each(FAMILIES.filter(({ mean }) => Number.isFinite(mean)))(
  '$name',
  ({ name, distribution, mean }) => {
    it('the mean of 20,000 draws lies within 4.5 standard errors', () => {
      const values = draw(distribution, name);
      const average = values.reduce((sum, x) => sum + x, 0) / DRAWS;
      const variance = values.reduce((sum, x) => sum + (x - average) ** 2, 0) / (DRAWS - 1);
      expect(Math.abs(average - mean)).toBeLessThan(4.5 * Math.sqrt(variance / DRAWS));
    });
  },
);

function draw(distribution: Distribution, label: string): Float64Array {
  const stream = new RandomRoot('20,000 draws').stream(0, label);
  return Float64Array.from({ length: DRAWS }, (_, i) => distribution.quantile(stream.uniform(0, i)));
}

function relativeError(value: number, reference: number): number {
  return value === reference ? 0 : Math.abs(value / reference - 1);
}
