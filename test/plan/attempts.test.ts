import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectedAttempts, expectedPausesMs } from '../../src/plan/attempts.ts';

const ratios = fc.double({ min: 0, max: 1, noNaN: true });
const counts = fc.integer({ min: 1, max: 30 });

/** P(exactly n attempts are made), n from 1. */
function chances(success: number, attempts: number): readonly number[] {
  let reached = 1;
  return Array.from({ length: attempts }, (_, index) => {
    const here = index + 1 === attempts ? reached : reached * success;
    reached *= 1 - success;
    return here;
  });
}

describe('the mean number of attempts', () => {
  it('for any success ratio, is the mean over how many are made', () => {
    fc.assert(
      fc.property(ratios, counts, (success, attempts) => {
        const mean = chances(success, attempts).reduce((sum, chance, index) => sum + chance * (index + 1), 0);
        expect(expectedAttempts(success, attempts)).toBeCloseTo(mean, 9);
      }),
    );
  });

  it('is one where the first succeeds, all of them where none does, and 1.75 of three at evens', () => {
    expect(expectedAttempts(1, 5)).toBe(1);
    expect(expectedAttempts(0, 5)).toBe(5);
    expect(expectedAttempts(0.5, 3)).toBe(1.75);
  });

  it('is known for more attempts than are ever made', () => {
    expect(expectedAttempts(0.5, 1e15)).toBeCloseTo(2, 12);
  });
});

describe('the mean pauses', () => {
  it('for any success ratio, are the pauses weighted by how often each is made', () => {
    fc.assert(
      fc.property(ratios, counts, (success, attempts) => {
        const pause = (retry: number) => 100 * retry;
        let paused = 0;
        const mean = chances(success, attempts).reduce((sum, chance, index) => {
          if (index > 0) paused += pause(index);
          return sum + chance * paused;
        }, 0);
        const expected = expectedPausesMs(success, attempts, pause);
        expect(Math.abs(expected - mean)).toBeLessThan(1e-7 * (1 + mean));
      }),
    );
  });
});
