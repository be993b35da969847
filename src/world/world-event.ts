// Everything that happens in a played night, as it happens: the lines of `run --trace`, and what reports
// draw their time series from.

import type { RowDelta } from '../ledger/ledger.ts';
import type { AttemptRecord, CheckpointStatus, DeferCause } from '../worker/effects.ts';
import type { TripReading } from '../worker/trip-settings.ts';
import type { Outcome, TripResult } from './run-result.ts';

/** `night` counts from 1, `atMs` from its opening. */
export type WorldEvent = { readonly night: number; readonly atMs: number } & (
  | { readonly type: 'opened'; readonly jobs: number; readonly carriedOver: number }
  /** A job that came in the middle of the night. */
  | { readonly type: 'arrived'; readonly job: string }
  | {
      readonly type: 'granted';
      readonly job: string;
      readonly lane: number;
      readonly attempt: number;
      readonly timeoutMs: number;
    }
  /** A client under the worker calls once more for the same attempt; `call` counts from 1. */
  | {
      readonly type: 'called-again';
      readonly job: string;
      readonly lane: number;
      readonly attempt: number;
      readonly call: number;
    }
  | { readonly type: 'declined'; readonly lane: number }
  | {
      readonly type: 'reserved';
      readonly job: string;
      readonly id: string;
      readonly amount: number;
      readonly outcome: 'granted' | 'paused' | 'exceeds-capacity' | 'insufficient' | 'id-reused';
      readonly returnable: boolean;
    }
  /** Any change of the books, whoever made it. */
  | {
      readonly type: 'books';
      readonly operation: string;
      readonly id?: string;
      readonly delta: readonly RowDelta[];
    }
  | ({ readonly type: 'attempt'; readonly lane: number; readonly billed: number } & AttemptRecord)
  | { readonly type: 'write-queued'; readonly job: string; readonly status: CheckpointStatus }
  | { readonly type: 'write-started'; readonly job: string; readonly status: CheckpointStatus }
  | { readonly type: 'written'; readonly job: string; readonly status: CheckpointStatus }
  /** The store took none of it. */
  | { readonly type: 'write-failed'; readonly job: string; readonly status: CheckpointStatus }
  /** A worker that had lost the job wrote something other than `done`, which nobody needs any more. */
  | { readonly type: 'superseded'; readonly job: string; readonly status: CheckpointStatus }
  /** Workers count from 1. `stranded`: tokens in the holds that it leaves behind. */
  | { readonly type: 'crashed'; readonly worker: number; readonly stranded: number }
  /** So many tokens are now in holds whose worker is gone. */
  | { readonly type: 'stranded'; readonly tokens: number }
  /** So many tokens are now in holds whose lease has ended and that nobody has closed. */
  | { readonly type: 'expired-unreclaimed'; readonly tokens: number }
  | { readonly type: 'restarted'; readonly worker: number }
  /** The worker stands still until then, counted from the opening; in a suspension its whole machine does. */
  | { readonly type: 'paused' | 'suspended'; readonly worker: number; readonly untilMs: number }
  | { readonly type: 'zombie'; readonly worker: number }
  /** Somebody set the wall clock of its machine. */
  | { readonly type: 'clock-set'; readonly worker: number; readonly byMs: number }
  /** A job is taken up while another worker is still at work on it. */
  | { readonly type: 'duplicated'; readonly job: string; readonly id: string }
  /** The termination signal: nothing is taken up any more. */
  | { readonly type: 'terminating' }
  | { readonly type: 'lane-ended'; readonly lane: number }
  /** A class overspent for the first time tonight. */
  | ({ readonly type: 'alerted' } & Omit<TripResult, 'atMs'>)
  | ({ readonly type: 'tripped' } & Omit<TripResult, 'atMs'>)
  /** How one signal stands; sampled, a hundred times in a window. */
  | ({ readonly type: 'signal' } & Omit<TripReading, 'isTripped'>)
  | { readonly type: 'finished' }
  | { readonly type: 'killed' }
  | {
      readonly type: 'outcome';
      readonly job: string;
      readonly class: string;
      readonly outcome: Outcome;
      readonly cause?: DeferCause | 'not-reached';
    }
);
