// What the ledger costs: reserve + settle pairs per second in each store, beside the bare statements that
// a store cannot do without. The ratio is the price of the rules, the answers and the audit trail.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { holdOf } from '../src/ledger/hold-of.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import { MemoryLedger } from '../src/ledger/memory-ledger.ts';
import { SqliteLedger } from '../src/stores/sqlite-ledger.ts';
import { journalColumns, reservationColumns } from '../src/stores/sqlite-records.ts';
import { prepareStatements } from '../src/stores/sqlite-statements.ts';
import type { BenchLine } from './bench-line.ts';
import { secondsOf } from './seconds-of.ts';

const NIGHT_PAIRS = 3000;
const NIGHTS = 200;
const LONG_PAIRS = 300_000;
const FILE_PAIRS = 2000;
const AMOUNT = 14_000;
const ACTUAL = 6000;

export function ledgerBench(): BenchLine[] {
  return [
    ...memoryLines('memory, nights of 3,000 holds', NIGHTS, NIGHT_PAIRS),
    ...memoryLines('memory, one ledger of 300,000 holds', 1, LONG_PAIRS),
    ...sqliteLines(),
  ];
}

function memoryLines(what: string, ledgers: number, pairs: number): BenchLine[] {
  const ofLedger = secondsOf(() => {
    let consumed = 0;
    for (let i = 0; i < ledgers; i++) consumed += spend(opened(new MemoryLedger({ journal: false })), pairs);
    return consumed;
  });
  const bare = secondsOf(() => {
    let consumed = 0;
    for (let i = 0; i < ledgers; i++) consumed += spendInMaps(pairs);
    return consumed;
  });
  return lines(what, ledgers * pairs, ofLedger, bare);
}

function sqliteLines(): BenchLine[] {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'));
  try {
    let files = 0;
    const ofLedger = secondsOf(() => {
      const ledger = new SqliteLedger(join(folder, `${files++}.sqlite3`));
      const consumed = spend(opened(ledger), FILE_PAIRS);
      ledger.close();
      return consumed;
    });
    const bare = secondsOf(() => spendInStatements(join(folder, `${files++}.sqlite3`), FILE_PAIRS));
    return lines('SQLite file, every operation on the disk', FILE_PAIRS, ofLedger, bare);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lines(what: string, pairs: number, ledgerSeconds: number, bareSeconds: number): BenchLine[] {
  const perSecond = (seconds: number): string =>
    `${Math.round(pairs / seconds).toLocaleString('en')} pairs/s`;
  return [
    { name: `${what}: reserve + settle`, figure: perSecond(ledgerSeconds) },
    { name: `${what}: the statements bare`, figure: perSecond(bareSeconds) },
    { name: `${what}: ledger ÷ bare`, figure: (bareSeconds / ledgerSeconds).toFixed(2) },
  ];
}

function opened<Kind extends Ledger>(ledger: Kind): Kind {
  ledger.openPool({ pool: 'free', capacity: Number.MAX_SAFE_INTEGER });
  return ledger;
}

/** Tokens consumed in the end. */
function spend(ledger: Ledger, pairs: number): number {
  for (let i = 0; i < pairs; i++) {
    const id = `job ${i}/0/1`;
    ledger.reserve({ id, pool: 'free', job: id, amount: AMOUNT, leaseMs: 1000, nowMs: i });
    ledger.settle({ id, actual: ACTUAL, nowMs: i });
  }
  return ledger.pool('free')!.consumed;
}

/** A row, and a map of holds that is looked up and written twice. */
function spendInMaps(pairs: number): number {
  const row = { balance: Number.MAX_SAFE_INTEGER, held: 0, consumed: 0 };
  const holds = new Map<string, { amount: number; state: string; consumed: number }>();
  for (let i = 0; i < pairs; i++) {
    const id = `job ${i}/0/1`;
    if (holds.has(id) || row.balance < AMOUNT) throw new Error('the bare loop is wrong');
    row.balance -= AMOUNT;
    row.held += AMOUNT;
    holds.set(id, { amount: AMOUNT, state: 'held', consumed: 0 });
    const { amount } = holds.get(id)!;
    row.held -= amount;
    row.consumed += ACTUAL;
    row.balance += amount - ACTUAL;
    holds.set(id, { amount, state: 'settled', consumed: ACTUAL });
  }
  return row.consumed;
}

/** The very statements of a reserve and a settle on one pool, with nothing between them. */
function spendInStatements(path: string, pairs: number): number {
  opened(new SqliteLedger(path)).close();
  const database = new Database(path);
  database.pragma('synchronous = FULL');
  const statements = prepareStatements(database);
  const row = { pool: 'free', period: 0 };
  const still = { ...row, capacity: 0, refunded: 0, overspent: 0, shortfall: 0 };
  const hold = { ...row, job: 'job', taker: '', askedAmount: AMOUNT, amount: AMOUNT, dispatched: false };
  const times = {
    heldAtMs: 0,
    leaseExpiresAtMs: 1000,
    leaseMs: 1000,
    rows: [row],
    charged: false,
    late: false,
  };
  const facts = { ...hold, ...times, overspent: 0, shortfall: 0, closedAtMs: undefined };
  const about = { atMs: 0, pool: 'free', id: 'job', job: 'job', amount: AMOUNT, detail: undefined };
  const line = journalColumns({
    ...about,
    operation: 'reserve',
    outcome: 'granted',
    delta: [{ ...still, balance: 0, held: 0, consumed: 0 }],
  });
  const held = reservationColumns(
    holdOf({ ...facts, id: '', state: 'held', consumed: 0, actual: undefined }),
  );
  const settled = reservationColumns(
    holdOf({ ...facts, id: '', state: 'settled', consumed: ACTUAL, actual: ACTUAL }),
  );
  const read = (id: string): void => {
    statements.beginImmediate.run();
    statements.reservation.get(id);
    statements.pool.get('free');
    statements.row.get('free', 0);
  };
  for (let i = 0; i < pairs; i++) {
    const id = `job ${i}/0/1`;
    read(id);
    statements.moveRow.run({ ...still, balance: -AMOUNT, held: AMOUNT, consumed: 0 });
    statements.saveReservation.run({ ...held, id });
    statements.appendJournal.run(line);
    statements.commit.run();
    read(id);
    statements.row.get('free', 0);
    statements.moveRow.run({ ...still, balance: AMOUNT - ACTUAL, held: -AMOUNT, consumed: ACTUAL });
    statements.moveVersion.run('free');
    statements.saveReservation.run({ ...settled, id });
    statements.appendJournal.run(line);
    statements.commit.run();
  }
  const { consumed } = statements.row.get('free', 0)!;
  database.close();
  return consumed;
}
