// extendTo: more tokens for a hold that is still held, on the rows that it debited.

import { expect, it } from 'vitest';
import { ask, askAndDispatch, books, movesOf, type OpenLedger, withChain, withPool } from './short-hand.ts';

export function extendContract(open: OpenLedger): void {
  it('extendTo raises the hold to a total, on every row of its chain', () => {
    const ledger = withChain(open);
    ask(ledger, 'a', 20, { pool: 'me' });
    const answer = ledger.extendTo({ id: 'a', total: 50, nowMs: 1 });
    expect(answer).toMatchObject({
      outcome: 'extended',
      hold: { amount: 50, askedAmount: 20 },
      already: false,
    });
    expect(movesOf(answer.delta)).toEqual({
      'me/0': { balance: -30, held: 30 },
      'team/0': { balance: -30, held: 30 },
      'root/0': { balance: -30, held: 30 },
    });
    ledger.settle({ id: 'a', actual: 45 });
    expect(books(ledger, 'root')).toEqual([55, 0, 45]);
  });

  it.each([0, 49, 50])('extendTo a total of %i on a hold of 50 is a no-op, even while paused', (total) => {
    const ledger = withPool(open);
    ask(ledger, 'a', 50);
    ledger.pause({ pool: 'free' });
    expect(ledger.extendTo({ id: 'a', total, nowMs: 1 })).toMatchObject({
      outcome: 'extended',
      hold: { amount: 50 },
      already: false,
      delta: [],
    });
  });

  it('extendTo is refused whole, like a reservation', () => {
    const ledger = withChain(open);
    ask(ledger, 'a', 20, { pool: 'me' });
    ask(ledger, 'b', 60, { pool: 'team' });
    const before = ledger.pools().map((pool) => ledger.pool(pool));
    const extend = (total: number) => ledger.extendTo({ id: 'a', total, nowMs: 1 });
    expect(extend(61)).toMatchObject({
      outcome: 'refused',
      state: 'held',
      reason: 'exceeds-capacity',
      returnable: false,
    });
    expect(extend(21)).toMatchObject({
      outcome: 'refused',
      state: 'held',
      reason: 'insufficient',
      returnable: true,
    });
    ledger.settle({ id: 'b', actual: 25 });
    expect(extend(56)).toMatchObject({ reason: 'insufficient', returnable: false });
    ledger.pause({ pool: 'root' });
    expect(extend(55)).toMatchObject({ reason: 'paused', returnable: true });
    expect(extend(56)).toMatchObject({ reason: 'paused', returnable: false });
    ledger.resume({ pool: 'root' });
    expect(extend(55)).toMatchObject({ outcome: 'extended' });
    expect(before.map((view) => view?.held)).toEqual([80, 80, 20]);
  });

  it('extendTo is refused where any row of the chain is closed', () => {
    const ledger = withChain(open);
    ask(ledger, 'a', 20, { pool: 'me' });
    ledger.refill({ pool: 'team', period: 1 });
    expect(ledger.extendTo({ id: 'a', total: 21, nowMs: 1 })).toMatchObject({
      outcome: 'refused',
      reason: 'row-closed',
      returnable: false,
    });
    expect(ledger.extendTo({ id: 'a', total: 20, nowMs: 1 })).toMatchObject({ outcome: 'extended' });
    expect(books(ledger, 'me')).toEqual([40, 20, 0]);
  });

  it('extendTo is refused on a closed hold, whose state it names', () => {
    const ledger = withPool(open);
    for (const id of ['settled', 'released', 'expired']) ask(ledger, id, 10);
    ledger.settle({ id: 'settled', actual: 1 });
    ledger.release({ id: 'released' });
    ledger.reclaim({ pool: 'free', nowMs: 5000 });
    for (const id of ['settled', 'released', 'expired']) {
      expect(ledger.extendTo({ id, total: 5, nowMs: 1 })).toMatchObject({
        outcome: 'refused',
        state: id,
        reason: 'closed',
      });
    }
    expect(books(ledger)).toEqual([99, 0, 1]);
  });

  it('a held hold past its lease may still be extended', () => {
    const ledger = withPool(open);
    askAndDispatch(ledger, 'a', 10);
    expect(ledger.extendTo({ id: 'a', total: 12, nowMs: 5000 })).toMatchObject({ outcome: 'extended' });
  });
}
