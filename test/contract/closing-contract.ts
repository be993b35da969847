// How a hold ends, and what a settle that comes too late still puts right.

import { expect, it } from 'vitest';
import type { Ledger, SettleAnswer } from '../../src/ledger/ledger.ts';
import { ask, askAndDispatch, books, movesOf, type OpenLedger, withChain, withPool } from './short-hand.ts';

export function closingContract(open: OpenLedger): void {
  it('release gives all of it back to every row', () => {
    const ledger = withChain(open);
    ask(ledger, 'a', 50, { pool: 'me' });
    const answer = ledger.release({ id: 'a', nowMs: 7 });
    expect(answer).toMatchObject({
      outcome: 'released',
      hold: { state: 'released', closedAtMs: 7, consumed: 0 },
    });
    expect(movesOf(answer.delta)).toEqual({
      'me/0': { balance: 50, held: -50, refunded: 50 },
      'team/0': { balance: 50, held: -50, refunded: 50 },
      'root/0': { balance: 50, held: -50, refunded: 50 },
    });
  });

  it('release is refused once dispatched', () => {
    const ledger = withPool(open);
    askAndDispatch(ledger, 'a', 50);
    expect(ledger.release({ id: 'a' })).toMatchObject({
      outcome: 'refused',
      state: 'held',
      reason: 'dispatched',
    });
    expect(books(ledger)).toEqual([50, 50, 0]);
  });

  it('release of a closed hold answers its state: again is already, otherwise refused', () => {
    const ledger = withPool(open);
    for (const id of ['settled', 'released', 'expired']) askAndDispatch(ledger, id, 10);
    ask(ledger, 'undispatched', 10);
    ledger.settle({ id: 'settled', actual: 10 });
    const first = ledger.release({ id: 'undispatched', nowMs: 3 });
    ledger.reclaim({ pool: 'free', nowMs: 5000 });
    expect(ledger.release({ id: 'settled' })).toMatchObject({
      outcome: 'refused',
      state: 'settled',
      reason: 'closed',
    });
    expect(ledger.release({ id: 'expired' })).toMatchObject({
      outcome: 'refused',
      state: 'expired',
      reason: 'closed',
    });
    const again = ledger.release({ id: 'undispatched', nowMs: 9 });
    expect(again).toEqual({ ...first, already: true, delta: [], version: again.version });
    expect(books(ledger)).toEqual([90, 0, 10]);
  });

  it('settle gives the difference back to every row and keeps what was used', () => {
    const ledger = withChain(open);
    askAndDispatch(ledger, 'a', 50, { pool: 'me' });
    const answer = ledger.settle({ id: 'a', actual: 20, nowMs: 9 });
    expect(answer).toMatchObject({
      outcome: 'settled',
      hold: { state: 'settled', consumed: 20, actual: 20, closedAtMs: 9, late: false },
      refunded: 30,
      overspent: 0,
      shortfall: 0,
      late: false,
      differs: false,
      already: false,
    });
    const move = { balance: 30, held: -50, consumed: 20, refunded: 30 };
    expect(movesOf(answer.delta)).toEqual({ 'me/0': move, 'team/0': move, 'root/0': move });
  });

  it('what was used beyond the hold is recorded on every row, never debited', () => {
    const ledger = withPool(open);
    askAndDispatch(ledger, 'a', 50);
    expect(ledger.settle({ id: 'a', actual: 65 })).toMatchObject({
      refunded: 0,
      overspent: 15,
      hold: { consumed: 50, overspent: 15, actual: 65 },
    });
    expect(books(ledger)).toEqual([50, 0, 50]);
    expect(ledger.pool('free')?.overspent).toBe(15);
  });

  it.each([0, 50])(
    'a settle of exactly %i of 50 is neither refunded nor overspent by a token too much',
    (actual) => {
      const ledger = withPool(open);
      ask(ledger, 'a', 50);
      expect(ledger.settle({ id: 'a', actual })).toMatchObject({ refunded: 50 - actual, overspent: 0 });
      expect(books(ledger)).toEqual([100 - actual, 0, actual]);
    },
  );

  it('a held hold past its lease settles and releases normally', () => {
    const ledger = withPool(open);
    askAndDispatch(ledger, 'a', 30);
    ask(ledger, 'b', 30);
    expect(ledger.settle({ id: 'a', actual: 10, nowMs: 9999 })).toMatchObject({
      late: false,
      hold: { state: 'settled' },
    });
    expect(ledger.release({ id: 'b', nowMs: 9999 })).toMatchObject({ outcome: 'released' });
    expect(books(ledger)).toEqual([90, 0, 10]);
  });

  it('a second settle has the first answer, and says if it differs', () => {
    const ledger = withPool(open);
    askAndDispatch(ledger, 'a', 50);
    const first = ledger.settle({ id: 'a', actual: 65, nowMs: 9 });
    expect(ledger.settle({ id: 'a', actual: 65, nowMs: 10 })).toEqual(repeated(first, false));
    const lines = ledger.journal().length;
    expect(ledger.settle({ id: 'a', actual: 3, nowMs: 11 })).toEqual(repeated(first, true));
    expect(books(ledger)).toEqual([50, 0, 50]);
    expect(ledger.journal(lines)).toMatchObject([
      { operation: 'settle', outcome: 'differs', amount: 3, detail: 'settled before with 65', delta: [] },
    ]);
  });

  /** Hold 80 of 100 expired and reclaimed by refund; another then took 60. */
  function withRefunded(): Ledger {
    const ledger = withPool(open);
    askAndDispatch(ledger, 'dead', 80);
    ledger.reclaim({ pool: 'free', nowMs: 1001 });
    askAndDispatch(ledger, 'other', 60, { nowMs: 1001 });
    return ledger;
  }

  it('a late settle of a refunded hold debits what is left, and the rest is shortfall', () => {
    const ledger = withRefunded();
    const answer = ledger.settle({ id: 'dead', actual: 70, nowMs: 1500 });
    expect(answer).toMatchObject({
      outcome: 'settled',
      refunded: 0,
      overspent: 0,
      shortfall: 30,
      late: true,
      hold: { state: 'expired', consumed: 40, actual: 70, late: true, closedAtMs: 1001 },
    });
    expect(movesOf(answer.delta)).toEqual({ 'free/0': { balance: -40, consumed: 40, shortfall: 30 } });
    ledger.settle({ id: 'other', actual: 60, nowMs: 1600 });
    expect(books(ledger)).toEqual([0, 0, 100]);
  });

  it('a second late settle has the first answer and debits nothing', () => {
    const ledger = withRefunded();
    const first = ledger.settle({ id: 'dead', actual: 70, nowMs: 1500 });
    ledger.settle({ id: 'other', actual: 10 });
    const before = ledger.pool('free');
    const again = ledger.settle({ id: 'dead', actual: 70, nowMs: 1700 });
    expect(again).toEqual({ ...repeated(first, false), version: again.version });
    expect(ledger.settle({ id: 'dead', actual: 1 })).toMatchObject({
      already: true,
      differs: true,
      shortfall: 30,
    });
    expect(ledger.pool('free')).toEqual(before);
  });

  it('a late settle of a charged hold gives back what was not used', () => {
    const ledger = withPool(open, { reclaim: 'charge' });
    askAndDispatch(ledger, 'dead', 80);
    ledger.reclaim({ pool: 'free', nowMs: 1001 });
    expect(books(ledger)).toEqual([20, 0, 80]);
    const first = ledger.settle({ id: 'dead', actual: 70 });
    expect(first).toMatchObject({
      refunded: 10,
      shortfall: 0,
      late: true,
      hold: { state: 'expired', consumed: 70, charged: true },
    });
    expect(movesOf(first.delta)).toEqual({ 'free/0': { balance: 10, consumed: -10, refunded: 10 } });
    expect(books(ledger)).toEqual([30, 0, 70]);
    expect(ledger.settle({ id: 'dead', actual: 70 })).toEqual(repeated(first, false));
  });

  it('a late settle beyond the hold records the overspend, charged or refunded', () => {
    for (const reclaim of ['refund', 'charge'] as const) {
      const ledger = withPool(open, { reclaim });
      askAndDispatch(ledger, 'dead', 80);
      ledger.reclaim({ pool: 'free', nowMs: 1001 });
      expect(ledger.settle({ id: 'dead', actual: 95 })).toMatchObject({
        refunded: 0,
        overspent: 15,
        shortfall: 0,
      });
      expect(books(ledger)).toEqual([20, 0, 80]);
      expect(ledger.pool('free')?.overspent).toBe(15);
    }
  });

  it('a late settle of 0 moves nothing back that came back already', () => {
    const ledger = withRefunded();
    expect(ledger.settle({ id: 'dead', actual: 0 })).toMatchObject({ refunded: 0, shortfall: 0, late: true });
    expect(books(ledger)).toEqual([40, 60, 0]);
  });

  it('a settle after a release is late, and the hold stays released', () => {
    const ledger = withPool(open);
    ask(ledger, 'a', 50);
    ledger.release({ id: 'a', nowMs: 5 });
    expect(ledger.settle({ id: 'a', actual: 20, nowMs: 6 })).toMatchObject({
      late: true,
      hold: { state: 'released', consumed: 20, closedAtMs: 5 },
    });
    expect(books(ledger)).toEqual([80, 0, 20]);
    expect(ledger.release({ id: 'a' })).toMatchObject({
      outcome: 'released',
      already: true,
      hold: { consumed: 20 },
    });
  });

  it('on a chain a late settle debits every row alike: as much as the emptiest still has', () => {
    const ledger = withChain(open);
    askAndDispatch(ledger, 'dead', 60, { pool: 'me' });
    ledger.reclaim({ pool: 'root', nowMs: 1001 });
    ask(ledger, 'b', 75, { pool: 'root' });
    const answer = ledger.settle({ id: 'dead', actual: 40 });
    expect(answer).toMatchObject({ shortfall: 15, hold: { consumed: 25 } });
    expect(books(ledger, 'me')).toEqual([35, 0, 25]);
    expect(books(ledger, 'team')).toEqual([55, 0, 25]);
    expect(books(ledger, 'root')).toEqual([0, 75, 25]);
    expect(ledger.pools().map((pool) => ledger.pool(pool)?.shortfall)).toEqual([15, 15, 15]);
  });

  it('a late settle takes what the rows that the hold debited still have, whatever the current ones have', () => {
    const ledger = withPool(open);
    askAndDispatch(ledger, 'dead', 80);
    ledger.reclaim({ pool: 'free', nowMs: 1001 });
    ledger.refill({ pool: 'free', period: 1 });
    ask(ledger, 'tonight', 90);
    expect(ledger.settle({ id: 'dead', actual: 70 })).toMatchObject({ shortfall: 0, hold: { consumed: 70 } });
    expect(books(ledger, 'free', 0)).toEqual([30, 0, 70]);
    expect(books(ledger)).toEqual([10, 90, 0]);
  });

  it('a settle moves the rows that the hold debited, though pools were refilled since', () => {
    const ledger = withChain(open);
    askAndDispatch(ledger, 'a', 60, { pool: 'me' });
    askAndDispatch(ledger, 'late', 20, { pool: 'team' });
    ledger.reclaim({ pool: 'root', nowMs: 999 });
    ledger.refill({ pool: 'team', period: 4 });
    ledger.settle({ id: 'a', actual: 50 });
    ledger.reclaim({ pool: 'root', nowMs: 1001 });
    ledger.settle({ id: 'late', actual: 15 });
    expect(books(ledger, 'team')).toEqual([80, 0, 0]);
    expect(books(ledger, 'team', 0)).toEqual([15, 0, 65]);
    expect(books(ledger, 'root')).toEqual([35, 0, 65]);
  });
}

function repeated(first: SettleAnswer, differs: boolean): SettleAnswer {
  return { ...first, already: true, differs, delta: [] };
}
