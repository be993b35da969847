// What can be asked of a ledger, the version that waiters go by, and the audit trail.

import { ask, askAndDispatch, withChain, withPool } from '../short-hand.ts';
import type { DeclareCase } from '../trial.ts';

export function readingCases(it: DeclareCase): void {
  it('what is not there is undefined or empty, not an error', async (trial) => {
    const ledger = await withPool(trial);
    trial.equal(await ledger.pool('nobody'), undefined);
    trial.equal(await ledger.pool('free', 1), undefined);
    trial.equal(await ledger.hold('nobody'), undefined);
    trial.equal(await ledger.history('nobody'), []);
    trial.equal(await ledger.holds({ pool: 'nobody' }), []);
  });

  it('pools are named in order of opening', async (trial) => {
    trial.equal(await (await withChain(trial)).pools(), ['root', 'team', 'me']);
  });

  it("a pool's view of an earlier period has that row, and the pool's present settings", async (trial) => {
    const ledger = await withChain(trial);
    await ask(ledger, 'a', 10, { pool: 'me' });
    await ledger.refill({ pool: 'me', period: 2 });
    await ledger.pause({ pool: 'me' });
    trial.matches(await ledger.pool('me', 0), {
      period: 0,
      held: 10,
      paused: true,
      parent: 'team',
      version: 2,
    });
  });

  it('holds come in order of their start, then id, and are filtered by pool, state and age', async (trial) => {
    const ledger = await withChain(trial);
    await ask(ledger, 'c', 1, { pool: 'me', nowMs: 5 });
    await ask(ledger, 'b', 1, { pool: 'me', nowMs: 5 });
    await ask(ledger, 'd', 1, { pool: 'root', nowMs: 1 });
    await ask(ledger, 'a', 1, { pool: 'me', nowMs: 9 });
    await ask(ledger, 'refused', 101, { pool: 'root' });
    await ledger.settle({ id: 'b', actual: 1 });
    const ids = async (filter?: Parameters<typeof ledger.holds>[0]) =>
      (await ledger.holds(filter)).map(({ id }) => id);
    trial.equal(await ids(), ['d', 'b', 'c', 'a']);
    trial.equal(await ids({ pool: 'me' }), ['b', 'c', 'a']);
    trial.equal(await ids({ state: 'held' }), ['d', 'c', 'a']);
    trial.equal(await ids({ olderThanMs: 5 }), ['d', 'b', 'c']);
    trial.equal(await ids({ pool: 'me', state: 'held', olderThanMs: 4 }), []);
  });

  it('an id, a job and a pool may be any text, and come back as they were', async (trial) => {
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
    const ledger = await trial.open();
    for (const word of words) {
      await ledger.openPool({ pool: word, capacity: 5 });
      await ask(ledger, word, 5, { pool: word });
      await ledger.settle({ id: word, actual: 2 });
    }
    trial.equal(await ledger.pools(), words);
    for (const word of words) {
      trial.matches(await ledger.hold(word), { id: word, pool: word, job: word, rows: [{ pool: word }] });
      trial.equal((await ledger.history(word)).length, 1);
      trial.equal((await ledger.pool(word))?.balance, 3);
    }
  });

  it('tokens are counted exactly up to 2^53 - 1', async (trial) => {
    const most = Number.MAX_SAFE_INTEGER;
    const ledger = await withPool(trial, { capacity: most });
    await ask(ledger, 'a', most - 1);
    await ledger.settle({ id: 'a', actual: most - 2 });
    trial.matches(await ledger.pool('free'), { balance: 2, held: 0, consumed: most - 2, refunded: 1 });
    await ask(ledger, 'b', 0);
    await ledger.settle({ id: 'b', actual: most });
    await ask(ledger, 'c', 0);
    await ledger.settle({ id: 'c', actual: most });
    trial.equal((await ledger.pool('free'))?.overspent, 2 * most);
  });

  it("a job's history has all of its reservations, oldest first, with what became of them", async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'j/0/1', 101, { job: 'j', taker: 'x' });
    await ask(ledger, 'k/0/1', 5, { job: 'k' });
    await ask(ledger, 'j/0/2', 60, { job: 'j' });
    await ledger.extendTo({ id: 'j/0/2', total: 70, nowMs: 1 });
    const before = await ledger.history('j');
    trial.equal(before, [
      { id: 'j/0/1', pool: 'free', taker: 'x', amount: 101, outcome: 'refused', reason: 'exceeds-capacity' },
      {
        id: 'j/0/2',
        pool: 'free',
        taker: '',
        amount: 60,
        outcome: 'granted',
        hold: await ledger.hold('j/0/2'),
      },
    ]);
    await ask(ledger, 'j/1/1', 1, { job: 'j' });
    await ledger.settle({ id: 'j/0/2', actual: 1 });
    trial.equal(
      (await ledger.history('j')).map(({ id, hold }) => [id, hold?.state]),
      [
        ['j/0/1', undefined],
        ['j/0/2', 'settled'],
        ['j/1/1', 'held'],
      ],
    );
    trial.equal(before[1]?.hold?.state, 'held');
  });

  it('the version moves with any change to a current row but by reserve and extendTo', async (trial) => {
    const ledger = await withPool(trial);
    let version = 0;
    const moves = async (answer: { version: number }) => {
      version += 1;
      trial.equal(answer.version, version);
      trial.equal((await ledger.pool('free'))?.version, version);
    };
    const stays = async (answer: { version: number }) => {
      trial.equal(answer.version, version);
      trial.equal((await ledger.pool('free'))?.version, version);
    };
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f'])
      await stays(await ask(ledger, id, 10, { leaseMs: id === 'c' ? 1000 : 9000 }));
    await stays(await ask(ledger, 'refused', 99));
    await stays(await ledger.extendTo({ id: 'a', total: 11, nowMs: 0 }));
    await stays(await ledger.dispatch({ id: 'a', nowMs: 0 }));
    await stays(await ledger.renew({ id: 'a', leaseMs: 9000, nowMs: 5 }));
    await moves(await ledger.settle({ id: 'a', actual: 11 }));
    await stays(await ledger.settle({ id: 'a', actual: 11 }));
    await moves(await ledger.release({ id: 'b' }));
    await stays(await ledger.release({ id: 'b' }));
    await stays(await ledger.reclaim({ pool: 'free', nowMs: 900 }));
    await moves(await ledger.reclaim({ pool: 'free', nowMs: 1001 }));
    await moves(await ledger.settle({ id: 'c', actual: 4 }));
    await moves(await ledger.adjust({ pool: 'free', capacity: 90 }));
    await stays(await ledger.adjust({ pool: 'free', capacity: 90 }));
    await moves(await ledger.post({ id: 'p', pool: 'free', side: 'debit', amount: 1, reason: 'bill' }));
    await moves(
      await ledger.post({ id: 'q', pool: 'free', side: 'credit', amount: 1, reason: 'bill', hold: 'a' }),
    );
    await moves(
      await ledger.post({ id: 's', pool: 'free', side: 'debit', amount: 99, reason: 'more than there is' }),
    );
    await moves(
      await ledger.post({
        id: 't',
        pool: 'free',
        side: 'debit',
        amount: 1,
        reason: 'nothing is left to move',
      }),
    );
    await moves(await ledger.pause({ pool: 'free' }));
    await moves(await ledger.resume({ pool: 'free' }));
    await moves(await ledger.refill({ pool: 'free', period: 1 }));
    await stays(await ledger.refill({ pool: 'free', period: 1 }));
    // What still happens on the old row is no news to those who wait for the new one.
    await stays(await ledger.settle({ id: 'd', actual: 5 }));
    await stays(await ledger.release({ id: 'e' }));
    await stays(await ledger.reclaim({ pool: 'free', nowMs: 99_999 }));
    await stays(await ledger.settle({ id: 'f', actual: 5 }));
    await stays(
      await ledger.post({ id: 'r', pool: 'free', side: 'credit', amount: 1, reason: 'bill', hold: 'd' }),
    );
  });

  it("a chain's version sums its pools', and hears of changes anywhere on the chain", async (trial) => {
    const ledger = await withChain(trial);
    await ledger.openPool({ pool: 'beside', capacity: 50, parent: 'root' });
    const version = async () => (await ledger.pool('me'))?.version;
    await askAndDispatch(ledger, 'a', 10, { pool: 'beside' });
    await ledger.settle({ id: 'a', actual: 3 });
    trial.equal(await version(), 1);
    await ask(ledger, 'b', 10, { pool: 'me' });
    trial.equal((await ledger.release({ id: 'b' })).version, 4);
    trial.equal(await version(), 4);
    await ledger.refill({ pool: 'team', period: 1 });
    trial.equal(await version(), 5);
    // "team" closed its old row; "me" and "root" still have theirs.
    await ask(ledger, 'c', 10, { pool: 'me' });
    await ledger.refill({ pool: 'team', period: 2 });
    await ledger.release({ id: 'c' });
    trial.equal(await version(), 8);
    await ask(ledger, 'd', 10, { pool: 'me' });
    trial.equal(
      (await ledger.reclaim({ pool: 'team', nowMs: 5000 })).version,
      (await ledger.pool('team'))?.version,
    );
  });

  it('a refusal that is repeated keeps the version it was given with', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 60);
    const first = await ask(ledger, 'b', 60);
    await ledger.release({ id: 'a' });
    trial.equal(await ask(ledger, 'b', 60), { ...first, already: true });
    trial.equal(first.version, 0);
  });

  it('every operation leaves one line in the journal, also a refused one; a repeat leaves none', async (trial) => {
    const ledger = await withPool(trial);
    await ledger.reserve({ id: 'a', pool: 'free', job: 'j', amount: 60, leaseMs: 1000, nowMs: 3 });
    await ask(ledger, 'b', 50, { nowMs: 4 });
    await ask(ledger, 'b', 50, { nowMs: 5 });
    await ask(ledger, 'b', 51, { nowMs: 6 });
    await ledger.dispatch({ id: 'a', nowMs: 7 });
    await ledger.dispatch({ id: 'a', nowMs: 8 });
    await ledger.settle({ id: 'a', actual: 20 });
    await ledger.settle({ id: 'a', actual: 20 });
    await ledger.dispatch({ id: 'a', nowMs: 9 });
    trial.equal(
      (await ledger.journal()).map(({ sequence, operation, outcome }) => [sequence, operation, outcome]),
      [
        [1, 'open-pool', 'opened'],
        [2, 'reserve', 'granted'],
        [3, 'reserve', 'refused'],
        [4, 'reserve', 'id-reused'],
        [5, 'dispatch', 'dispatched'],
        [6, 'settle', 'settled'],
        [7, 'dispatch', 'refused'],
      ],
    );
    trial.matches((await ledger.journal(1)).slice(0, 2), [
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
        delta: [],
      },
    ]);
    trial.equal(
      (await ledger.journal(5)).map(({ atMs }) => atMs),
      [undefined, 9],
    );
    trial.equal(await ledger.journal(7), []);
  });

  it('an answer once given does not change with what happens later', async (trial) => {
    const ledger = await withPool(trial);
    const granted = await ask(ledger, 'a', 60);
    const view = await ledger.pool('free');
    const copies = structuredClone([granted, view]);
    await ledger.dispatch({ id: 'a', nowMs: 1 });
    await ledger.settle({ id: 'a', actual: 20 });
    trial.equal([granted, view], copies);
  });
}
