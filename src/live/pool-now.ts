// The pool that pays, as it is now.

import { InputError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import type { AnyLedger } from '../ledger/async-ledger.ts';
import type { PoolView } from '../ledger/ledger.ts';

/** @throws InputError where the pool is not open */
export async function poolNow(ledger: AnyLedger, name: string): Promise<PoolView> {
  const pool = await ledger.pool(name);
  if (pool !== undefined) return pool;
  const meant = nearest(name, await ledger.pools());
  throw new InputError({
    code: 'unknown-pool',
    message: `the ledger has no pool ${JSON.stringify(name)}; open it first: ledger.openPool({ pool, capacity })`,
    ...(meant === undefined ? {} : { nearest: meant }),
  });
}
