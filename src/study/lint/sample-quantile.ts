// A quantile of what was measured, as an order statistic: no interpolation, no assumption.

/**
 * The smallest of the values that at least a share `p` of them does not exceed.
 *
 * @param values at least one, in any order; they are left as they are
 * @param p above 0 up to 1
 */
export function quantileOf(values: readonly number[], p: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)]!;
}
