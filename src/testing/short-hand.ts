// Calls as the contract's cases make them most of the time: one job per id, a lease of 1,000 ms from moment 0,
// on pool "free".

import type { AsyncLedger } from '../ledger/async-ledger.ts';
import type { BooksRow, OpenPool, Reserve, ReserveAnswer } from '../ledger/ledger.ts';
import type { Trial } from './trial.ts';

/** A ledger with pool "free" of 100 tokens, unless told otherwise. */
export async function withPool(trial: Trial, options: Partial<OpenPool> = {}): Promise<AsyncLedger> {
  const ledger = await trial.open();
  await ledger.openPool({ pool: 'free', capacity: 100, ...options });
  return ledger;
}

/** "root" of 100 over "team" of 80 over "me" of 60. */
export async function withChain(trial: Trial, options: Partial<OpenPool> = {}): Promise<AsyncLedger> {
  const ledger = await trial.open();
  await ledger.openPool({ pool: 'root', capacity: 100, ...options });
  await ledger.openPool({ pool: 'team', capacity: 80, parent: 'root', ...options });
  await ledger.openPool({ pool: 'me', capacity: 60, parent: 'team', ...options });
  return ledger;
}

export function ask(
  ledger: AsyncLedger,
  id: string,
  amount: number,
  rest: Partial<Reserve> = {},
): Promise<ReserveAnswer> {
  return ledger.reserve({ id, pool: 'free', job: id, amount, leaseMs: 1000, nowMs: 0, ...rest });
}

/** Reserved, and a call is out. */
export async function askAndDispatch(
  ledger: AsyncLedger,
  id: string,
  amount: number,
  rest: Partial<Reserve> = {},
): Promise<void> {
  await ask(ledger, id, amount, rest);
  await ledger.dispatch({ id, nowMs: rest.nowMs ?? 0 });
}

/** `[balance, held, consumed]`: the three that make up the capacity. */
export async function books(
  ledger: AsyncLedger,
  pool = 'free',
  period?: number,
): Promise<readonly [number, number, number]> {
  const { balance, held, consumed } = (await ledger.pool(pool, period)) as BooksRow;
  return [balance, held, consumed];
}

/** No counts of tokens, each in its way. */
export const NO_TOKENS: readonly number[] = [Number.NaN, Number.POSITIVE_INFINITY, -1, 1.5, 9007199254740992];
