// Calls as the stores' own tests make them most of the time: one job per id, a lease of 1,000 ms from
// moment 0, on pool "free".

import type { BooksRow, Ledger, OpenPool, Reserve, ReserveAnswer } from '../../src/ledger/ledger.ts';

export type OpenLedger = () => Ledger;

/** A ledger with pool "free" of 100 tokens, unless told otherwise. */
export function withPool(open: OpenLedger, options: Partial<OpenPool> = {}): Ledger {
  const ledger = open();
  ledger.openPool({ pool: 'free', capacity: 100, ...options });
  return ledger;
}

export function ask(ledger: Ledger, id: string, amount: number, rest: Partial<Reserve> = {}): ReserveAnswer {
  return ledger.reserve({ id, pool: 'free', job: id, amount, leaseMs: 1000, nowMs: 0, ...rest });
}

/** `[balance, held, consumed]`: the three that make up the capacity. */
export function books(ledger: Ledger, pool = 'free', period?: number): readonly [number, number, number] {
  const { balance, held, consumed } = ledger.pool(pool, period) as BooksRow;
  return [balance, held, consumed];
}
