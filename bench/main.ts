// `npm run bench`: figures to be compared within this run only; absolute times are of the machine.

import type { BenchLine } from './bench-line.ts';
import { engineBench } from './engine.ts';
import { ledgerBench } from './ledger.ts';
import { nightBench } from './night.ts';

const rooms: readonly (readonly [string, () => readonly BenchLine[]])[] = [
  ['engine', engineBench],
  ['nights', nightBench],
  ['ledger', ledgerBench],
];

for (const [room, bench] of rooms) {
  console.log(`\n${room}`);
  for (const { name, figure } of bench()) console.log(`  ${name.padEnd(60)} ${figure}`);
}
