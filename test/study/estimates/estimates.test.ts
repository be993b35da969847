// What single estimates say where it can be worked out by hand; how often they are right is in coverage.test.ts.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { incompleteBeta, inverseIncompleteBeta } from '../../../src/study/estimates/incomplete-beta.ts';
import { plannedLooks } from '../../../src/study/estimates/looks.ts';
import { meanBounds } from '../../../src/study/estimates/mean-bounds.ts';
import { PrecisionWatch } from '../../../src/study/estimates/precision.ts';
import { quantileBoundRanks, valuesForUpperBound } from '../../../src/study/estimates/quantile-bounds.ts';
import { ratioBounds } from '../../../src/study/estimates/ratio-bounds.ts';

describe('the incomplete beta function', () => {
  test('is what polynomials give for whole parameters', () => {
    // I_x(2, 3) = 6x² − 8x³ + 3x⁴; I_x(1, b) = 1 − (1 − x)^b.
    for (const x of [0.01, 0.3, 0.5, 0.77, 0.999]) {
      expect(incompleteBeta(x, 2, 3)).toBeCloseTo(6 * x ** 2 - 8 * x ** 3 + 3 * x ** 4, 13);
      expect(incompleteBeta(x, 1, 7)).toBeCloseTo(1 - (1 - x) ** 7, 13);
    }
  });

  test('for any parameters: its inverse undoes it', () => {
    const parameter = fc.double({ min: 0.5, max: 5_000, noNaN: true });
    fc.assert(
      fc.property(parameter, parameter, fc.double({ min: 0.001, max: 0.999, noNaN: true }), (a, b, p) => {
        expect(incompleteBeta(inverseIncompleteBeta(p, a, b), a, b)).toBeCloseTo(p, 9);
      }),
    );
  });
});

describe('looks', () => {
  test('double, spend less each time, and all together no more than there is', () => {
    const looks = plannedLooks(0.05, 1_000);
    expect(looks.map(({ replications }) => replications)).toEqual([100, 200, 400, 800]);
    expect(looks.map(({ alpha }) => Math.round(0.05 / alpha))).toEqual([2, 6, 12, 20]);
    const spent = plannedLooks(0.05, 1e12).reduce((sum, { alpha }) => sum + alpha, 0);
    expect(spent).toBeLessThan(0.05);
    expect(spent).toBeGreaterThan(0.048);
  });

  test('below the first there is one, at the budget', () => {
    expect(plannedLooks(0.05, 60)).toEqual([{ replications: 60, alpha: 0.025 }]);
  });
});

describe('a mean', () => {
  test('has no interval before twenty values differ from the most frequent one', () => {
    const rare = (differing: number) => [
      ...Array.from({ length: 500 }, () => 0),
      ...Array.from({ length: differing }, () => 1),
    ];
    expect(meanBounds(rare(19), 0.05)).toBeUndefined();
    expect(meanBounds(rare(20), 0.05)).toBeDefined();
    expect(meanBounds([], 0.05)).toBeUndefined();
  });
});

describe('the ranks that bound a quantile', () => {
  test('for any sample: no rank further in would do, and none is said where none does', () => {
    const samples = fc.record({
      n: fc.integer({ min: 1, max: 150 }),
      hundredths: fc.integer({ min: 1, max: 99 }),
      alpha: fc.constantFrom(0.05, 0.01, 0.0025),
    });
    fc.assert(
      fc.property(samples, ({ n, hundredths, alpha }) => {
        const p = hundredths / 100;
        const { lower, upper } = quantileBoundRanks(n, p, alpha);
        // By counting: the upper rank fails where at least so many lie below.
        expect(upper === null ? 1 : tail(upper, n, p)).toBeLessThanOrEqual(upper === null ? 1 : alpha + 1e-9);
        expect(upper === null ? tail(n, n, p) : tail(upper - 1, n, p)).toBeGreaterThan(alpha - 1e-9);
        expect(lower === null ? 0 : 1 - tail(lower, n, p)).toBeLessThanOrEqual(alpha + 1e-9);
        expect(1 - tail((lower ?? 0) + 1, n, p)).toBeGreaterThan(alpha - 1e-9);
        expect(upper === null).toBe(n < valuesForUpperBound(p, alpha));
        expect(lower === null).toBe(n < valuesForUpperBound((100 - hundredths) / 100, alpha));
      }),
    );
  });
});

/** P(B ≥ k) for B binomial(n, p), by the recurrence of Pascal's triangle over trials. */
function tail(k: number, n: number, p: number): number {
  let law = [1];
  for (let trial = 0; trial < n; trial += 1) {
    law = Array.from({ length: law.length + 1 }, (_, x) => (law[x] ?? 0) * (1 - p) + (law[x - 1] ?? 0) * p);
  }
  return law.slice(k).reduce((sum, one) => sum + one, 0);
}

describe('a precision', () => {
  const lengthOf = (draw: (index: number) => number, precision = 0.05): number | undefined => {
    const watch = new PrecisionWatch(precision, 0.05);
    for (let n = 1; n <= 2_000; n += 1) {
      watch.add(draw(n));
      if (watch.isReached) return n;
    }
    return undefined;
  };

  test('is reached when it has lasted for five more', () => {
    // Steady values: precise as soon as twenty differ from the most frequent one, at 21, and then for five more.
    expect(lengthOf((n) => 1_000 + (n % 100))).toBe(26);
  });

  test('that is lost again has to last anew', () => {
    expect(lengthOf((n) => (n === 24 ? 5_000 : 1_000 + (n % 100)))).toBeGreaterThan(29);
  });

  test('is never reached at a mean of 0, at one that is infinite, nor where all are the same', () => {
    expect(lengthOf((n) => (n % 2 === 0 ? n : 1 - n) * 1e-3)).toBeUndefined();
    expect(lengthOf((n) => (n === 3 ? Number.POSITIVE_INFINITY : n))).toBeUndefined();
    expect(lengthOf(() => 7)).toBeUndefined();
  });
});

describe('a ratio', () => {
  test('of nothing to nothing is no data', () => {
    expect(ratioBounds([{ numerator: 0, denominator: 0 }], 0.05)).toBeUndefined();
    expect(ratioBounds([], 0.05)).toBeUndefined();
  });

  test('weighs replications by their denominators', () => {
    const parts = [
      { numerator: 1, denominator: 1 },
      { numerator: 0, denominator: 99 },
    ];
    expect(ratioBounds(parts, 0.05)).toEqual({ value: 0.01, lower: null, upper: null });
  });
});
