// Books in a SQLite file. Every operation is one immediate transaction: it owns the file before it looks,
// so that what the rule saw is still so when its decision is written.

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
} from '../ledger/books.ts';
import { journalEntry } from '../ledger/journal-entry.ts';
import type { BooksRow, Hold, JournalEntry, RowDelta, RowKey } from '../ledger/ledger.ts';
import { type SqliteDatabase, translateError } from './sqlite-driver.ts';
import {
  journalColumns,
  journalLineOf,
  linkOf,
  poolColumns,
  postColumns,
  postOf,
  reservationColumns,
  reservationOf,
} from './sqlite-records.ts';
import { prepareStatements, type Statements } from './sqlite-statements.ts';

/** How long a transaction waits for another process, by kind. Waiting stops every lane of this one. */
export interface BusyTimeouts {
  readonly laneMs: number;
  readonly setupMs: number;
}

export class SqliteBooks implements Books {
  readonly #database: SqliteDatabase;
  readonly #path: string;
  readonly #statements: Statements;
  readonly #timeouts: BusyTimeouts;
  readonly #keepsJournal: boolean;
  #timeoutMs: number | undefined;

  constructor(
    database: SqliteDatabase,
    path: string,
    options: { readonly timeouts: BusyTimeouts; readonly journal: boolean },
  ) {
    this.#database = database;
    this.#path = path;
    this.#statements = prepareStatements(database);
    this.#timeouts = options.timeouts;
    this.#keepsJournal = options.journal;
  }

  transaction<Result>(kind: TransactionKind, work: () => Result): Result {
    const { begin, beginImmediate, commit, rollback } = this.#statements;
    try {
      this.#waitAtMost(kind === 'setup' ? this.#timeouts.setupMs : this.#timeouts.laneMs);
      (kind === 'read' ? begin : beginImmediate).run();
      const result = work();
      commit.run();
      return result;
    } catch (error) {
      if (this.#database.inTransaction) rollback.run();
      throw translateError(error, this.#path);
    }
  }

  #waitAtMost(timeoutMs: number): void {
    if (timeoutMs === this.#timeoutMs) return;
    this.#database.pragma(`busy_timeout = ${timeoutMs}`);
    this.#timeoutMs = timeoutMs;
  }

  poolNames(): readonly string[] {
    return this.#statements.poolNames.all().map(({ pool }) => pool);
  }

  chain(name: string): Chain | undefined {
    const chain: Link[] = [];
    let next: string | undefined = name;
    while (next !== undefined) {
      const columns = this.#statements.pool.get(next);
      if (columns === undefined) return undefined;
      const link = linkOf(columns, this.#rowOf(columns));
      chain.push(link);
      next = link.pool.parent;
    }
    return chain;
  }

  currentRows(chain: Chain): readonly RowKey[] {
    return chain.map(({ row: { pool, period } }) => ({ pool, period }));
  }

  row(pool: string, period: number): BooksRow | undefined {
    return this.#statements.row.get(pool, period);
  }

  rowsOf(hold: Hold): readonly BooksRow[] {
    return hold.rows.map((key) => this.#rowOf(key));
  }

  /** Of a row that a pool or a hold refers to, and which is there for that reason. */
  #rowOf({ pool, period }: RowKey): BooksRow {
    return this.#statements.row.get(pool, period)!;
  }

  reservation(id: string): Reservation | undefined {
    const columns = this.#statements.reservation.get(id);
    return columns === undefined ? undefined : reservationOf(columns);
  }

  post(id: string): PostRecord | undefined {
    const columns = this.#statements.post.get(id);
    return columns === undefined ? undefined : postOf(columns);
  }

  openHolds(pool: string, limit: number, expiredAtMs: number | undefined): readonly Hold[] {
    const { openHolds, expiredHolds } = this.#statements;
    const found =
      expiredAtMs === undefined
        ? openHolds.all({ pool, limit })
        : expiredHolds.all({ pool, limit, nowMs: expiredAtMs });
    return found.map((columns) => reservationOf(columns) as Hold);
  }

  holds({ pool, state, olderThanMs }: HoldFilter): readonly Hold[] {
    const found = this.#statements.holds.all({
      pool: pool ?? null,
      state: state ?? null,
      olderThanMs: olderThanMs ?? null,
    });
    return found.map((columns) => reservationOf(columns) as Hold);
  }

  reservationsOf(job: string): readonly Reservation[] {
    return this.#statements.reservationsOf.all(job).map(reservationOf);
  }

  heldIds(limit: number): readonly string[] {
    return this.#statements.heldIds.all(limit).map(({ id }) => id);
  }

  *everyRow(): Generator<BooksRow> {
    yield* this.#statements.everyRow.iterate();
  }

  *everyReservation(): Generator<Reservation> {
    for (const columns of this.#statements.everyReservation.iterate()) yield reservationOf(columns);
  }

  *everyPost(): Generator<PostRecord> {
    for (const columns of this.#statements.everyPost.iterate()) yield postOf(columns);
  }

  journal(after: number): readonly JournalEntry[] {
    return this.#statements.journal
      .all(after)
      .map((columns) => journalEntry(columns.sequence, journalLineOf(columns)));
  }

  savePool(pool: PoolRecord): void {
    this.#statements.savePool.run(poolColumns(pool));
  }

  moveRow(delta: RowDelta): void {
    const { changes } = this.#statements.moveRow.run(delta);
    if (changes === 0) this.#statements.openRow.run(delta);
  }

  moveVersion(pool: string): void {
    this.#statements.moveVersion.run(pool);
  }

  saveReservation(reservation: Reservation): void {
    this.#statements.saveReservation.run(reservationColumns(reservation));
  }

  savePost(post: PostRecord): void {
    this.#statements.savePost.run(postColumns(post));
  }

  appendJournal(line: JournalLine): void {
    if (this.#keepsJournal) this.#statements.appendJournal.run(journalColumns(line));
  }
}
