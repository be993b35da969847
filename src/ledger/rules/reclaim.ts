// reclaim: closes what nobody is going to close any more, so that a dead worker's tokens come back (or
// are charged, where the pool would rather count tokens twice than spend them twice).

import type { WallMs } from '../../base/clock.ts';
import { InputError } from '../../base/errors.ts';
import type { Chain } from '../books.ts';
import type { Hold, ReclaimAnswer, RowDelta } from '../ledger.ts';
import { closeHold } from './close.ts';
import { type Decision, journalLine, movedPools, moveRows, versionOf } from './decision.ts';
import { isExpired } from './lease.ts';
import { ownLink } from './pools.ts';

/** A hold to be closed, with the chain of the pool on which it was reserved. */
export interface DueHold {
  readonly hold: Hold;
  readonly chain: Chain;
}

export function checkForce(force: boolean | undefined, chain: Chain): void {
  const { pool } = ownLink(chain);
  if (force !== true || pool.paused) return;
  throw new InputError({
    code: 'force-needs-pause',
    message: `pool "${pool.pool}" must be paused before live holds on it are closed by force`,
  });
}

/** @param due in order of expiry, then id; live ones among them only where `force` was asked for */
export function decideReclaim(
  request: { readonly pool: string; readonly nowMs: WallMs; readonly force?: boolean },
  chain: Chain,
  due: readonly DueHold[],
): Decision<ReclaimAnswer> {
  const { pool, nowMs, force } = request;
  const closed: Hold[] = [];
  const moved = new Set<string>();
  const total = new Map<string, RowDelta>();
  for (const { hold, chain: ownChain } of due) {
    const { amount } = hold;
    const charged = isCharged(hold, ownChain, nowMs);
    const delta = charged
      ? moveRows(hold.rows, { balance: 0, held: -amount, consumed: amount })
      : moveRows(hold.rows, { balance: amount, held: -amount, refunded: amount });
    for (const name of movedPools(ownChain, delta)) moved.add(name);
    for (const row of delta) addTo(total, row);
    closed.push(
      closeHold(hold, {
        state: 'expired',
        consumed: charged ? amount : 0,
        charged,
        overspent: 0,
        shortfall: 0,
        late: false,
        actual: undefined,
        closedAtMs: nowMs,
      }),
    );
  }
  const delta = [...total.values()];
  const movedOnChain = chain.filter((link) => moved.has(link.pool.pool)).length;
  return {
    answer: { outcome: 'reclaimed', closed, already: false, delta, version: versionOf(chain, movedOnChain) },
    moved: [...moved],
    reservations: closed,
    line: journalLine('reclaim', 'reclaimed', delta, {
      atMs: nowMs,
      pool,
      amount: closed.reduce((sum, hold) => sum + hold.amount, 0),
      detail: `${force === true ? 'by force, ' : ''}closed ${closed.length}${closed.map((hold) => ` ${hold.id}`).join(',')}`,
    }),
  };
}

/** A live hold that is closed by force may still be spending, whatever the pool's policy for dead ones. */
function isCharged(hold: Hold, chain: Chain, nowMs: WallMs): boolean {
  if (!hold.dispatched) return false;
  return !isExpired(hold, nowMs) || ownLink(chain).pool.reclaim === 'charge';
}

function addTo(total: Map<string, RowDelta>, more: RowDelta): void {
  const key = JSON.stringify([more.pool, more.period]);
  const sum = total.get(key);
  total.set(key, sum === undefined ? more : addDeltas(sum, more));
}

function addDeltas(one: RowDelta, other: RowDelta): RowDelta {
  return {
    pool: one.pool,
    period: one.period,
    capacity: one.capacity + other.capacity,
    balance: one.balance + other.balance,
    held: one.held + other.held,
    consumed: one.consumed + other.consumed,
    refunded: one.refunded + other.refunded,
    overspent: one.overspent + other.overspent,
    shortfall: one.shortfall + other.shortfall,
  };
}
