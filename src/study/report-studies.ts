// What a report says beyond the one run that it is made from: which condition trips first over replications,
// what the length of a lease costs, what would have admitted the refused. All of it is played, and a plain
// report is to be there soon: so the studies stop at a number of calls, which is the same on every machine.

import type { Scenario } from '../scenario/scenario.ts';
import { TRIP_SIGNALS, type TripSignal } from '../worker/trip-settings.ts';
import { playByNight } from '../world/play.ts';
import type { Played } from '../world/run-result.ts';
import type { WorldEvent } from '../world/world-event.ts';
import { Allowance, callsIn } from './allowance.ts';
import { duplicatedIn, type LeaseLength, studyLeaseLengths } from './lease-lengths.ts';
import { type Refusals, studyRefusals } from './refusals.ts';
import { type ReplicatedScenario, summarizeReplications } from './replicated-run.ts';
import { recordOf } from './replication-record.ts';
import { type Peaks, SignalPeaks } from './signal-peaks.ts';

/** Of all studies of a plain report together. */
const CALLS = 12_000;
/** Over fewer it would say little; more than the second nobody asked for. */
const LEAST_REPLICATIONS = 5;
const USUAL_REPLICATIONS = 10;
/** Of one signal, different ones: a picture has no room for more. */
const MOST_PEAKS = 42;
/** Of the scenario's own length; the first ones say most. */
const FEW_LENGTHS = [0.1, 3, 0.3];
const ALL_LENGTHS = [0.1, 0.2, 0.5, 1, 2, 5];
/** A pool grows by whole hundredths of what it is. */
const TOKEN_STEPS = 100;

export interface TripStudy {
  readonly replications: number;
  /** Replications in which anything tripped. */
  readonly tripped: number;
  readonly signals: ReplicatedScenario['signals'];
  /** How close each came to its threshold, from the lowest; replications with too few events are left out. */
  readonly peaks: Readonly<Record<TripSignal, readonly PeakCount[]>>;
}

/** Replications in which a signal's highest figure was such a share of its threshold. */
interface PeakCount {
  /** To a hundredth, or a twentieth where there are many; 2 stands for all above it too. */
  readonly share: number;
  readonly replications: number;
}

export interface LeaseStudy {
  readonly replications: number;
  /** The scenario's own, which is one of the lengths. */
  readonly ownMs: number;
  /** From the shortest to the longest. */
  readonly lengths: readonly LeaseLength[];
}

export interface RefusalStudy extends Refusals {
  /** Tokens by which the pool grows from one to the next that is tried. */
  readonly tokenStep: number;
}

export interface ReportStudies {
  /** Replications asked for; null: as many as are soon played, and not every study whole. */
  readonly asked: number | null;
  /** Null where no condition is watched, or too few replications could be played. */
  readonly trips: TripStudy | null;
  /** Null where nobody's lease can run out: no pool, nothing that befalls a worker. */
  readonly leases: LeaseStudy | null;
  /** Null where nobody was refused. */
  readonly refusals: RefusalStudy | null;
}

export interface StudiedRun {
  readonly scenario: Scenario;
  /** Its replication 0. */
  readonly run: Played;
  /** Of that replication. */
  readonly stranded: Pick<LeaseLength, 'strandedTokenMinutes' | 'phantomRefusals'>;
  /** Of that replication; undefined where no trip condition is watched. */
  readonly peaks: Peaks | undefined;
  /** Of each study, whole, however long that takes. Default: as far as `CALLS` go. */
  readonly replications?: number | undefined;
}

/** Stops after every night that is played; the run itself is not played again. */
export function* studyForReport(studied: StudiedRun): Generator<void, ReportStudies> {
  const allowance = new Allowance(studied.replications === undefined ? CALLS : Number.POSITIVE_INFINITY);
  return {
    asked: studied.replications ?? null,
    leases: yield* leasesOf(studied, allowance),
    refusals: yield* refusalsOf(studied, allowance),
    trips: yield* tripsOf(studied, allowance),
  };
}

function* tripsOf(studied: StudiedRun, { left }: Allowance): Generator<void, TripStudy | null> {
  const { scenario, run, peaks: own } = studied;
  if (own === undefined) return null;
  const affordable = 1 + Math.max(0, Math.floor(left / callsIn(run.total)));
  if (studied.replications === undefined && affordable < LEAST_REPLICATIONS) return null;
  const replications = studied.replications ?? Math.min(USUAL_REPLICATIONS, affordable);
  const records = [recordOf(0, run)];
  const peaks = [own];
  // One object for all of them: what is worked out of a scenario before it is played is kept by it.
  const alone = { ...scenario, compare: [] };
  for (let replication = 1; replication < replications; replication += 1) {
    const listener = new SignalPeaks(scenario.trips.leastEvents);
    const observe = (event: WorldEvent): void => listener.hear(event);
    const nights = playByNight(alone, { replication, observe });
    let next = nights.next();
    for (; next.done !== true; next = nights.next()) yield;
    records.push(recordOf(replication, next.value));
    peaks.push(listener.peaks());
  }
  const { tripped, signals } = summarizeReplications(records);
  const counts = TRIP_SIGNALS.map((signal) => [signal, peakCounts(peaks.map((one) => one[signal]))]);
  return { replications, tripped, signals, peaks: Object.fromEntries(counts) as TripStudy['peaks'] };
}

function peakCounts(shares: readonly (number | null)[]): readonly PeakCount[] {
  const known = shares.filter((share) => share !== null);
  const exact = countsOf(known, 100);
  return exact.length <= MOST_PEAKS ? exact : countsOf(known, 20);
}

function countsOf(shares: readonly number[], steps: number): readonly PeakCount[] {
  const counts = new Map<number, number>();
  for (const exact of shares) {
    // Away from the threshold: what is above it stays above, what is not does not seem to be.
    const rounded = exact > 1 ? Math.ceil(exact * steps) : Math.floor(exact * steps);
    const share = Math.min(2, rounded / steps);
    counts.set(share, (counts.get(share) ?? 0) + 1);
  }
  return [...counts]
    .sort(([one], [other]) => one - other)
    .map(([share, replications]) => ({ share, replications }));
}

function* leasesOf(studied: StudiedRun, allowance: Allowance): Generator<void, LeaseStudy | null> {
  const { scenario, run, stranded } = studied;
  const { pool } = scenario;
  if (pool === undefined || !canLoseLeases(scenario)) return null;
  const ownMs = pool.leaseMs;
  const lengthsOf = (times: readonly number[]): readonly number[] => [
    ...new Set(times.map((factor) => Math.max(1, Math.round(ownMs * factor)))),
  ];
  if (studied.replications !== undefined) {
    const all = lengthsOf(ALL_LENGTHS);
    const lengths = yield* studyLeaseLengths(scenario, all, studied.replications);
    return { replications: studied.replications, ownMs, lengths: lengths.map(rounded) };
  }
  const cost = callsIn(run.total);
  const few = lengthsOf(FEW_LENGTHS)
    .filter((lengthMs) => lengthMs !== ownMs)
    .slice(0, Math.floor(allowance.left / cost));
  if (few.length === 0) return null;
  allowance.spend(few.length * cost);
  const own = { leaseMs: ownMs, duplicatedJobs: duplicatedIn(run), ...stranded, done: run.total.done };
  const others = yield* studyLeaseLengths(scenario, few, 1);
  const lengths = [own, ...others].toSorted((one, other) => one.leaseMs - other.leaseMs);
  return { replications: 1, ownMs, lengths: lengths.map(rounded) };
}

/** Nobody reads the tail of a mean. */
function rounded(length: LeaseLength): LeaseLength {
  const { leaseMs, strandedTokenMinutes } = length;
  const tenths = (mean: number) => Math.round(mean * 10) / 10;
  return {
    leaseMs,
    duplicatedJobs: tenths(length.duplicatedJobs),
    strandedTokenMinutes: Math.round(strandedTokenMinutes),
    phantomRefusals: tenths(length.phantomRefusals),
    done: tenths(length.done),
  };
}

/** Somebody may be gone, or late, when a lease runs out. */
function canLoseLeases({ fleet, policy }: Scenario): boolean {
  if (fleet === undefined || policy.admission !== 'envelope') return false;
  const { crashes, pauses, zombies, renewals } = fleet;
  return !renewals || [crashes, pauses, zombies].some((incidents) => incidents !== undefined);
}

function* refusalsOf(
  { scenario, run }: StudiedRun,
  allowance: Allowance,
): Generator<void, RefusalStudy | null> {
  if (scenario.pool === undefined || run.total.refused + run.total.inadmissible === 0) return null;
  const tokenStep = Math.max(1, Math.round(scenario.pool.capacity / TOKEN_STEPS));
  return { ...(yield* studyRefusals(scenario, 0, { played: run, allowance, tokenStep })), tokenStep };
}
