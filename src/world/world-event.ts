// Everything that happens in a played night, as it happens: the lines of `run --trace`, and what reports
// draw their time series from.

import type { RowDelta } from '../ledger/ledger.ts';
import type { AttemptRecord, CheckpointStatus, DeferCause } from '../worker/effects.ts';
import type { Outcome } from './run-result.ts';

/** `night` counts from 1, `atMs` from its opening. */
export type WorldEvent = { readonly night: number; readonly atMs: number } & (
  | { readonly type: 'opened'; readonly jobs: number; readonly carriedOver: number }
  | {
      readonly type: 'granted';
      readonly job: string;
      readonly lane: number;
      readonly attempt: number;
      readonly timeoutMs: number;
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
  | { readonly type: 'lane-ended'; readonly lane: number }
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
