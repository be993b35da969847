// `npm run bench`: figures to be compared within this run only; absolute times are of the machine.

import type { BenchLine } from './bench-line.ts';
import { engineBench } from './engine.ts';
import { ledgerBench } from './ledger.ts';
import { nightBench } from './night.ts';
import { postgresBench } from './postgres.ts';

const rooms: readonly (readonly [string, () => readonly BenchLine[] | Promise<readonly BenchLine[]>])[] = [
  ['engine', engineBench],
  ['nights', nightBench],
  ['ledger', ledgerBench],
  ['hot row', postgresBench],
];

for (const [room, bench] of rooms) {
  console.log(`\n${room}`);
  for (const { name, figure } of await bench()) console.log(`  ${name.padEnd(60)} ${figure}`);
}
