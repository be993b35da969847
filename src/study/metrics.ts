// What is measured of a played scenario, night by night, and which night of a replication counts: its worst.
// Least `done`, greatest everything else; a night that never finished is later than any that did.

import { METRICS, type Metric, POOLED } from '../scenario/gate-metrics.ts';
import type { Over } from '../scenario/gate-schema.ts';
import type { NightResult, PoolFigures } from '../world/run-result.ts';

export { METRICS, type Metric };

/** Of the nights of a replication. */
export const WORST: Readonly<Record<Metric, 'least' | 'greatest'>> = {
  done: 'least',
  deferred: 'greatest',
  refused: 'greatest',
  inadmissible: 'greatest',
  failed: 'greatest',
  unknown: 'greatest',
  lostWrites: 'greatest',
  attempts: 'greatest',
  timeouts: 'greatest',
  errors: 'greatest',
  invalid: 'greatest',
  rateLimited: 'greatest',
  hiddenCalls: 'greatest',
  refusalRate: 'greatest',
  unsettled: 'greatest',
  duplicated: 'greatest',
  overspent: 'greatest',
  shortfall: 'greatest',
  stranded: 'greatest',
  drift: 'greatest',
  finishedMs: 'greatest',
};

/** @returns null where the night has no such figure: nobody asked, there is no pool; +∞ where it never finished */
function ofNight(metric: Metric, night: NightResult, pool: string | undefined): number | null {
  if (isPooled(metric)) return ofPools(metric, poolsOf(night, pool));
  const figure = night[metric];
  return metric === 'finishedMs' ? (figure ?? Number.POSITIVE_INFINITY) : figure;
}

type PooledMetric = 'overspent' | 'shortfall' | 'stranded' | 'drift';

function isPooled(metric: Metric): metric is PooledMetric {
  return POOLED.has(metric);
}

function poolsOf({ pools }: NightResult, only: string | undefined): readonly PoolFigures[] {
  if (only === undefined) return Object.values(pools);
  const pool = pools[only];
  return pool === undefined ? [] : [pool];
}

function ofPools(metric: PooledMetric, pools: readonly PoolFigures[]): number | null {
  return pools.length === 0 ? null : pools.reduce((sum, pool) => sum + pool[metric], 0);
}

export interface WorstNight {
  /** +∞: it never finished. */
  readonly value: number;
  /** The first of several, from 1. */
  readonly night: number;
}

/** The worst of the nights; null where none of them has the figure. @param pool all pools where undefined */
export function worstOf(metric: Metric, nights: readonly NightResult[], pool?: string): WorstNight | null {
  let worst: WorstNight | null = null;
  for (const night of nights) {
    const value = ofNight(metric, night, pool);
    if (value === null || (worst !== null && !isWorse(metric, value, worst.value))) continue;
    worst = { value, night: night.night };
  }
  return worst;
}

/** One figure of a whole replication; null where the nights asked of have none. @param nights at least one */
export function overNights(
  { metric, over, pool }: { readonly metric: Metric; readonly over: Over; readonly pool: string | undefined },
  nights: readonly NightResult[],
): number | null {
  switch (over) {
    case 'worst':
      return worstOf(metric, nights, pool)?.value ?? null;
    case 'first':
      return ofNight(metric, nights[0]!, pool);
    case 'last':
      return ofNight(metric, nights.at(-1)!, pool);
    case 'sum': {
      const figures = nights.map((night) => ofNight(metric, night, pool)).filter((one) => one !== null);
      return figures.length === 0 ? null : figures.reduce((sum, one) => sum + one, 0);
    }
  }
}

export function isWorse(metric: Metric, one: number, other: number): boolean {
  return WORST[metric] === 'least' ? one < other : one > other;
}
