// How a pool looks to its reader, whichever store kept it: one of its rows, with its present settings.

import type { Chain } from './books.ts';
import type { BooksRow, PoolView } from './ledger.ts';
import { versionOf } from './rules/decision.ts';
import { ownLink } from './rules/pools.ts';

/** @param row of the pool that the chain is the chain of */
export function poolView(chain: Chain, row: BooksRow): PoolView {
  const { quota, parent, reclaim, maxLeaseMs, paused } = ownLink(chain).pool;
  return {
    pool: row.pool,
    period: row.period,
    capacity: row.capacity,
    balance: row.balance,
    held: row.held,
    consumed: row.consumed,
    refunded: row.refunded,
    overspent: row.overspent,
    shortfall: row.shortfall,
    quota,
    ...(parent !== undefined && { parent }),
    reclaim,
    maxLeaseMs,
    paused,
    version: versionOf(chain),
  };
}
