// What can be asked of a ledger, the version that waiters go by, and the audit trail.

import { expect, it } from 'vitest';
import { ask, askAndDispatch, type OpenLedger, withChain, withPool } from './short-hand.ts';

export function readingContract(open: OpenLedger): void {
  it('what is not there is undefined or empty, not an error', () => {
    const ledger = withPool(open);
    expect(ledger.pool('nobody')).toBeUndefined();
    expect(ledger.pool('free', 1)).toBeUndefined();
    expect(ledger.hold('nobody')).toBeUndefined();
    expect(ledger.history('nobody')).toEqual([]);
    expect(ledger.holds({ pool: 'nobody' })).toEqual([]);
  });

  it('pools are named in order of opening', () => {
    expect(withChain(open).pools()).toEqual(['root', 'team', 'me']);
  });

  it("a pool's view of an earlier period has that row, and the pool's present settings", () => {
    const ledger = withChain(open);
    ask(ledger, 'a', 10, { pool: 'me' });
    ledger.refill({ pool: 'me', period: 2 });
    ledger.pause({ pool: 'me' });
    expect(ledger.pool('me', 0)).toMatchObject({
      period: 0,
      held: 10,
      paused: true,
      parent: 'team',
      version: 2,
    });
  });

  it('holds come in order of their start, then id, and are filtered by pool, state and age', () => {
    const ledger = withChain(open);
    ask(ledger, 'c', 1, { pool: 'me', nowMs: 5 });
    ask(ledger, 'b', 1, { pool: 'me', nowMs: 5 });
    ask(ledger, 'd', 1, { pool: 'root', nowMs: 1 });
    ask(ledger, 'a', 1, { pool: 'me', nowMs: 9 });
    ask(ledger, 'refused', 101, { pool: 'root' });
    ledger.settle({ id: 'b', actual: 1 });
    const ids = (filter?: Parameters<typeof ledger.holds>[0]) => ledger.holds(filter).map(({ id }) => id);
    expect(ids()).toEqual(['d', 'b', 'c', 'a']);
    expect(ids({ pool: 'me' })).toEqual(['b', 'c', 'a']);
    expect(ids({ state: 'held' })).toEqual(['d', 'c', 'a']);
    expect(ids({ olderThanMs: 5 })).toEqual(['d', 'b', 'c']);
    expect(ids({ pool: 'me', state: 'held', olderThanMs: 4 })).toEqual([]);
  });

  it('an id, a job and a pool may be any text, and come back as they were', () => {
    const words = [
      ' ',
      '\0',
      'a\0b',
      "'; --",
      '__proto__',
      '\u00e9',
      'e\u0301',
      '\uFFFD',
      '\u{1F6A2}',
      'x'.repeat(2000),
    ];
    const ledger = open();
    for (const word of words) {
      ledger.openPool({ pool: word, capacity: 5 });
      ask(ledger, word, 5, { pool: word });
      ledger.settle({ id: word, actual: 2 });
    }
    expect(ledger.pools()).toEqual(words);
    for (const word of words) {
      expect(ledger.hold(word)).toMatchObject({ id: word, pool: word, job: word, rows: [{ pool: word }] });
      expect(ledger.history(word)).toHaveLength(1);
      expect(ledger.pool(word)?.balance).toBe(3);
    }
  });

  it('tokens are counted exactly up to 2^53 - 1', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const ledger = withPool(open, { capacity: most });
    ask(ledger, 'a', most - 1);
    ledger.settle({ id: 'a', actual: most - 2 });
    expect(ledger.pool('free')).toMatchObject({ balance: 2, held: 0, consumed: most - 2, refunded: 1 });
    ask(ledger, 'b', 0);
    ledger.settle({ id: 'b', actual: most });
    ask(ledger, 'c', 0);
    ledger.settle({ id: 'c', actual: most });
    expect(ledger.pool('free')?.overspent).toBe(2 * most);
  });

  it("a job's history has all of its reservations, oldest first, with what became of them", () => {
    const ledger = withPool(open);
    ask(ledger, 'j/0/1', 101, { job: 'j', taker: 'x' });
    ask(ledger, 'k/0/1', 5, { job: 'k' });
    ask(ledger, 'j/0/2', 60, { job: 'j' });
    ledger.extendTo({ id: 'j/0/2', total: 70, nowMs: 1 });
    const before = ledger.history('j');
    expect(before).toEqual([
      { id: 'j/0/1', pool: 'free', taker: 'x', amount: 101, outcome: 'refused', reason: 'exceeds-capacity' },
      { id: 'j/0/2', pool: 'free', taker: '', amount: 60, outcome: 'granted', hold: ledger.hold('j/0/2') },
    ]);
    ask(ledger, 'j/1/1', 1, { job: 'j' });
    ledger.settle({ id: 'j/0/2', actual: 1 });
    expect(ledger.history('j').map(({ id, hold }) => [id, hold?.state])).toEqual([
      ['j/0/1', undefined],
      ['j/0/2', 'settled'],
      ['j/1/1', 'held'],
    ]);
    expect(before[1]?.hold?.state).toBe('held');
  });

  it('the version moves with any change to a current row but by reserve and extendTo', () => {
    const ledger = withPool(open);
    let version = 0;
    const moves = (answer: { version: number }) => {
      version += 1;
      expect(answer.version).toBe(version);
      expect(ledger.pool('free')?.version).toBe(version);
    };
    const stays = (answer: { version: number }) => {
      expect(answer.version).toBe(version);
      expect(ledger.pool('free')?.version).toBe(version);
    };
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f'])
      stays(ask(ledger, id, 10, { leaseMs: id === 'c' ? 1000 : 9000 }));
    stays(ask(ledger, 'refused', 99));
    stays(ledger.extendTo({ id: 'a', total: 11, nowMs: 0 }));
    stays(ledger.dispatch({ id: 'a', nowMs: 0 }));
    stays(ledger.renew({ id: 'a', leaseMs: 9000, nowMs: 5 }));
    moves(ledger.settle({ id: 'a', actual: 11 }));
    stays(ledger.settle({ id: 'a', actual: 11 }));
    moves(ledger.release({ id: 'b' }));
    stays(ledger.release({ id: 'b' }));
    stays(ledger.reclaim({ pool: 'free', nowMs: 900 }));
    moves(ledger.reclaim({ pool: 'free', nowMs: 1001 }));
    moves(ledger.settle({ id: 'c', actual: 4 }));
    moves(ledger.adjust({ pool: 'free', capacity: 90 }));
    stays(ledger.adjust({ pool: 'free', capacity: 90 }));
    moves(ledger.post({ id: 'p', pool: 'free', side: 'debit', amount: 1, reason: 'bill' }));
    moves(ledger.post({ id: 'q', pool: 'free', side: 'credit', amount: 1, reason: 'bill', hold: 'a' }));
    moves(ledger.post({ id: 's', pool: 'free', side: 'debit', amount: 99, reason: 'more than there is' }));
    moves(
      ledger.post({ id: 't', pool: 'free', side: 'debit', amount: 1, reason: 'nothing is left to move' }),
    );
    moves(ledger.pause({ pool: 'free' }));
    moves(ledger.resume({ pool: 'free' }));
    moves(ledger.refill({ pool: 'free', period: 1 }));
    stays(ledger.refill({ pool: 'free', period: 1 }));
    // What still happens on the old row is no news to those who wait for the new one.
    stays(ledger.settle({ id: 'd', actual: 5 }));
    stays(ledger.release({ id: 'e' }));
    stays(ledger.reclaim({ pool: 'free', nowMs: 99_999 }));
    stays(ledger.settle({ id: 'f', actual: 5 }));
    stays(ledger.post({ id: 'r', pool: 'free', side: 'credit', amount: 1, reason: 'bill', hold: 'd' }));
  });

  it("a chain's version sums its pools', and hears of changes anywhere on the chain", () => {
    const ledger = withChain(open);
    ledger.openPool({ pool: 'beside', capacity: 50, parent: 'root' });
    const version = () => ledger.pool('me')?.version;
    askAndDispatch(ledger, 'a', 10, { pool: 'beside' });
    ledger.settle({ id: 'a', actual: 3 });
    expect(version()).toBe(1);
    ask(ledger, 'b', 10, { pool: 'me' });
    expect(ledger.release({ id: 'b' }).version).toBe(4);
    expect(version()).toBe(4);
    ledger.refill({ pool: 'team', period: 1 });
    expect(version()).toBe(5);
    // "team" closed its old row; "me" and "root" still have theirs.
    ask(ledger, 'c', 10, { pool: 'me' });
    ledger.refill({ pool: 'team', period: 2 });
    ledger.release({ id: 'c' });
    expect(version()).toBe(8);
    ask(ledger, 'd', 10, { pool: 'me' });
    expect(ledger.reclaim({ pool: 'team', nowMs: 5000 }).version).toBe(ledger.pool('team')?.version);
  });

  it('a refusal that is repeated keeps the version it was given with', () => {
    const ledger = withPool(open);
    ask(ledger, 'a', 60);
    const first = ask(ledger, 'b', 60);
    ledger.release({ id: 'a' });
    expect(ask(ledger, 'b', 60)).toEqual({ ...first, already: true });
    expect(first.version).toBe(0);
  });

  it('every operation leaves one line in the journal, also a refused one; a repeat leaves none', () => {
    const ledger = withPool(open);
    ledger.reserve({ id: 'a', pool: 'free', job: 'j', amount: 60, leaseMs: 1000, nowMs: 3 });
    ask(ledger, 'b', 50, { nowMs: 4 });
    ask(ledger, 'b', 50, { nowMs: 5 });
    ask(ledger, 'b', 51, { nowMs: 6 });
    ledger.dispatch({ id: 'a', nowMs: 7 });
    ledger.dispatch({ id: 'a', nowMs: 8 });
    ledger.settle({ id: 'a', actual: 20 });
    ledger.settle({ id: 'a', actual: 20 });
    ledger.dispatch({ id: 'a', nowMs: 9 });
    expect(
      ledger.journal().map(({ sequence, operation, outcome }) => [sequence, operation, outcome]),
    ).toEqual([
      [1, 'open-pool', 'opened'],
      [2, 'reserve', 'granted'],
      [3, 'reserve', 'refused'],
      [4, 'reserve', 'id-reused'],
      [5, 'dispatch', 'dispatched'],
      [6, 'settle', 'settled'],
      [7, 'dispatch', 'refused'],
    ]);
    expect(ledger.journal(1).slice(0, 2)).toEqual([
      {
        sequence: 2,
        atMs: 3,
        operation: 'reserve',
        pool: 'free',
        id: 'a',
        job: 'j',
        amount: 60,
        outcome: 'granted',
        delta: [
          {
            pool: 'free',
            period: 0,
            capacity: 0,
            balance: -60,
            held: 60,
            consumed: 0,
            refunded: 0,
            overspent: 0,
            shortfall: 0,
          },
        ],
      },
      {
        sequence: 3,
        atMs: 4,
        operation: 'reserve',
        pool: 'free',
        id: 'b',
        job: 'b',
        amount: 50,
        outcome: 'refused',
        detail: 'insufficient',
        delta: [],
      },
    ]);
    expect(ledger.journal(5).at(0)).not.toHaveProperty('atMs');
    expect(ledger.journal(7)).toEqual([]);
  });

  it('an answer once given does not change with what happens later', () => {
    const ledger = withPool(open);
    const granted = ask(ledger, 'a', 60);
    const view = ledger.pool('free');
    const copies = structuredClone([granted, view]);
    ledger.dispatch({ id: 'a', nowMs: 1 });
    ledger.settle({ id: 'a', actual: 20 });
    expect([granted, view]).toEqual(copies);
  });
}
