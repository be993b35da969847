// How sure a quantile is, from the ranks of the sample alone: whatever the distribution, and nothing is said
// beyond the outermost values.

import { binomialUpperTail } from '../../base/binomial.ts';
import { quantileRank } from '../spread.ts';
import type { Estimate } from './bounds.ts';

/** Ranks from 1; null where no rank of so small a sample will do. */
interface BoundRanks {
  readonly lower: number | null;
  readonly upper: number | null;
}

/**
 * The innermost ranks that are bounds of the p-quantile. The r-th smallest lies above the quantile unless r
 * values or more lie at it or below, and how many do is binomial(n, p): an upper bound fails with P(B ≥ r), a
 * lower one with P(B < r) (W. R. Thompson, 1936). Ties make both only safer.
 *
 * @param p above 0 and below 1 @param alpha of each bound, above 0 and below 1
 */
export function quantileBoundRanks(n: number, p: number, alpha: number): BoundRanks {
  // Exactly α is well, though double precision may make it a hair more: 1 − 0.95 is not 0.05.
  const most = alpha * (1 + 1e-9);
  const upperFails = (rank: number): boolean => binomialUpperTail(rank, n, p) > most;
  const lowerFails = (rank: number): boolean => 1 - binomialUpperTail(rank, n, p) > most;
  return {
    lower: lowerFails(1) ? null : lastThat(1, n, (rank) => !lowerFails(rank)),
    upper: upperFails(n) ? null : lastThat(0, n, upperFails) + 1,
  };
}

/** The greatest rank from `from` up to `to` that passes; `from` does, and none after one that does not. */
function lastThat(from: number, to: number, passes: (rank: number) => boolean): number {
  let passing = from;
  let failing = to + 1;
  while (failing - passing > 1) {
    const middle = Math.floor((passing + failing) / 2);
    if (passes(middle)) passing = middle;
    else failing = middle;
  }
  return passing;
}

/**
 * The p-quantile of a sample, as `Spread` has it, with its bounds.
 *
 * @param sorted ascending, at least one; +∞ may be among them @param p above 0 and below 1
 * @param alpha of each bound, above 0 and below 1
 */
export function quantileBounds(sorted: ArrayLike<number>, p: number, alpha: number): Estimate {
  const n = sorted.length;
  const { lower, upper } = quantileBoundRanks(n, p, alpha);
  return {
    value: sorted[quantileRank(p, n) - 1]!,
    lower: lower === null ? null : sorted[lower - 1]!,
    upper: upper === null ? null : sorted[upper - 1]!,
  };
}

/** The smallest sample that has an upper bound of the p-quantile: n ≥ ln α ÷ ln p. For a lower one ask of 1 − p. */
export function valuesForUpperBound(p: number, alpha: number): number {
  if (p >= 1) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.ceil(Math.log(alpha) / Math.log(p) - 1e-10));
}
