// What many replications of a scenario say together, and how sure that is: the JSON of `run --replications`.

import { TRIP_SIGNALS, type TripSignal } from '../worker/trip-settings.ts';
import type { BoundedEstimate, Estimate } from './estimates/bounds.ts';
import { proportionBounds } from './estimates/proportion-bounds.ts';
import { ratioBounds } from './estimates/ratio-bounds.ts';
import { type MetricIntervals, metricIntervals, NO_INTERVALS } from './metric-intervals.ts';
import { isWorse, METRICS, type Metric, WORST, type WorstNight } from './metrics.ts';
import type { PairedDifferences } from './paired-differences.ts';
import type { FirstTrip, ReplicationRecord } from './replication-record.ts';
import { type Spread, spreadOf } from './spread.ts';

type Nullable<Figures> = { readonly [Field in keyof Figures]: number | null };

/** One metric over the replications, in each its worst night. Null: no data; of `finishedMs`, never. */
export interface MetricSummary extends Nullable<Spread>, MetricIntervals {
  readonly worst: 'least' | 'greatest';
  /** Replications that have the figure. */
  readonly count: number;
  /** Of those, how many have another than 0. */
  readonly nonZero: number;
  /** Where it is worst, the first of several, for `replay-night`; null without data. */
  readonly worstIn: { readonly replication: number; readonly night: number } | null;
}

interface SignalSummary {
  /** Replications in which it tripped. */
  readonly replications: number;
  /** Replications in which it tripped before every other signal. */
  readonly first: number;
  /** The night in which it first tripped; null where it never did. */
  readonly night: Spread | null;
  /** From that night's opening; null where it never tripped. */
  readonly atMs: Spread | null;
}

/** What may become of a job in a night. */
export const OUTCOMES = [
  'done',
  'deferred',
  'refused',
  'inadmissible',
  'failed',
  'unknown',
  'lostWrites',
] as const;
type OutcomeName = (typeof OUTCOMES)[number];

export interface ReplicatedScenario {
  /** Replications in which the kill ended a night. */
  readonly killed: number;
  /** How often it does. */
  readonly killedProbability: BoundedEstimate;
  /** Of all jobs of all nights, which share ended so; null where there are no jobs. */
  readonly perJob: Readonly<Record<OutcomeName, Estimate | null>>;
  readonly metrics: Readonly<Record<Metric, MetricSummary>>;
  /** Replications in which anything tripped. */
  readonly tripped: number;
  readonly signals: Readonly<Record<TripSignal, SignalSummary>>;
}

export interface ReplicatedRun extends ReplicatedScenario {
  readonly scenario: string;
  readonly seed: string;
  readonly replications: number;
  /** One-sided, of each bound. */
  readonly confidence: number;
  readonly compare: Readonly<Record<string, ReplicatedScenario & { readonly paired: PairedDifferences }>>;
}

/** @param records at least one @param confidence one-sided, of each bound, from ½ and below 1 */
export function summarizeReplications(
  records: readonly ReplicationRecord[],
  confidence = 0.95,
): ReplicatedScenario {
  const alpha = 1 - confidence;
  const killed = records.filter(({ isKilled }) => isKilled).length;
  return {
    killed,
    killedProbability: proportionBounds(killed, records.length, alpha),
    perJob: byName(OUTCOMES, (outcome) => perJob(outcome, records, alpha)),
    metrics: byName(METRICS, (metric) => metricSummary(metric, records, alpha)),
    tripped: records.filter(({ trips }) => trips.length > 0).length,
    signals: byName(TRIP_SIGNALS, (signal) => signalSummary(signal, records)),
  };
}

function byName<Name extends string, Of>(
  names: readonly Name[],
  of: (name: Name) => Of,
): Readonly<Record<Name, Of>> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Of>;
}

function perJob(outcome: OutcomeName, records: readonly ReplicationRecord[], alpha: number): Estimate | null {
  const parts = records.map(({ outcomes }) => ({ numerator: outcomes[outcome], denominator: outcomes.jobs }));
  return ratioBounds(parts, alpha) ?? null;
}

function metricSummary(metric: Metric, records: readonly ReplicationRecord[], alpha: number): MetricSummary {
  const values: number[] = [];
  let worst: (WorstNight & { readonly replication: number }) | undefined;
  for (const { replication, worst: figures } of records) {
    const figure = figures[metric];
    if (figure === null) continue;
    values.push(figure.value);
    if (worst === undefined || isWorse(metric, figure.value, worst.value)) worst = { ...figure, replication };
  }
  const spread = values.length === 0 ? NO_DATA : spreadOf(values);
  return {
    worst: WORST[metric],
    count: values.length,
    nonZero: values.filter((value) => value !== 0).length,
    min: finite(spread.min),
    p5: finite(spread.p5),
    p50: finite(spread.p50),
    p95: finite(spread.p95),
    max: finite(spread.max),
    ...(values.length === 0 ? NO_INTERVALS : metricIntervals(metric, values, alpha)),
    worstIn: worst === undefined ? null : { replication: worst.replication, night: worst.night },
  };
}

const NO_DATA: Nullable<Spread> = { min: null, p5: null, p50: null, p95: null, max: null };

/** JSON has no infinity. */
function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}

function signalSummary(signal: TripSignal, records: readonly ReplicationRecord[]): SignalSummary {
  const trips = records.flatMap((record) => record.trips.filter((trip) => trip.signal === signal));
  const spread = (of: (trip: FirstTrip) => number) => (trips.length === 0 ? null : spreadOf(trips.map(of)));
  return {
    replications: trips.length,
    first: records.filter((record) => record.trips[0]?.signal === signal).length,
    night: spread(({ night }) => night),
    atMs: spread(({ atMs }) => atMs),
  };
}
