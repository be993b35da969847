// Between the tables' columns and the ledger's records. Records come out with the same keys in the same
// order as the memory store's, so that both stores' answers are the same bytes.

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

/** A row of `books`: its columns are named as the record's keys, and selected in their order. */
export const BOOKS_COLUMNS =
  'pool, period, capacity, balance, held, consumed, refunded, overspent, shortfall';

export interface PoolColumns {
  readonly pool: string;
  readonly parent: string | null;
  readonly opened_capacity: number;
  readonly quota: number;
  readonly reclaim: ReclaimPolicy;
  readonly max_lease_ms: number;
  readonly capacity: number;
  readonly period: number;
  readonly paused: number;
  readonly version: number;
}

export function linkOf(columns: PoolColumns, row: BooksRow): Link {
  const { pool, parent, quota, reclaim, capacity, period, version } = columns;
  return {
    pool: {
      pool,
      parent: parent ?? undefined,
      openedCapacity: columns.opened_capacity,
      quota,
      reclaim,
      maxLeaseMs: columns.max_lease_ms,
      capacity,
      period,
      paused: columns.paused === 1,
    },
    row,
    version,
  };
}

export function poolColumns(record: PoolRecord): Omit<PoolColumns, 'version'> {
  const { pool, parent, quota, reclaim, capacity, period, paused } = record;
  return {
    pool,
    parent: parent ?? null,
    opened_capacity: record.openedCapacity,
    quota,
    reclaim,
    max_lease_ms: record.maxLeaseMs,
    capacity,
    period,
    paused: Number(paused),
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

interface HoldColumns extends AskedColumns {
  readonly state: HoldState;
  readonly amount: number;
  readonly dispatched: number;
  readonly lease_expires_at_ms: number;
  readonly rows: string;
  readonly consumed: number;
  readonly charged: number;
  readonly overspent: number;
  readonly shortfall: number;
  readonly late: number;
  readonly actual: number | null;
  readonly closed_at_ms: number | null;
}

interface RefusalColumns extends AskedColumns {
  readonly state: 'refused';
  readonly reason: RefusalReason;
  readonly refused_by: string;
  readonly returnable: number;
  readonly version: number;
}

export type ReservationColumns = HoldColumns | RefusalColumns;

export function reservationOf(columns: ReservationColumns): Reservation {
  const { id, pool, job, taker, asked_amount: askedAmount, lease_ms: leaseMs } = columns;
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
      refusedBy: columns.refused_by,
      returnable: columns.returnable === 1,
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
    dispatched: columns.dispatched === 1,
    heldAtMs: columns.asked_at_ms,
    leaseExpiresAtMs: columns.lease_expires_at_ms,
    leaseMs,
    rows: rowKeysOf(columns.rows),
    consumed: columns.consumed,
    charged: columns.charged === 1,
    overspent: columns.overspent,
    shortfall: columns.shortfall,
    late: columns.late === 1,
    actual: columns.actual ?? undefined,
    closedAtMs: columns.closed_at_ms ?? undefined,
  });
}

/** Columns that only the other kind of reservation has are null. */
export function reservationColumns(reservation: Reservation): Record<string, string | number | null> {
  const { id, pool, job, taker, askedAmount, leaseMs, state } = reservation;
  const asked = { id, pool, job, taker, asked_amount: askedAmount, lease_ms: leaseMs, state };
  if (reservation.state === 'refused') {
    const { refusedAtMs, reason, refusedBy, returnable, version } = reservation;
    return {
      ...NO_HOLD,
      ...asked,
      asked_at_ms: refusedAtMs,
      reason,
      refused_by: refusedBy,
      returnable: Number(returnable),
      version,
    };
  }
  const { heldAtMs, amount, dispatched, leaseExpiresAtMs, rows, consumed, charged } = reservation;
  return {
    ...NO_REFUSAL,
    ...asked,
    asked_at_ms: heldAtMs,
    amount,
    dispatched: Number(dispatched),
    lease_expires_at_ms: leaseExpiresAtMs,
    rows: rowKeysText(rows),
    consumed,
    charged: Number(charged),
    overspent: reservation.overspent,
    shortfall: reservation.shortfall,
    late: Number(reservation.late),
    actual: reservation.actual ?? null,
    closed_at_ms: reservation.closedAtMs ?? null,
  };
}

const NO_HOLD = {
  amount: null,
  dispatched: null,
  lease_expires_at_ms: null,
  rows: null,
  consumed: null,
  charged: null,
  overspent: null,
  shortfall: null,
  late: null,
  actual: null,
  closed_at_ms: null,
};
const NO_REFUSAL = { reason: null, refused_by: null, returnable: null, version: null };

export interface PostColumns {
  readonly id: string;
  readonly pool: string;
  readonly side: Post['side'];
  readonly amount: number;
  readonly reason: string;
  readonly hold: string | null;
  readonly moved: number;
  readonly shortfall: number;
  readonly rows: string;
}

export function postOf({ hold, rows, ...columns }: PostColumns): PostRecord {
  return { ...columns, ...(hold !== null && { hold }), rows: rowKeysOf(rows) };
}

export function postColumns({ hold, rows, ...post }: PostRecord): PostColumns {
  return { ...post, hold: hold ?? null, rows: rowKeysText(rows) };
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
  readonly delta: string;
}

export function journalLineOf(columns: JournalColumns): JournalLine {
  const { at_ms, operation, pool, id, job, amount, outcome, detail, delta } = columns;
  return {
    atMs: at_ms ?? undefined,
    operation,
    pool: pool ?? undefined,
    id: id ?? undefined,
    job: job ?? undefined,
    amount: amount ?? undefined,
    outcome,
    detail: detail ?? undefined,
    delta: JSON.parse(delta) as RowDelta[],
  };
}

export function journalColumns(line: JournalLine): Omit<JournalColumns, 'sequence'> {
  const { atMs, operation, pool, id, job, amount, outcome, detail, delta } = line;
  return {
    at_ms: atMs ?? null,
    operation,
    pool: pool ?? null,
    id: id ?? null,
    job: job ?? null,
    amount: amount ?? null,
    outcome,
    detail: detail ?? null,
    delta: JSON.stringify(delta),
  };
}

/** `[["team",3],["root",0]]`: short, and open to SQLite's own JSON functions. */
function rowKeysText(rows: readonly RowKey[]): string {
  return JSON.stringify(rows.map(({ pool, period }) => [pool, period]));
}

function rowKeysOf(text: string): readonly RowKey[] {
  return (JSON.parse(text) as [string, number][]).map(([pool, period]) => ({ pool, period }));
}
