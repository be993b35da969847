import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worstCase } from '../../src/plan/worst-case.ts';

const night = { capMs: 120_000, windowMs: 3_000_000, reserveMs: 45_000 };

/** Each job to the lane that is free first, in the order given: what the worker's lanes do. */
function makespan(jobs: readonly number[], lanes: number): number {
  const freeAt = new Array<number>(lanes).fill(0);
  for (const job of jobs) {
    const next = freeAt.indexOf(Math.min(...freeAt));
    freeAt[next]! += job;
  }
  return Math.max(...freeAt);
}

describe('the worst case', () => {
  it('on one lane is the sum of every attempt at the cap and every longest pause', () => {
    const classes = [
      { count: 60, attempts: 3, longestBackoffsMs: 3_000 },
      { count: 10, attempts: 1, longestBackoffsMs: 0 },
    ];
    const worst = worstCase({ classes, lanes: 1, ...night });
    expect(worst).toEqual({
      items: 70,
      attempts: 3,
      capMs: 120_000,
      sequentialMs: 60 * 360_000 + 10 * 120_000,
      lanes: 1,
      elapsedMs: 60 * 363_000 + 10 * 120_000,
      windowMs: 3_000_000,
      reserveMs: 45_000,
      fits: false,
    });
  });

  it('on four lanes is a quarter of the work and three quarters of the longest job', () => {
    const classes = [{ count: 8, attempts: 2, longestBackoffsMs: 1_000 }];
    expect(worstCase({ classes, lanes: 4, ...night }).elapsedMs).toBe((8 / 4 + 3 / 4) * 241_000);
  });

  it('fits to the millisecond, and not a millisecond more', () => {
    const classes = [{ count: 1, attempts: 1, longestBackoffsMs: 0 }];
    const input = { classes, lanes: 1, capMs: 100, reserveMs: 10 };
    expect(worstCase({ ...input, windowMs: 110 }).fits).toBe(true);
    expect(worstCase({ ...input, windowMs: 109 }).fits).toBe(false);
  });

  it('of no jobs takes no time, whatever the classes would allow', () => {
    const classes = [{ count: 0, attempts: 9, longestBackoffsMs: 5_000 }];
    const worst = worstCase({ classes, lanes: 10_000, ...night });
    expect(worst).toMatchObject({ items: 0, attempts: 0, sequentialMs: 0, elapsedMs: 0, fits: true });
  });

  it('for any jobs and lanes, lanes that take the next job as they come free end by then', () => {
    const job = fc.record({
      count: fc.constant(1),
      attempts: fc.integer({ min: 1, max: 5 }),
      longestBackoffsMs: fc.integer({ min: 0, max: 500_000 }),
    });
    fc.assert(
      fc.property(
        fc.array(job, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 12 }),
        (classes, lanes) => {
          const lengths = classes.map(
            ({ attempts, longestBackoffsMs }) => attempts * night.capMs + longestBackoffsMs,
          );
          return makespan(lengths, lanes) <= worstCase({ classes, lanes, ...night }).elapsedMs + 1e-6;
        },
      ),
    );
  });

  it('is reached: a long job that comes last finds the lanes just evenly filled', () => {
    const short = { count: 12, attempts: 1, longestBackoffsMs: 0 };
    const long = { count: 1, attempts: 4, longestBackoffsMs: 0 };
    const jobs = [...new Array<number>(12).fill(120_000), 480_000];
    expect(worstCase({ classes: [short, long], lanes: 4, ...night }).elapsedMs).toBe(makespan(jobs, 4));
  });
});
