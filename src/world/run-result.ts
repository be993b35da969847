// What a played run says: the JSON of `run`. Times in milliseconds from a night's opening, tokens whole.
// Flows are summed over nights; stocks (capacity, balance, held, stranded) are the last night's.

import type { DeferCause } from '../worker/effects.ts';

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
}

export interface NightResult extends OutcomeCounts {
  /** From 1. */
  readonly night: number;
  /** Jobs that came over from the night before. */
  readonly carriedOver: number;
  readonly deferCauses: Readonly<Partial<Record<DeferCause | 'not-reached', number>>>;
  readonly attempts: number;
  readonly timeouts: number;
  readonly errors: number;
  readonly invalid: number;
  /** Jobs refused at least once ÷ jobs that asked; null where none asked. */
  readonly refusalRate: number | null;
  /** Settles that the night ended without. */
  readonly unsettled: number;
  /** When the last lane had ended and the store was flushed; null where the kill came first. */
  readonly finishedMs: number | null;
  /** The last checkpoint that became durable; null where there was none. */
  readonly lastWriteMs: number | null;
  readonly pools: Readonly<Record<string, PoolFigures>>;
  readonly classes: Readonly<Record<string, OutcomeCounts>>;
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
