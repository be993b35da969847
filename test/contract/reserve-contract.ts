// reserve: the way to take tokens, whole or not at all.

import { expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.ts';
import type { Reserve } from '../../src/ledger/ledger.ts';
import { ask, books, movesOf, type OpenLedger, withChain, withPool } from './short-hand.ts';

export function reserveContract(open: OpenLedger): void {
  it('a reservation debits its pool and answers with the hold', () => {
    const ledger = withPool(open);
    const answer = ledger.reserve({
      id: 'j/0/1',
      pool: 'free',
      job: 'j',
      taker: 'lane 3',
      amount: 60,
      leaseMs: 1000,
      nowMs: 50,
    });
    expect(answer).toMatchObject({ outcome: 'granted', already: false, version: 0 });
    expect(movesOf(answer.delta)).toEqual({ 'free/0': { balance: -60, held: 60 } });
    expect(ledger.hold('j/0/1')).toEqual({
      id: 'j/0/1',
      pool: 'free',
      job: 'j',
      taker: 'lane 3',
      askedAmount: 60,
      amount: 60,
      state: 'held',
      dispatched: false,
      heldAtMs: 50,
      leaseExpiresAtMs: 1050,
      leaseMs: 1000,
      rows: [{ pool: 'free', period: 0 }],
      consumed: 0,
      charged: false,
      overspent: 0,
      shortfall: 0,
      late: false,
    });
    expect(books(ledger)).toEqual([40, 60, 0]);
  });

  it('a pool of 100 grants envelopes of 60 and 40 and refuses 50, which could come back', () => {
    const ledger = withPool(open);
    expect(ask(ledger, 'a', 60).outcome).toBe('granted');
    expect(ask(ledger, 'b', 50)).toMatchObject({
      outcome: 'refused',
      reason: 'insufficient',
      pool: 'free',
      returnable: true,
      delta: [],
    });
    expect(ask(ledger, 'c', 40).outcome).toBe('granted');
    expect(books(ledger)).toEqual([0, 100, 0]);
  });

  it('a reservation debits the whole chain at once, or none of it', () => {
    const ledger = withChain(open);
    ask(ledger, 'a', 50, { pool: 'me' });
    expect(ledger.hold('a')?.rows.map(({ pool }) => pool)).toEqual(['me', 'team', 'root']);
    for (const [pool, balance] of [
      ['me', 10],
      ['team', 30],
      ['root', 50],
    ] as const) {
      expect(books(ledger, pool)).toEqual([balance, 50, 0]);
    }
    ask(ledger, 'b', 45, { pool: 'root' });
    expect(ask(ledger, 'c', 6, { pool: 'me' })).toMatchObject({ reason: 'insufficient', pool: 'root' });
    expect(books(ledger, 'me')).toEqual([10, 50, 0]);
    expect(books(ledger, 'team')).toEqual([30, 50, 0]);
  });

  it('an amount of 0 is granted, also by an empty pool', () => {
    const ledger = withPool(open, { capacity: 0 });
    expect(ask(ledger, 'a', 0)).toMatchObject({ outcome: 'granted' });
    expect(ledger.settle({ id: 'a', actual: 7 })).toMatchObject({ refunded: 0, overspent: 7 });
  });

  it('refusals come in the order paused, exceeds-capacity, insufficient, each for any pool of the chain', () => {
    const ledger = withChain(open);
    ask(ledger, 'full', 100, { pool: 'root' });
    // 61 is too much for "me", and "root" is empty.
    expect(ask(ledger, 'a', 61, { pool: 'me' })).toMatchObject({
      reason: 'exceeds-capacity',
      pool: 'me',
      returnable: false,
    });
    expect(ask(ledger, 'b', 60, { pool: 'me' })).toMatchObject({
      reason: 'insufficient',
      pool: 'root',
      returnable: true,
    });
    ledger.pause({ pool: 'root' });
    expect(ask(ledger, 'c', 61, { pool: 'me' })).toMatchObject({
      reason: 'paused',
      pool: 'root',
      returnable: false,
    });
    expect(ask(ledger, 'd', 60, { pool: 'me' })).toMatchObject({
      reason: 'paused',
      pool: 'root',
      returnable: true,
    });
    ledger.pause({ pool: 'me' });
    expect(ask(ledger, 'e', 60, { pool: 'me' })).toMatchObject({ reason: 'paused', pool: 'me' });
  });

  it('the capacity that an amount must not exceed is the current one', () => {
    const ledger = withPool(open);
    ledger.adjust({ pool: 'free', capacity: 50 });
    expect(ask(ledger, 'a', 51)).toMatchObject({ reason: 'exceeds-capacity' });
    ledger.adjust({ pool: 'free', capacity: 51 });
    expect(ask(ledger, 'b', 51)).toMatchObject({ outcome: 'granted' });
  });

  it('a refusal is returnable only if held tokens of the current rows would do', () => {
    const ledger = withPool(open);
    ask(ledger, 'a', 30);
    ledger.settle({ id: 'a', actual: 30 });
    ask(ledger, 'b', 60);
    expect(ask(ledger, 'c', 70)).toMatchObject({ reason: 'insufficient', returnable: true });
    expect(ask(ledger, 'd', 71)).toMatchObject({ reason: 'insufficient', returnable: false });
    // What "b" holds is on a row that is no longer the current one.
    ledger.refill({ pool: 'free', period: 1 });
    ask(ledger, 'e', 10);
    ledger.settle({ id: 'e', actual: 10 });
    expect(ask(ledger, 'f', 91)).toMatchObject({ reason: 'insufficient', returnable: false });
  });

  it("a refused reservation moves no books, and is remembered with its job's past", () => {
    const ledger = withPool(open);
    const before = ledger.pool('free');
    const first = ask(ledger, 'a', 101);
    expect(ledger.pool('free')).toEqual(before);
    expect(ledger.hold('a')).toBeUndefined();
    ledger.adjust({ pool: 'free', capacity: 200 });
    expect(ask(ledger, 'a', 101, { nowMs: 77 })).toEqual({ ...first, already: true });
    expect(ledger.history('a')).toEqual([
      { id: 'a', pool: 'free', taker: '', amount: 101, outcome: 'refused', reason: 'exceeds-capacity' },
    ]);
  });

  it("a repeat has the first answer, an empty delta and the hold's present state", () => {
    const ledger = withPool(open);
    ask(ledger, 'a', 60);
    expect(ask(ledger, 'a', 60, { nowMs: 99 })).toMatchObject({
      outcome: 'granted',
      already: true,
      delta: [],
    });
    expect(books(ledger)).toEqual([40, 60, 0]);
    ledger.extendTo({ id: 'a', total: 70, nowMs: 5 });
    ledger.settle({ id: 'a', actual: 20 });
    expect(ask(ledger, 'a', 60)).toMatchObject({
      outcome: 'granted',
      already: true,
      hold: { state: 'settled', askedAmount: 60, amount: 70, heldAtMs: 0 },
    });
    expect(ask(ledger, 'a', 70)).toMatchObject({ outcome: 'id-reused' });
    expect(ledger.journal().filter(({ operation }) => operation === 'reserve')).toHaveLength(2);
  });

  it('a repeat of a grant is answered while the pool is paused and full', () => {
    const ledger = withPool(open);
    ask(ledger, 'a', 100);
    ledger.pause({ pool: 'free' });
    expect(ask(ledger, 'a', 100)).toMatchObject({ outcome: 'granted', already: true });
  });

  it.each<[string, Partial<Reserve>]>([
    ['pool', { pool: 'other' }],
    ['job', { job: 'b' }],
    ['taker', { taker: 'stranger' }],
    ['amount', { amount: 61 }],
    ['leaseMs', { leaseMs: 999 }],
  ])(
    'the same id with another %s is id-reused and changes nothing, granted or refused before',
    (_argument, other) => {
      const ledger = withPool(open);
      ledger.openPool({ pool: 'other', capacity: 1000 });
      for (const id of ['granted', 'refused']) {
        const first: Reserve = { id, pool: 'free', job: 'a', amount: 60, leaseMs: 1000, nowMs: 0 };
        ledger.reserve(first);
        const before = [ledger.pool('free'), ledger.pool('other'), ledger.history('a'), ledger.history('b')];
        expect(ledger.reserve({ ...first, ...other })).toMatchObject({
          outcome: 'id-reused',
          already: false,
          delta: [],
        });
        expect([ledger.pool('free'), ledger.pool('other'), ledger.history('a'), ledger.history('b')]).toEqual(
          before,
        );
        expect(ledger.reserve(first)).toMatchObject({ outcome: id, already: true });
      }
    },
  );

  it('an unnamed taker is one taker', () => {
    const ledger = withPool(open);
    ask(ledger, 'a', 1);
    expect(ask(ledger, 'a', 1, { taker: '' })).toMatchObject({ outcome: 'granted', already: true });
  });

  it('a lease is clipped to the smallest maximum on the chain', () => {
    const ledger = open();
    ledger.openPool({ pool: 'root', capacity: 100, maxLeaseMs: 500 });
    ledger.openPool({ pool: 'free', capacity: 100, maxLeaseMs: 700, parent: 'root' });
    ask(ledger, 'a', 1, { leaseMs: 501, nowMs: 10 });
    ask(ledger, 'b', 1, { leaseMs: 499, nowMs: 10 });
    expect(ledger.hold('a')).toMatchObject({ leaseExpiresAtMs: 510, leaseMs: 501 });
    expect(ledger.hold('b')).toMatchObject({ leaseExpiresAtMs: 509, leaseMs: 499 });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 1.5, 2 ** 53, '5' as unknown as number])(
    'an amount of %s is a RangeError and changes nothing',
    (amount) => {
      const ledger = withPool(open);
      expect(() => ask(ledger, 'a', amount)).toThrow(RangeError);
      ask(ledger, 'b', 10);
      expect(() => ledger.extendTo({ id: 'b', total: amount, nowMs: 0 })).toThrow(RangeError);
      expect(() => ledger.settle({ id: 'b', actual: amount })).toThrow(RangeError);
      expect(books(ledger)).toEqual([90, 10, 0]);
      expect(ledger.history('a')).toEqual([]);
    },
  );

  it.each<[string, Partial<Reserve>]>([
    ['a lease of 0', { leaseMs: 0 }],
    ['a negative lease', { leaseMs: -1 }],
    ['an endless lease', { leaseMs: Number.POSITIVE_INFINITY }],
    ['a time that is no number', { nowMs: Number.NaN }],
    ['no time', { nowMs: undefined as unknown as number }],
    ['an empty id', { id: '' }],
    ['an id that is no text', { id: 'half a pair \ud800' }],
    ['a job that is no text', { job: 7 as unknown as string }],
  ])('reserving with %s is an error and changes nothing', (_what, wrong) => {
    const ledger = withPool(open);
    expect(() => ask(ledger, 'a', 1, wrong)).toThrow();
    expect(books(ledger)).toEqual([100, 0, 0]);
    expect(ledger.holds()).toEqual([]);
  });

  it('an unknown id is an error that names the nearest one, a refused id another', () => {
    const ledger = withPool(open);
    ask(ledger, 'night/1', 10);
    ask(ledger, 'refused', 101);
    const calls = (id: string) => [
      () => ledger.dispatch({ id, nowMs: 0 }),
      () => ledger.renew({ id, leaseMs: 1, nowMs: 0 }),
      () => ledger.extendTo({ id, total: 1, nowMs: 0 }),
      () => ledger.release({ id }),
      () => ledger.settle({ id, actual: 0 }),
    ];
    for (const call of calls('nihgt/1')) {
      expect(call).toThrow(InputError);
      expect(call).toThrow('there is no hold "nihgt/1" (got nihgt/1). Did you mean "night/1"?');
    }
    for (const call of calls('refused'))
      expect(call).toThrow(expect.objectContaining({ code: 'refused-hold' }));
    expect(ledger.journal()).toHaveLength(3);
  });
}
