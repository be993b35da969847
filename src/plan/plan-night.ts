// The whole plan from plain numbers: worst case, envelopes, what the pool admits, the three numbers, the
// bounds side by side. Closed-form arithmetic; nothing is drawn and nothing is played.

import { type MixInput, mixAdmitted, type PlayOrder } from './admission-mix.ts';
import { expectedAttempts } from './attempts.ts';
import { type CapacityInput, capacityBounds, smallestBound } from './capacity.ts';
import { expectedUnspentRatio, inFlightCeiling, meanShare } from './envelope.ts';
import type { NightPlan, PlannedClass, ThreeNumbers } from './night-plan.ts';
import { type ClientInput, retryLayers } from './retries.ts';
import { planWarnings } from './warnings.ts';
import { worstCase } from './worst-case.ts';

export interface PlanInput {
  readonly scenario: string;
  /** Nights played, from 1: a pool that is never refilled must last for all of them. */
  readonly nights: number;
  readonly windowMs: number;
  /** From one opening to the next. */
  readonly everyMs: number;
  readonly reserveMs: number;
  readonly floorMs: number;
  readonly capMs: number;
  readonly lanes: number;
  readonly pool: {
    readonly capacityTokens: number;
    readonly refilled: 'night' | 'never';
    /** How often it is full over all nights where nights do not refill it. Default: once. */
    readonly fills?: number;
  } | null;
  /** As listed. */
  readonly classes: readonly PlanInputClass[];
  readonly order: PlayOrder;
  readonly backfill: MixInput['backfill'];
  readonly writers: number;
  readonly meanWriteMs: number;
  /** Null where the worker calls the provider itself. */
  readonly client: ClientInput | null;
}

export interface PlanInputClass {
  readonly name: string;
  /** Jobs at the first opening. */
  readonly count: number;
  readonly arrivesEveryNight: boolean;
  readonly slackMs: number;
  readonly attempts: number;
  readonly longestBackoffsMs: number;
  /** The mean of the pauses a job really makes, summed. */
  readonly meanPausesMs: number;
  readonly envelopeTokens: number;
  readonly meanInputTokens: number;
  readonly meanOutputTokens: number;
  readonly p95InputTokens: number;
  readonly p95OutputTokens: number;
  /** Probability that one attempt, granted the whole cap, is the last one needed. */
  readonly successRatio: number;
  /** Probability that one attempt uses up the cap without an answer. */
  readonly timeoutRatio: number;
  readonly meanAttemptMs: number;
  /** What the ledger is told that one attempt used, on average. */
  readonly meanAttemptTokens: number;
}

/** @param input times in milliseconds, ratios from 0 to 1; a mean that does not exist is +∞ */
export function planNight(input: PlanInput): NightPlan {
  const classes = input.classes.map((one) => plannedClass(input, one));
  const admissible = classes.filter(({ envelope }) => !exceedsPool(input, envelope));
  const bounds = capacityBounds(capacityInput(input, admissible));
  const jobs = classes.reduce((sum, { count }) => sum + count, 0);
  const plan = {
    scenario: input.scenario,
    worstCase: worstCase(input),
    retries: retriesOf(input),
    classes,
    mix: mixOf(input),
    meanShare: input.pool === null ? null : meanShare(input.pool.capacityTokens, jobs),
    numbers: threeNumbers(input),
    bounds,
    binding: jobs === 0 ? null : (smallestBound(bounds)?.name ?? null),
    ...backlog(input, classes),
  };
  return { ...plan, warnings: planWarnings(input, plan) };
}

/** Of the classes that have jobs. */
function retriesOf({ classes, capMs, client }: PlanInput): NightPlan['retries'] {
  let workerAttempts = 0;
  let workerPausesMs = 0;
  for (const { count, attempts, longestBackoffsMs } of classes) {
    if (count === 0) continue;
    workerAttempts = Math.max(workerAttempts, attempts);
    workerPausesMs = Math.max(workerPausesMs, longestBackoffsMs);
  }
  return retryLayers({ workerAttempts, workerPausesMs, capMs, client });
}

function plannedClass(input: PlanInput, one: PlanInputClass): PlannedClass {
  const attempts = expectedAttempts(one.successRatio, one.attempts);
  const usedTokens = attempts * one.meanAttemptTokens;
  const envelope = input.pool === null ? null : one.envelopeTokens;
  const ceiling = input.pool === null ? null : inFlightCeiling(input.pool.capacityTokens, one.envelopeTokens);
  return {
    name: one.name,
    count: one.count,
    arrivesEveryNight: one.arrivesEveryNight,
    attempts: one.attempts,
    envelope,
    admitted: ceiling,
    maxInFlight: ceiling,
    meanInputTokens: finite(one.meanInputTokens),
    meanOutputTokens: finite(one.meanOutputTokens),
    p95InputTokens: one.p95InputTokens,
    p95OutputTokens: one.p95OutputTokens,
    expectedAttempts: attempts,
    timeoutRatio: one.timeoutRatio,
    meanJobMs: finite(attempts * one.meanAttemptMs + one.meanPausesMs + input.meanWriteMs),
    meanUsedTokens: finite(usedTokens),
    expectedUnspentRatio: envelope === null ? null : expectedUnspentRatio(usedTokens, envelope),
    slackMs: one.slackMs,
  };
}

function capacityInput(input: PlanInput, classes: readonly PlannedClass[]): CapacityInput {
  return {
    classes: classes.map(({ count, meanJobMs, meanUsedTokens, envelope }) => ({
      count,
      meanJobMs,
      // A job never takes more than its envelope out of the pool: the rest is overspend.
      meanConsumedTokens: envelope === null ? null : Math.min(meanUsedTokens ?? envelope, envelope),
    })),
    lanes: input.lanes,
    windowMs: input.windowMs,
    reserveMs: input.reserveMs,
    tokensPerNight: tokensPerNight(input),
    writers: input.writers,
    meanWriteMs: input.meanWriteMs,
  };
}

function tokensPerNight({ pool, nights }: PlanInput): number | null {
  if (pool === null) return null;
  const { capacityTokens, refilled, fills = 1 } = pool;
  return refilled === 'night' ? capacityTokens : (capacityTokens * fills) / nights;
}

function exceedsPool({ pool }: PlanInput, envelope: number | null): boolean {
  return pool !== null && envelope !== null && envelope > pool.capacityTokens;
}

function mixOf({ pool, classes, order, backfill }: PlanInput): NightPlan['mix'] {
  if (pool === null) return null;
  const mix = classes.map(({ count, envelopeTokens }) => ({ count, envelope: envelopeTokens }));
  return mixAdmitted({ classes: mix, poolTokens: pool.capacityTokens, order, backfill });
}

/** Of the classes that have jobs; of all of them where none has. */
function threeNumbers({ pool, classes, everyMs }: PlanInput): ThreeNumbers {
  const withJobs = classes.some(({ count }) => count > 0)
    ? classes.filter(({ count }) => count > 0)
    : classes;
  let largest: PlanInputClass | undefined;
  let deadlineSlackMs = Number.POSITIVE_INFINITY;
  for (const one of withJobs) {
    if (largest === undefined || one.envelopeTokens > largest.envelopeTokens) largest = one;
    deadlineSlackMs = Math.min(deadlineSlackMs, one.slackMs);
  }
  return {
    poolTokens: pool?.capacityTokens ?? null,
    envelopeTokens: pool === null ? null : (largest?.envelopeTokens ?? null),
    envelopeClass: pool === null ? null : (largest?.name ?? null),
    deadlineSlackMs: finite(deadlineSlackMs),
    nextOpeningMs: everyMs,
    roomForAnotherTry: everyMs < deadlineSlackMs,
  };
}

/** What arrives at every later opening, against what the smallest bound carries of just those jobs. */
function backlog(
  input: PlanInput,
  classes: readonly PlannedClass[],
): Pick<NightPlan, 'arrivalsPerNight' | 'backlogGrows' | 'backlogPerNight'> {
  const nightly = classes.filter(({ arrivesEveryNight }) => arrivesEveryNight);
  const admissible = nightly.filter(({ envelope }) => !exceedsPool(input, envelope));
  const arrivalsPerNight = nightly.reduce((sum, { count }) => sum + count, 0);
  const playable = admissible.reduce((sum, { count }) => sum + count, 0);
  const carried = smallestBound(capacityBounds(capacityInput(input, admissible)))?.jobsPerNight ?? playable;
  const backlogPerNight = arrivalsPerNight - Math.min(playable, carried);
  return { arrivalsPerNight, backlogGrows: backlogPerNight > 0, backlogPerNight };
}

/** JSON has no infinity: a mean that does not exist is null. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
