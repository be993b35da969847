import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RandomRoot } from '../../src/base/random-streams.ts';
import { coupled, pulled } from '../../src/sim/copula.ts';
import { normalQuantile } from '../../src/sim/special-functions.ts';

const DRAWS = 20_000;
const stream = new RandomRoot('copula').stream(0, 'uniforms');

/** The largest distance between what is drawn and what a uniform would be (Kolmogorov, 1933). */
function distanceFromUniform(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const gaps = sorted.map((value, i) => Math.max(value - i / values.length, (i + 1) / values.length - value));
  return Math.max(...gaps);
}

describe('a uniform that is pulled', () => {
  it('by nothing stays where it is', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true }), (u) => {
        expect(pulled(u, 1, 0)).toBeCloseTo(u, 12);
      }),
    );
  });

  it.each([0.1, 0.5, 0.9, 1])('by a normal that is worth %d of its variance is still uniform', (strength) => {
    const values = Array.from({ length: DRAWS }, (_, i) => {
      const level = normalQuantile(stream.uniform(2, i));
      return pulled(stream.uniform(1, i), Math.sqrt(1 - strength), Math.sqrt(strength) * level);
    });
    // One uniform sample in a thousand is further off.
    expect(distanceFromUniform(values)).toBeLessThan(1.95 / Math.sqrt(DRAWS));
  });

  it('for any pull stays above 0 and below 1, and rises with both', () => {
    const uniform = fc.double({ min: 2 ** -54, max: 1 - 2 ** -53, noNaN: true });
    const pull = fc.double({ min: -40, max: 40, noNaN: true });
    fc.assert(
      fc.property(
        uniform,
        uniform,
        pull,
        pull,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (u, v, a, b, own) => {
          const values = [
            pulled(Math.min(u, v), own, Math.min(a, b)),
            pulled(Math.max(u, v), own, Math.max(a, b)),
          ] as const;
          expect(values[0]).toBeGreaterThan(0);
          expect(values[1]).toBeLessThan(1);
          expect(values[1]).toBeGreaterThanOrEqual(values[0] - 1e-12);
        },
      ),
    );
  });

  it('wholly by another is that other', () => {
    expect(coupled(0.3, 0.8, 1)).toBeCloseTo(0.8, 12);
    expect(coupled(0.3, 0.8, -1)).toBeCloseTo(0.2, 12);
    expect(coupled(0.3, 0.8, 0)).toBeCloseTo(0.3, 12);
  });
});
