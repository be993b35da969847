// What is done to a pool itself.

import { expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.ts';
import type { OpenPool } from '../../src/ledger/ledger.ts';
import { ask, books, movesOf, type OpenLedger, withChain, withPool } from './short-hand.ts';

export function poolContract(open: OpenLedger): void {
  it('a pool opens in period 0 with all of its capacity free, and with the defaults', () => {
    const ledger = open();
    const answer = ledger.openPool({ pool: 'free', capacity: 100 });
    expect(answer).toMatchObject({ outcome: 'opened', already: false });
    expect(movesOf(answer.delta)).toEqual({ 'free/0': { capacity: 100, balance: 100 } });
    expect(ledger.pool('free')).toEqual({
      pool: 'free',
      period: 0,
      capacity: 100,
      balance: 100,
      held: 0,
      consumed: 0,
      refunded: 0,
      overspent: 0,
      shortfall: 0,
      quota: 100,
      reclaim: 'refund',
      maxLeaseMs: 86_400_000,
      paused: false,
      version: 0,
    });
  });

  it('opening the same pool again is a no-op, also after it was adjusted and refilled', () => {
    const request: OpenPool = {
      pool: 'free',
      capacity: 100,
      quota: 400,
      reclaim: 'charge',
      maxLeaseMs: 5000,
    };
    const ledger = open();
    ledger.openPool(request);
    ledger.adjust({ pool: 'free', capacity: 70 });
    ledger.refill({ pool: 'free', period: 3 });
    const before = ledger.pool('free');
    expect(ledger.openPool({ ...request, nowMs: 5 })).toMatchObject({
      outcome: 'opened',
      already: true,
      delta: [],
    });
    expect(ledger.pool('free')).toEqual(before);
    expect(ledger.journal()).toHaveLength(3);
  });

  it.each<[string, Partial<OpenPool>]>([
    ['capacity', { capacity: 101 }],
    ['quota', { quota: 500 }],
    ['reclaim', { reclaim: 'charge' }],
    ['maxLeaseMs', { maxLeaseMs: 1 }],
    ['parent', { parent: 'root' }],
  ])('opening a pool again with another %s is an error, even the one it was adjusted to', (_fact, other) => {
    const ledger = withPool(open);
    ledger.openPool({ pool: 'root', capacity: 1000 });
    ledger.adjust({ pool: 'free', capacity: 101 });
    const before = ledger.pool('free');
    expect(() => ledger.openPool({ pool: 'free', capacity: 100, ...other })).toThrow(InputError);
    expect(ledger.pool('free')).toEqual(before);
  });

  it('an option that does not exist is an error that names the nearest one', () => {
    const ledger = open();
    const misspelt = { pool: 'free', capacity: 100, maxLeaseMS: 5 } as OpenPool;
    expect(() => ledger.openPool(misspelt)).toThrow(/no option "maxLeaseMS".*Did you mean "maxLeaseMs"\?/);
    expect(ledger.pools()).toEqual([]);
  });

  it('a parent that does not exist is an error that names the nearest one', () => {
    const ledger = withPool(open);
    expect(() => ledger.openPool({ pool: 'team', capacity: 1, parent: 'fre' })).toThrow(
      expect.objectContaining({ code: 'unknown-parent', message: expect.stringContaining('"free"?') }),
    );
    expect(() => ledger.openPool({ pool: 'self', capacity: 1, parent: 'self' })).toThrow(InputError);
    expect(ledger.pools()).toEqual(['free']);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 1.5, 2 ** 53])(
    'a capacity of %s is a RangeError that names field and value, and changes nothing',
    (capacity) => {
      const ledger = open();
      expect(() => ledger.openPool({ pool: 'free', capacity })).toThrow(RangeError);
      expect(() => ledger.openPool({ pool: 'free', capacity })).toThrow(`capacity`);
      expect(() => ledger.openPool({ pool: 'free', capacity })).toThrow(`got ${capacity}`);
      expect(ledger.pools()).toEqual([]);
    },
  );

  it('a pool may have a capacity of 0 and of 2^53 - 1', () => {
    const ledger = open();
    ledger.openPool({ pool: 'none', capacity: 0 });
    ledger.openPool({ pool: 'all', capacity: Number.MAX_SAFE_INTEGER });
    expect(books(ledger, 'none')).toEqual([0, 0, 0]);
    ask(ledger, 'a', Number.MAX_SAFE_INTEGER, { pool: 'all' });
    expect(books(ledger, 'all')).toEqual([0, Number.MAX_SAFE_INTEGER, 0]);
  });

  it.each<[string, Partial<OpenPool>]>([
    ['a policy that does not exist', { reclaim: 'refunds' as 'refund' }],
    ['an empty name', { pool: '' }],
    ['a longest lease of 0', { maxLeaseMs: 0 }],
    ['a longest lease that is no number', { maxLeaseMs: Number.NaN }],
    ['a negative quota', { quota: -1 }],
    ['a time that is no number', { nowMs: Number.NaN }],
  ])('opening with %s is an error', (_what, wrong) => {
    const ledger = open();
    expect(() => ledger.openPool({ pool: 'free', capacity: 100, ...wrong })).toThrow();
    expect(ledger.pools()).toEqual([]);
  });

  it('adjust raises and lowers the current row, and what later periods start with', () => {
    const ledger = withPool(open);
    ask(ledger, 'a', 60);
    expect(movesOf(ledger.adjust({ pool: 'free', capacity: 130 }).delta)).toEqual({
      'free/0': { capacity: 30, balance: 30 },
    });
    expect(books(ledger)).toEqual([70, 60, 0]);
    expect(ledger.adjust({ pool: 'free', capacity: 60 })).toMatchObject({
      outcome: 'adjusted',
      capacity: 60,
    });
    expect(books(ledger)).toEqual([0, 60, 0]);
    ledger.refill({ pool: 'free', period: 1 });
    expect(books(ledger)).toEqual([60, 0, 0]);
  });

  it('adjust below what is held and consumed is an error that changes nothing', () => {
    const ledger = withPool(open);
    ask(ledger, 'a', 50);
    ask(ledger, 'b', 20);
    ledger.settle({ id: 'b', actual: 15 });
    expect(() => ledger.adjust({ pool: 'free', capacity: 64 })).toThrow(
      expect.objectContaining({
        code: 'capacity-below-use',
        message: expect.stringContaining('at least 65'),
      }),
    );
    expect(books(ledger)).toEqual([35, 50, 15]);
    ledger.adjust({ pool: 'free', capacity: 65 });
    expect(books(ledger)).toEqual([0, 50, 15]);
  });

  it("adjust moves no other pool of the chain, and no row but the pool's current one", () => {
    const ledger = withChain(open);
    ledger.refill({ pool: 'team', period: 1 });
    ledger.adjust({ pool: 'team', capacity: 10 });
    expect(ledger.pool('team', 0)?.capacity).toBe(80);
    expect(ledger.pool('team')?.capacity).toBe(10);
    expect(ledger.pool('root')?.capacity).toBe(100);
    expect(ledger.pool('me')?.capacity).toBe(60);
  });

  it('refill opens the next period, full, and leaves the holds with the rows they debited', () => {
    const ledger = withPool(open);
    ask(ledger, 'a', 60);
    const answer = ledger.refill({ pool: 'free', period: 7, nowMs: 5 });
    expect(answer).toMatchObject({ outcome: 'refilled', period: 7, already: false });
    expect(movesOf(answer.delta)).toEqual({ 'free/7': { capacity: 100, balance: 100 } });
    expect(books(ledger)).toEqual([100, 0, 0]);
    expect(books(ledger, 'free', 0)).toEqual([40, 60, 0]);
    ledger.settle({ id: 'a', actual: 25 });
    expect(books(ledger)).toEqual([100, 0, 0]);
    expect(books(ledger, 'free', 0)).toEqual([75, 0, 25]);
    expect(ledger.pool('free', 3)).toBeUndefined();
  });

  it('twenty refills at one boundary are one, and an earlier period is stale', () => {
    const ledger = withPool(open);
    for (let i = 0; i < 20; i++) {
      const outcome = i === 0 ? 'refilled' : 'stale';
      expect(ledger.refill({ pool: 'free', period: 2 })).toMatchObject({
        outcome,
        period: 2,
        already: i > 0,
      });
      ask(ledger, `hold ${i}`, 1);
    }
    expect(books(ledger)).toEqual([80, 20, 0]);
    const before = ledger.pool('free');
    expect(ledger.refill({ pool: 'free', period: 1 })).toMatchObject({
      outcome: 'stale',
      period: 2,
      delta: [],
    });
    expect(ledger.pool('free')).toEqual(before);
    expect(ledger.journal().filter(({ operation }) => operation === 'refill')).toHaveLength(1);
  });

  it("refill opens only that pool's row, not its parent's or its children's", () => {
    const ledger = withChain(open);
    ask(ledger, 'a', 60, { pool: 'me' });
    ledger.refill({ pool: 'team', period: 1 });
    expect(books(ledger, 'root')).toEqual([40, 60, 0]);
    expect(books(ledger, 'team')).toEqual([80, 0, 0]);
    expect(books(ledger, 'me')).toEqual([0, 60, 0]);
    ledger.settle({ id: 'a', actual: 30 });
    ask(ledger, 'b', 20, { pool: 'me' });
    expect(ledger.hold('b')?.rows.map(({ period }) => period)).toEqual([0, 1, 0]);
    expect(books(ledger, 'team')).toEqual([60, 20, 0]);
    expect(books(ledger, 'me')).toEqual([10, 20, 30]);
  });

  it.each([-1, 1.5, Number.NaN])('a period of %s is an error', (period) => {
    const ledger = withPool(open);
    expect(() => ledger.refill({ pool: 'free', period })).toThrow(InputError);
  });

  it('a paused pool and all below it refuse, closing operations go on, resume undoes it', () => {
    const ledger = withChain(open);
    for (const id of ['a', 'b', 'c']) ask(ledger, id, 10, { pool: 'me' });
    ledger.dispatch({ id: 'a', nowMs: 0 });
    expect(ledger.pause({ pool: 'team' })).toMatchObject({ outcome: 'paused', already: false, delta: [] });
    expect(ask(ledger, 'd', 10, { pool: 'me' })).toMatchObject({
      outcome: 'refused',
      reason: 'paused',
      pool: 'team',
    });
    expect(ask(ledger, 'e', 10, { pool: 'root' })).toMatchObject({ outcome: 'granted' });
    expect(ledger.renew({ id: 'a', leaseMs: 2000, nowMs: 5 })).toMatchObject({ outcome: 'renewed' });
    expect(ledger.dispatch({ id: 'b', nowMs: 5 })).toMatchObject({ outcome: 'dispatched' });
    expect(ledger.settle({ id: 'a', actual: 4 })).toMatchObject({ outcome: 'settled' });
    expect(ledger.release({ id: 'c' })).toMatchObject({ outcome: 'released' });
    expect(ledger.reclaim({ pool: 'team', nowMs: 5000 }).closed).toHaveLength(1);
    expect(ledger.resume({ pool: 'team' })).toMatchObject({ outcome: 'resumed', already: false });
    expect(ask(ledger, 'f', 10, { pool: 'me' })).toMatchObject({ outcome: 'granted' });
  });

  it('pausing and resuming twice is a no-op', () => {
    const ledger = withPool(open);
    expect(ledger.resume({ pool: 'free' })).toMatchObject({ outcome: 'resumed', already: true, version: 0 });
    expect(ledger.pause({ pool: 'free' })).toMatchObject({ already: false, version: 1 });
    expect(ledger.pause({ pool: 'free' })).toMatchObject({ outcome: 'paused', already: true, version: 1 });
    expect(ledger.pool('free')?.paused).toBe(true);
    expect(ledger.journal().map(({ operation }) => operation)).toEqual(['open-pool', 'pause']);
  });

  it('whatever is done to a pool that does not exist is an error that names the nearest one', () => {
    const ledger = withPool(open);
    const calls = [
      () => ledger.adjust({ pool: 'fee', capacity: 1 }),
      () => ledger.refill({ pool: 'fee', period: 1 }),
      () => ledger.pause({ pool: 'fee' }),
      () => ledger.resume({ pool: 'fee' }),
      () => ledger.reclaim({ pool: 'fee', nowMs: 0 }),
      () => ask(ledger, 'a', 1, { pool: 'fee' }),
      () => ledger.post({ id: 'x', pool: 'fee', side: 'debit', amount: 1, reason: 'bill' }),
    ];
    for (const call of calls) {
      expect(call).toThrow(
        expect.objectContaining({
          code: 'unknown-pool',
          message: expect.stringContaining('Did you mean "free"?'),
        }),
      );
    }
    expect(ledger.journal()).toHaveLength(1);
  });
}
