// The values of a column as they are: each as likely as it is frequent.

import type { Distribution } from '../distribution.ts';
import { requireNonNegative, requireThat } from './parameters.ts';

/** Quantiles are by nearest rank, so that every draw is a value of the column. @param values at least one, in any order, finite, from 0 */
export function empirical(values: ArrayLike<number>): Distribution {
  const sorted = Float64Array.from(values).sort();
  const count = sorted.length;
  requireThat(count > 0, 'a column is empty', 'at least one value', 'none');
  // The sort puts a NaN last and a negative number first.
  requireNonNegative('a value', sorted[0]!);
  requireNonNegative('a value', sorted[count - 1]!);
  const sums = runningSums(sorted);
  return {
    quantile: (p) => sorted[nearestRank(p, count) - 1]!,
    mean: () => sums[count]! / count,
    cdf: (x) => countUpTo(sorted, x) / count,
    partialMean: (x) => sums[countUpTo(sorted, x)]! / count,
    describe: () => `${count} values from ${sorted[0]} to ${sorted[count - 1]}`,
  };
}

/** ⌈n·p⌉, at least 1, where a product that rounding put past a whole number counts as that number. */
function nearestRank(p: number, count: number): number {
  const rank = Math.ceil(count * p);
  if (rank > 1 && (rank - 1) / count >= p) return rank - 1;
  if (rank < count && rank / count < p) return rank + 1;
  return Math.max(1, rank);
}

/** How many of the sorted values are at most `x`. */
function countUpTo(sorted: Float64Array, x: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The sums of the first 0, 1, … n values, with the rounding carried along (Neumaier 1974). */
function runningSums(sorted: Float64Array): Float64Array {
  const sums = new Float64Array(sorted.length + 1);
  let sum = 0;
  let lost = 0;
  sorted.forEach((value, i) => {
    const next = sum + value;
    lost += sum >= value ? sum - next + value : value - next + sum;
    sum = next;
    sums[i + 1] = sum + lost;
  });
  return sums;
}
