// The token ledger as its callers see it: what each operation takes and answers. Books are rows per
// (pool, period); a hold debits the current row of every pool on its chain, remembers those rows, and
// every later operation on it moves exactly those rows. Expected outcomes are answers, never exceptions.

import type { WallMs } from '../base/clock.ts';

/** What becomes of a hold whose lease has run out: all of it comes back, or a dispatched one is charged. */
export type ReclaimPolicy = 'refund' | 'charge';

export interface OpenPool {
  readonly pool: string;
  /** Tokens the pool is funded with, all free at first. */
  readonly capacity: number;
  /** Tokens the provider gives; at rollout the capacity is a fraction of it. Default: the capacity. */
  readonly quota?: number;
  /** A pool that is debited too by every hold on this one. Must be open already. */
  readonly parent?: string;
  /** Default: `refund`. */
  readonly reclaim?: ReclaimPolicy;
  /** No lease outlives its start by more. Default: 24 h. */
  readonly maxLeaseMs?: number;
  /** For the journal only. */
  readonly nowMs?: WallMs;
}

export interface Reserve {
  /** Unique for ever; the worker uses `job/night/try`. */
  readonly id: string;
  readonly pool: string;
  readonly job: string;
  /** Who asks. A repeat of `id` by another taker is `id-reused`, not a repeat. Default: nobody in particular. */
  readonly taker?: string;
  /** Tokens, from 0. */
  readonly amount: number;
  /** Above 0; clipped to the smallest `maxLeaseMs` on the chain. */
  readonly leaseMs: number;
  readonly nowMs: WallMs;
}

/** Nothing leaves the last three. */
export type HoldState = 'held' | 'settled' | 'released' | 'expired';

export interface RowKey {
  readonly pool: string;
  readonly period: number;
}

export interface Hold {
  readonly id: string;
  readonly pool: string;
  readonly job: string;
  readonly taker: string;
  /** The amount asked for in the first place; `extendTo` raises `amount`, never this. */
  readonly askedAmount: number;
  readonly amount: number;
  readonly state: HoldState;
  readonly dispatched: boolean;
  readonly heldAtMs: WallMs;
  /** The hold is expired when `now > leaseExpiresAtMs`, and stays `held` until something closes it. */
  readonly leaseExpiresAtMs: WallMs;
  /** The lease asked for, before clipping. */
  readonly leaseMs: number;
  /** The rows it debited: its own pool first, the root last. */
  readonly rows: readonly RowKey[];
  /** Tokens of each row's `consumed` that are this hold's: 0 while held or refunded. */
  readonly consumed: number;
  /** Reclaim closed it and kept all of it; otherwise what was not settled came back. */
  readonly charged: boolean;
  /** What the settle said, if there was one. */
  readonly actual?: number;
  readonly overspent: number;
  readonly shortfall: number;
  /** The settle came after the hold was expired or released. */
  readonly late: boolean;
  readonly closedAtMs?: WallMs;
}

/** How one operation moved one row; all zero where nothing moved. Sums over time to the row itself. */
export interface RowDelta extends RowKey {
  readonly capacity: number;
  readonly balance: number;
  readonly held: number;
  readonly consumed: number;
  readonly refunded: number;
  readonly overspent: number;
  readonly shortfall: number;
}

interface Answered {
  /** True where this was a repeat: the first answer is given again and nothing moved. */
  readonly already: boolean;
  readonly delta: readonly RowDelta[];
  /**
   * The chain's version: moves with any change to a current row other than by reserve and extendTo. A
   * refusal that is repeated keeps the version it was first given with, so that no change is slept through.
   */
  readonly version: number;
}

export type RefusalReason = 'paused' | 'exceeds-capacity' | 'insufficient';

export type ReserveAnswer = Answered &
  (
    | { readonly outcome: 'granted'; readonly hold: Hold }
    | {
        readonly outcome: 'refused';
        readonly reason: RefusalReason;
        /** The first pool of the chain, from the hold's own upwards, that refuses. */
        readonly pool: string;
        /** Would it be granted if every hold on the chain's current rows came back in full? */
        readonly returnable: boolean;
      }
    | { readonly outcome: 'id-reused' }
  );

export type DispatchAnswer = Answered &
  (
    | { readonly outcome: 'dispatched'; readonly hold: Hold }
    /** `state` is `held` where the hold's lease has run out. */
    | { readonly outcome: 'refused'; readonly state: HoldState; readonly reason: 'closed' | 'lease-expired' }
  );

export type RenewAnswer = Answered &
  (
    | { readonly outcome: 'renewed'; readonly hold: Hold }
    | { readonly outcome: 'refused'; readonly state: HoldState; readonly reason: 'closed' | 'lease-limit' }
  );

export type ExtendAnswer = Answered &
  (
    | { readonly outcome: 'extended'; readonly hold: Hold }
    | {
        readonly outcome: 'refused';
        readonly state: HoldState;
        readonly reason: 'closed' | 'row-closed' | RefusalReason;
        readonly returnable: boolean;
      }
  );

export type ReleaseAnswer = Answered &
  (
    | { readonly outcome: 'released'; readonly hold: Hold }
    | { readonly outcome: 'refused'; readonly state: HoldState; readonly reason: 'dispatched' | 'closed' }
  );

export type SettleAnswer = Answered & {
  readonly outcome: 'settled';
  readonly hold: Hold;
  readonly refunded: number;
  readonly overspent: number;
  readonly shortfall: number;
  /** The hold was expired or released by then. */
  readonly late: boolean;
  /** A repeat that names another actual than the first one did. */
  readonly differs: boolean;
};

export type ReclaimAnswer = Answered & {
  readonly outcome: 'reclaimed';
  /** The holds that this call closed, in order of expiry, then id. */
  readonly closed: readonly Hold[];
};

export type AdjustAnswer = Answered & { readonly outcome: 'adjusted'; readonly capacity: number };

export type RefillAnswer = Answered & {
  readonly outcome: 'refilled' | 'stale';
  /** The pool's current period after the call. */
  readonly period: number;
};

export type OpenPoolAnswer = Answered & { readonly outcome: 'opened' };

export type PauseAnswer = Answered & { readonly outcome: 'paused' | 'resumed' };

export type PostAnswer = Answered & {
  readonly outcome: 'posted';
  /** What was taken (debit) or given back (credit), at most the amount. */
  readonly moved: number;
  readonly shortfall: number;
};

export interface Post {
  readonly id: string;
  readonly pool: string;
  readonly side: 'debit' | 'credit';
  readonly amount: number;
  readonly reason: string;
  /** A credit names the settled hold whose rows it moves. */
  readonly hold?: string;
  readonly nowMs?: WallMs;
}

/** One row of the books. `capacity = balance + held + consumed`, always. */
export interface BooksRow extends RowKey {
  readonly capacity: number;
  readonly balance: number;
  readonly held: number;
  readonly consumed: number;
  /** Beside the equation: tokens given back by settles, releases and reclaims so far. */
  readonly refunded: number;
  readonly overspent: number;
  readonly shortfall: number;
}

export interface PoolView extends BooksRow {
  readonly quota: number;
  readonly parent?: string;
  readonly reclaim: ReclaimPolicy;
  readonly maxLeaseMs: number;
  readonly paused: boolean;
  /** The chain's version. */
  readonly version: number;
}

export type JournalOperation =
  | 'open-pool'
  | 'reserve'
  | 'dispatch'
  | 'renew'
  | 'extend-to'
  | 'release'
  | 'settle'
  | 'reclaim'
  | 'adjust'
  | 'refill'
  | 'pause'
  | 'resume'
  | 'post';

/** One line of the audit trail, written in the transaction of the operation it tells of. */
export interface JournalEntry {
  /** From 1, without gaps. */
  readonly sequence: number;
  /** Absent where the caller named no time. */
  readonly atMs?: WallMs;
  readonly operation: JournalOperation;
  readonly pool?: string;
  /** The hold's or the post's id. */
  readonly id?: string;
  readonly job?: string;
  readonly amount?: number;
  readonly outcome: string;
  readonly detail?: string;
  readonly delta: readonly RowDelta[];
}

/** What `verify` found: what a row says, and what its holds and posts add up to. */
export interface Discrepancy extends RowKey {
  readonly field: 'conservation' | 'balance' | 'held' | 'consumed' | 'overspent' | 'shortfall';
  readonly says: number;
  readonly recounted: number;
}

/**
 * The ledger. Every operation is one transaction; a call that throws has changed nothing.
 *
 * Throws `RangeError` for an amount that is no count of tokens, `InputError` for a call that cannot be
 * meant (an unknown id or pool, an option that does not exist, a capacity below what is out), and
 * `LedgerUnavailable` where the store could not answer.
 */
export interface Ledger {
  /** Compared with what the pool was opened with, later adjusts aside: the same is a no-op, another an error. */
  openPool(request: OpenPool): OpenPoolAnswer;
  /** One atomic conditional debit of the whole chain, and the hold. */
  reserve(request: Reserve): ReserveAnswer;
  /** Marks that a call goes out on this hold. Repeated on a held, dispatched one: `already`. */
  dispatch(request: { readonly id: string; readonly nowMs: WallMs }): DispatchAnswer;
  /** Never shortens; clipped to the hold's start + `maxLeaseMs`. */
  renew(request: { readonly id: string; readonly leaseMs: number; readonly nowMs: WallMs }): RenewAnswer;
  /** Raises the hold to `total` tokens, whole or not at all; a total ≤ its amount is a no-op. */
  extendTo(request: { readonly id: string; readonly total: number; readonly nowMs: WallMs }): ExtendAnswer;
  /** Closes a hold that never dispatched; all of it comes back. */
  release(request: { readonly id: string; readonly nowMs?: WallMs }): ReleaseAnswer;
  /** Closes the hold with what was used. Late, the books take what they still can. */
  settle(request: { readonly id: string; readonly actual: number; readonly nowMs?: WallMs }): SettleAnswer;
  /** Closes expired holds of the pool and its descendants, at most `limit` (default 1,000). */
  reclaim(request: {
    readonly pool: string;
    readonly nowMs: WallMs;
    readonly limit?: number;
    /** Only on a paused pool: live holds too, dispatched ones charged, others refunded. */
    readonly force?: boolean;
  }): ReclaimAnswer;
  /** Sets the current row's capacity, and that of the periods to come. */
  adjust(request: {
    readonly pool: string;
    readonly capacity: number;
    readonly nowMs?: WallMs;
  }): AdjustAnswer;
  /** Opens the pool's next period: a new row, full at the capacity last set. `period ≤ current` is stale. */
  refill(request: { readonly pool: string; readonly period: number; readonly nowMs?: WallMs }): RefillAnswer;
  pause(request: { readonly pool: string; readonly nowMs?: WallMs }): PauseAnswer;
  resume(request: { readonly pool: string; readonly nowMs?: WallMs }): PauseAnswer;
  /** A correcting entry after the bill. Idempotent by id. */
  post(request: Post): PostAnswer;

  /** The pool and its current row, or the row of a named period. Undefined if there is none. */
  pool(name: string, period?: number): PoolView | undefined;
  /** Names of all pools, in order of opening. */
  pools(): readonly string[];
  hold(id: string): Hold | undefined;
  /** In order of `heldAtMs`, then id. `olderThanMs`: held at or before this moment. */
  holds(filter?: {
    readonly pool?: string;
    readonly state?: HoldState;
    readonly olderThanMs?: WallMs;
  }): readonly Hold[];
  /** Everything ever reserved for a job, granted or refused, oldest first. */
  history(job: string): readonly HistoryEntry[];
  /** Recounts every row from its holds and posts. Empty: all is well. */
  verify(): readonly Discrepancy[];
  /** The audit trail from `after` (exclusive) on. */
  journal(after?: number): readonly JournalEntry[];
}

/** One reservation of a job's past. */
export interface HistoryEntry {
  readonly id: string;
  readonly pool: string;
  readonly taker: string;
  readonly amount: number;
  readonly outcome: 'granted' | 'refused';
  readonly reason?: RefusalReason;
  /** Present where it was granted. */
  readonly hold?: Hold;
}
