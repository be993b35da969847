// Every value between two limits equally likely.

import type { Distribution } from '../distribution.ts';
import { requireNonNegative, requireThat } from './parameters.ts';

/** @param range finite, 0 ≤ min ≤ max */
export function uniform({ min, max }: { readonly min: number; readonly max: number }): Distribution {
  requireNonNegative('min', min);
  requireNonNegative('max', max);
  requireThat(min <= max, 'min is above max', `min at most ${max}`, String(min));
  const cdf = (x: number): number => (x >= max ? 1 : x < min ? 0 : (x - min) / (max - min));
  return {
    // The last step guards the upper end against rounding.
    quantile: (p) => (p === 1 ? max : Math.min(max, min + p * (max - min))),
    mean: () => min + (max - min) / 2,
    cdf,
    partialMean: (x) => (x < min ? 0 : (cdf(x) * (min + Math.min(x, max))) / 2),
    describe: () => `uniform from ${min} to ${max}`,
  };
}
