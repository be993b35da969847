// The tables of a ledger file, and how a file is told to be one. The constraints repeat what the rules
// guarantee already: a file must stay right whoever writes to it.

import { InputError } from '../base/errors.ts';
import type { SqliteDatabase } from './sqlite-driver.ts';

/** Marks a file as Plimsoll's: "PLIM". */
const APPLICATION_ID = 0x504c494d;
/** Of the tables below. A file of another version is refused, not guessed at. */
const SCHEMA_VERSION = 1;

const SCHEMA = `
  CREATE TABLE pools (
    sequence        INTEGER PRIMARY KEY,
    pool            TEXT NOT NULL UNIQUE,
    parent          TEXT REFERENCES pools (pool),
    opened_capacity INTEGER NOT NULL,
    quota           INTEGER NOT NULL,
    reclaim         TEXT NOT NULL CHECK (reclaim IN ('refund', 'charge')),
    max_lease_ms    REAL NOT NULL,
    capacity        INTEGER NOT NULL,
    period          INTEGER NOT NULL,
    paused          INTEGER NOT NULL CHECK (paused IN (0, 1)),
    version         INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX pools_by_parent ON pools (parent);

  CREATE TABLE books (
    pool      TEXT NOT NULL REFERENCES pools (pool),
    period    INTEGER NOT NULL,
    capacity  INTEGER NOT NULL,
    balance   INTEGER NOT NULL CHECK (balance >= 0),
    held      INTEGER NOT NULL CHECK (held >= 0),
    consumed  INTEGER NOT NULL CHECK (consumed >= 0),
    refunded  INTEGER NOT NULL,
    overspent INTEGER NOT NULL,
    shortfall INTEGER NOT NULL,
    PRIMARY KEY (pool, period),
    CHECK (capacity = balance + held + consumed)
  ) STRICT, WITHOUT ROWID;

  -- Everything ever asked for. The last four columns are a refusal's, those from amount on a hold's.
  CREATE TABLE reservations (
    sequence            INTEGER PRIMARY KEY,
    id                  TEXT NOT NULL UNIQUE,
    pool                TEXT NOT NULL REFERENCES pools (pool),
    job                 TEXT NOT NULL,
    taker               TEXT NOT NULL,
    asked_amount        INTEGER NOT NULL,
    lease_ms            REAL NOT NULL,
    asked_at_ms         REAL NOT NULL,
    state               TEXT NOT NULL CHECK (state IN ('held', 'settled', 'released', 'expired', 'refused')),
    amount              INTEGER,
    dispatched          INTEGER,
    lease_expires_at_ms REAL,
    rows                TEXT,
    consumed            INTEGER,
    charged             INTEGER,
    overspent           INTEGER,
    shortfall           INTEGER,
    late                INTEGER,
    actual              INTEGER,
    closed_at_ms        REAL,
    reason              TEXT,
    refused_by          TEXT,
    returnable          INTEGER,
    version             INTEGER
  ) STRICT;
  CREATE INDEX reservations_by_job ON reservations (job, sequence);
  CREATE INDEX reservations_held ON reservations (lease_expires_at_ms, id) WHERE state = 'held';

  CREATE TABLE posts (
    sequence  INTEGER PRIMARY KEY,
    id        TEXT NOT NULL UNIQUE,
    pool      TEXT NOT NULL REFERENCES pools (pool),
    side      TEXT NOT NULL CHECK (side IN ('debit', 'credit')),
    amount    INTEGER NOT NULL,
    reason    TEXT NOT NULL,
    hold      TEXT,
    moved     INTEGER NOT NULL,
    shortfall INTEGER NOT NULL,
    rows      TEXT NOT NULL
  ) STRICT;

  CREATE TABLE journal (
    sequence  INTEGER PRIMARY KEY,
    at_ms     REAL,
    operation TEXT NOT NULL,
    pool      TEXT,
    id        TEXT,
    job       TEXT,
    amount    INTEGER,
    outcome   TEXT NOT NULL,
    detail    TEXT,
    delta     TEXT NOT NULL
  ) STRICT;
`;

/**
 * Makes an empty file a ledger, and leaves a ledger as it is.
 *
 * @throws InputError for a database that is somebody else's, or another version's; it is not touched
 */
export function prepareSchema(database: SqliteDatabase, path: string): void {
  // Asked before anything is written, so that a file that is none of ours stays as it was.
  const isOpened = isLedger(database, path);
  useWriteAheadLog(database);
  if (isOpened) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have been first.
    if (!isLedger(database, path)) {
      database.exec(SCHEMA);
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.pragma(`user_version = ${SCHEMA_VERSION}`);
    }
    database.exec('COMMIT');
  } finally {
    if (database.inTransaction) database.exec('ROLLBACK');
  }
}

/** A commit is on the disk when it returns, and readers never wait for a writer. */
function useWriteAheadLog(database: SqliteDatabase): void {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
}

/** False for an empty file. */
function isLedger(database: SqliteDatabase, path: string): boolean {
  const version = database.pragma('user_version', { simple: true });
  if (database.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
    const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
    if (isEmpty && version === 0) return false;
    throw new InputError({
      code: 'not-a-ledger',
      place: { file: path },
      message: 'this is a database, but not a ledger of Plimsoll; name another file',
    });
  }
  if (version === SCHEMA_VERSION) return true;
  const age = Number(version) < SCHEMA_VERSION ? 'an older' : 'a newer';
  throw new InputError({
    code: 'ledger-version',
    place: { file: path },
    message: `this ledger was written by ${age} version of Plimsoll; use that version, or name another file`,
    expected: `schema ${SCHEMA_VERSION}`,
    got: `schema ${version}`,
  });
}
