// One limit held against the values of the replications so far. It passes only where a bound that is wrong at
// most so often lies inside the limit, and fails where the opposite one lies outside; everything else is not
// known yet.

import { type Unit, unitOf } from '../../scenario/gate-metrics.ts';
import type { Comparison, MetricLimit, Statistic } from '../../scenario/gate-schema.ts';
import { meanBounds } from '../estimates/mean-bounds.ts';
import { proportionBounds } from '../estimates/proportion-bounds.ts';
import { quantileBounds } from '../estimates/quantile-bounds.ts';

export type Verdict = 'pass' | 'fail' | 'inconclusive';

/** How the bounds came about. `probability-of-any`: P(metric > 0), where a mean has no interval. */
export const METHODS = [
  'student-t',
  'clopper-pearson',
  'order-statistics',
  'probability-of-any',
  'exact',
  'no-data',
] as const;
export type Method = (typeof METHODS)[number];

export interface Judgement {
  readonly verdict: Verdict;
  /** The statistic; null without data. Under `probability-of-any` that probability. */
  readonly value: number | null;
  /** Null: the data do not support one. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly method: Method;
}

type Limit = Pick<MetricLimit, 'metric' | 'statistic' | 'comparison' | 'limit'>;
type Bounds = Pick<Judgement, 'lower' | 'upper'>;

export const NO_DATA: Judgement = {
  verdict: 'fail',
  value: null,
  lower: null,
  upper: null,
  method: 'no-data',
};

/**
 * @param values of the replications that have one; +∞ is a night that never finished
 * @param alpha what each of the two bounds may be wrong by, above 0 and below ½
 */
export function judge(limit: Limit, values: readonly number[], alpha: number): Judgement {
  if (values.length === 0) return NO_DATA;
  const { statistic } = limit;
  if (statistic === 'mean') return judgeMean(limit, values, alpha);
  if (statistic === 'probability') {
    const happened = values.filter((value) => isEvent(limit, value)).length;
    return judged(limit, proportionBounds(happened, values.length, alpha), 'clopper-pearson');
  }
  const sorted = Float64Array.from(values).sort();
  return judged(limit, quantileBounds(sorted, statistic.p, alpha), 'order-statistics');
}

/** What every replication gives by construction needs no interval. */
export function judgeConstant(limit: Limit, value: number): Judgement {
  const figure = limit.statistic === 'probability' ? (isEvent(limit, value) ? 1 : 0) : value;
  return judged(limit, { value: figure, lower: figure, upper: figure }, 'exact');
}

/** That it happens at all; of the time at which a night finishes, that it never does. */
function isEvent({ metric }: Limit, value: number): boolean {
  return metric === 'finishedMs' ? value === Number.POSITIVE_INFINITY : value > 0;
}

function judgeMean(limit: Limit, values: readonly number[], alpha: number): Judgement {
  // One night that never finishes makes the mean infinite, however rare it is.
  if (values.includes(Number.POSITIVE_INFINITY)) return judgeConstant(limit, Number.POSITIVE_INFINITY);
  const bounds = meanBounds(values, alpha);
  if (bounds !== undefined) return judged(limit, bounds, 'student-t');
  const any = proportionBounds(values.filter((value) => value > 0).length, values.length, alpha);
  const verdict = verdictOf(limit, meanFromAny(unitOf(limit.metric), any));
  return { verdict, ...any, method: 'probability-of-any' };
}

/**
 * What P(X > 0) says of E[X]: whole numbers from 0 have a mean of at least it, ratios up to 1 one of at most
 * it. So the mean of a count can fail on it and never pass; that of a ratio the other way round.
 */
function meanFromAny(unit: Unit, any: { readonly lower: number; readonly upper: number }): Bounds {
  switch (unit) {
    case 'count':
    case 'tokens':
      return { lower: any.lower, upper: null };
    case 'ratio':
      return { lower: null, upper: any.upper };
    case 'signed-tokens':
    case 'duration':
      return { lower: null, upper: null };
  }
}

function judged(limit: Limit, estimate: Bounds & { readonly value: number }, method: Method): Judgement {
  const { value, lower, upper } = estimate;
  return { verdict: verdictOf(limit, estimate), value, lower, upper, method };
}

function verdictOf(
  { comparison, limit }: { readonly comparison: Comparison; readonly limit: number },
  { lower, upper }: Bounds,
): Verdict {
  const [far, near] = isUpperLimit(comparison) ? [upper, lower] : [lower, upper];
  if (far !== null && holds(far, comparison, limit)) return 'pass';
  if (near !== null && !holds(near, comparison, limit)) return 'fail';
  return 'inconclusive';
}

export function isUpperLimit(comparison: Comparison): boolean {
  return comparison === '<' || comparison === '<=';
}

export function holds(value: number, comparison: Comparison, limit: number): boolean {
  switch (comparison) {
    case '<':
      return value < limit;
    case '<=':
      return value <= limit;
    case '>':
      return value > limit;
    case '>=':
      return value >= limit;
  }
}

/** The quantile that is asked for; undefined for a mean or a probability. */
export function quantileOf(statistic: Statistic): number | undefined {
  return typeof statistic === 'object' ? statistic.p : undefined;
}
