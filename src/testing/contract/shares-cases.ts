// Shares among a pool's children. No ledger divides a pool yet, so all that is held is that none pretends to: an
// option that is not kept is an error. What guarantees, limits and lending promise is held here.

import type { OpenPool } from '../../ledger/ledger.ts';
import type { DeclareCase } from '../trial.ts';

export function sharesCases(it: DeclareCase): void {
  for (const option of ['guarantee', 'limit', 'lending']) {
    it(`a share that no ledger keeps is not promised: openPool with a ${option} is an error`, async (trial) => {
      const ledger = await trial.open();
      await ledger.openPool({ pool: 'root', capacity: 100 });
      const request = { pool: 'child', capacity: 50, parent: 'root', [option]: 10 } as OpenPool;
      await trial.rejects(ledger.openPool(request), { name: 'InputError', code: 'unknown-option' });
      trial.equal(await ledger.pools(), ['root']);
    });
  }
}
