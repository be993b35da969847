// One night in a process of its own, so that it can be killed.
//   node night-process.mjs <folder> <calls that are answered before all others hang; or "all">
// Writes one line per call that began to stdout.
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Budget, runQueue, SqliteLedger } from '../../dist/index.js';

const [folder, answered] = process.argv.slice(2);
const checkpoints = join(folder, 'checkpoints.jsonl');
const ledger = new SqliteLedger(join(folder, 'ledger.sqlite3'));
ledger.openPool({ pool: 'free', capacity: 100_000 });
ledger.refill({ pool: 'free', period: 7 });

function readDone() {
  try {
    const lines = readFileSync(checkpoints, 'utf8').split('\n').filter(Boolean);
    return new Set(lines.map((line) => JSON.parse(line).id));
  } catch {
    return new Set();
  }
}

const done = readDone();
let calls = 0;
const result = await runQueue({
  jobs: Array.from({ length: 12 }, (_, id) => ({ id })).filter(({ id }) => !done.has(id)),
  budget: new Budget({ deadlineMs: performance.now() + 60_000, reserveMs: 1_000 }),
  ledger,
  pool: 'free',
  lanes: 3,
  envelope: () => 1_000,
  leaseMs: 1_500,
  reclaimEveryMs: 100,
  pollEveryMs: 50,
  call: async (job) => {
    calls += 1;
    process.stdout.write(`calling ${job.id}\n`);
    if (answered !== 'all' && calls > Number(answered)) return new Promise(() => {});
    return { outcome: 'ok', usage: { input: 300, output: 40 } };
  },
  checkpoint: (job, status) => appendFileSync(checkpoints, `${JSON.stringify({ id: job.id, status })}\n`),
});
process.stdout.write(`ended ${result.done.length} done, ${result.deferred.length} deferred\n`);
