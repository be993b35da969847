// The Weibull distribution: lifetimes whose failure rate grows (shape above 1) or falls with age.

import type { Distribution } from '../distribution.ts';
import { expMinusOne, logGamma, logOnePlus, lowerGamma, power } from '../special-functions.ts';
import { requirePositive } from './parameters.ts';

/** @param facts both above 0; the scale is the quantile at 1 − 1/e */
export function weibull({ shape, scale }: { readonly shape: number; readonly scale: number }): Distribution {
  requirePositive('shape', shape);
  requirePositive('scale', scale);
  const mean = scale * Math.exp(logGamma(1 + 1 / shape));
  /** The exponential variable that the Weibull one is a power of. */
  const exponent = (x: number): number => (x <= 0 ? 0 : power(x / scale, shape));
  return {
    quantile: (p) => scale * power(-logOnePlus(-p), 1 / shape),
    mean: () => mean,
    cdf: (x) => -expMinusOne(-exponent(x)),
    partialMean: (x) => mean * lowerGamma(1 + 1 / shape, exponent(x)),
    describe: () => `Weibull with shape ${shape}, scale ${scale}`,
  };
}
