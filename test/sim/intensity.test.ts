import { describe, expect, test } from 'vitest';
import { Intensity } from '../../src/sim/intensity.ts';

describe('an intensity', () => {
  const steps = new Intensity(
    [
      { fromMs: -10, rate: 1 },
      { fromMs: 0, rate: 0 },
      { fromMs: 100, rate: 3 },
    ],
    120,
  );

  test('sums to what comes in all', () => {
    expect(steps.total).toBe(10 + 60);
  });

  test('is read backwards to the first moment by which so much has come', () => {
    expect([0, 4, 10, 10.5, 13, 70].map((amount) => steps.whenCame(amount))).toEqual([
      -10,
      -6,
      0,
      100 + 0.5 / 3,
      101,
      120,
    ]);
  });

  test('knows no moment for more than ever comes', () => {
    expect(steps.whenCame(70.1)).toBeUndefined();
    expect(new Intensity([{ fromMs: 0, rate: 0 }], 100).whenCame(1)).toBeUndefined();
  });
});
