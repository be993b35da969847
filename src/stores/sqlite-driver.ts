// Where SQLite comes from, and what its errors mean here. The driver is native and loaded on first use,
// so that the package can be imported where it is not installed.

import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';
import { EnvironmentError, InputError, LedgerUnavailable } from '../base/errors.ts';

export type SqliteDatabase = Database.Database;

/** @throws EnvironmentError `missing-package` where better-sqlite3 is not installed or does not load */
export function loadDriver(
  load: (name: string) => unknown = createRequire(import.meta.url),
): typeof Database {
  try {
    return load('better-sqlite3') as typeof Database;
  } catch (cause) {
    throw new EnvironmentError(
      'missing-package',
      'SqliteLedger needs the package "better-sqlite3", which could not be loaded: npm install better-sqlite3',
      { cause },
    );
  }
}

/** What the ledger's caller is told when the driver threw; a mistake or a bug of ours goes on as it is. */
export function translateError(error: unknown, path: string): unknown {
  if (error instanceof EnvironmentError || error instanceof InputError) return error;
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code.startsWith('SQLITE_BUSY')) {
    return new LedgerUnavailable('busy', `another process is writing to ledger file "${path}"`, {
      cause: error,
    });
  }
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return new LedgerUnavailable(
      'not-a-database',
      `"${path}" is no SQLite database, or a damaged one; name another file, or restore this one`,
      { cause: error },
    );
  }
  if (isUnwritable(code)) {
    return new LedgerUnavailable(
      'cannot-write',
      `ledger file "${path}" cannot be opened for writing; name a file in an existing folder that may be written to`,
      { cause: error },
    );
  }
  return new LedgerUnavailable('failed', `ledger file "${path}" failed: ${(error as Error).message}`, {
    cause: error,
  });
}

function isUnwritable(code: string): boolean {
  return ['SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PERM', 'SQLITE_AUTH', NO_FOLDER].some((start) =>
    code.startsWith(start),
  );
}

const NO_FOLDER = 'no-folder';

/** The driver's own errors carry a code; those it has none for are told apart by their words. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string' && error.code.startsWith('SQLITE_'))
    return error.code;
  if (error instanceof TypeError && error.message.includes('directory does not exist')) return NO_FOLDER;
  if (error instanceof TypeError && error.message.includes('connection is not open')) return 'closed';
  return undefined;
}
