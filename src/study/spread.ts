// Where the values of many replications lie: order statistics, none of them in between two values.

export interface Spread {
  readonly min: number;
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/**
 * The p-quantile is the smallest value that at least p of all values do not exceed: the ⌈p n⌉-th (Hyndman and
 * Fan, 1996, definition 1), so that +∞, for never, may be among them.
 *
 * @param values at least one
 */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values).sort();
  const at = (p: number): number => sorted[quantileRank(p, sorted.length) - 1]!;
  return { min: at(0), p5: at(0.05), p50: at(0.5), p95: at(0.95), max: at(1) };
}

/** ⌈p n⌉, from 1: 7 % of a hundred is the seventh, though it is a hair more in double precision. */
export function quantileRank(p: number, n: number): number {
  return Math.max(1, Math.ceil(p * n - 1e-9));
}
