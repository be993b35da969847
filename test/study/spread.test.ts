import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spreadOf } from '../../src/study/spread.ts';

test('of twenty values the 5 % quantile is the first, the median the tenth, the 95 % quantile the nineteenth', () => {
  const values = Array.from({ length: 20 }, (_, index) => 20 - index);
  expect(spreadOf(values)).toEqual({ min: 1, p5: 1, p50: 10, p95: 19, max: 20 });
});

test('of one value all are that value', () => {
  expect(spreadOf([7])).toEqual({ min: 7, p5: 7, p50: 7, p95: 7, max: 7 });
});

test('never is later than any time, and no time lies between it and another', () => {
  const never = Number.POSITIVE_INFINITY;
  expect(spreadOf([never, 3, 9])).toEqual({ min: 3, p5: 3, p50: 9, p95: never, max: never });
});

test('for any values a quantile is the smallest that so many do not exceed', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 120 }), (values) => {
      const { p5, p50, p95 } = spreadOf(values);
      for (const [hundredths, value] of [
        [5, p5],
        [50, p50],
        [95, p95],
      ] as const) {
        expect(values).toContain(value);
        expect(100 * values.filter((one) => one <= value).length).toBeGreaterThanOrEqual(
          hundredths * values.length,
        );
        expect(100 * values.filter((one) => one < value).length).toBeLessThan(hundredths * values.length);
      }
    }),
  );
});
