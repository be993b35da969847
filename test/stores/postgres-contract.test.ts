// PostgreSQL, held to the contract of every ledger.

import { describe, expect, it } from 'vitest';
import { ledgerContract } from '../../src/testing/ledger-contract.ts';
import { PostgresLedgers } from './postgres-ledgers.ts';
import { describeWithPostgres } from './postgres-server.ts';

await describeWithPostgres("the ledger's contract", (url) => {
  const ledgers = new PostgresLedgers(url);
  ledgerContract(
    () => ledgers.borrow(),
    { describe, expect, it },
    {
      title: 'in PostgreSQL',
      close: (ledger) => ledgers.giveBack(ledger),
      breakStore: (ledger) => ledgers.break(ledger),
      runs: 20,
    },
  );
});
