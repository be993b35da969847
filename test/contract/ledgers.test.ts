// Both stores of this process, held to the one contract.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { SqliteLedger } from '../../src/stores/sqlite-ledger.ts';
import { ledgerContract } from '../../src/testing/ledger-contract.ts';

const runner = { describe, expect, it };
/** Sequences have 20 operations at least, taken together. */
const runs = Math.ceil(Number(process.env.PLIMSOLL_TORTURE_OPERATIONS ?? 10_000) / 20);
const timeoutMs = Math.max(120_000, runs * 100);
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-contract-'));
let count = 0;

ledgerContract(() => new MemoryLedger(), runner, {
  title: "the ledger's contract in memory",
  runs,
  timeoutMs,
});
ledgerContract(() => new SqliteLedger(join(folder, `${count++}.sqlite3`), { durable: false }), runner, {
  title: "the ledger's contract in a SQLite file",
  close: (ledger) => ledger.close(),
  breakStore: (ledger) => ledger.close(),
  runs,
  timeoutMs,
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));
