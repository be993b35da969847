import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { binomialUpperTail } from '../../src/base/binomial.ts';

describe('the upper tail of a binomial', () => {
  test('is what can be summed by hand', () => {
    // Two heads or more in three fair tosses: 3/8 + 1/8.
    expect(binomialUpperTail(2, 3, 0.5)).toBe(0.5);
    // One six or more in four throws: 1 − (5/6)⁴ = 671/1296, the bet of de Méré.
    expect(binomialUpperTail(1, 4, 1 / 6)).toBeCloseTo(671 / 1296, 15);
    expect(binomialUpperTail(3, 3, 0.1)).toBeCloseTo(0.001, 17);
  });

  test('tells 3 of 20 from 4 of 20 at 5 %: the first may be bad luck, the second hardly', () => {
    // 1 − Σ C(20, j) 0.05^j 0.95^(20 − j), from a table of the binomial distribution to four digits.
    expect(binomialUpperTail(3, 20, 0.05)).toBeCloseTo(0.0755, 4);
    expect(binomialUpperTail(4, 20, 0.05)).toBeCloseTo(0.0159, 4);
  });

  test('is certain for none, and impossible for more than there are', () => {
    expect(binomialUpperTail(0, 20, 0.05)).toBe(1);
    expect(binomialUpperTail(0, 0, 0.05)).toBe(1);
    expect(binomialUpperTail(21, 20, 0.05)).toBe(0);
    expect(binomialUpperTail(1, 20, 0)).toBe(0);
    expect(binomialUpperTail(20, 20, 1)).toBe(1);
  });

  test('stays a number where factorials and powers would not', () => {
    // Half of a million at one half: a half, and half of the middle term, √(2 ÷ (π n)) wide.
    const n = 1_000_000;
    expect(binomialUpperTail(n / 2, n, 0.5)).toBeCloseTo(0.5 + 0.5 * Math.sqrt(2 / (Math.PI * n)), 9);
    expect(binomialUpperTail(n, n, 0.05)).toBe(0);
    expect(binomialUpperTail(1, n, 1e-9)).toBeCloseTo(1 - Math.exp(-1e-3), 9);
  });

  test('for any counts: is the sum of its terms in exact fractions', () => {
    const counts = fc.record({ n: fc.integer({ min: 1, max: 40 }), k: fc.integer({ min: 0, max: 41 }) });
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 99 }), ({ n, k }, hundredths) => {
        const exact = exactTail(k, n, BigInt(hundredths), 100n);
        expect(binomialUpperTail(k, n, hundredths / 100)).toBeCloseTo(exact, 12);
      }),
    );
  });
});

/** Σ C(n, j) a^j (b − a)^(n − j) ÷ b^n over j ≥ k, in whole numbers. */
function exactTail(k: number, n: number, a: bigint, b: bigint): number {
  let sum = 0n;
  let choose = 1n;
  for (let j = 0; j <= n; j += 1) {
    if (j > 0) choose = (choose * BigInt(n - j + 1)) / BigInt(j);
    if (j >= k) sum += choose * a ** BigInt(j) * (b - a) ** BigInt(n - j);
  }
  return Number((sum * 10n ** 18n) / b ** BigInt(n)) / 1e18;
}
