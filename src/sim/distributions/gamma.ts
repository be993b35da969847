// The gamma distribution, by shape and either mean or scale.

import type { Distribution } from '../distribution.ts';
import { lowerGamma, normalQuantile } from '../special-functions.ts';
import { invertCdf } from './invert-cdf.ts';
import { requirePositive } from './parameters.ts';

/** @param facts all above 0; mean = shape × scale */
export function gamma(
  facts:
    | { readonly shape: number; readonly mean: number }
    | { readonly shape: number; readonly scale: number },
): Distribution {
  const { shape } = facts;
  requirePositive('shape', shape);
  if ('mean' in facts) requirePositive('mean', facts.mean);
  else requirePositive('scale', facts.scale);
  const scale = 'mean' in facts ? facts.mean / shape : facts.scale;
  const mean = 'mean' in facts ? facts.mean : shape * facts.scale;
  return {
    quantile: (p) => scale * standardQuantile(shape, p),
    mean: () => mean,
    cdf: (x) => lowerGamma(shape, x / scale),
    partialMean: (x) => mean * lowerGamma(shape + 1, x / scale),
    describe: () =>
      `gamma with shape ${shape}, ${'mean' in facts ? `mean ${facts.mean}` : `scale ${facts.scale}`}`,
  };
}

/** The quantile at scale 1. */
function standardQuantile(shape: number, p: number): number {
  if (p <= 0) return 0;
  if (p >= 1) return Number.POSITIVE_INFINITY;
  const cdf = (x: number): number => lowerGamma(shape, x);
  // Around the guess of Wilson and Hilferty (1931), widened until the answer lies between.
  const spread = 1 / (9 * shape);
  const root = Math.max(0.01, 1 - spread + normalQuantile(p) * Math.sqrt(spread));
  const guess = shape * root * root * root;
  let low = guess / 1.1;
  while (low > 0 && cdf(low) >= p) low /= 4;
  let high = guess * 1.1;
  while (cdf(high) < p) high *= 2;
  return invertCdf(cdf, p, low, high);
}
