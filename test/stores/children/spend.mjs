// Reserves and settles one token after another from a ledger file, and tells each answer only after the
// ledger gave it. Runs until it is refused, or killed. Arguments: file, name of this child.

import { SqliteLedger } from '../../../dist/stores/sqlite-ledger.js';

const [path, name] = process.argv.slice(2);
const ledger = new SqliteLedger(path);
ledger.openPool({ pool: 'free', capacity: 400 });

function patiently(call) {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (error.code !== 'busy') throw error;
    }
  }
}

for (let i = 0; ; i++) {
  const id = `${name}/${i}`;
  const request = { id, pool: 'free', job: name, amount: 1, leaseMs: 1000, nowMs: i };
  const { outcome } = patiently(() => ledger.reserve(request));
  process.stdout.write(`${outcome} ${id}\n`);
  if (outcome === 'refused') break;
  patiently(() => ledger.settle({ id, actual: 1, nowMs: i }));
  process.stdout.write(`settled ${id}\n`);
}
ledger.close();
