// The audit itself: each kind of wrong row is found, and told apart from the others.

import { describe, expect, it } from 'vitest';
import type { BooksRow } from '../../src/ledger/ledger.ts';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { recount } from '../../src/ledger/rules/recount.ts';
import { ask } from '../contract/short-hand.ts';

/** 100 tokens: 30 held, 25 consumed by a hold (5 more overspent), 10 by a post with a shortfall of 0. */
function soundBooks() {
  const ledger = new MemoryLedger();
  ledger.openPool({ pool: 'free', capacity: 100 });
  ask(ledger, 'held', 30);
  ask(ledger, 'settled', 25);
  ask(ledger, 'refused', 99);
  ledger.settle({ id: 'settled', actual: 30 });
  const rows = [{ pool: 'free', period: 0 }];
  ledger.post({ id: 'bill', pool: 'free', side: 'debit', amount: 10, reason: 'bill' });
  const post = { id: 'bill', pool: 'free', side: 'debit', amount: 10, reason: 'bill', moved: 10 } as const;
  const { capacity, balance, held, consumed, refunded, overspent, shortfall } = ledger.pool('free')!;
  const row = { pool: 'free', period: 0, capacity, balance, held, consumed, refunded, overspent, shortfall };
  return { row, holds: ledger.holds(), posts: [{ ...post, shortfall: 0, rows }] };
}

describe('the recount', () => {
  it('finds nothing on sound books', () => {
    const { row, holds, posts } = soundBooks();
    expect(row).toMatchObject({ balance: 35, held: 30, consumed: 35, overspent: 5 });
    expect(recount([row], holds, posts)).toEqual([]);
  });

  it.each<[Partial<BooksRow>, readonly string[]]>([
    [{ capacity: 101 }, ['conservation', 'balance']],
    [{ balance: 34 }, ['conservation', 'balance']],
    [{ held: 31, balance: 34 }, ['balance', 'held']],
    [{ consumed: 36, held: 29 }, ['held', 'consumed']],
    [{ overspent: 4 }, ['overspent']],
    [{ shortfall: 1 }, ['shortfall']],
  ])('finds a row that says %j', (wrong, fields) => {
    const { row, holds, posts } = soundBooks();
    const found = recount([{ ...row, ...wrong }], holds, posts);
    expect(found.map(({ field }) => field)).toEqual(fields);
    expect(found[0]).toMatchObject({ pool: 'free', period: 0 });
  });

  it('finds a row in the red, though it adds up and its holds say so too', () => {
    const { row, holds, posts } = soundBooks();
    const red = { ...row, capacity: 60, balance: -5 };
    expect(recount([red], holds, posts)).toEqual([
      { pool: 'free', period: 0, field: 'balance', says: -5, recounted: 0 },
    ]);
  });

  it('finds a hold and a post that their row knows nothing of', () => {
    const { row, holds, posts } = soundBooks();
    const empty = { ...row, balance: 100, held: 0, consumed: 0, overspent: 0 };
    expect(recount([empty], holds, posts).map(({ field }) => field)).toEqual([
      'balance',
      'held',
      'consumed',
      'overspent',
    ]);
    expect(recount([empty], [], [])).toEqual([]);
  });
});
