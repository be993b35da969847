// The Pareto distribution: a tail so heavy that for alpha up to 1 there is no mean.

import type { Distribution } from '../distribution.ts';
import { expMinusOne, logOnePlus } from '../special-functions.ts';
import { requirePositive } from './parameters.ts';

/** @param facts both above 0; P(X > x) = (min/x)^alpha from min upwards */
export function pareto({ min, alpha }: { readonly min: number; readonly alpha: number }): Distribution {
  requirePositive('min', min);
  requirePositive('alpha', alpha);
  const mean = alpha > 1 ? (alpha * min) / (alpha - 1) : Number.POSITIVE_INFINITY;
  return {
    quantile: (p) => min * Math.exp(-logOnePlus(-p) / alpha),
    mean: () => mean,
    cdf: (x) => (x <= min ? 0 : -expMinusOne(-alpha * Math.log(x / min))),
    partialMean: (x) => {
      if (x <= min) return 0;
      if (x === Number.POSITIVE_INFINITY) return mean;
      // ∫ x dF = alpha·min·(1 − e^(−(alpha − 1)L))/(alpha − 1), L = ln(x/min); alpha·min·L at alpha = 1
      const log = Math.log(x / min);
      return alpha * min * (alpha === 1 ? log : -expMinusOne(-(alpha - 1) * log) / (alpha - 1));
    },
    describe: () => `Pareto from ${min} with alpha ${alpha}`,
  };
}
