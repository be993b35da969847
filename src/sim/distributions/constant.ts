// One value, always: the simplest distribution, and what a setting written as a plain number becomes.

import type { Distribution } from '../distribution.ts';
import { requireNonNegative } from './parameters.ts';

/** @param value finite, from 0 */
export function constant(value: number): Distribution {
  requireNonNegative('value', value);
  return {
    quantile: () => value,
    mean: () => value,
    cdf: (x) => (x >= value ? 1 : 0),
    partialMean: (x) => (x >= value ? value : 0),
    describe: () => String(value),
  };
}
