// The one place where a hold's record is put together, so that its keys come in one order whatever was
// done to it and whichever store kept it: answers are compared, and written to files, as they are.

import type { WallMs } from '../base/clock.ts';
import type { Hold } from './ledger.ts';

/** A hold whose missing facts are `undefined` rather than absent. */
export type HoldFacts = Omit<Hold, 'actual' | 'closedAtMs'> & {
  readonly actual: number | undefined;
  readonly closedAtMs: WallMs | undefined;
};

export function holdOf(facts: HoldFacts): Hold {
  const hold: { -readonly [Key in keyof Hold]: Hold[Key] } = {
    id: facts.id,
    pool: facts.pool,
    job: facts.job,
    taker: facts.taker,
    askedAmount: facts.askedAmount,
    amount: facts.amount,
    state: facts.state,
    dispatched: facts.dispatched,
    heldAtMs: facts.heldAtMs,
    leaseExpiresAtMs: facts.leaseExpiresAtMs,
    leaseMs: facts.leaseMs,
    rows: facts.rows,
    consumed: facts.consumed,
    charged: facts.charged,
    overspent: facts.overspent,
    shortfall: facts.shortfall,
    late: facts.late,
  };
  if (facts.actual !== undefined) hold.actual = facts.actual;
  if (facts.closedAtMs !== undefined) hold.closedAtMs = facts.closedAtMs;
  return hold;
}
