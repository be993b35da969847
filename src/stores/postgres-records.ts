// Between what PostgreSQL answers, always as JSON, and the ledger's records. Records come out with the same
// keys in the same order as the other stores', so that all stores' answers are the same bytes.

import type { JournalLine, Link, PoolRecord, PostRecord, Reservation } from '../ledger/books.ts';
import { holdOf } from '../ledger/hold-of.ts';
import type {
  BooksRow,
  HoldState,
  JournalOperation,
  Post,
  ReclaimPolicy,
  RefusalReason,
  RowDelta,
  RowKey,
} from '../ledger/ledger.ts';
import { fromStored, toStored } from './postgres-text.ts';

/** A row of `pools` with its current row of `books`. */
export interface LinkColumns {
  readonly pool: string;
  readonly parent: string | null;
  readonly opened_capacity: number;
  readonly quota: number;
  readonly reclaim: ReclaimPolicy;
  readonly max_lease_ms: number;
  readonly capacity: number;
  readonly period: number;
  readonly paused: boolean;
  readonly version: number;
  readonly row: BooksRow;
}

export function linkOf(columns: LinkColumns): Link {
  const { parent, quota, reclaim, capacity, period, paused, version } = columns;
  const pool: PoolRecord = {
    pool: fromStored(columns.pool),
    parent: parent === null ? undefined : fromStored(parent),
    openedCapacity: columns.opened_capacity,
    quota,
    reclaim,
    maxLeaseMs: columns.max_lease_ms,
    capacity,
    period,
    paused,
  };
  return { pool, row: rowOf(columns.row), version };
}

export function rowOf(columns: BooksRow): BooksRow {
  const { pool, period, capacity, balance, held, consumed, refunded, overspent, shortfall } = columns;
  return {
    pool: fromStored(pool),
    period,
    capacity,
    balance,
    held,
    consumed,
    refunded,
    overspent,
    shortfall,
  };
}

interface AskedColumns {
  readonly id: string;
  readonly pool: string;
  readonly job: string;
  readonly taker: string;
  readonly asked_amount: number;
  readonly lease_ms: number;
  readonly asked_at_ms: number;
}

export interface HoldColumns extends AskedColumns {
  readonly state: HoldState;
  readonly amount: number;
  readonly dispatched: boolean;
  readonly lease_expires_at_ms: number;
  readonly periods: readonly number[];
  readonly consumed: number;
  readonly charged: boolean;
  readonly overspent: number;
  readonly shortfall: number;
  readonly late: boolean;
  readonly actual: number | null;
  readonly closed_at_ms: number | null;
}

interface RefusalColumns extends AskedColumns {
  readonly state: 'refused';
  readonly reason: RefusalReason;
  readonly refused_by: string;
  readonly returnable: boolean;
  readonly version: number;
}

export type ReservationColumns = HoldColumns | RefusalColumns;

/** @param chain the names of its pool's chain, the pool first */
export function reservationOf(columns: ReservationColumns, chain: readonly string[]): Reservation {
  const { asked_amount: askedAmount, lease_ms: leaseMs } = columns;
  const id = fromStored(columns.id);
  const pool = fromStored(columns.pool);
  const job = fromStored(columns.job);
  const taker = fromStored(columns.taker);
  if (columns.state === 'refused') {
    return {
      state: 'refused',
      id,
      pool,
      job,
      taker,
      askedAmount,
      leaseMs,
      refusedAtMs: columns.asked_at_ms,
      reason: columns.reason,
      refusedBy: fromStored(columns.refused_by),
      returnable: columns.returnable,
      version: columns.version,
    };
  }
  return holdOf({
    id,
    pool,
    job,
    taker,
    askedAmount,
    amount: columns.amount,
    state: columns.state,
    dispatched: columns.dispatched,
    heldAtMs: columns.asked_at_ms,
    leaseExpiresAtMs: columns.lease_expires_at_ms,
    leaseMs,
    rows: rowKeysOf(chain, columns.periods),
    consumed: columns.consumed,
    charged: columns.charged,
    overspent: columns.overspent,
    shortfall: columns.shortfall,
    late: columns.late,
    actual: columns.actual ?? undefined,
    closedAtMs: columns.closed_at_ms ?? undefined,
  });
}

export interface PostColumns {
  readonly id: string;
  readonly pool: string;
  readonly side: Post['side'];
  readonly amount: number;
  readonly reason: string;
  readonly hold: string | null;
  readonly moved: number;
  readonly shortfall: number;
  readonly periods: readonly number[];
}

export function postOf(columns: PostColumns, chain: readonly string[]): PostRecord {
  const { side, amount, hold, moved, shortfall, periods } = columns;
  return {
    id: fromStored(columns.id),
    pool: fromStored(columns.pool),
    side,
    amount,
    reason: fromStored(columns.reason),
    ...(hold !== null && { hold: fromStored(hold) }),
    moved,
    shortfall,
    rows: rowKeysOf(chain, periods),
  };
}

function rowKeysOf(chain: readonly string[], periods: readonly number[]): readonly RowKey[] {
  return chain.map((pool, i) => ({ pool: fromStored(pool), period: periods[i]! }));
}

/** Pool, period, capacity, balance, held, consumed, refunded, overspent, shortfall. */
export type DeltaColumns = readonly [string, number, number, number, number, number, number, number, number];

export function deltaOf(columns: readonly DeltaColumns[]): readonly RowDelta[] {
  return columns.map(([pool, period, capacity, balance, held, consumed, refunded, overspent, shortfall]) => ({
    pool: fromStored(pool),
    period,
    capacity,
    balance,
    held,
    consumed,
    refunded,
    overspent,
    shortfall,
  }));
}

export function deltaColumns(delta: readonly RowDelta[]): readonly DeltaColumns[] {
  return delta.map((row) => [
    toStored(row.pool),
    row.period,
    row.capacity,
    row.balance,
    row.held,
    row.consumed,
    row.refunded,
    row.overspent,
    row.shortfall,
  ]);
}

export interface JournalColumns {
  readonly sequence: number;
  readonly at_ms: number | null;
  readonly operation: JournalOperation;
  readonly pool: string | null;
  readonly id: string | null;
  readonly job: string | null;
  readonly amount: number | null;
  readonly outcome: string;
  readonly detail: string | null;
  readonly delta: readonly DeltaColumns[];
}

export function journalLineOf(columns: JournalColumns): JournalLine {
  const { at_ms, operation, pool, id, job, amount, outcome, detail, delta } = columns;
  return {
    atMs: at_ms ?? undefined,
    operation,
    pool: textOf(pool),
    id: textOf(id),
    job: textOf(job),
    amount: amount ?? undefined,
    outcome,
    detail: textOf(detail),
    delta: deltaOf(delta),
  };
}

function textOf(stored: string | null): string | undefined {
  return stored === null ? undefined : fromStored(stored);
}
