// What every distribution knows of itself. It is drawn by its inverse CDF from one uniform, so that two
// variants of a scenario see the same draws and a changed parameter moves each draw monotonically.

export interface Distribution {
  /**
   * The inverse CDF.
   *
   * @param p from 0 to 1, both included; may be ±∞ at the ends of an unbounded distribution
   */
  quantile(p: number): number;
  /** Exact, in closed form or as an exact sum; +∞ where the mean does not exist (Pareto with α ≤ 1). */
  mean(): number;
  /** P(X ≤ x), from 0 to 1. */
  cdf(x: number): number;
  /** What it was made from, for messages and reports: `p50 3000, p95 6000, max 8000`. */
  describe(): string;
}
