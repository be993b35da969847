// All that is kept of one replication: its figures in its worst night, what became of its jobs in all of them,
// and which condition tripped when.

import type { TripSignal } from '../worker/trip-settings.ts';
import type { OutcomeCounts, Played } from '../world/run-result.ts';
import { METRICS, type Metric, type WorstNight, worstOf } from './metrics.ts';

/** The first time that a signal tripped, whichever class or pool it was. */
export interface FirstTrip {
  readonly signal: TripSignal;
  /** From 1. */
  readonly night: number;
  /** From that night's opening. */
  readonly atMs: number;
}

export interface ReplicationRecord {
  /** From 0. */
  readonly replication: number;
  /** Null: no data. */
  readonly worst: Readonly<Record<Metric, WorstNight | null>>;
  /** Over all nights; a job that was carried over counts in each of its nights. */
  readonly outcomes: OutcomeCounts;
  /** The kill ended a night. */
  readonly isKilled: boolean;
  /** Each signal that tripped at all, the first to do so first. */
  readonly trips: readonly FirstTrip[];
}

export function recordOf(replication: number, { nights, total }: Played): ReplicationRecord {
  const worst = METRICS.map((metric) => [metric, worstOf(metric, nights)] as const);
  const trips = new Map<TripSignal, FirstTrip>();
  for (const { night, trips: tonight } of nights) {
    for (const { signal, atMs } of tonight) {
      if (!trips.has(signal)) trips.set(signal, { signal, night, atMs });
    }
  }
  return {
    replication,
    worst: Object.fromEntries(worst) as Record<Metric, WorstNight | null>,
    outcomes: total,
    isKilled: nights.some(({ finishedMs }) => finishedMs === null),
    trips: [...trips.values()],
  };
}
