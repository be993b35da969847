// The audit: every row once more from its holds and posts, beside what the row itself says.

import type { PostRecord, Reservation } from '../books.ts';
import type { BooksRow, Discrepancy, RowKey } from '../ledger.ts';

interface Count {
  held: number;
  consumed: number;
  overspent: number;
  shortfall: number;
}

/** In the order of the rows; empty where all is well. */
export function recount(
  rows: Iterable<BooksRow>,
  reservations: Iterable<Reservation>,
  posts: Iterable<PostRecord>,
): readonly Discrepancy[] {
  const counts = new Map<string, Map<number, Count>>();
  for (const reservation of reservations) {
    if (reservation.state === 'refused') continue;
    const { amount, state, consumed, overspent, shortfall } = reservation;
    for (const key of reservation.rows) {
      const count = countOf(counts, key);
      if (state === 'held') count.held += amount;
      count.consumed += consumed;
      count.overspent += overspent;
      count.shortfall += shortfall;
    }
  }
  for (const post of posts) {
    for (const key of post.rows) {
      const count = countOf(counts, key);
      // What a credit gave back is gone from its hold's own `consumed`.
      if (post.side === 'debit') count.consumed += post.moved;
      count.shortfall += post.shortfall;
    }
  }
  const found: Discrepancy[] = [];
  for (const row of rows) audit(row, countOf(counts, row), found);
  return found;
}

function audit(row: BooksRow, count: Count, found: Discrepancy[]): void {
  const { pool, period } = row;
  const compare = (field: Discrepancy['field'], says: number, recounted: number): void => {
    if (says !== recounted) found.push({ pool, period, field, says, recounted });
  };
  compare('conservation', row.capacity, row.balance + row.held + row.consumed);
  // Nothing can be owed: a row in the red is wrong, even where its sum is right.
  compare('balance', row.balance, Math.max(0, row.capacity - count.held - count.consumed));
  compare('held', row.held, count.held);
  compare('consumed', row.consumed, count.consumed);
  compare('overspent', row.overspent, count.overspent);
  compare('shortfall', row.shortfall, count.shortfall);
}

function countOf(counts: Map<string, Map<number, Count>>, key: RowKey): Count {
  let periods = counts.get(key.pool);
  if (periods === undefined) {
    periods = new Map();
    counts.set(key.pool, periods);
  }
  let count = periods.get(key.period);
  if (count === undefined) {
    count = { held: 0, consumed: 0, overspent: 0, shortfall: 0 };
    periods.set(key.period, count);
  }
  return count;
}
