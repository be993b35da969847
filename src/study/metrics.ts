// What is measured of a played scenario, night by night, and which night of a replication counts: its worst.
// Least `done`, greatest everything else; a night that never finished is later than any that did.

import type { NightResult, PoolFigures } from '../world/run-result.ts';

/** In the order in which they are listed everywhere. */
export const METRICS = [
  'done',
  'deferred',
  'refused',
  'inadmissible',
  'failed',
  'unknown',
  'lostWrites',
  'attempts',
  'timeouts',
  'errors',
  'invalid',
  'rateLimited',
  'hiddenCalls',
  'refusalRate',
  'unsettled',
  'duplicated',
  'overspent',
  'shortfall',
  'stranded',
  'drift',
  'finishedMs',
] as const;
export type Metric = (typeof METRICS)[number];

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

const POOLED: ReadonlySet<Metric> = new Set(['overspent', 'shortfall', 'stranded', 'drift']);

/** @returns null where the night has no such figure: nobody asked, there is no pool; +∞ where it never finished */
function ofNight(metric: Metric, night: NightResult): number | null {
  if (POOLED.has(metric)) return ofPools(metric as PooledMetric, Object.values(night.pools));
  const figure = night[metric as Exclude<Metric, PooledMetric>];
  return metric === 'finishedMs' ? (figure ?? Number.POSITIVE_INFINITY) : figure;
}

type PooledMetric = 'overspent' | 'shortfall' | 'stranded' | 'drift';

function ofPools(metric: PooledMetric, pools: readonly PoolFigures[]): number | null {
  return pools.length === 0 ? null : pools.reduce((sum, pool) => sum + pool[metric], 0);
}

export interface WorstNight {
  /** +∞: it never finished. */
  readonly value: number;
  /** The first of several, from 1. */
  readonly night: number;
}

/** The worst of the nights; null where none of them has the figure. */
export function worstOf(metric: Metric, nights: readonly NightResult[]): WorstNight | null {
  let worst: WorstNight | null = null;
  for (const night of nights) {
    const value = ofNight(metric, night);
    if (value === null || (worst !== null && !isWorse(metric, value, worst.value))) continue;
    worst = { value, night: night.night };
  }
  return worst;
}

export function isWorse(metric: Metric, one: number, other: number): boolean {
  return WORST[metric] === 'least' ? one < other : one > other;
}
