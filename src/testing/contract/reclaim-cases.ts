// reclaim: what nobody is going to close any more.

import { movesOf } from '../perform.ts';
import { ask, askAndDispatch, books, withChain, withPool } from '../short-hand.ts';
import type { DeclareCase } from '../trial.ts';

export function reclaimCases(it: DeclareCase): void {
  it('closes the holds whose lease is over, and only those', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 10);
    await ask(ledger, 'b', 20, { leaseMs: 1001 });
    trial.matches(await ledger.reclaim({ pool: 'free', nowMs: 1000 }), {
      outcome: 'reclaimed',
      closed: [],
      delta: [],
    });
    const answer = await ledger.reclaim({ pool: 'free', nowMs: 1001 });
    trial.matches(answer.closed, [
      { id: 'a', state: 'expired', closedAtMs: 1001, consumed: 0, charged: false },
    ]);
    trial.equal(movesOf(answer.delta), { 'free/0': { balance: 10, held: -10, refunded: 10 } });
    trial.equal((await ledger.reclaim({ pool: 'free', nowMs: 1001 })).closed, []);
    trial.equal(await books(ledger), [80, 20, 0]);
  });

  it('goes by expiry, then by id, and stops at the limit', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'late', 1, { leaseMs: 30 });
    await ask(ledger, 'c', 1, { leaseMs: 20 });
    await ask(ledger, 'a', 1, { leaseMs: 20 });
    await ask(ledger, '\u{1F6A2}', 1, { leaseMs: 20 });
    await ask(ledger, '\uFF5E', 1, { leaseMs: 20 });
    await ask(ledger, 'early', 1, { leaseMs: 10 });
    const ids = async (limit: number) =>
      (await ledger.reclaim({ pool: 'free', nowMs: 99, limit })).closed.map(({ id }) => id);
    trial.equal(await ids(2), ['early', 'a']);
    // By code point, as databases compare: the ship comes after the wide tilde.
    trial.equal(await ids(3), ['c', '\uFF5E', '\u{1F6A2}']);
    trial.equal(await ids(9), ['late']);
  });

  it('closes at most 1,000 holds unless told otherwise', async (trial) => {
    const ledger = await withPool(trial, { capacity: 1001 });
    for (let i = 0; i < 1001; i++) await ask(ledger, `hold ${i}`, 1);
    trial.equal((await ledger.reclaim({ pool: 'free', nowMs: 5000 })).closed.length, 1000);
    trial.equal((await ledger.reclaim({ pool: 'free', nowMs: 5000 })).closed.length, 1);
  });

  it('under charge a dispatched hold is charged in full, an undispatched one refunded', async (trial) => {
    const ledger = await withPool(trial, { reclaim: 'charge' });
    await askAndDispatch(ledger, 'dispatched', 30);
    await ask(ledger, 'undispatched', 40);
    const answer = await ledger.reclaim({ pool: 'free', nowMs: 1001 });
    trial.matches(answer.closed, [
      { id: 'dispatched', consumed: 30, charged: true },
      { id: 'undispatched', consumed: 0, charged: false },
    ]);
    trial.equal(movesOf(answer.delta), {
      'free/0': { balance: 40, held: -70, consumed: 30, refunded: 40 },
    });
  });

  it('covers descendants, each hold under the policy of the pool on which it was reserved', async (trial) => {
    const ledger = await trial.open();
    await ledger.openPool({ pool: 'root', capacity: 100 });
    await ledger.openPool({ pool: 'careful', capacity: 100, parent: 'root', reclaim: 'charge' });
    await ledger.openPool({ pool: 'below', capacity: 100, parent: 'careful' });
    await ledger.openPool({ pool: 'beside', capacity: 100 });
    for (const pool of ['root', 'careful', 'below', 'beside'])
      await askAndDispatch(ledger, pool, 10, { pool });
    const { closed } = await ledger.reclaim({ pool: 'careful', nowMs: 1001 });
    trial.equal(
      closed.map(({ id, charged }) => [id, charged]),
      [
        ['below', false],
        ['careful', true],
      ],
    );
    trial.equal(await books(ledger, 'root'), [80, 10, 10]);
    trial.equal(await books(ledger, 'beside'), [90, 10, 0]);
    trial.equal(
      (await ledger.reclaim({ pool: 'root', nowMs: 1001 })).closed.map(({ id }) => id),
      ['root'],
    );
  });

  it('passes by what was settled, released or renewed', async (trial) => {
    const ledger = await withPool(trial);
    for (const id of ['settled', 'released', 'renewed', 'dead']) await ask(ledger, id, 10);
    await ledger.settle({ id: 'settled', actual: 10, nowMs: 2000 });
    await ledger.release({ id: 'released', nowMs: 2000 });
    await ledger.renew({ id: 'renewed', leaseMs: 1000, nowMs: 2000 });
    trial.equal(
      (await ledger.reclaim({ pool: 'free', nowMs: 2001 })).closed.map(({ id }) => id),
      ['dead'],
    );
    trial.equal(await books(ledger), [80, 10, 10]);
  });

  it('finds a hold that expires before those it found alive earlier', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'long', 10, { leaseMs: 9000 });
    await ledger.reclaim({ pool: 'free', nowMs: 10 });
    await ask(ledger, 'short', 10, { leaseMs: 100, nowMs: 20 });
    trial.equal(
      (await ledger.reclaim({ pool: 'free', nowMs: 200 })).closed.map(({ id }) => id),
      ['short'],
    );
    trial.equal(
      (await ledger.reclaim({ pool: 'free', nowMs: 9001 })).closed.map(({ id }) => id),
      ['long'],
    );
  });

  it('moves the rows that the holds debited, though the pool was refilled since', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 10);
    await ledger.refill({ pool: 'free', period: 1 });
    await ask(ledger, 'b', 20);
    const answer = await ledger.reclaim({ pool: 'free', nowMs: 1001 });
    trial.equal(movesOf(answer.delta), {
      'free/0': { balance: 10, held: -10, refunded: 10 },
      'free/1': { balance: 20, held: -20, refunded: 20 },
    });
  });

  it('by force closes live holds on a paused pool: dispatched charged, undispatched refunded', async (trial) => {
    const ledger = await withChain(trial);
    await askAndDispatch(ledger, 'dispatched', 20, { pool: 'me' });
    await ask(ledger, 'undispatched', 30, { pool: 'me' });
    await ask(ledger, 'above', 10, { pool: 'root' });
    await ledger.pause({ pool: 'team' });
    const answer = await ledger.reclaim({ pool: 'team', nowMs: 5, force: true });
    trial.matches(answer.closed, [
      { id: 'dispatched', state: 'expired', consumed: 20, charged: true },
      { id: 'undispatched', state: 'expired', consumed: 0, charged: false },
    ]);
    trial.equal(await books(ledger, 'me'), [40, 0, 20]);
    trial.equal(await books(ledger, 'root'), [70, 10, 20]);
  });

  it('by force still closes a hold whose lease is over under the policy of its pool', async (trial) => {
    const ledger = await withPool(trial);
    await askAndDispatch(ledger, 'dead', 20);
    await askAndDispatch(ledger, 'live', 30, { leaseMs: 9000 });
    await ledger.pause({ pool: 'free' });
    trial.matches((await ledger.reclaim({ pool: 'free', nowMs: 1001, force: true })).closed, [
      { id: 'dead', charged: false },
      { id: 'live', charged: true },
    ]);
  });

  it('by force on a pool that is not paused is an error that changes nothing', async (trial) => {
    const ledger = await withChain(trial);
    await ask(ledger, 'a', 20, { pool: 'me' });
    await ledger.pause({ pool: 'root' });
    await trial.rejects(ledger.reclaim({ pool: 'team', nowMs: 5, force: true }), {
      code: 'force-needs-pause',
    });
    trial.equal(await books(ledger, 'team'), [60, 20, 0]);
  });

  for (const limit of [0, -1, 1.5]) {
    it(`a limit of ${limit} is an error`, async (trial) => {
      const ledger = await withPool(trial);
      await trial.rejects(ledger.reclaim({ pool: 'free', nowMs: 5, limit }), { name: 'InputError' });
    });
  }
}
