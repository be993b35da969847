// How sure it is what the replications say of one metric. Only what so many of them support is said.

import type { BoundedEstimate } from './estimates/bounds.ts';
import { meanBounds } from './estimates/mean-bounds.ts';
import { proportionBounds } from './estimates/proportion-bounds.ts';
import { quantileBounds } from './estimates/quantile-bounds.ts';
import type { Metric } from './metrics.ts';

/** Each bound one-sided. */
interface QuantileInterval {
  /** Null: so few do not support one; of `finishedMs` also: never. */
  readonly lower: number | null;
  readonly upper: number | null;
}

export interface MetricIntervals {
  /** Null where fewer than 20 replications differ from the most frequent value, or one is infinite. */
  readonly mean: BoundedEstimate | null;
  /** That it is above 0; null without data, and of `finishedMs`, of which `killedProbability` tells. */
  readonly probability: BoundedEstimate | null;
  /** Of the quantiles; null without data. */
  readonly intervals: {
    readonly p5: QuantileInterval;
    readonly p50: QuantileInterval;
    readonly p95: QuantileInterval;
  } | null;
}

export const NO_INTERVALS: MetricIntervals = { mean: null, probability: null, intervals: null };

/** @param values one for each replication that has one, at least one; +∞ among them is never */
export function metricIntervals(metric: Metric, values: readonly number[], alpha: number): MetricIntervals {
  const sorted = Float64Array.from(values).sort();
  const interval = (p: number): QuantileInterval => {
    const { lower, upper } = quantileBounds(sorted, p, alpha);
    return { lower: finite(lower), upper: finite(upper) };
  };
  const happened = values.filter((value) => value > 0).length;
  return {
    mean: (values.every(Number.isFinite) ? meanBounds(values, alpha) : undefined) ?? null,
    probability: metric === 'finishedMs' ? null : proportionBounds(happened, values.length, alpha),
    intervals: { p5: interval(0.05), p50: interval(0.5), p95: interval(0.95) },
  };
}

/** JSON has no infinity. */
function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
