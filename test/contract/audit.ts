// What must be true of any ledger at any moment. Contract and model tests run it after what they did.

import { expect } from 'vitest';
import type { BooksRow, Ledger, RowDelta } from '../../src/ledger/ledger.ts';

const FIELDS = ['capacity', 'balance', 'held', 'consumed', 'refunded', 'overspent', 'shortfall'] as const;

/** Conservation on every row that the journal ever named, and the journal's deltas sum to that row. */
export function audit(ledger: Ledger): void {
  const sums = new Map<string, Record<(typeof FIELDS)[number], number>>();
  for (const entry of ledger.journal()) for (const delta of entry.delta) addDelta(sums, delta);
  for (const [key, sum] of sums) {
    const [pool, period] = JSON.parse(key) as [string, number];
    const row = ledger.pool(pool, period);
    expect(row, `row ${key}`).toBeDefined();
    expectConserved(row!);
    expect(pick(row!), `the journal's deltas on row ${key}`).toEqual(sum);
  }
  for (const name of ledger.pools()) {
    const { period } = ledger.pool(name)!;
    expect(sums.has(JSON.stringify([name, period])), `the journal knows pool ${name}`).toBe(true);
  }
  expect(ledger.verify()).toEqual([]);
}

function expectConserved(row: BooksRow): void {
  const where = `${row.pool} in period ${row.period}`;
  expect(row.balance + row.held + row.consumed, `conservation on ${where}`).toBe(row.capacity);
  expect(row.balance, `balance of ${where}`).toBeGreaterThanOrEqual(0);
}

function addDelta(sums: Map<string, Record<(typeof FIELDS)[number], number>>, delta: RowDelta): void {
  const key = JSON.stringify([delta.pool, delta.period]);
  const before = sums.get(key) ?? pick(undefined);
  const after = { ...before };
  for (const field of FIELDS) after[field] = before[field] + delta[field];
  sums.set(key, after);
}

function pick(row: BooksRow | undefined): Record<(typeof FIELDS)[number], number> {
  const { capacity = 0, balance = 0, held = 0, consumed = 0 } = row ?? {};
  const { refunded = 0, overspent = 0, shortfall = 0 } = row ?? {};
  return { capacity, balance, held, consumed, refunded, overspent, shortfall };
}
