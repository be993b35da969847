// The exponential distribution: times between independent events.

import type { Distribution } from '../distribution.ts';
import { expMinusOne, logOnePlus } from '../special-functions.ts';
import { requirePositive } from './parameters.ts';

/** @param mean above 0 */
export function exponential({ mean }: { readonly mean: number }): Distribution {
  requirePositive('mean', mean);
  return {
    quantile: (p) => -mean * logOnePlus(-p),
    mean: () => mean,
    cdf: (x) => (x <= 0 ? 0 : -expMinusOne(-x / mean)),
    partialMean: (x) => {
      if (x <= 0) return 0;
      if (x === Number.POSITIVE_INFINITY) return mean;
      // m(1 − e^−t) − x e^−t, by parts
      return -mean * expMinusOne(-x / mean) - x * Math.exp(-x / mean);
    },
    describe: () => `exponential with mean ${mean}`,
  };
}
