// Both stores of this process, held to the one contract.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { SqliteLedger } from '../../src/stores/sqlite-ledger.ts';
import { audit } from './audit.ts';
import { ledgerContract } from './ledger-contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-contract-'));
const opened: (MemoryLedger | SqliteLedger)[] = [];
let count = 0;

function keep<Kind extends MemoryLedger | SqliteLedger>(ledger: Kind): Kind {
  opened.push(ledger);
  return ledger;
}

ledgerContract('memory', () => keep(new MemoryLedger()));
ledgerContract('a SQLite file', () => keep(new SqliteLedger(join(folder, `${count++}.sqlite3`))));

afterEach(() => {
  for (const ledger of opened.splice(0)) {
    audit(ledger);
    if (ledger instanceof SqliteLedger) ledger.close();
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
