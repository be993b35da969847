// Opening a ledger file: what is refused, with what message, and that nothing is half-written.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EnvironmentError, InputError, LedgerUnavailable } from '../../src/base/errors.ts';
import { loadDriver } from '../../src/stores/sqlite-driver.ts';
import { SqliteLedger } from '../../src/stores/sqlite-ledger.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What opening the path throws. */
function failureOf(path: string): Error {
  try {
    new SqliteLedger(path).close();
  } catch (error) {
    return error as Error;
  }
  throw new Error(`${path} was opened`);
}

function inFolder(name: string): string {
  return join(folder, name);
}

describe('a ledger file', () => {
  it('is made where there was none, and by an empty file', () => {
    writeFileSync(inFolder('empty'), '');
    for (const name of ['none', 'empty']) {
      const ledger = new SqliteLedger(inFolder(name));
      ledger.openPool({ pool: 'free', capacity: 5 });
      ledger.close();
      const raw = new Database(inFolder(name), { readonly: true });
      expect(raw.pragma('journal_mode', { simple: true })).toBe('wal');
      expect(raw.pragma('user_version', { simple: true })).toBe(1);
      raw.close();
    }
  });

  it('has everything again when it is opened again', () => {
    const path = inFolder('ledger');
    const first = new SqliteLedger(path);
    first.openPool({ pool: 'root', capacity: 100, maxLeaseMs: 5000 });
    first.openPool({ pool: 'free', capacity: 50, parent: 'root', reclaim: 'charge' });
    const request = { id: 'a', pool: 'free', job: 'j', amount: 30, leaseMs: 1000, nowMs: 1.5 };
    first.reserve(request);
    first.reserve({ ...request, id: 'b', amount: 40 });
    first.settle({ id: 'a', actual: 20 });
    first.post({ id: 'p', pool: 'free', side: 'debit', amount: 3, reason: 'bill' });
    const everything = (ledger: SqliteLedger) => [
      ledger.pools().map((pool) => ledger.pool(pool)),
      ledger.holds(),
      ledger.history('j'),
      ledger.journal(),
    ];
    const before = everything(first);
    first.close();
    const second = new SqliteLedger(path);
    expect(everything(second)).toEqual(before);
    expect(second.openPool({ pool: 'root', capacity: 100, maxLeaseMs: 5000 }).already).toBe(true);
    expect(second.reserve({ ...request, id: 'b', amount: 40 })).toMatchObject({
      outcome: 'refused',
      already: true,
    });
    expect(second.settle({ id: 'a', actual: 20 }).already).toBe(true);
    expect(second.post({ id: 'p', pool: 'free', side: 'debit', amount: 3, reason: 'bill' }).already).toBe(
      true,
    );
    second.close();
  });

  it('that is no database is refused by path, and stays as it was', () => {
    const path = inFolder('notes.txt');
    writeFileSync(path, 'these are my notes, and they are longer than a header of a database\n'.repeat(20));
    const before = readFileSync(path);
    const error = failureOf(path);
    expect(error).toBeInstanceOf(LedgerUnavailable);
    expect(error).toMatchObject({ code: 'not-a-database', message: expect.stringContaining(path) });
    expect(error.cause).toBeDefined();
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(folder)).toEqual(['notes.txt']);
  });

  it("that is somebody else's database is refused, and stays as it was", () => {
    const path = inFolder('app.sqlite3');
    const raw = new Database(path);
    raw.exec('CREATE TABLE customers (name TEXT)');
    raw.close();
    const before = readFileSync(path);
    expect(failureOf(path)).toMatchObject({ code: 'not-a-ledger', message: expect.stringContaining(path) });
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(folder)).toEqual(['app.sqlite3']);
  });

  it.each([
    [0, 'an older'],
    [2, 'a newer'],
  ])('of schema version %i is refused as written by %s version', (version, age) => {
    const path = inFolder('ledger');
    new SqliteLedger(path).close();
    const raw = new Database(path);
    raw.pragma(`user_version = ${version}`);
    raw.close();
    const error = failureOf(path);
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({
      code: 'ledger-version',
      message: `${path}: this ledger was written by ${age} version of Plimsoll; use that version, or name another file (expected schema 1, got schema ${version})`,
    });
  });

  it.runIf(existsSync('/proc/self'))('that cannot be made is told by path and with the fix', () => {
    const error = failureOf('/proc/plimsoll.sqlite3');
    expect(error).toBeInstanceOf(LedgerUnavailable);
    expect(error).toMatchObject({
      code: 'cannot-write',
      message:
        'ledger file "/proc/plimsoll.sqlite3" cannot be opened for writing; name a file in an existing folder that may be written to',
    });
    expect(error.cause).toBeDefined();
  });

  it('in a folder that does not exist, or that is a folder itself, is told alike', () => {
    mkdirSync(inFolder('folder'));
    for (const name of ['none/ledger', 'folder']) {
      expect(failureOf(inFolder(name))).toMatchObject({
        code: 'cannot-write',
        message: expect.stringContaining(inFolder(name)),
      });
    }
    expect(readdirSync(folder)).toEqual(['folder']);
  });

  it('without a name is an error, not a file that nobody finds again', () => {
    expect(failureOf('')).toMatchObject({ code: 'empty-name' });
  });

  it('is not asked for anything after it was closed', () => {
    const ledger = new SqliteLedger(inFolder('ledger'));
    ledger.close();
    ledger.close();
    expect(() => ledger.pools()).toThrow(LedgerUnavailable);
    expect(() => ledger.pause({ pool: 'free' })).toThrow(expect.objectContaining({ code: 'failed' }));
  });

  it('may lie in memory, each ledger in its own', () => {
    const one = new SqliteLedger(':memory:');
    const other = new SqliteLedger(':memory:');
    one.openPool({ pool: 'free', capacity: 1 });
    expect(other.pools()).toEqual([]);
    one.close();
    other.close();
  });

  it('may do without its journal', () => {
    const ledger = new SqliteLedger(':memory:', { journal: false });
    ledger.openPool({ pool: 'free', capacity: 1 });
    expect(ledger.journal()).toEqual([]);
    ledger.close();
  });
});

describe('the driver', () => {
  it('that is not installed is named, with the command that installs it', () => {
    const missing = new Error('Cannot find module');
    const load = (): never => {
      throw missing;
    };
    expect(() => loadDriver(load)).toThrow(EnvironmentError);
    expect(() => loadDriver(load)).toThrow(
      expect.objectContaining({
        code: 'missing-package',
        message: expect.stringContaining('npm install better-sqlite3'),
        cause: missing,
      }),
    );
  });
});
