// The ledger in one SQLite file: the embedded default. Several processes of one host may share it, and
// what was answered is still true after a `kill -9`.

import { InputError } from '../base/errors.ts';
import { SynchronousLedger } from '../ledger/synchronous-ledger.ts';
import { SqliteBooks } from './sqlite-books.ts';
import { loadDriver, type SqliteDatabase, translateError } from './sqlite-driver.ts';
import { prepareSchema } from './sqlite-schema.ts';

export interface SqliteLedgerOptions {
  /** Keep the audit trail; without it `journal()` is empty. Default: true. */
  readonly journal?: boolean;
  /**
   * Does an answer wait until the disk has it? Default: true. Without it the file is as right, but what was
   * answered last may be gone after a power cut: for books that are only played, not for real ones.
   */
  readonly durable?: boolean;
}

/**
 * Lanes do not wait here: a synchronous wait would hold up every lane's timers, so `busy` is answered at
 * once and the waiting is left to whoever can do it asleep. Opening a file, and what is done to pools
 * while no lane runs, may wait.
 */
const TIMEOUTS = { laneMs: 0, setupMs: 10_000 };

export class SqliteLedger extends SynchronousLedger {
  readonly #database: SqliteDatabase;

  /**
   * Opens the file, or makes it. `:memory:` is a ledger that nobody else sees and that ends with `close`.
   *
   * @throws LedgerUnavailable `not-a-database`, `cannot-write`, `busy` or `failed`
   * @throws InputError `not-a-ledger` or `ledger-version` for a database that is not this version's ledger
   * @throws EnvironmentError `missing-package` without better-sqlite3
   */
  constructor(path: string, options: SqliteLedgerOptions = {}) {
    const database = openDatabase(path, options.durable ?? true);
    super(new SqliteBooks(database, path, { timeouts: TIMEOUTS, journal: options.journal ?? true }));
    this.#database = database;
  }

  /** Later calls throw `LedgerUnavailable`. Closing twice is allowed. */
  close(): void {
    this.#database.close();
  }
}

function openDatabase(path: string, isDurable: boolean): SqliteDatabase {
  if (path === '') throw new InputError({ code: 'empty-name', message: 'path must name the ledger file' });
  const Driver = loadDriver();
  let database: SqliteDatabase | undefined;
  try {
    database = new Driver(path, { timeout: TIMEOUTS.setupMs });
    prepareSchema(database, path);
    if (!isDurable) database.pragma('synchronous = OFF');
    return database;
  } catch (error) {
    database?.close();
    throw translateError(error, path);
  }
}
