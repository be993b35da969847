import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstThat as searched } from '../../src/study/first-that.ts';
import { toTheEnd } from './to-the-end.ts';

function firstThat(from: number, most: number, passes: (value: number) => boolean): number | undefined {
  return toTheEnd(
    searched(from, most, function* (value) {
      yield;
      return passes(value);
    }),
  );
}

test('for any threshold above or below, the first number beyond it is found', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -500, max: 500 }),
      fc.integer({ min: 1, max: 500 }),
      fc.boolean(),
      (from, away, isUp) => {
        const threshold = isUp ? from + away : from - away;
        const most = isUp ? from + 500 : from - 500;
        expect(firstThat(from, most, (value) => (isUp ? value >= threshold : value <= threshold))).toBe(
          threshold,
        );
      },
    ),
  );
});

test('nothing is found where the last number does not pass, or there is none', () => {
  expect(firstThat(0, 10, (value) => value > 10)).toBeUndefined();
  expect(firstThat(5, 5, () => true)).toBeUndefined();
});

test('for any numbers that pass, what is found passes, and the one before it does not', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 50 })), (passing) => {
      const passes = (value: number) => value === 50 || passing.includes(value);
      const found = firstThat(0, 50, passes)!;
      expect([passes(found), found === 1 || !passes(found - 1)]).toEqual([true, true]);
    }),
  );
});
