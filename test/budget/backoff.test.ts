import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BackoffSettings, backoffMs, longestBackoffsMs } from '../../src/budget/backoff.ts';

const settings: BackoffSettings = { baseMs: 1_000, factor: 2, maxMs: 30_000, jitter: 'full' };
const unjittered: BackoffSettings = { ...settings, jitter: 'none' };

const anySettings: fc.Arbitrary<BackoffSettings> = fc.record({
  baseMs: fc.double({ min: 0, max: 1e5, noNaN: true }),
  factor: fc.double({ min: 1, max: 10, noNaN: true }),
  maxMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
  jitter: fc.constantFrom('full' as const, 'none' as const),
});
const retries = fc.integer({ min: 1, max: 60 });
const uniforms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('backoff', () => {
  it('doubles from the base to the maximum and stays there', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7].map((retry) => backoffMs(retry, 0.3, unjittered));
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('with full jitter is a uniform share of the longest pause', () => {
    expect(backoffMs(3, 0, settings)).toBe(0);
    expect(backoffMs(3, 0.25, settings)).toBe(1_000);
    expect(backoffMs(1_000_000, 0.5, settings)).toBe(15_000);
  });

  it('a first pause is capped too', () => {
    expect(backoffMs(1, 0, { ...unjittered, baseMs: 60_000 })).toBe(30_000);
  });

  it('for any settings, no pause is negative, above the maximum or above the unjittered one', () => {
    fc.assert(
      fc.property(anySettings, retries, uniforms, (any, retry, uniform) => {
        const pause = backoffMs(retry, uniform, any);
        const longest = backoffMs(retry, uniform, { ...any, jitter: 'none' });
        return pause >= 0 && pause <= longest && longest <= any.maxMs;
      }),
    );
  });

  it('for any settings, the longest pauses are the sum of the unjittered ones between the attempts', () => {
    fc.assert(
      fc.property(anySettings, fc.integer({ min: 0, max: 60 }), (any, attempts) => {
        let sum = 0;
        for (let retry = 1; retry < attempts; retry += 1)
          sum += backoffMs(retry, 0, { ...any, jitter: 'none' });
        expect(longestBackoffsMs(attempts, any)).toBeCloseTo(sum, 6 - Math.log10(1 + sum));
      }),
    );
  });

  it('three attempts pause twice, one attempt never', () => {
    expect(longestBackoffsMs(3, settings)).toBe(3_000);
    expect(longestBackoffsMs(1, settings)).toBe(0);
    expect(longestBackoffsMs(0, settings)).toBe(0);
  });

  it('more attempts than anybody could walk through are summed all the same', () => {
    expect(longestBackoffsMs(1e15 + 1, settings)).toBe(31_000 + 30_000 * (1e15 - 5));
    expect(longestBackoffsMs(1e15 + 1, { ...settings, factor: 1 })).toBe(1_000 * 1e15);
    expect(backoffMs(1e15, 0, { ...unjittered, factor: 1 })).toBe(1_000);
  });

  it('a retry or a uniform outside its range is rejected', () => {
    for (const retry of [0, -1, 1.5, Number.NaN]) {
      expect(() => backoffMs(retry, 0, settings)).toThrow(RangeError);
    }
    for (const uniform of [-0.1, 1, Number.NaN]) {
      expect(() => backoffMs(1, uniform, settings)).toThrow(RangeError);
    }
  });
});
