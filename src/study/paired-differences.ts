// A variant against the scenario itself, replication by replication: both saw the same draws, so that what is
// left in a difference is the variant.

import { meanBounds } from './estimates/mean-bounds.ts';
import { isWorse, METRICS, type Metric } from './metrics.ts';
import type { ReplicationRecord } from './replication-record.ts';
import { type Spread, spreadOf } from './spread.ts';

/** The variant's figure less the scenario's, in each replication in which both have one that is finite. */
interface PairedDifference {
  readonly count: number;
  /** Null without data. */
  readonly mean: number | null;
  /** One-sided bounds of the mean; null where fewer than 20 differences differ from the most frequent one. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly spread: Spread | null;
  /** Replications in which the variant is the better of the two; the others are equal. */
  readonly better: number;
  readonly worse: number;
}

export type PairedDifferences = Readonly<Record<Metric, PairedDifference>>;

/**
 * @param own @param variant in the same order of replications
 * @param alpha what each bound may be wrong by, above 0 and below ½
 */
export function pairedDifferences(
  own: readonly ReplicationRecord[],
  variant: readonly ReplicationRecord[],
  alpha: number,
): PairedDifferences {
  const entries = METRICS.map((metric) => [metric, difference(metric, own, variant, alpha)] as const);
  return Object.fromEntries(entries) as Record<Metric, PairedDifference>;
}

function difference(
  metric: Metric,
  own: readonly ReplicationRecord[],
  variant: readonly ReplicationRecord[],
  alpha: number,
): PairedDifference {
  const differences: number[] = [];
  let better = 0;
  let worse = 0;
  for (const [position, { worst }] of own.entries()) {
    const before = worst[metric]?.value;
    const after = variant[position]?.worst[metric]?.value;
    if (before === undefined || after === undefined) continue;
    if (isWorse(metric, after, before)) worse += 1;
    else if (after !== before) better += 1;
    // With a night that never finished there is no difference; who is better is counted all the same.
    if (Number.isFinite(before) && Number.isFinite(after)) differences.push(after - before);
  }
  const count = differences.length;
  const bounds = meanBounds(differences, alpha);
  return {
    count,
    mean: count === 0 ? null : differences.reduce((sum, one) => sum + one, 0) / count,
    lower: bounds?.lower ?? null,
    upper: bounds?.upper ?? null,
    spread: count === 0 ? null : spreadOf(differences),
    better,
    worse,
  };
}
