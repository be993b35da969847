// What every distribution knows of itself. It is drawn by its inverse CDF from one uniform, so that two
// variants of a scenario see the same draws and a changed parameter moves each draw monotonically.

export interface Distribution {
  /**
   * The inverse CDF.
   *
   * @param p from 0 to 1, both included; may be +∞ at 1 where the distribution has no upper end
   */
  quantile(p: number): number;
  /** Exact, in closed form or as an exact sum; +∞ where the mean does not exist (Pareto with α ≤ 1). */
  mean(): number;
  /** P(X ≤ x), from 0 to 1. */
  cdf(x: number): number;
  /** E[X; X ≤ x], the part of the mean up to and including `x`: what makes limits' means exact. */
  partialMean(x: number): number;
  /** What it was made from, for messages and reports: `p50 3000, p95 6000`. */
  describe(): string;
}

/** The quantile as a whole number, for things that are counted; half goes up. */
export function integerQuantile(distribution: Distribution, p: number): number {
  return Math.round(distribution.quantile(p));
}
