// reclaim: what nobody is going to close any more.

import { expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.ts';
import { ask, askAndDispatch, books, movesOf, type OpenLedger, withChain, withPool } from './short-hand.ts';

export function reclaimContract(open: OpenLedger): void {
  it('closes the holds whose lease is over, and only those', () => {
    const ledger = withPool(open);
    ask(ledger, 'a', 10);
    ask(ledger, 'b', 20, { leaseMs: 1001 });
    expect(ledger.reclaim({ pool: 'free', nowMs: 1000 })).toMatchObject({
      outcome: 'reclaimed',
      closed: [],
      delta: [],
    });
    const answer = ledger.reclaim({ pool: 'free', nowMs: 1001 });
    expect(answer.closed).toMatchObject([
      { id: 'a', state: 'expired', closedAtMs: 1001, consumed: 0, charged: false },
    ]);
    expect(movesOf(answer.delta)).toEqual({ 'free/0': { balance: 10, held: -10, refunded: 10 } });
    expect(ledger.reclaim({ pool: 'free', nowMs: 1001 }).closed).toEqual([]);
    expect(books(ledger)).toEqual([80, 20, 0]);
  });

  it('goes by expiry, then by id, and stops at the limit', () => {
    const ledger = withPool(open);
    ask(ledger, 'late', 1, { leaseMs: 30 });
    ask(ledger, 'c', 1, { leaseMs: 20 });
    ask(ledger, 'a', 1, { leaseMs: 20 });
    ask(ledger, '\u{1F6A2}', 1, { leaseMs: 20 });
    ask(ledger, '\uFF5E', 1, { leaseMs: 20 });
    ask(ledger, 'early', 1, { leaseMs: 10 });
    const ids = (limit: number) =>
      ledger.reclaim({ pool: 'free', nowMs: 99, limit }).closed.map(({ id }) => id);
    expect(ids(2)).toEqual(['early', 'a']);
    // By code point, as databases compare: the ship comes after the wide tilde.
    expect(ids(3)).toEqual(['c', '\uFF5E', '\u{1F6A2}']);
    expect(ids(9)).toEqual(['late']);
  });

  it('closes at most 1,000 holds unless told otherwise', () => {
    const ledger = withPool(open, { capacity: 1001 });
    for (let i = 0; i < 1001; i++) ask(ledger, `hold ${i}`, 1);
    expect(ledger.reclaim({ pool: 'free', nowMs: 5000 }).closed).toHaveLength(1000);
    expect(ledger.reclaim({ pool: 'free', nowMs: 5000 }).closed).toHaveLength(1);
  });

  it('under charge a dispatched hold is charged in full, an undispatched one refunded', () => {
    const ledger = withPool(open, { reclaim: 'charge' });
    askAndDispatch(ledger, 'dispatched', 30);
    ask(ledger, 'undispatched', 40);
    const answer = ledger.reclaim({ pool: 'free', nowMs: 1001 });
    expect(answer.closed).toMatchObject([
      { id: 'dispatched', consumed: 30, charged: true },
      { id: 'undispatched', consumed: 0, charged: false },
    ]);
    expect(movesOf(answer.delta)).toEqual({
      'free/0': { balance: 40, held: -70, consumed: 30, refunded: 40 },
    });
  });

  it('covers descendants, each hold under the policy of the pool on which it was reserved', () => {
    const ledger = open();
    ledger.openPool({ pool: 'root', capacity: 100 });
    ledger.openPool({ pool: 'careful', capacity: 100, parent: 'root', reclaim: 'charge' });
    ledger.openPool({ pool: 'below', capacity: 100, parent: 'careful' });
    ledger.openPool({ pool: 'beside', capacity: 100 });
    for (const pool of ['root', 'careful', 'below', 'beside']) askAndDispatch(ledger, pool, 10, { pool });
    const { closed } = ledger.reclaim({ pool: 'careful', nowMs: 1001 });
    expect(closed.map(({ id, charged }) => [id, charged])).toEqual([
      ['below', false],
      ['careful', true],
    ]);
    expect(books(ledger, 'root')).toEqual([80, 10, 10]);
    expect(books(ledger, 'beside')).toEqual([90, 10, 0]);
    expect(ledger.reclaim({ pool: 'root', nowMs: 1001 }).closed.map(({ id }) => id)).toEqual(['root']);
  });

  it('passes by what was settled, released or renewed', () => {
    const ledger = withPool(open);
    for (const id of ['settled', 'released', 'renewed', 'dead']) ask(ledger, id, 10);
    ledger.settle({ id: 'settled', actual: 10, nowMs: 2000 });
    ledger.release({ id: 'released', nowMs: 2000 });
    ledger.renew({ id: 'renewed', leaseMs: 1000, nowMs: 2000 });
    expect(ledger.reclaim({ pool: 'free', nowMs: 2001 }).closed.map(({ id }) => id)).toEqual(['dead']);
    expect(books(ledger)).toEqual([80, 10, 10]);
  });

  it('finds a hold that expires before those it found alive earlier', () => {
    const ledger = withPool(open);
    ask(ledger, 'long', 10, { leaseMs: 9000 });
    ledger.reclaim({ pool: 'free', nowMs: 10 });
    ask(ledger, 'short', 10, { leaseMs: 100, nowMs: 20 });
    expect(ledger.reclaim({ pool: 'free', nowMs: 200 }).closed.map(({ id }) => id)).toEqual(['short']);
    expect(ledger.reclaim({ pool: 'free', nowMs: 9001 }).closed.map(({ id }) => id)).toEqual(['long']);
  });

  it('moves the rows that the holds debited, though the pool was refilled since', () => {
    const ledger = withPool(open);
    ask(ledger, 'a', 10);
    ledger.refill({ pool: 'free', period: 1 });
    ask(ledger, 'b', 20);
    const answer = ledger.reclaim({ pool: 'free', nowMs: 1001 });
    expect(movesOf(answer.delta)).toEqual({
      'free/0': { balance: 10, held: -10, refunded: 10 },
      'free/1': { balance: 20, held: -20, refunded: 20 },
    });
  });

  it('by force closes live holds on a paused pool: dispatched charged, undispatched refunded', () => {
    const ledger = withChain(open);
    askAndDispatch(ledger, 'dispatched', 20, { pool: 'me' });
    ask(ledger, 'undispatched', 30, { pool: 'me' });
    ask(ledger, 'above', 10, { pool: 'root' });
    ledger.pause({ pool: 'team' });
    const answer = ledger.reclaim({ pool: 'team', nowMs: 5, force: true });
    expect(answer.closed).toMatchObject([
      { id: 'dispatched', state: 'expired', consumed: 20, charged: true },
      { id: 'undispatched', state: 'expired', consumed: 0, charged: false },
    ]);
    expect(books(ledger, 'me')).toEqual([40, 0, 20]);
    expect(books(ledger, 'root')).toEqual([70, 10, 20]);
  });

  it('by force still closes a hold whose lease is over under the policy of its pool', () => {
    const ledger = withPool(open);
    askAndDispatch(ledger, 'dead', 20);
    askAndDispatch(ledger, 'live', 30, { leaseMs: 9000 });
    ledger.pause({ pool: 'free' });
    expect(ledger.reclaim({ pool: 'free', nowMs: 1001, force: true }).closed).toMatchObject([
      { id: 'dead', charged: false },
      { id: 'live', charged: true },
    ]);
  });

  it('by force on a pool that is not paused is an error that changes nothing', () => {
    const ledger = withChain(open);
    ask(ledger, 'a', 20, { pool: 'me' });
    ledger.pause({ pool: 'root' });
    expect(() => ledger.reclaim({ pool: 'team', nowMs: 5, force: true })).toThrow(
      expect.objectContaining({ code: 'force-needs-pause' }),
    );
    expect(books(ledger, 'team')).toEqual([60, 20, 0]);
  });

  it.each([0, -1, 1.5])('a limit of %s is an error', (limit) => {
    const ledger = withPool(open);
    expect(() => ledger.reclaim({ pool: 'free', nowMs: 5, limit })).toThrow(InputError);
  });
}
