// Calls as the contract's tests make them most of the time: one job per id, a lease of 1,000 ms from
// moment 0, on pool "free".

import type {
  BooksRow,
  Ledger,
  OpenPool,
  Reserve,
  ReserveAnswer,
  RowDelta,
} from '../../src/ledger/ledger.ts';

export type OpenLedger = () => Ledger;

/** A ledger with pool "free" of 100 tokens, unless told otherwise. */
export function withPool(open: OpenLedger, options: Partial<OpenPool> = {}): Ledger {
  const ledger = open();
  ledger.openPool({ pool: 'free', capacity: 100, ...options });
  return ledger;
}

/** "root" of 100 over "team" of 80 over "me" of 60. */
export function withChain(open: OpenLedger): Ledger {
  const ledger = open();
  ledger.openPool({ pool: 'root', capacity: 100 });
  ledger.openPool({ pool: 'team', capacity: 80, parent: 'root' });
  ledger.openPool({ pool: 'me', capacity: 60, parent: 'team' });
  return ledger;
}

export function ask(ledger: Ledger, id: string, amount: number, rest: Partial<Reserve> = {}): ReserveAnswer {
  return ledger.reserve({ id, pool: 'free', job: id, amount, leaseMs: 1000, nowMs: 0, ...rest });
}

/** Reserved, and a call is out. */
export function askAndDispatch(
  ledger: Ledger,
  id: string,
  amount: number,
  rest: Partial<Reserve> = {},
): void {
  ask(ledger, id, amount, rest);
  ledger.dispatch({ id, nowMs: rest.nowMs ?? 0 });
}

/** `[balance, held, consumed]`: the three that make up the capacity. */
export function books(ledger: Ledger, pool = 'free', period?: number): readonly [number, number, number] {
  const { balance, held, consumed } = ledger.pool(pool, period) as BooksRow;
  return [balance, held, consumed];
}

/** The rows that a delta names, with what moved on each. */
export function movesOf(delta: readonly RowDelta[]): Record<string, Partial<RowDelta>> {
  const moves: Record<string, Partial<RowDelta>> = {};
  for (const { pool, period, ...move } of delta) {
    moves[`${pool}/${period}`] = Object.fromEntries(
      Object.entries(move).filter(([, tokens]) => tokens !== 0),
    );
  }
  return moves;
}
