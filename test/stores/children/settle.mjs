// Settles the hold that each line of its input names, and writes the answer.

import { createInterface } from 'node:readline';
import { PostgresLedger } from '../../../dist/index.js';

const ledger = new PostgresLedger(process.env.PLIMSOLL_LEDGER, { schema: process.env.PLIMSOLL_SCHEMA });
await ledger.pools();
process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await ledger.settle(JSON.parse(line)))}\n`);
}
await ledger.close();
