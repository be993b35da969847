// reserve: the way to take tokens, whole or not at all.

import type { Reserve } from '../../ledger/ledger.ts';
import { movesOf } from '../perform.ts';
import { ask, books, NO_TOKENS, withChain, withPool } from '../short-hand.ts';
import type { DeclareCase } from '../trial.ts';

export function reserveCases(it: DeclareCase): void {
  it('a reservation debits its pool and answers with the hold', async (trial) => {
    const ledger = await withPool(trial);
    const answer = await ledger.reserve({
      id: 'j/0/1',
      pool: 'free',
      job: 'j',
      taker: 'lane 3',
      amount: 60,
      leaseMs: 1000,
      nowMs: 50,
    });
    trial.matches(answer, { outcome: 'granted', already: false, version: 0 });
    trial.equal(movesOf(answer.delta), { 'free/0': { balance: -60, held: 60 } });
    trial.equal(await ledger.hold('j/0/1'), {
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
    trial.equal(await books(ledger), [40, 60, 0]);
  });

  it('a pool of 100 grants envelopes of 60 and 40 and refuses 50, which could come back', async (trial) => {
    const ledger = await withPool(trial);
    trial.equal((await ask(ledger, 'a', 60)).outcome, 'granted');
    trial.matches(await ask(ledger, 'b', 50), {
      outcome: 'refused',
      reason: 'insufficient',
      pool: 'free',
      returnable: true,
      delta: [],
    });
    trial.equal((await ask(ledger, 'c', 40)).outcome, 'granted');
    trial.equal(await books(ledger), [0, 100, 0]);
  });

  it('a reservation debits the whole chain at once, or none of it', async (trial) => {
    const ledger = await withChain(trial);
    await ask(ledger, 'a', 50, { pool: 'me' });
    trial.equal(
      (await ledger.hold('a'))?.rows.map(({ pool }) => pool),
      ['me', 'team', 'root'],
    );
    for (const [pool, balance] of [
      ['me', 10],
      ['team', 30],
      ['root', 50],
    ] as const) {
      trial.equal(await books(ledger, pool), [balance, 50, 0]);
    }
    await ask(ledger, 'b', 45, { pool: 'root' });
    trial.matches(await ask(ledger, 'c', 6, { pool: 'me' }), { reason: 'insufficient', pool: 'root' });
    trial.equal(await books(ledger, 'me'), [10, 50, 0]);
    trial.equal(await books(ledger, 'team'), [30, 50, 0]);
  });

  it('an amount of 0 is granted, also by an empty pool', async (trial) => {
    const ledger = await withPool(trial, { capacity: 0 });
    trial.matches(await ask(ledger, 'a', 0), { outcome: 'granted' });
    trial.matches(await ledger.settle({ id: 'a', actual: 7 }), { refunded: 0, overspent: 7 });
  });

  it('refusals come in the order paused, exceeds-capacity, insufficient, each for any pool of the chain', async (trial) => {
    const ledger = await withChain(trial);
    await ask(ledger, 'full', 100, { pool: 'root' });
    // 61 is too much for "me", and "root" is empty.
    trial.matches(await ask(ledger, 'a', 61, { pool: 'me' }), {
      reason: 'exceeds-capacity',
      pool: 'me',
      returnable: false,
    });
    trial.matches(await ask(ledger, 'b', 60, { pool: 'me' }), {
      reason: 'insufficient',
      pool: 'root',
      returnable: true,
    });
    await ledger.pause({ pool: 'root' });
    trial.matches(await ask(ledger, 'c', 61, { pool: 'me' }), {
      reason: 'paused',
      pool: 'root',
      returnable: false,
    });
    trial.matches(await ask(ledger, 'd', 60, { pool: 'me' }), {
      reason: 'paused',
      pool: 'root',
      returnable: true,
    });
    await ledger.pause({ pool: 'me' });
    trial.matches(await ask(ledger, 'e', 60, { pool: 'me' }), { reason: 'paused', pool: 'me' });
  });

  it('the capacity that an amount must not exceed is the current one', async (trial) => {
    const ledger = await withPool(trial);
    await ledger.adjust({ pool: 'free', capacity: 50 });
    trial.matches(await ask(ledger, 'a', 51), { reason: 'exceeds-capacity' });
    await ledger.adjust({ pool: 'free', capacity: 51 });
    trial.matches(await ask(ledger, 'b', 51), { outcome: 'granted' });
  });

  it('a refusal is returnable only if held tokens of the current rows would do', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 30);
    await ledger.settle({ id: 'a', actual: 30 });
    await ask(ledger, 'b', 60);
    trial.matches(await ask(ledger, 'c', 70), { reason: 'insufficient', returnable: true });
    trial.matches(await ask(ledger, 'd', 71), { reason: 'insufficient', returnable: false });
    // What "b" holds is on a row that is no longer the current one.
    await ledger.refill({ pool: 'free', period: 1 });
    await ask(ledger, 'e', 10);
    await ledger.settle({ id: 'e', actual: 10 });
    trial.matches(await ask(ledger, 'f', 91), { reason: 'insufficient', returnable: false });
  });

  it("a refused reservation moves no books, and is remembered with its job's past", async (trial) => {
    const ledger = await withPool(trial);
    const before = await ledger.pool('free');
    const first = await ask(ledger, 'a', 101);
    trial.equal(await ledger.pool('free'), before);
    trial.equal(await ledger.hold('a'), undefined);
    await ledger.adjust({ pool: 'free', capacity: 200 });
    trial.equal(await ask(ledger, 'a', 101, { nowMs: 77 }), { ...first, already: true });
    trial.equal(await ledger.history('a'), [
      { id: 'a', pool: 'free', taker: '', amount: 101, outcome: 'refused', reason: 'exceeds-capacity' },
    ]);
  });

  it("a repeat has the first answer, an empty delta and the hold's present state", async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 60);
    trial.matches(await ask(ledger, 'a', 60, { nowMs: 99 }), {
      outcome: 'granted',
      already: true,
      delta: [],
    });
    trial.equal(await books(ledger), [40, 60, 0]);
    await ledger.extendTo({ id: 'a', total: 70, nowMs: 5 });
    await ledger.settle({ id: 'a', actual: 20 });
    trial.matches(await ask(ledger, 'a', 60), {
      outcome: 'granted',
      already: true,
      hold: { state: 'settled', askedAmount: 60, amount: 70, heldAtMs: 0 },
    });
    trial.matches(await ask(ledger, 'a', 70), { outcome: 'id-reused' });
    trial.equal((await ledger.journal()).filter(({ operation }) => operation === 'reserve').length, 2);
  });

  it('a repeat of a grant is answered while the pool is paused and full', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 100);
    await ledger.pause({ pool: 'free' });
    trial.matches(await ask(ledger, 'a', 100), { outcome: 'granted', already: true });
  });

  const others: readonly [string, Partial<Reserve>][] = [
    ['pool', { pool: 'other' }],
    ['job', { job: 'b' }],
    ['taker', { taker: 'stranger' }],
    ['amount', { amount: 61 }],
    ['leaseMs', { leaseMs: 999 }],
  ];
  for (const [argument, other] of others) {
    it(`the same id with another ${argument} is id-reused and changes nothing, granted or refused before`, async (trial) => {
      const ledger = await withPool(trial);
      await ledger.openPool({ pool: 'other', capacity: 1000 });
      for (const id of ['granted', 'refused']) {
        const first: Reserve = { id, pool: 'free', job: 'a', amount: 60, leaseMs: 1000, nowMs: 0 };
        await ledger.reserve(first);
        const reads = async () => [
          await ledger.pool('free'),
          await ledger.pool('other'),
          await ledger.history('a'),
          await ledger.history('b'),
        ];
        const before = await reads();
        trial.matches(await ledger.reserve({ ...first, ...other }), {
          outcome: 'id-reused',
          already: false,
          delta: [],
        });
        trial.equal(await reads(), before);
        trial.matches(await ledger.reserve(first), { outcome: id, already: true });
      }
    });
  }

  it('an unnamed taker is one taker', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 1);
    trial.matches(await ask(ledger, 'a', 1, { taker: '' }), { outcome: 'granted', already: true });
  });

  it('a lease is clipped to the smallest maximum on the chain', async (trial) => {
    const ledger = await trial.open();
    await ledger.openPool({ pool: 'root', capacity: 100, maxLeaseMs: 500 });
    await ledger.openPool({ pool: 'free', capacity: 100, maxLeaseMs: 700, parent: 'root' });
    await ask(ledger, 'a', 1, { leaseMs: 501, nowMs: 10 });
    await ask(ledger, 'b', 1, { leaseMs: 499, nowMs: 10 });
    trial.matches(await ledger.hold('a'), { leaseExpiresAtMs: 510, leaseMs: 501 });
    trial.matches(await ledger.hold('b'), { leaseExpiresAtMs: 509, leaseMs: 499 });
  });

  for (const amount of [...NO_TOKENS, '5' as unknown as number]) {
    it(`an amount of ${amount} (a ${typeof amount}) is a RangeError and changes nothing`, async (trial) => {
      const ledger = await withPool(trial);
      await trial.rejects(ask(ledger, 'a', amount), { name: 'RangeError' });
      await ask(ledger, 'b', 10);
      await trial.rejects(ledger.extendTo({ id: 'b', total: amount, nowMs: 0 }), { name: 'RangeError' });
      await trial.rejects(ledger.settle({ id: 'b', actual: amount }), { name: 'RangeError' });
      trial.equal(await books(ledger), [90, 10, 0]);
      trial.equal(await ledger.history('a'), []);
    });
  }

  const wrongs: readonly [string, Partial<Reserve>][] = [
    ['a lease of 0', { leaseMs: 0 }],
    ['a negative lease', { leaseMs: -1 }],
    ['an endless lease', { leaseMs: Number.POSITIVE_INFINITY }],
    ['a time that is no number', { nowMs: Number.NaN }],
    ['no time', { nowMs: undefined as unknown as number }],
    ['an empty id', { id: '' }],
    ['an id that is no text', { id: 'half a pair \ud800' }],
    ['a job that is no text', { job: 7 as unknown as string }],
  ];
  for (const [what, wrong] of wrongs) {
    it(`reserving with ${what} is an error and changes nothing`, async (trial) => {
      const ledger = await withPool(trial);
      await trial.rejects(ask(ledger, 'a', 1, wrong), {});
      trial.equal(await books(ledger), [100, 0, 0]);
      trial.equal(await ledger.holds(), []);
    });
  }

  it('an unknown id is an error, a refused id another, and neither leaves a trace', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'night/1', 10);
    await ask(ledger, 'refused', 101);
    const calls = (id: string) => [
      () => ledger.dispatch({ id, nowMs: 0 }),
      () => ledger.renew({ id, leaseMs: 1, nowMs: 0 }),
      () => ledger.extendTo({ id, total: 1, nowMs: 0 }),
      () => ledger.release({ id }),
      () => ledger.settle({ id, actual: 0 }),
    ];
    for (const call of calls('nihgt/1')) {
      await trial.rejects(call(), { name: 'InputError', code: 'unknown-hold' });
    }
    for (const call of calls('refused')) await trial.rejects(call(), { code: 'refused-hold' });
    trial.equal((await ledger.journal()).length, 3);
  });

  it('a repeat is answered in whatever state its hold is, and brings none of them back', async (trial) => {
    const ledger = await withPool(trial);
    for (const id of ['held', 'settled', 'released', 'expired']) {
      await ask(ledger, id, 10, { leaseMs: id === 'held' ? 9000 : 1000 });
    }
    await ledger.settle({ id: 'settled', actual: 10 });
    await ledger.release({ id: 'released' });
    await ledger.reclaim({ pool: 'free', nowMs: 1001 });
    for (const id of ['held', 'settled', 'released', 'expired']) {
      const again = await ask(ledger, id, 10, { leaseMs: id === 'held' ? 9000 : 1000, nowMs: 2000 });
      trial.matches(again, { outcome: 'granted', already: true, hold: { id, state: id }, delta: [] });
    }
    trial.equal(await books(ledger), [80, 10, 10]);
  });

  it('a repeat after a refill is still the hold on the rows that it debited', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 60);
    await ledger.refill({ pool: 'free', period: 1 });
    trial.matches(await ask(ledger, 'a', 60), {
      already: true,
      hold: { rows: [{ pool: 'free', period: 0 }] },
    });
    trial.equal(await books(ledger), [100, 0, 0]);
  });
}
