// Correcting entries after the bill.

import { expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.ts';
import type { Post } from '../../src/ledger/ledger.ts';
import { ask, askAndDispatch, books, movesOf, type OpenLedger, withChain, withPool } from './short-hand.ts';

const DEBIT: Post = {
  id: 'bill',
  pool: 'free',
  side: 'debit',
  amount: 30,
  reason: 'another user of the key',
};

export function postContract(open: OpenLedger): void {
  it('a debit takes from the current row of every pool of the chain, and counts as consumed', () => {
    const ledger = withChain(open);
    ledger.refill({ pool: 'team', period: 2 });
    const answer = ledger.post({ ...DEBIT, pool: 'me' });
    expect(answer).toMatchObject({ outcome: 'posted', moved: 30, shortfall: 0, already: false });
    const move = { balance: -30, consumed: 30 };
    expect(movesOf(answer.delta)).toEqual({ 'me/0': move, 'team/2': move, 'root/0': move });
  });

  it('a debit takes at most the smallest balance, and the rest is shortfall', () => {
    const ledger = withChain(open);
    ask(ledger, 'a', 90, { pool: 'root' });
    expect(ledger.post({ ...DEBIT, pool: 'me' })).toMatchObject({ moved: 10, shortfall: 20 });
    expect(books(ledger, 'me')).toEqual([50, 0, 10]);
    expect(books(ledger, 'root')).toEqual([0, 90, 10]);
    expect(ledger.pool('me')?.shortfall).toBe(20);
  });

  it("a credit gives back to the settled hold's own rows, at most what it still consumes", () => {
    const ledger = withChain(open);
    askAndDispatch(ledger, 'a', 50, { pool: 'me' });
    ledger.settle({ id: 'a', actual: 40 });
    ledger.refill({ pool: 'team', period: 1 });
    const credit: Post = { id: 'c1', pool: 'me', side: 'credit', amount: 25, reason: 'cached', hold: 'a' };
    const answer = ledger.post(credit);
    expect(answer).toMatchObject({ moved: 25, shortfall: 0 });
    const move = { balance: 25, consumed: -25 };
    expect(movesOf(answer.delta)).toEqual({ 'me/0': move, 'team/0': move, 'root/0': move });
    expect(ledger.hold('a')).toMatchObject({ consumed: 15, actual: 40, state: 'settled' });
    expect(ledger.post({ ...credit, id: 'c2' })).toMatchObject({ moved: 15, shortfall: 0 });
    expect(ledger.post({ ...credit, id: 'c3' })).toMatchObject({ moved: 0 });
    expect(books(ledger, 'root')).toEqual([100, 0, 0]);
  });

  it('a credit does not change the answer of a settle that is repeated', () => {
    const ledger = withPool(open);
    ask(ledger, 'a', 50);
    const first = ledger.settle({ id: 'a', actual: 40 });
    ledger.post({ ...DEBIT, side: 'credit', hold: 'a' });
    expect(ledger.settle({ id: 'a', actual: 40 })).toMatchObject({
      refunded: first.refunded,
      overspent: 0,
      shortfall: 0,
      already: true,
      hold: { consumed: 10 },
    });
  });

  it('a late settled hold may be credited, for what it could still debit', () => {
    const ledger = withPool(open);
    askAndDispatch(ledger, 'a', 80);
    ledger.reclaim({ pool: 'free', nowMs: 1001 });
    ask(ledger, 'b', 70);
    ledger.settle({ id: 'a', actual: 60 });
    expect(ledger.post({ ...DEBIT, side: 'credit', amount: 50, hold: 'a' })).toMatchObject({ moved: 30 });
    expect(books(ledger)).toEqual([30, 70, 0]);
  });

  it('a post is idempotent by id: the first answer again, nothing moved', () => {
    const ledger = withPool(open);
    const first = ledger.post(DEBIT);
    ask(ledger, 'a', 70);
    const again = ledger.post({ ...DEBIT, nowMs: 5 });
    expect(again).toEqual({ ...first, already: true, delta: [] });
    expect(books(ledger)).toEqual([0, 70, 30]);
  });

  it.each<Partial<Post>>([
    { amount: 31 },
    { reason: 'else' },
    { pool: 'other' },
    { side: 'credit', hold: 'a' },
  ])('the same id with %j is an error that changes nothing', (other) => {
    const ledger = withPool(open);
    ledger.openPool({ pool: 'other', capacity: 100 });
    ask(ledger, 'a', 10);
    ledger.settle({ id: 'a', actual: 10 });
    ledger.post(DEBIT);
    expect(() => ledger.post({ ...DEBIT, ...other })).toThrow(expect.objectContaining({ code: 'id-reused' }));
    expect(books(ledger)).toEqual([60, 0, 40]);
    expect(books(ledger, 'other')).toEqual([100, 0, 0]);
  });

  it('posts go on while the pool is paused', () => {
    const ledger = withPool(open);
    ledger.pause({ pool: 'free' });
    expect(ledger.post(DEBIT)).toMatchObject({ moved: 30 });
  });

  it('a credit must name a settled hold of that pool, a debit none', () => {
    const ledger = withPool(open);
    ledger.openPool({ pool: 'other', capacity: 100 });
    for (const id of ['held', 'released', 'settled']) ask(ledger, id, 10);
    ledger.release({ id: 'released' });
    ledger.settle({ id: 'settled', actual: 10 });
    const credit = (hold: string | undefined, pool = 'free') =>
      ledger.post({ ...DEBIT, pool, side: 'credit', ...(hold !== undefined && { hold }) });
    expect(() => credit(undefined)).toThrow(expect.objectContaining({ code: 'credit-needs-hold' }));
    expect(() => credit('held')).toThrow(expect.objectContaining({ code: 'hold-not-settled' }));
    expect(() => credit('released')).toThrow(expect.objectContaining({ code: 'hold-not-settled' }));
    expect(() => credit('nobody')).toThrow(expect.objectContaining({ code: 'unknown-hold' }));
    expect(() => credit('settled', 'other')).toThrow(expect.objectContaining({ code: 'wrong-pool' }));
    expect(() => ledger.post({ ...DEBIT, hold: 'settled' })).toThrow(
      expect.objectContaining({ code: 'debit-has-hold' }),
    );
    expect(books(ledger)).toEqual([80, 10, 10]);
    expect(credit('settled')).toMatchObject({ moved: 10 });
  });

  it('an amount that is no count of tokens, or a side that does not exist, is an error', () => {
    const ledger = withPool(open);
    expect(() => ledger.post({ ...DEBIT, amount: -1 })).toThrow(RangeError);
    expect(() => ledger.post({ ...DEBIT, side: 'debet' as 'debit' })).toThrow(InputError);
    expect(() => ledger.post({ ...DEBIT, side: 'debet' as 'debit' })).toThrow('Did you mean "debit"?');
  });
}
