// What is done to a pool itself.

import type { OpenPool } from '../../ledger/ledger.ts';
import { movesOf } from '../perform.ts';
import { ask, books, NO_TOKENS, withChain, withPool } from '../short-hand.ts';
import type { DeclareCase } from '../trial.ts';

export function poolCases(it: DeclareCase): void {
  it('a pool opens in period 0 with all of its capacity free, and with the defaults', async (trial) => {
    const ledger = await trial.open();
    const answer = await ledger.openPool({ pool: 'free', capacity: 100 });
    trial.matches(answer, { outcome: 'opened', already: false });
    trial.equal(movesOf(answer.delta), { 'free/0': { capacity: 100, balance: 100 } });
    trial.equal(await ledger.pool('free'), {
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

  it('opening the same pool again is a no-op, also after it was adjusted and refilled', async (trial) => {
    const request: OpenPool = {
      pool: 'free',
      capacity: 100,
      quota: 400,
      reclaim: 'charge',
      maxLeaseMs: 5000,
    };
    const ledger = await trial.open();
    await ledger.openPool(request);
    await ledger.adjust({ pool: 'free', capacity: 70 });
    await ledger.refill({ pool: 'free', period: 3 });
    const before = await ledger.pool('free');
    trial.matches(await ledger.openPool({ ...request, nowMs: 5 }), {
      outcome: 'opened',
      already: true,
      delta: [],
    });
    trial.equal(await ledger.pool('free'), before);
    trial.equal((await ledger.journal()).length, 3);
  });

  const others: readonly [string, Partial<OpenPool>][] = [
    ['capacity', { capacity: 101 }],
    ['quota', { quota: 500 }],
    ['reclaim', { reclaim: 'charge' }],
    ['maxLeaseMs', { maxLeaseMs: 1 }],
    ['parent', { parent: 'root' }],
  ];
  for (const [fact, other] of others) {
    it(`opening a pool again with another ${fact} is an error, even the one it was adjusted to`, async (trial) => {
      const ledger = await withPool(trial);
      await ledger.openPool({ pool: 'root', capacity: 1000 });
      await ledger.adjust({ pool: 'free', capacity: 101 });
      const before = await ledger.pool('free');
      await trial.rejects(ledger.openPool({ pool: 'free', capacity: 100, ...other }), { name: 'InputError' });
      trial.equal(await ledger.pool('free'), before);
    });
  }

  it('an option that does not exist is an error that names it, and opens nothing', async (trial) => {
    const ledger = await trial.open();
    const misspelt = { pool: 'free', capacity: 100, maxLeaseMS: 5 } as OpenPool;
    await trial.rejects(ledger.openPool(misspelt), { name: 'InputError', says: 'maxLeaseMS' });
    trial.equal(await ledger.pools(), []);
  });

  it('a parent that does not exist is an error', async (trial) => {
    const ledger = await withPool(trial);
    await trial.rejects(ledger.openPool({ pool: 'team', capacity: 1, parent: 'fre' }), {
      code: 'unknown-parent',
    });
    await trial.rejects(ledger.openPool({ pool: 'self', capacity: 1, parent: 'self' }), {
      name: 'InputError',
    });
    trial.equal(await ledger.pools(), ['free']);
  });

  for (const capacity of NO_TOKENS) {
    it(`a capacity of ${capacity} is a RangeError that names field and value, and changes nothing`, async (trial) => {
      const ledger = await trial.open();
      await trial.rejects(ledger.openPool({ pool: 'free', capacity }), {
        name: 'RangeError',
        says: 'capacity',
      });
      await trial.rejects(ledger.openPool({ pool: 'free', capacity }), { says: String(capacity) });
      trial.equal(await ledger.pools(), []);
    });
  }

  it('a pool may have a capacity of 0 and of 2^53 - 1', async (trial) => {
    const ledger = await trial.open();
    await ledger.openPool({ pool: 'none', capacity: 0 });
    await ledger.openPool({ pool: 'all', capacity: Number.MAX_SAFE_INTEGER });
    trial.equal(await books(ledger, 'none'), [0, 0, 0]);
    await ask(ledger, 'a', Number.MAX_SAFE_INTEGER, { pool: 'all' });
    trial.equal(await books(ledger, 'all'), [0, Number.MAX_SAFE_INTEGER, 0]);
  });

  const wrongs: readonly [string, Partial<OpenPool>][] = [
    ['a policy that does not exist', { reclaim: 'refunds' as 'refund' }],
    ['an empty name', { pool: '' }],
    ['a longest lease of 0', { maxLeaseMs: 0 }],
    ['a longest lease that is no number', { maxLeaseMs: Number.NaN }],
    ['a negative quota', { quota: -1 }],
    ['a time that is no number', { nowMs: Number.NaN }],
  ];
  for (const [what, wrong] of wrongs) {
    it(`opening with ${what} is an error`, async (trial) => {
      const ledger = await trial.open();
      await trial.rejects(ledger.openPool({ pool: 'free', capacity: 100, ...wrong }), {});
      trial.equal(await ledger.pools(), []);
    });
  }

  it('adjust raises and lowers the current row, and what later periods start with', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 60);
    trial.equal(movesOf((await ledger.adjust({ pool: 'free', capacity: 130 })).delta), {
      'free/0': { capacity: 30, balance: 30 },
    });
    trial.equal(await books(ledger), [70, 60, 0]);
    trial.matches(await ledger.adjust({ pool: 'free', capacity: 60 }), {
      outcome: 'adjusted',
      capacity: 60,
    });
    trial.equal(await books(ledger), [0, 60, 0]);
    await ledger.refill({ pool: 'free', period: 1 });
    trial.equal(await books(ledger), [60, 0, 0]);
  });

  it('adjust below what is held and consumed is an error that changes nothing', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 50);
    await ask(ledger, 'b', 20);
    await ledger.settle({ id: 'b', actual: 15 });
    await trial.rejects(ledger.adjust({ pool: 'free', capacity: 64 }), { code: 'capacity-below-use' });
    trial.equal(await books(ledger), [35, 50, 15]);
    await ledger.adjust({ pool: 'free', capacity: 65 });
    trial.equal(await books(ledger), [0, 50, 15]);
  });

  it("adjust moves no other pool of the chain, and no row but the pool's current one", async (trial) => {
    const ledger = await withChain(trial);
    await ledger.refill({ pool: 'team', period: 1 });
    await ledger.adjust({ pool: 'team', capacity: 10 });
    trial.equal((await ledger.pool('team', 0))?.capacity, 80);
    trial.equal((await ledger.pool('team'))?.capacity, 10);
    trial.equal((await ledger.pool('root'))?.capacity, 100);
    trial.equal((await ledger.pool('me'))?.capacity, 60);
  });

  it('refill opens the next period, full, and leaves the holds with the rows they debited', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 60);
    const answer = await ledger.refill({ pool: 'free', period: 7, nowMs: 5 });
    trial.matches(answer, { outcome: 'refilled', period: 7, already: false });
    trial.equal(movesOf(answer.delta), { 'free/7': { capacity: 100, balance: 100 } });
    trial.equal(await books(ledger), [100, 0, 0]);
    trial.equal(await books(ledger, 'free', 0), [40, 60, 0]);
    await ledger.settle({ id: 'a', actual: 25 });
    trial.equal(await books(ledger), [100, 0, 0]);
    trial.equal(await books(ledger, 'free', 0), [75, 0, 25]);
    trial.equal(await ledger.pool('free', 3), undefined);
  });

  it('twenty refills at one boundary are one, and an earlier period is stale', async (trial) => {
    const ledger = await withPool(trial);
    for (let i = 0; i < 20; i++) {
      const outcome = i === 0 ? 'refilled' : 'stale';
      trial.matches(await ledger.refill({ pool: 'free', period: 2 }), {
        outcome,
        period: 2,
        already: i > 0,
      });
      await ask(ledger, `hold ${i}`, 1);
      if (i % 2 === 0) await ledger.settle({ id: `hold ${i}`, actual: 1 });
    }
    trial.equal(await books(ledger), [80, 10, 10]);
    const before = await ledger.pool('free');
    trial.matches(await ledger.refill({ pool: 'free', period: 1 }), {
      outcome: 'stale',
      period: 2,
      delta: [],
    });
    trial.equal(await ledger.pool('free'), before);
    trial.equal((await ledger.journal()).filter(({ operation }) => operation === 'refill').length, 1);
  });

  it("refill opens only that pool's row, not its parent's or its children's", async (trial) => {
    const ledger = await withChain(trial);
    await ask(ledger, 'a', 60, { pool: 'me' });
    await ledger.refill({ pool: 'team', period: 1 });
    trial.equal(await books(ledger, 'root'), [40, 60, 0]);
    trial.equal(await books(ledger, 'team'), [80, 0, 0]);
    trial.equal(await books(ledger, 'me'), [0, 60, 0]);
    await ledger.settle({ id: 'a', actual: 30 });
    await ask(ledger, 'b', 20, { pool: 'me' });
    trial.equal(
      (await ledger.hold('b'))?.rows.map(({ period }) => period),
      [0, 1, 0],
    );
    trial.equal(await books(ledger, 'team'), [60, 20, 0]);
    trial.equal(await books(ledger, 'me'), [10, 20, 30]);
  });

  for (const period of [-1, 1.5, Number.NaN]) {
    it(`a period of ${period} is an error`, async (trial) => {
      const ledger = await withPool(trial);
      await trial.rejects(ledger.refill({ pool: 'free', period }), { name: 'InputError' });
    });
  }

  it('a paused pool and all below it refuse, closing operations go on, resume undoes it', async (trial) => {
    const ledger = await withChain(trial);
    for (const id of ['a', 'b', 'c']) await ask(ledger, id, 10, { pool: 'me' });
    await ledger.dispatch({ id: 'a', nowMs: 0 });
    trial.matches(await ledger.pause({ pool: 'team' }), { outcome: 'paused', already: false, delta: [] });
    trial.matches(await ask(ledger, 'd', 10, { pool: 'me' }), {
      outcome: 'refused',
      reason: 'paused',
      pool: 'team',
    });
    trial.matches(await ask(ledger, 'e', 10, { pool: 'root' }), { outcome: 'granted' });
    trial.matches(await ledger.renew({ id: 'a', leaseMs: 2000, nowMs: 5 }), { outcome: 'renewed' });
    trial.matches(await ledger.dispatch({ id: 'b', nowMs: 5 }), { outcome: 'dispatched' });
    trial.matches(await ledger.settle({ id: 'a', actual: 4 }), { outcome: 'settled' });
    trial.matches(await ledger.release({ id: 'c' }), { outcome: 'released' });
    trial.equal((await ledger.reclaim({ pool: 'team', nowMs: 5000 })).closed.length, 1);
    trial.matches(await ledger.resume({ pool: 'team' }), { outcome: 'resumed', already: false });
    trial.matches(await ask(ledger, 'f', 10, { pool: 'me' }), { outcome: 'granted' });
  });

  it('pausing and resuming twice is a no-op', async (trial) => {
    const ledger = await withPool(trial);
    trial.matches(await ledger.resume({ pool: 'free' }), { outcome: 'resumed', already: true, version: 0 });
    trial.matches(await ledger.pause({ pool: 'free' }), { already: false, version: 1 });
    trial.matches(await ledger.pause({ pool: 'free' }), { outcome: 'paused', already: true, version: 1 });
    trial.equal((await ledger.pool('free'))?.paused, true);
    trial.equal(
      (await ledger.journal()).map(({ operation }) => operation),
      ['open-pool', 'pause'],
    );
  });

  it('whatever is done to a pool that does not exist is an error that changes nothing', async (trial) => {
    const ledger = await withPool(trial);
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
      await trial.rejects(call(), { code: 'unknown-pool' });
    }
    trial.equal((await ledger.journal()).length, 1);
  });
}
