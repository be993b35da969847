import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { constant } from '../../../src/sim/distributions/constant.ts';
import { empirical } from '../../../src/sim/distributions/empirical.ts';
import { exponential } from '../../../src/sim/distributions/exponential.ts';
import { mixture } from '../../../src/sim/distributions/mixture.ts';

const column = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 8 });

describe('a mixture', () => {
  it('for any two columns weighted by their lengths, is the column of both', () => {
    fc.assert(
      fc.property(column, column, (one, other) => {
        const both = empirical([...one, ...other]);
        const mixed = mixture([
          { weight: one.length, distribution: empirical(one) },
          { weight: other.length, distribution: empirical(other) },
        ]);
        const count = one.length + other.length;
        for (let k = 0; k < count; k++) {
          const p = (k + 0.5) / count;
          expect(mixed.quantile(p)).toBe(both.quantile(p));
        }
        expect([mixed.quantile(0), mixed.quantile(1)]).toEqual([both.quantile(0), both.quantile(1)]);
        expect(mixed.mean()).toBeCloseTo(both.mean(), 12);
        for (let x = -1; x <= 10; x++) {
          expect(mixed.cdf(x)).toBeCloseTo(both.cdf(x), 14);
          expect(mixed.partialMean(x)).toBeCloseTo(both.partialMean(x), 12);
        }
      }),
    );
  });

  it('of an atom and a continuous part jumps where the atom lies', () => {
    const mixed = mixture([
      { weight: 1, distribution: constant(5) },
      { weight: 1, distribution: exponential({ mean: 5 }) },
    ]);
    const before = (1 - Math.exp(-1)) / 2;
    expect(mixed.quantile(before + 1e-9)).toBe(5);
    expect(mixed.quantile(before + 0.5 - 1e-9)).toBe(5);
    expect(mixed.quantile(before - 1e-3)).toBeLessThan(5);
    expect(mixed.quantile(before + 0.5 + 1e-3)).toBeGreaterThan(5);
  });

  it('of one distribution, or of two equal ones, is that distribution', () => {
    const distribution = exponential({ mean: 3 });
    const twice = mixture([
      { weight: 0.2, distribution },
      { weight: 7, distribution },
    ]);
    for (const p of [0, 1e-12, 0.3, 0.999, 1]) expect(twice.quantile(p)).toBe(distribution.quantile(p));
  });

  it('refuses no components, and weights that are not above 0', () => {
    expect(() => mixture([])).toThrow('no components');
    expect(() => mixture([{ weight: 0, distribution: constant(1) }])).toThrow('weight is out of range');
  });
});
