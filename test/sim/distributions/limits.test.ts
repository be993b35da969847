import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Distribution } from '../../../src/sim/distribution.ts';
import { constant } from '../../../src/sim/distributions/constant.ts';
import { empirical } from '../../../src/sim/distributions/empirical.ts';
import { exponential } from '../../../src/sim/distributions/exponential.ts';
import { clipped, type Limits, truncated } from '../../../src/sim/distributions/limits.ts';
import { p50p95 } from '../../../src/sim/distributions/log-normal.ts';
import { pareto } from '../../../src/sim/distributions/pareto.ts';
import { FAMILIES } from './families.ts';
import { integrate } from './integrate.ts';

const column = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 30 });
const limits = fc
  .tuple(fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 13 }))
  .map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) }));
const probabilities = [0, 2 ** -54, 0.1, 0.25, 1 / 3, 0.5, 2 / 3, 0.9, 1 - 2 ** -53, 1];
const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

/** E[X] of a non-negative X that never exceeds `max`: the area above its CDF. */
function areaAboveCdf(distribution: Distribution, max: number, breaks: readonly number[]): number {
  return integrate((x) => 1 - distribution.cdf(x), 0, max, breaks);
}

describe('clipping', () => {
  it('for any column, is the column of clipped values', () => {
    fc.assert(
      fc.property(column, limits, (values, { min, max }) => {
        const one = clipped(empirical(values), { min, max });
        const clippedValues = values.map((x) => Math.max(min, Math.min(max, x)));
        const other = empirical(clippedValues);
        expect(probabilities.map(one.quantile)).toEqual(probabilities.map(other.quantile));
        expect(one.mean()).toBeCloseTo(mean(clippedValues), 12);
        for (let x = -1; x <= 14; x++) {
          expect(one.cdf(x)).toBe(other.cdf(x));
          expect(one.partialMean(x)).toBeCloseTo(other.partialMean(x), 12);
        }
      }),
    );
  });

  it.each(FAMILIES)('$name: the mean is the area above the CDF, by numeric integration to 1e-9', (family) => {
    const { distribution, quantiles } = family;
    const [min, max] = [quantiles[2]!, quantiles[5]!];
    const breaks = [distribution.quantile(0), ...quantiles];
    for (const cut of [{ max }, { min, max }]) {
      const one = clipped(distribution, cut);
      expect(Math.abs(one.mean() / areaAboveCdf(one, max, breaks) - 1)).toBeLessThan(1e-9);
    }
  });

  it('leaves the quantiles between the limits as stated, to the last bit', () => {
    const distribution = clipped(p50p95({ p50: 3000, p95: 6000 }), { max: 8000 });
    expect([0.5, 0.95, 0.9999, 1].map(distribution.quantile)).toEqual([3000, 6000, 8000, 8000]);
  });

  it('the mass beyond a limit lies at the limit', () => {
    const distribution = clipped(exponential({ mean: 10 }), { min: 5, max: 20 });
    expect(distribution.cdf(4.999)).toBe(0);
    expect(distribution.cdf(5)).toBeCloseTo(1 - Math.exp(-0.5), 15);
    expect(distribution.cdf(19.999)).toBeLessThan(1 - Math.exp(-2));
    expect(distribution.cdf(20)).toBe(1);
  });

  it('gives a mean to what has none', () => {
    // ∫ min(x, 100) of a Pareto from 1 with alpha 1: 1 + ln 100.
    expect(clipped(pareto({ min: 1, alpha: 1 }), { max: 100 }).mean()).toBeCloseTo(1 + Math.log(100), 13);
    expect(clipped(pareto({ min: 1, alpha: 1 }), { min: 2 }).mean()).toBe(Number.POSITIVE_INFINITY);
  });

  it('from below alone adds to the mean what it lifts', () => {
    // E[max(X, c)] = c + m e^(−c/m)
    expect(clipped(exponential({ mean: 10 }), { min: 5 }).mean()).toBeCloseTo(5 + 10 * Math.exp(-0.5), 13);
  });
});

describe('truncating', () => {
  it('for any column, is the column of the values inside', () => {
    fc.assert(
      fc.property(column, limits, (values, { min, max }) => {
        const inside = values.filter((x) => x >= min && x <= max);
        fc.pre(inside.length > 0);
        const one = truncated(empirical(values), { min, max });
        const other = empirical(inside);
        // Not at the p where the quantile jumps: which side rounding falls on there is nobody's business.
        const between = inside.map((_, i) => (i + 0.5) / inside.length);
        const asked = [0, 2 ** -54, ...between, 1 - 2 ** -53, 1];
        expect(asked.map(one.quantile)).toEqual(asked.map(other.quantile));
        expect(one.mean()).toBeCloseTo(mean(inside), 12);
        for (let x = -1; x <= 14; x++) {
          expect(one.cdf(x)).toBeCloseTo(other.cdf(x), 12);
          expect(one.partialMean(x)).toBeCloseTo(other.partialMean(x), 12);
        }
      }),
    );
  });

  it.each(FAMILIES)('$name: the mean is the area above the CDF, by numeric integration to 1e-9', (family) => {
    const { distribution, quantiles } = family;
    const [min, max] = [quantiles[2]!, quantiles[5]!];
    const breaks = [distribution.quantile(0), ...quantiles];
    for (const cut of [{ max }, { min, max }]) {
      const one = truncated(distribution, cut);
      expect(Math.abs(one.mean() / areaAboveCdf(one, max, breaks) - 1)).toBeLessThan(1e-9);
    }
  });

  it('from below alone, an exponential begins anew at the limit: it has no memory', () => {
    const distribution = truncated(exponential({ mean: 10 }), { min: 25 });
    expect(distribution.mean()).toBeCloseTo(35, 12);
    expect(distribution.quantile(0.5)).toBeCloseTo(25 + 10 * Math.LN2, 12);
    expect(distribution.quantile(0)).toBeGreaterThanOrEqual(25);
  });

  it('ends at the last value inside, though 1/9 + (6/9 − 1/9) rounds to more than 6/9', () => {
    const distribution = truncated(empirical([1, 2, 3, 4, 5, 6, 7, 8, 9]), { min: 1.5, max: 6.5 });
    expect([distribution.quantile(0), distribution.quantile(1)]).toEqual([2, 6]);
  });

  it('keeps an atom that lies at the limit', () => {
    const distribution = truncated(empirical([1, 2, 2, 3]), { min: 2, max: 2 });
    expect([distribution.mean(), distribution.quantile(0), distribution.quantile(1)]).toEqual([2, 2, 2]);
  });
});

it('limits say themselves, and that they truncate', () => {
  const base = p50p95({ p50: 3000, p95: 6000 });
  expect(clipped(base, { max: 8000 }).describe()).toBe('p50 3000, p95 6000, max 8000');
  expect(truncated(base, { min: 10, max: 8000 }).describe()).toBe(
    'p50 3000, p95 6000, min 10, max 8000, truncated',
  );
});

it.each([clipped, truncated])('limits that are crossed are refused', (limit) => {
  const crossed: Limits = { min: 2, max: 1 };
  expect(() => limit(constant(1), crossed)).toThrow('min is above max');
  expect(() => limit(constant(1), { max: Number.NaN })).toThrow('min is above max');
});

it('truncating to where the distribution never is is refused', () => {
  expect(() => truncated(constant(1), { min: 2 })).toThrow('truncating leaves nothing of 1');
});
