// Both stores of this process over the same random operations: what one answers, keeps and writes down is what
// the other does, byte for byte. (That both are right is held by the contract, against the model.)

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { SqliteLedger } from '../../src/stores/sqlite-ledger.ts';
import { type Operation, type OperationSequence, operations } from '../../src/testing/operations.ts';
import { jobOf, perform } from '../../src/testing/perform.ts';

async function expectAlike({ pools, steps }: OperationSequence): Promise<void> {
  const memory = new MemoryLedger();
  const sqlite = new SqliteLedger(':memory:');
  try {
    for (const request of pools) {
      expect(sqlite.openPool(request)).toEqual(memory.openPool(request));
    }
    let nowMs = 1_000_000;
    for (const { waitMs, ...operation } of steps) {
      nowMs += waitMs;
      const [one, other] = [memory, sqlite].map((ledger) => perform(ledger, operation as Operation, nowMs));
      expect(JSON.stringify(await other), operation.op).toBe(JSON.stringify(await one));
    }
    expect(everything(sqlite, nowMs)).toBe(everything(memory, nowMs));
  } finally {
    sqlite.close();
  }
}

function everything(ledger: Ledger, nowMs: number): string {
  return JSON.stringify([
    ledger.pools().map((pool) => ledger.pool(pool)),
    ledger.holds(),
    ledger.holds({ state: 'held', olderThanMs: nowMs }),
    ['a', 'b', 'c', 'd'].map((id) => ledger.history(jobOf(id))),
    ledger.journal(),
  ]);
}

it('for any sequence of operations both stores answer, read and write the same text', async () => {
  await fc.assert(fc.asyncProperty(operations, expectAlike), { numRuns: 200 });
});

it('the sequences that a contract plays by default are 10,000 operations and more, of every kind', () => {
  const steps = fc.sample(operations, { numRuns: 500, seed: 1 }).flatMap((sequence) => sequence.steps);
  expect(steps.length).toBeGreaterThan(10_000);
  expect([...new Set(steps.map(({ op }) => op))].sort()).toEqual([
    'adjust',
    'dispatch',
    'extendTo',
    'pause',
    'post',
    'reclaim',
    'refill',
    'release',
    'renew',
    'reserve',
    'resume',
    'settle',
  ]);
});
