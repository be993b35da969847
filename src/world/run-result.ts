// What a played run says: the JSON of `run`. Times in milliseconds from a night's opening, tokens whole.
// Flows are summed over nights; stocks (capacity, balance, held, stranded) are the last night's.

import type { DeferCause } from '../worker/effects.ts';
import type { Trip } from '../worker/trip-settings.ts';

/** What becomes of a job in a night, exactly one of. */
export type Outcome = 'done' | 'deferred' | 'refused' | 'inadmissible' | 'failed' | 'unknown' | 'lostWrite';

export interface OutcomeCounts {
  readonly jobs: number;
  readonly done: number;
  readonly deferred: number;
  readonly refused: number;
  readonly inadmissible: number;
  readonly failed: number;
  readonly unknown: number;
  readonly lostWrites: number;
}

export interface PoolFigures {
  readonly capacity: number;
  readonly balance: number;
  readonly held: number;
  readonly consumed: number;
  readonly refunded: number;
  readonly overspent: number;
  readonly shortfall: number;
  /** Tokens in holds whose worker is gone at the night's end. */
  readonly stranded: number;
  /** What the provider bills for the calls of these nights. */
  readonly billed: number;
  /** billed − consumed. */
  readonly drift: number;
  /** What it is made of. */
  readonly driftCauses: DriftCauses;
}

/** Tokens by cause: billed and not in the books above 0, in the books and not billed below. They sum to the drift. */
export interface DriftCauses {
  /** Used beyond envelopes: recorded, never debited. */
  readonly overspend: number;
  /** What late settles could not debit any more. */
  readonly lateShortfall: number;
  /** Of holds that were charged in full and never settled; at most 0. */
  readonly chargedNotSpent: number;
  /** What the worker had to estimate, against the bill; either sign. */
  readonly estimatedUsage: number;
  /** What calls without an answer are billed beyond the worker's estimate. */
  readonly abandonedCalls: number;
  /** Calls that a client made by itself. */
  readonly hiddenCalls: number;
  /** Calls of holds that were given back without a settle. */
  readonly neverSettled: number;
  /** Correcting entries after the bill; either sign. */
  readonly corrected: number;
  /** Calls of holds that nothing has closed yet; below 0 in the night that closes those of an earlier one. */
  readonly stillOpen: number;
}

/** A signal that went beyond its threshold: whose, when, by what figure, and what to do about it. */
export type TripResult = Omit<Trip, 'level'>;

/** What others got who called the same provider, from an opening to the next. */
export interface BackgroundResult {
  /** Made while the night was played. */
  readonly calls: number;
  /** Of them, those that the provider's limits refused. */
  readonly refused: number;
  /** What those that were let in are billed. */
  readonly tokens: number;
  /** What they use from the night's end to the next opening. */
  readonly tokensAfter: number;
  /**
   * The pool's quota less what the batch is billed, less both of these: below 0 the batch has left them too
   * little. Null without a pool that is refilled every night.
   */
  readonly quotaLeft: number | null;
}

export interface NightResult extends OutcomeCounts {
  /** From 1. */
  readonly night: number;
  /** The day on which it opens, where its clock hangs: `2026-03-29`. Only where the scenario has a calendar, as the next three. */
  readonly date?: string | undefined;
  /** `2026-03-29T01:30+01:00` */
  readonly opens?: string | undefined;
  /** When the kill comes. */
  readonly closes?: string | undefined;
  /** From the opening to the kill. */
  readonly windowMs?: number | undefined;
  /** Jobs that came over from the night before. */
  readonly carriedOver: number;
  readonly deferCauses: Readonly<Partial<Record<DeferCause | 'not-reached', number>>>;
  readonly attempts: number;
  readonly timeouts: number;
  readonly errors: number;
  readonly invalid: number;
  /** Calls that the provider's limits refused. */
  readonly rateLimited: number;
  /** Calls that a client made by itself, beyond one for each attempt. */
  readonly hiddenCalls: number;
  /** Jobs refused at least once ÷ jobs that asked; null where none asked. */
  readonly refusalRate: number | null;
  /** Settles that the night ended without. */
  readonly unsettled: number;
  /** Jobs that a worker took up while another, whose lease had run out, was still at work on them. */
  readonly duplicated: number;
  /** When the last lane had ended and the store was flushed; null where the kill came first. */
  readonly finishedMs: number | null;
  /** The last checkpoint that became durable; null where there was none. */
  readonly lastWriteMs: number | null;
  /** In order of time; each signal once per class or pool. */
  readonly alerts: readonly TripResult[];
  readonly trips: readonly TripResult[];
  /** When the first of them tripped; null where none did. */
  readonly firstTripMs: number | null;
  readonly pools: Readonly<Record<string, PoolFigures>>;
  readonly classes: Readonly<Record<string, OutcomeCounts>>;
  /** Only where the scenario has other traffic. */
  readonly background?: BackgroundResult | undefined;
}

export interface ClassResult extends OutcomeCounts {
  readonly attempts: number;
  readonly heldTokens: number;
  readonly usedTokens: number;
}

/** One scenario played once, without its variants. */
export interface Played {
  readonly nights: readonly NightResult[];
  readonly total: OutcomeCounts & { readonly attempts: number; readonly unsettled: number };
  readonly pools: Readonly<Record<string, PoolFigures>>;
  readonly classes: Readonly<Record<string, ClassResult>>;
}

export interface RunResult extends Played {
  readonly scenario: string;
  readonly seed: string;
  readonly compare: Readonly<Record<string, Played>>;
}
