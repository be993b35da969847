// What a store keeps, and the few things it must be able to do with it. The rules decide on loaded
// records and never touch a store; a store loads, lets a rule decide, and saves, in one transaction.

import type { WallMs } from '../base/clock.ts';
import type {
  BooksRow,
  Hold,
  HoldState,
  JournalEntry,
  JournalOperation,
  Post,
  ReclaimPolicy,
  RefusalReason,
  RowDelta,
  RowKey,
} from './ledger.ts';

/** A pool as it was opened, and what was set on it since. */
export interface PoolRecord {
  readonly pool: string;
  readonly parent: string | undefined;
  /** The capacity that `openPool` named; later calls are compared with it. */
  readonly openedCapacity: number;
  readonly quota: number;
  readonly reclaim: ReclaimPolicy;
  readonly maxLeaseMs: number;
  /** Last set, by opening or `adjust`: what the next period starts with. */
  readonly capacity: number;
  /** The current period. */
  readonly period: number;
  readonly paused: boolean;
}

/** One pool of a chain, its current row, and the count of that row's changes (reserve and extendTo aside). */
export interface Link {
  readonly pool: PoolRecord;
  readonly row: BooksRow;
  readonly version: number;
}

/** A hold's own pool first, the root last. Never empty. */
export type Chain = readonly Link[];

/** A hold with the chain of its pool, and the rows it debited: `rows[i]` is a row of `chain[i]`'s pool. */
export interface LoadedHold {
  readonly hold: Hold;
  readonly chain: Chain;
  readonly rows: readonly BooksRow[];
}

/** A reservation that was refused, remembered so that its repeat is answered alike. */
export interface Refusal {
  readonly state: 'refused';
  readonly id: string;
  readonly pool: string;
  readonly job: string;
  readonly taker: string;
  readonly askedAmount: number;
  readonly leaseMs: number;
  readonly refusedAtMs: WallMs;
  readonly reason: RefusalReason;
  readonly refusedBy: string;
  readonly returnable: boolean;
  readonly version: number;
}

/** What an id of `reserve` stands for. */
export type Reservation = Hold | Refusal;

export interface PostRecord extends Omit<Post, 'nowMs'> {
  readonly moved: number;
  readonly shortfall: number;
  /** The rows it moved. */
  readonly rows: readonly RowKey[];
}

/** A journal entry before it has its number; `journalEntry` makes the entry of it. */
export interface JournalLine {
  readonly atMs: WallMs | undefined;
  readonly operation: JournalOperation;
  readonly pool: string | undefined;
  readonly id: string | undefined;
  readonly job: string | undefined;
  readonly amount: number | undefined;
  readonly outcome: string;
  readonly detail: string | undefined;
  readonly delta: readonly RowDelta[];
}

export interface HoldFilter {
  readonly pool?: string;
  readonly state?: HoldState;
  readonly olderThanMs?: WallMs;
}

/**
 * How long a transaction may wait for another process: a `lane` not at all, because everything else in
 * the process stands still meanwhile; `setup` calls are rare, and run when no lane does.
 */
export type TransactionKind = 'read' | 'lane' | 'setup';

/** A store, from the ledger's side. Everything is called inside `transaction`. */
export interface Books {
  /** All or nothing: what `work` saved is gone if it throws. */
  transaction<Result>(kind: TransactionKind, work: () => Result): Result;

  /** In order of opening. */
  poolNames(): readonly string[];
  /** Undefined where there is no such pool. */
  chain(pool: string): Chain | undefined;
  /** Keys of the chain's current rows. Holds keep the list as it is given, so it never changes. */
  currentRows(chain: Chain): readonly RowKey[];
  row(pool: string, period: number): BooksRow | undefined;
  /** A hold's rows in its own order. */
  rowsOf(hold: Hold): readonly BooksRow[];
  reservation(id: string): Reservation | undefined;
  post(id: string): PostRecord | undefined;
  /**
   * Holds in state `held` on the pool and its descendants, in order of expiry, then id, at most `limit`;
   * only those whose lease ended before `expiredAtMs`, where it is given.
   */
  openHolds(pool: string, limit: number, expiredAtMs: WallMs | undefined): readonly Hold[];
  /** In order of `heldAtMs`, then id. */
  holds(filter: HoldFilter): readonly Hold[];
  /** Oldest first. */
  reservationsOf(job: string): readonly Reservation[];
  /** Ids of holds in state `held`, at most `limit`, for suggestions. */
  heldIds(limit: number): readonly string[];
  everyRow(): Iterable<BooksRow>;
  everyReservation(): Iterable<Reservation>;
  everyPost(): Iterable<PostRecord>;
  journal(after: number): readonly JournalEntry[];

  savePool(pool: PoolRecord): void;
  /** Adds to the row, which starts from zero where there is none yet. */
  moveRow(delta: RowDelta): void;
  moveVersion(pool: string): void;
  saveReservation(reservation: Reservation): void;
  savePost(post: PostRecord): void;
  appendJournal(line: JournalLine): void;
}
