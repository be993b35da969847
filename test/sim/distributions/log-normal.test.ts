import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromTo, logNormal, p50p95 } from '../../../src/sim/distributions/log-normal.ts';
import oracle from '../../theory/queueing.json' with { type: 'json' };

const size = fc.double({ min: 1e-6, max: 1e9, noNaN: true });
const pair = fc.tuple(size, size).map(([a, b]) => (a <= b ? { low: a, high: b } : { low: b, high: a }));
const probability = fc.double({ min: 2 ** -54, max: 1 - 2 ** -53, noNaN: true });

describe('the log-normal distribution', () => {
  it('for any p50 and p95, both come back to the last bit', () => {
    fc.assert(
      fc.property(pair, ({ low, high }) => {
        const distribution = p50p95({ p50: low, p95: high });
        expect([distribution.quantile(0.5), distribution.quantile(0.95)]).toEqual([low, high]);
      }),
    );
  });

  it('for any range, both ends come back to the last bit', () => {
    fc.assert(
      fc.property(pair, ({ low, high }) => {
        const distribution = fromTo({ from: low, to: high });
        expect([distribution.quantile(0.05), distribution.quantile(0.95)]).toEqual([low, high]);
      }),
    );
  });

  it('for any p next to a stated one, the draw lies on the right side of it', () => {
    const next = fc.integer({ min: 1, max: 64 });
    fc.assert(
      fc.property(pair, fc.constantFrom(0.5, 0.95), next, ({ low, high }, p, steps) => {
        const distribution = p50p95({ p50: low, p95: high });
        const stated = distribution.quantile(p);
        expect(distribution.quantile(p - steps * 2 ** -53)).toBeLessThanOrEqual(stated);
        expect(distribution.quantile(p + steps * 2 ** -53)).toBeGreaterThanOrEqual(stated);
      }),
      { numRuns: 1000 },
    );
  });

  it('for any u up to 0.95, a larger p50 never lowers a draw, and above 0.95 never raises it', () => {
    fc.assert(
      fc.property(fc.tuple(size, size, size), probability, (sizes, u) => {
        const [small, large, p95] = [...sizes].sort((a, b) => a - b) as [number, number, number];
        const before = p50p95({ p50: small, p95 }).quantile(u);
        const after = p50p95({ p50: large, p95 }).quantile(u);
        if (u <= 0.95) expect(after).toBeGreaterThanOrEqual(before * (1 - 1e-13));
        else expect(after).toBeLessThanOrEqual(before * (1 + 1e-13));
      }),
    );
  });

  it('for any u, more of both p50 and p95 in the same ratio never lowers a draw', () => {
    fc.assert(
      fc.property(
        pair,
        fc.double({ min: 1, max: 100, noNaN: true }),
        probability,
        ({ low, high }, factor, u) => {
          const before = p50p95({ p50: low, p95: high }).quantile(u);
          const after = p50p95({ p50: low * factor, p95: high * factor }).quantile(u);
          expect(after).toBeGreaterThanOrEqual(before * (1 - 1e-13));
        },
      ),
    );
  });

  it('equal p50 and p95 make a constant', () => {
    const distribution = p50p95({ p50: 7, p95: 7 });
    expect([0, 1e-9, 0.5, 0.99, 1].map(distribution.quantile)).toEqual([7, 7, 7, 7, 7]);
    expect([distribution.mean(), distribution.cdf(6.99), distribution.cdf(7)]).toEqual([7, 0, 1]);
    expect([distribution.partialMean(6.99), distribution.partialMean(7)]).toEqual([0, 7]);
  });

  it('has the mean that the queueing oracle states for p50 1, p95 4', () => {
    const serviceMean = oracle.cases.find(({ model }) => model === 'M/G/1')!.serviceMean!;
    expect(p50p95({ p50: 1, p95: 4 }).mean()).toBeCloseTo(serviceMean, 13);
  });

  it('says what it was made from', () => {
    expect(p50p95({ p50: 3000, p95: 6000 }).describe()).toBe('p50 3000, p95 6000');
    expect(fromTo({ from: 5, to: 40 }).describe()).toBe('5 to 40');
  });

  it('refuses p50 above p95, a range that runs backwards, and what is no positive number', () => {
    expect(() => p50p95({ p50: 6001, p95: 6000 })).toThrow(
      'p50 is above p95 (expected p50 at most 6000, got 6001)',
    );
    expect(() => fromTo({ from: 2, to: 1 })).toThrow('backwards');
    for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => p50p95({ p50: bad, p95: 10 })).toThrow('p50 is out of range');
      expect(() => p50p95({ p50: 1, p95: bad })).toThrow('p95 is out of range');
      expect(() => fromTo({ from: bad, to: 10 })).toThrow('from is out of range');
      expect(() => logNormal({ mean: bad, sd: 1 })).toThrow('mean is out of range');
    }
    expect(() => logNormal({ mu: Number.NaN, sigma: 1 })).toThrow('mu is out of range');
    expect(() => logNormal({ mu: 0, sigma: -1 })).toThrow('sigma is out of range');
    expect(() => logNormal({ mean: 1, sd: -1 })).toThrow('sd is out of range');
  });
});
