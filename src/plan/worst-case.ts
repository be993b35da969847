// How long a night takes if every attempt of every job uses its whole cap: the arithmetic that nobody did
// before the first night overran. No probability in it.

import type { WorstCase } from './night-plan.ts';

export interface WorstCaseInput {
  readonly classes: readonly WorstCaseClass[];
  readonly capMs: number;
  /** From 1. */
  readonly lanes: number;
  readonly windowMs: number;
  readonly reserveMs: number;
}

interface WorstCaseClass {
  /** Jobs at the first opening, from 0. */
  readonly count: number;
  readonly attempts: number;
  /** The longest pauses between that many attempts, summed. */
  readonly longestBackoffsMs: number;
}

/**
 * `sequentialMs = Σ count × attempts × cap`. On lanes, any order in which a free lane takes the next job ends
 * by `Σ work ÷ lanes + (1 − 1/lanes) × the longest job`: R. L. Graham, "Bounds on Multiprocessing Timing
 * Anomalies", SIAM Journal on Applied Mathematics 17(2), 1969. Checkpoints are not in it: they are what the
 * reserve is for.
 */
export function worstCase({ classes, capMs, lanes, windowMs, reserveMs }: WorstCaseInput): WorstCase {
  let items = 0;
  let attempts = 0;
  let sequentialMs = 0;
  let workMs = 0;
  let longestMs = 0;
  for (const { count, attempts: tries, longestBackoffsMs } of classes) {
    if (count === 0) continue;
    const jobMs = tries * capMs + longestBackoffsMs;
    items += count;
    attempts = Math.max(attempts, tries);
    sequentialMs += count * tries * capMs;
    workMs += count * jobMs;
    longestMs = Math.max(longestMs, jobMs);
  }
  const elapsedMs = (workMs + (lanes - 1) * longestMs) / lanes;
  const fits = elapsedMs <= windowMs - reserveMs;
  return { items, attempts, capMs, sequentialMs, lanes, elapsedMs, windowMs, reserveMs, fits };
}
