// Books in memory, for simulations, tests and the browser. Nothing is copied on the hot path: pools know
// their chain, holds on the current rows share one list of row keys, and expired holds are looked for only
// once some lease can have ended.

import type {
  Books,
  Chain,
  HoldFilter,
  JournalLine,
  Link,
  PoolRecord,
  PostRecord,
  Reservation,
  TransactionKind,
} from './books.ts';
import { compareText } from './compare-text.ts';
import { journalEntry } from './journal-entry.ts';
import type { BooksRow, Hold, JournalEntry, RowDelta, RowKey } from './ledger.ts';

type Row = { -readonly [Field in keyof BooksRow]: BooksRow[Field] };

/** A pool is its own link in every chain that it is part of. */
class MemoryPool implements Link {
  pool: PoolRecord;
  row: Row;
  version = 0;
  readonly rows = new Map<number, Row>();
  /** Its own holds in state `held`. */
  readonly open = new Set<string>();
  /** No lease of an open hold ends earlier; may lag behind after renewals and closings. */
  earliestExpiryMs = Number.POSITIVE_INFINITY;
  readonly chain: readonly MemoryPool[];
  readonly children: MemoryPool[] = [];
  /** Keys of the chain's current rows, shared by all holds that debit them. Made anew when a row changes. */
  rowKeys: readonly RowKey[] | undefined;
  currentRows: readonly Row[] = [];

  constructor(pool: PoolRecord, parent: MemoryPool | undefined) {
    this.pool = pool;
    this.row = this.rowOf(pool.period);
    this.chain = [this, ...(parent?.chain ?? [])];
    parent?.children.push(this);
  }

  rowOf(period: number): Row {
    let row = this.rows.get(period);
    if (row === undefined) {
      row = emptyRow(this.pool.pool, period);
      this.rows.set(period, row);
    }
    return row;
  }

  forgetRowKeys(): void {
    this.rowKeys = undefined;
    for (const child of this.children) child.forgetRowKeys();
  }

  *family(): Generator<MemoryPool> {
    yield this;
    for (const child of this.children) yield* child.family();
  }
}

function emptyRow(pool: string, period: number): Row {
  return {
    pool,
    period,
    capacity: 0,
    balance: 0,
    held: 0,
    consumed: 0,
    refunded: 0,
    overspent: 0,
    shortfall: 0,
  };
}

export class MemoryBooks implements Books {
  readonly #pools = new Map<string, MemoryPool>();
  readonly #reservations = new Map<string, Reservation>();
  readonly #posts = new Map<string, PostRecord>();
  readonly #journal: JournalLine[] | undefined;
  /** Built by the first question for a job's past; most ledgers are never asked. */
  #idsByJob: Map<string, string[]> | undefined;

  constructor(options: { readonly journal: boolean }) {
    this.#journal = options.journal ? [] : undefined;
  }

  /** Rules throw before anything is saved, and saving in memory cannot fail, so there is nothing to undo. */
  transaction<Result>(_kind: TransactionKind, work: () => Result): Result {
    return work();
  }

  poolNames(): readonly string[] {
    return [...this.#pools.keys()];
  }

  chain(pool: string): Chain | undefined {
    return this.#pools.get(pool)?.chain;
  }

  currentRows(chain: Chain): readonly RowKey[] {
    return this.#keysOf(chain[0] as MemoryPool);
  }

  row(pool: string, period: number): BooksRow | undefined {
    return this.#pools.get(pool)?.rows.get(period);
  }

  rowsOf(hold: Hold): readonly BooksRow[] {
    const pool = this.#poolOf(hold.pool);
    if (this.#keysOf(pool) === hold.rows) return pool.currentRows;
    return hold.rows.map((key) => this.#poolOf(key.pool).rowOf(key.period));
  }

  reservation(id: string): Reservation | undefined {
    return this.#reservations.get(id);
  }

  post(id: string): PostRecord | undefined {
    return this.#posts.get(id);
  }

  openHolds(name: string, limit: number, expiredAtMs: number | undefined): readonly Hold[] {
    const found: Hold[] = [];
    for (const pool of this.#poolOf(name).family()) {
      if (expiredAtMs !== undefined && pool.earliestExpiryMs >= expiredAtMs) continue;
      let earliestExpiryMs = Number.POSITIVE_INFINITY;
      for (const id of pool.open) {
        const hold = this.#reservations.get(id) as Hold;
        earliestExpiryMs = Math.min(earliestExpiryMs, hold.leaseExpiresAtMs);
        if (expiredAtMs === undefined || expiredAtMs > hold.leaseExpiresAtMs) found.push(hold);
      }
      pool.earliestExpiryMs = earliestExpiryMs;
    }
    found.sort((a, b) => a.leaseExpiresAtMs - b.leaseExpiresAtMs || compareText(a.id, b.id));
    return found.slice(0, limit);
  }

  holds({ pool, state, olderThanMs }: HoldFilter): readonly Hold[] {
    const found: Hold[] = [];
    for (const reservation of this.#reservations.values()) {
      if (reservation.state === 'refused') continue;
      if (pool !== undefined && reservation.pool !== pool) continue;
      if (state !== undefined && reservation.state !== state) continue;
      if (olderThanMs !== undefined && reservation.heldAtMs > olderThanMs) continue;
      found.push(reservation);
    }
    return found.sort((a, b) => a.heldAtMs - b.heldAtMs || compareText(a.id, b.id));
  }

  reservationsOf(job: string): readonly Reservation[] {
    if (this.#idsByJob === undefined) {
      this.#idsByJob = new Map();
      for (const { id, job: itsJob } of this.#reservations.values()) addId(this.#idsByJob, itsJob, id);
    }
    return (this.#idsByJob.get(job) ?? []).map((id) => this.#reservations.get(id)!);
  }

  heldIds(limit: number): readonly string[] {
    const ids: string[] = [];
    for (const pool of this.#pools.values()) {
      for (const id of pool.open) {
        if (ids.length === limit) return ids;
        ids.push(id);
      }
    }
    return ids;
  }

  *everyRow(): Generator<BooksRow> {
    for (const pool of this.#pools.values()) yield* pool.rows.values();
  }

  everyReservation(): Iterable<Reservation> {
    return this.#reservations.values();
  }

  everyPost(): Iterable<PostRecord> {
    return this.#posts.values();
  }

  journal(after: number): readonly JournalEntry[] {
    const lines = this.#journal?.slice(after) ?? [];
    return lines.map((line, i) => journalEntry(after + i + 1, line));
  }

  savePool(record: PoolRecord): void {
    const pool = this.#pools.get(record.pool);
    if (pool === undefined) {
      const parent = record.parent === undefined ? undefined : this.#poolOf(record.parent);
      this.#pools.set(record.pool, new MemoryPool(record, parent));
      return;
    }
    const isRefilled = pool.pool.period !== record.period;
    pool.pool = record;
    if (!isRefilled) return;
    pool.row = pool.rowOf(record.period);
    pool.forgetRowKeys();
  }

  moveRow(delta: RowDelta): void {
    const pool = this.#poolOf(delta.pool);
    const row = pool.row.period === delta.period ? pool.row : pool.rowOf(delta.period);
    row.capacity += delta.capacity;
    row.balance += delta.balance;
    row.held += delta.held;
    row.consumed += delta.consumed;
    row.refunded += delta.refunded;
    row.overspent += delta.overspent;
    row.shortfall += delta.shortfall;
  }

  moveVersion(pool: string): void {
    this.#poolOf(pool).version++;
  }

  saveReservation(reservation: Reservation): void {
    const { id, job, state } = reservation;
    if (this.#idsByJob !== undefined && !this.#reservations.has(id)) addId(this.#idsByJob, job, id);
    this.#reservations.set(id, reservation);
    if (state === 'refused') return;
    const pool = this.#poolOf(reservation.pool);
    if (state === 'held') {
      pool.open.add(id);
      if (reservation.leaseExpiresAtMs < pool.earliestExpiryMs) {
        pool.earliestExpiryMs = reservation.leaseExpiresAtMs;
      }
    } else {
      pool.open.delete(id);
    }
  }

  savePost(post: PostRecord): void {
    this.#posts.set(post.id, post);
  }

  appendJournal(line: JournalLine): void {
    this.#journal?.push(line);
  }

  #poolOf(name: string): MemoryPool {
    return this.#pools.get(name)!;
  }

  #keysOf(pool: MemoryPool): readonly RowKey[] {
    if (pool.rowKeys === undefined) {
      pool.currentRows = pool.chain.map((link) => link.row);
      pool.rowKeys = Object.freeze(
        pool.currentRows.map(({ pool, period }) => Object.freeze({ pool, period })),
      );
    }
    return pool.rowKeys;
  }
}

function addId(idsByJob: Map<string, string[]>, job: string, id: string): void {
  const ids = idsByJob.get(job);
  if (ids === undefined) idsByJob.set(job, [id]);
  else ids.push(id);
}
