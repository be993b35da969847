// What went wrong in a played scenario, as plain data: what became of the calls, what was lost and to what, what
// was waited for, what befell the workers. Counts over all nights; of the calls, one night in time.

/** Calls and final answers that were lost, over all nights, by what took them. */
export interface LossSeries {
  /** Under way, and nobody heard the end of them. */
  readonly calls: { readonly crash: number; readonly kill: number };
  /** There, and not written. */
  readonly answers: { readonly crash: number; readonly store: number; readonly kill: number };
}

/** Jobs that time ran out for, over all nights. */
export interface WaitSeries {
  readonly late: number;
  /** Of those: in nights in which the time that ledger or store were away would have done most of them. */
  readonly ledger: number;
  readonly store: number;
  /** Of the others: in nights whose lanes stood idle at the end, waiting for tokens that others held. */
  readonly waiting: number;
  /** Of those: where workers that are gone held some of them. */
  readonly stranded: number;
  /** Of the others: in nights in which the time that workers were gone would have done most of them. */
  readonly down: number;
}

/** How often, over all nights. */
export interface FleetSeries {
  readonly crashes: number;
  readonly pauses: number;
  readonly suspensions: number;
  readonly clockSteps: number;
  /** Workers whose calls never came back to them. */
  readonly hung: number;
  /** Checkpoints that the store did not take. */
  readonly writesRefused: number;
  /** Null where none stood still. */
  readonly longestPauseMs: number | null;
  /** Null where no machine slept. */
  readonly longestSuspensionMs: number | null;
  /** Killed nights in which a worker had hung. */
  readonly killedWhileHung: number;
}

/**
 * What came of an attempt. `limited`: refused by the provider's limits; `outage`: a server error in one; `unpaid`:
 * the shared counter was empty before it ended; `unheard`: its worker was gone before that.
 */
export type AttemptEnd =
  | 'answered'
  | 'invalid'
  | 'limited'
  | 'outage'
  | 'error'
  | 'timeout'
  | 'unpaid'
  | 'other'
  | 'unheard';
export type AttemptCounts = Readonly<Record<AttemptEnd, number>>;

/** A stretch of time, by when the attempts ended; unheard ones are in none. */
export interface CallSlot extends AttemptCounts {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface CallSeries {
  /** Over all nights, by what came of them. */
  readonly attempts: AttemptCounts;
  readonly made: number;
  /** All but the answered ones. */
  readonly failed: number;
  /** Calls that a client made by itself, beyond one for each attempt. */
  readonly again: number;
  /** Jobs that were put off with their attempts used up, and what those came to. */
  readonly usedUp: {
    readonly jobs: number;
    readonly attempts: AttemptCounts;
    /** The class with most of them; null where there are none. */
    readonly class: string | null;
  };
  /** The one with most attempts that came to nothing; 0 where there were no attempts. */
  readonly night: number;
  /** Of that night, in order of time; those without an attempt are left out. */
  readonly slots: readonly CallSlot[];
  /** When the provider was down in that night. */
  readonly outages: readonly { readonly fromMs: number; readonly toMs: number }[];
}
