// Every statement that a ledger file is asked, prepared once.

import type { BooksRow, RowDelta } from '../ledger/ledger.ts';
import type { SqliteDatabase } from './sqlite-driver.ts';
import {
  BOOKS_COLUMNS,
  type JournalColumns,
  type PoolColumns,
  type PostColumns,
  type ReservationColumns,
} from './sqlite-records.ts';

const RESERVATION_COLUMNS = [
  'id',
  'pool',
  'job',
  'taker',
  'asked_amount',
  'lease_ms',
  'asked_at_ms',
  'state',
  'amount',
  'dispatched',
  'lease_expires_at_ms',
  'rows',
  'consumed',
  'charged',
  'overspent',
  'shortfall',
  'late',
  'actual',
  'closed_at_ms',
  'reason',
  'refused_by',
  'returnable',
  'version',
];

/** What may change on a reservation after it was made. */
const HOLD_CHANGES = [
  'state',
  'amount',
  'dispatched',
  'lease_expires_at_ms',
  'consumed',
  'charged',
  'overspent',
  'shortfall',
  'late',
  'actual',
  'closed_at_ms',
];

const FAMILY = `
  WITH RECURSIVE family (name) AS (
    VALUES (@pool)
    UNION ALL
    SELECT pools.pool FROM pools JOIN family ON pools.parent = family.name
  )`;
const OPEN_IN_FAMILY = `${FAMILY}
  SELECT * FROM reservations WHERE state = 'held' AND pool IN (SELECT name FROM family)`;
const BY_EXPIRY = 'ORDER BY lease_expires_at_ms, id LIMIT @limit';

type Columns = Record<string, string | number | null>;

/** As much of a prepared statement as the books use. */
interface Query<Parameters extends unknown[], Result> {
  run(...parameters: Parameters): { readonly changes: number };
  get(...parameters: Parameters): Result | undefined;
  all(...parameters: Parameters): Result[];
  iterate(...parameters: Parameters): IterableIterator<Result>;
}

export type Statements = ReturnType<typeof prepareStatements>;

export function prepareStatements(database: SqliteDatabase) {
  const prepare = <Parameters extends unknown[], Result = unknown>(sql: string): Query<Parameters, Result> =>
    database.prepare<Parameters, Result>(sql);
  return {
    poolNames: prepare<[], { pool: string }>('SELECT pool FROM pools ORDER BY sequence'),
    pool: prepare<[string], PoolColumns>('SELECT * FROM pools WHERE pool = ?'),
    savePool: prepare<[object]>(`
      INSERT INTO pools (pool, parent, opened_capacity, quota, reclaim, max_lease_ms, capacity, period, paused)
      VALUES (@pool, @parent, @opened_capacity, @quota, @reclaim, @max_lease_ms, @capacity, @period, @paused)
      ON CONFLICT (pool) DO UPDATE
      SET capacity = excluded.capacity, period = excluded.period, paused = excluded.paused`),
    moveVersion: prepare<[string]>('UPDATE pools SET version = version + 1 WHERE pool = ?'),

    row: prepare<[string, number], BooksRow>(
      `SELECT ${BOOKS_COLUMNS} FROM books WHERE pool = ? AND period = ?`,
    ),
    everyRow: prepare<[], BooksRow>(`
      SELECT ${BOOKS_COLUMNS.split(', ')
        .map((column) => `books.${column}`)
        .join(', ')}
      FROM books JOIN pools USING (pool) ORDER BY pools.sequence, books.period`),
    moveRow: prepare<[RowDelta]>(`
      UPDATE books
      SET capacity = capacity + @capacity, balance = balance + @balance, held = held + @held,
          consumed = consumed + @consumed, refunded = refunded + @refunded,
          overspent = overspent + @overspent, shortfall = shortfall + @shortfall
      WHERE pool = @pool AND period = @period`),
    openRow: prepare<[RowDelta]>(`
      INSERT INTO books (${BOOKS_COLUMNS})
      VALUES (${BOOKS_COLUMNS.split(', ')
        .map((column) => `@${column}`)
        .join(', ')})`),

    reservation: prepare<[string], ReservationColumns>('SELECT * FROM reservations WHERE id = ?'),
    everyReservation: prepare<[], ReservationColumns>('SELECT * FROM reservations ORDER BY sequence'),
    reservationsOf: prepare<[string], ReservationColumns>(
      'SELECT * FROM reservations WHERE job = ? ORDER BY sequence',
    ),
    saveReservation: prepare<[Columns]>(`
      INSERT INTO reservations (${RESERVATION_COLUMNS.join(', ')})
      VALUES (${RESERVATION_COLUMNS.map((column) => `@${column}`).join(', ')})
      ON CONFLICT (id) DO UPDATE
      SET ${HOLD_CHANGES.map((column) => `${column} = excluded.${column}`).join(', ')}`),
    openHolds: prepare<[{ pool: string; limit: number }], ReservationColumns>(
      `${OPEN_IN_FAMILY} ${BY_EXPIRY}`,
    ),
    expiredHolds: prepare<[{ pool: string; limit: number; nowMs: number }], ReservationColumns>(
      `${OPEN_IN_FAMILY} AND lease_expires_at_ms < @nowMs ${BY_EXPIRY}`,
    ),
    holds: prepare<[Columns], ReservationColumns>(`
      SELECT * FROM reservations
      WHERE state <> 'refused' AND pool = coalesce(@pool, pool) AND state = coalesce(@state, state)
        AND asked_at_ms <= coalesce(@olderThanMs, asked_at_ms)
      ORDER BY asked_at_ms, id`),
    heldIds: prepare<[number], { id: string }>(`
      SELECT reservations.id FROM reservations JOIN pools USING (pool)
      WHERE state = 'held' ORDER BY pools.sequence, reservations.sequence LIMIT ?`),

    post: prepare<[string], PostColumns>('SELECT * FROM posts WHERE id = ?'),
    everyPost: prepare<[], PostColumns>('SELECT * FROM posts ORDER BY sequence'),
    savePost: prepare<[PostColumns]>(`
      INSERT INTO posts (id, pool, side, amount, reason, hold, moved, shortfall, rows)
      VALUES (@id, @pool, @side, @amount, @reason, @hold, @moved, @shortfall, @rows)`),

    journal: prepare<[number], JournalColumns>('SELECT * FROM journal WHERE sequence > ? ORDER BY sequence'),
    appendJournal: prepare<[object]>(`
      INSERT INTO journal (at_ms, operation, pool, id, job, amount, outcome, detail, delta)
      VALUES (@at_ms, @operation, @pool, @id, @job, @amount, @outcome, @detail, @delta)`),

    begin: prepare<[]>('BEGIN'),
    beginImmediate: prepare<[]>('BEGIN IMMEDIATE'),
    commit: prepare<[]>('COMMIT'),
    rollback: prepare<[]>('ROLLBACK'),
  };
}
