// One of several distributions, each with its weight: a fast path and a slow one, two kinds of prompt.

import type { Distribution } from '../distribution.ts';
import { invertCdf } from './invert-cdf.ts';
import { requirePositive, requireThat } from './parameters.ts';

/** One part of a mixture; weights need not sum to 1. */
export interface Component {
  /** Above 0. */
  readonly weight: number;
  readonly distribution: Distribution;
}

/** @param components at least one */
export function mixture(components: readonly Component[]): Distribution {
  requireThat(components.length > 0, 'a mixture has no components', 'at least one', 'none');
  for (const { weight } of components) requirePositive('weight', weight);
  const total = components.reduce((sum, { weight }) => sum + weight, 0);
  const weighted = (value: (distribution: Distribution) => number): number => {
    let sum = 0;
    for (const { weight, distribution } of components) sum += weight * value(distribution);
    return sum / total;
  };
  const cdf = (x: number): number => weighted((distribution) => distribution.cdf(x));
  return {
    quantile: (p) => {
      // Every component's quantile is a bound from one side: below all of them no CDF has reached p,
      // at the greatest all have.
      const quantiles = components.map(({ distribution }) => distribution.quantile(p));
      const low = Math.min(...quantiles);
      const high = Math.max(...quantiles);
      if (low === high) return low;
      return p >= 1 ? high : invertCdf(cdf, p, low, high);
    },
    mean: () => weighted((distribution) => distribution.mean()),
    cdf,
    partialMean: (x) => weighted((distribution) => distribution.partialMean(x)),
    describe: () =>
      `mixture of ${components.map(({ weight, distribution }) => `${weight} × (${distribution.describe()})`).join(', ')}`,
  };
}
