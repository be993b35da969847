// What the SQLite store promises beyond the contract: that it survives, that several processes may share
// it, that it answers `busy` rather than wait, and that a failed write leaves nothing behind.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LedgerUnavailable } from '../../src/base/errors.ts';
import { SqliteLedger } from '../../src/stores/sqlite-ledger.ts';
import { audit } from '../contract/audit.ts';
import { ask, books } from '../contract/short-hand.ts';
import { startChild } from './child.ts';

let folder: string;
let path: string;
let ledger: SqliteLedger;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-sqlite-'));
  path = join(folder, 'ledger.sqlite3');
  ledger = new SqliteLedger(path);
});
afterEach(() => {
  ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a SQLite ledger', () => {
  it('has after a kill -9 whatever it had answered, and its books are right', async () => {
    const child = startChild('spend', path, 'child');
    await child.reads(101);
    child.process.kill('SIGKILL');
    expect(await child.ended).toBe('SIGKILL');
    const told = child.lines.map((line) => line.split(' '));
    for (const [word, id = ''] of told) {
      const { state } = ledger.hold(id)!;
      if (word === 'settled') expect(state, id).toBe('settled');
    }
    const granted = told.filter(([word]) => word === 'granted').length;
    expect(ledger.holds().length - granted, 'at most the answer that was on its way').toBeLessThanOrEqual(1);
    audit(ledger);
    ledger.reclaim({ pool: 'free', nowMs: 1e9 });
    expect(ledger.pool('free')?.held).toBe(0);
    audit(ledger);
  });

  it('shared by several processes, made by whichever is first, gives no token twice', async () => {
    const shared = join(folder, 'shared.sqlite3');
    const children = ['one', 'two', 'three'].map((name) => startChild('spend', shared, name));
    expect(await Promise.all(children.map(({ ended }) => ended))).toEqual([0, 0, 0]);
    const granted = children.flatMap(({ lines }) => lines).filter((line) => line.startsWith('granted'));
    expect(granted).toHaveLength(400);
    const reader = new SqliteLedger(shared);
    expect(books(reader)).toEqual([0, 0, 400]);
    audit(reader);
    reader.close();
  });

  it('answers busy at once where a lane asks, and changes nothing', () => {
    ledger.openPool({ pool: 'free', capacity: 100 });
    ask(ledger, 'a', 10);
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    const calls = [
      () => ask(ledger, 'b', 10),
      () => ledger.dispatch({ id: 'a', nowMs: 0 }),
      () => ledger.renew({ id: 'a', leaseMs: 1, nowMs: 0 }),
      () => ledger.extendTo({ id: 'a', total: 11, nowMs: 0 }),
      () => ledger.release({ id: 'a' }),
      () => ledger.settle({ id: 'a', actual: 1 }),
      () => ledger.reclaim({ pool: 'free', nowMs: 9999 }),
    ];
    for (const call of calls) {
      expect(call).toThrow(LedgerUnavailable);
      expect(call).toThrow(expect.objectContaining({ code: 'busy', cause: expect.any(Error) }));
    }
    // Reading goes on beside a writer.
    expect(books(ledger)).toEqual([90, 10, 0]);
    other.exec('COMMIT');
    other.close();
    expect(ask(ledger, 'b', 10)).toMatchObject({ outcome: 'granted', already: false });
    expect(ledger.journal()).toHaveLength(3);
  });

  it('waits for another process where a pool is set up, and no lane runs', async () => {
    ledger.openPool({ pool: 'free', capacity: 100 });
    const child = startChild('lock', path);
    await child.reads(1);
    expect(() => ask(ledger, 'a', 10)).toThrow(expect.objectContaining({ code: 'busy' }));
    child.process.stdin?.write('let go\n');
    expect(ledger.refill({ pool: 'free', period: 1 })).toMatchObject({ outcome: 'refilled' });
    expect(await child.ended).toBe(0);
  });

  it('opens a file that another process makes a ledger of at the same moment', async () => {
    const fresh = join(folder, 'fresh.sqlite3');
    const rival = startChild('lock', fresh, path);
    await rival.reads(1);
    rival.process.stdin?.write('let go\n');
    const second = new SqliteLedger(fresh);
    expect(second.pools()).toEqual([]);
    second.openPool({ pool: 'free', capacity: 100 });
    expect(books(second)).toEqual([100, 0, 0]);
    second.close();
    expect(await rival.ended).toBe(0);
  });

  it('undoes the whole operation if any part of it cannot be written', () => {
    ledger.openPool({ pool: 'free', capacity: 100 });
    const raw = new Database(path);
    raw.exec(`CREATE TRIGGER full BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
    expect(() => ask(ledger, 'a', 10)).toThrow(
      expect.objectContaining({ code: 'failed', message: expect.stringContaining('disk full') }),
    );
    expect(books(ledger)).toEqual([100, 0, 0]);
    expect(ledger.hold('a')).toBeUndefined();
    raw.exec('DROP TRIGGER full');
    raw.close();
    expect(ask(ledger, 'a', 10)).toMatchObject({ outcome: 'granted', already: false });
    audit(ledger);
  });

  it('finds what somebody changed behind its back', () => {
    ledger.openPool({ pool: 'free', capacity: 100 });
    ask(ledger, 'a', 10);
    ask(ledger, 'b', 20);
    ledger.settle({ id: 'b', actual: 25 });
    expect(ledger.verify()).toEqual([]);
    const raw = new Database(path);
    raw.exec(`UPDATE books SET held = held - 1, balance = balance + 1, overspent = 0`);
    raw.close();
    const row = { pool: 'free', period: 0 };
    expect(ledger.verify()).toEqual([
      { ...row, field: 'balance', says: 71, recounted: 70 },
      { ...row, field: 'held', says: 9, recounted: 10 },
      { ...row, field: 'overspent', says: 0, recounted: 5 },
    ]);
  });

  it('lets nobody write a row that does not conserve its tokens', () => {
    ledger.openPool({ pool: 'free', capacity: 100 });
    const raw = new Database(path);
    expect(() => raw.exec('UPDATE books SET balance = balance + 1')).toThrow('CHECK constraint failed');
    expect(() => raw.exec('UPDATE books SET balance = -1, consumed = 101')).toThrow(
      'CHECK constraint failed',
    );
    raw.close();
  });
});
