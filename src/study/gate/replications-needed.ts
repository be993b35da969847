// Whether so many replications can show a limit at all, if everything goes well: asked before the first one is
// played.

import type { MetricLimit } from '../../scenario/gate-schema.ts';
import { FIRST_LOOK, plannedLooks } from '../estimates/looks.ts';
import { LEAST_DIFFERING } from '../estimates/mean-bounds.ts';
import { valuesForUpperBound } from '../estimates/quantile-bounds.ts';
import { isUpperLimit, quantileOf } from './judge.ts';

type Limit = Pick<MetricLimit, 'statistic' | 'comparison' | 'limit'>;

/** Could it pass at one of the looks that so many replications allow? */
export function canPass(limit: Limit, budget: number, alpha: number): boolean {
  return plannedLooks(alpha, budget).some((look) => look.replications >= leastValues(limit, look.alpha));
}

/** The smallest budget of replications with which it could pass; +∞ where none is. */
export function replicationsNeeded(limit: Limit, alpha: number): number {
  const atOneLook = leastValues(limit, alpha / 2);
  if (atOneLook <= FIRST_LOOK) return atOneLook;
  const looks = plannedLooks(alpha, Number.MAX_SAFE_INTEGER);
  const enough = looks.find((look) => look.replications >= leastValues(limit, look.alpha));
  return enough?.replications ?? Number.POSITIVE_INFINITY;
}

/** The fewest values from which its bound comes about, where not one of them is bad. */
function leastValues({ statistic, comparison, limit }: Limit, alpha: number): number {
  if (statistic === 'mean') return LEAST_DIFFERING + 1;
  const isUpper = isUpperLimit(comparison);
  const p = quantileOf(statistic);
  if (p === undefined) return valuesForUpperBound(isUpper ? 1 - limit : limit, alpha);
  return valuesForUpperBound(isUpper ? p : 1 - p, alpha);
}
