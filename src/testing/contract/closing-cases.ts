// How a hold ends, and what a settle that comes too late still puts right.

import type { AsyncLedger } from '../../ledger/async-ledger.ts';
import type { SettleAnswer } from '../../ledger/ledger.ts';
import { movesOf } from '../perform.ts';
import { ask, askAndDispatch, books, withChain, withPool } from '../short-hand.ts';
import type { DeclareCase, Trial } from '../trial.ts';

export function closingCases(it: DeclareCase): void {
  it('release gives all of it back to every row', async (trial) => {
    const ledger = await withChain(trial);
    await ask(ledger, 'a', 50, { pool: 'me' });
    const answer = await ledger.release({ id: 'a', nowMs: 7 });
    trial.matches(answer, {
      outcome: 'released',
      hold: { state: 'released', closedAtMs: 7, consumed: 0 },
    });
    trial.equal(movesOf(answer.delta), {
      'me/0': { balance: 50, held: -50, refunded: 50 },
      'team/0': { balance: 50, held: -50, refunded: 50 },
      'root/0': { balance: 50, held: -50, refunded: 50 },
    });
  });

  it('release is refused once dispatched', async (trial) => {
    const ledger = await withPool(trial);
    await askAndDispatch(ledger, 'a', 50);
    trial.matches(await ledger.release({ id: 'a' }), {
      outcome: 'refused',
      state: 'held',
      reason: 'dispatched',
    });
    trial.equal(await books(ledger), [50, 50, 0]);
  });

  it('release of a closed hold answers its state: again is already, otherwise refused', async (trial) => {
    const ledger = await withPool(trial);
    for (const id of ['settled', 'released', 'expired']) await askAndDispatch(ledger, id, 10);
    await ask(ledger, 'undispatched', 10);
    await ledger.settle({ id: 'settled', actual: 10 });
    const first = await ledger.release({ id: 'undispatched', nowMs: 3 });
    await ledger.reclaim({ pool: 'free', nowMs: 5000 });
    trial.matches(await ledger.release({ id: 'settled' }), {
      outcome: 'refused',
      state: 'settled',
      reason: 'closed',
    });
    trial.matches(await ledger.release({ id: 'expired' }), {
      outcome: 'refused',
      state: 'expired',
      reason: 'closed',
    });
    const again = await ledger.release({ id: 'undispatched', nowMs: 9 });
    trial.equal(again, { ...first, already: true, delta: [], version: again.version });
    trial.equal(await books(ledger), [90, 0, 10]);
  });

  it('settle gives the difference back to every row and keeps what was used', async (trial) => {
    const ledger = await withChain(trial);
    await askAndDispatch(ledger, 'a', 50, { pool: 'me' });
    const answer = await ledger.settle({ id: 'a', actual: 20, nowMs: 9 });
    trial.matches(answer, {
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
    trial.equal(movesOf(answer.delta), { 'me/0': move, 'team/0': move, 'root/0': move });
  });

  it('what was used beyond the hold is recorded on every row, never debited', async (trial) => {
    const ledger = await withPool(trial);
    await askAndDispatch(ledger, 'a', 50);
    trial.matches(await ledger.settle({ id: 'a', actual: 65 }), {
      refunded: 0,
      overspent: 15,
      hold: { consumed: 50, overspent: 15, actual: 65 },
    });
    trial.equal(await books(ledger), [50, 0, 50]);
    trial.equal((await ledger.pool('free'))?.overspent, 15);
  });

  for (const actual of [0, 50]) {
    it(`a settle of exactly ${actual} of 50 is neither refunded nor overspent by a token too much`, async (trial) => {
      const ledger = await withPool(trial);
      await ask(ledger, 'a', 50);
      trial.matches(await ledger.settle({ id: 'a', actual }), { refunded: 50 - actual, overspent: 0 });
      trial.equal(await books(ledger), [100 - actual, 0, actual]);
    });
  }

  it('a held hold past its lease settles and releases normally', async (trial) => {
    const ledger = await withPool(trial);
    await askAndDispatch(ledger, 'a', 30);
    await ask(ledger, 'b', 30);
    trial.matches(await ledger.settle({ id: 'a', actual: 10, nowMs: 9999 }), {
      late: false,
      hold: { state: 'settled' },
    });
    trial.matches(await ledger.release({ id: 'b', nowMs: 9999 }), { outcome: 'released' });
    trial.equal(await books(ledger), [90, 0, 10]);
  });

  it('a second settle has the first answer, and says if it differs', async (trial) => {
    const ledger = await withPool(trial);
    await askAndDispatch(ledger, 'a', 50);
    const first = await ledger.settle({ id: 'a', actual: 65, nowMs: 9 });
    trial.equal(await ledger.settle({ id: 'a', actual: 65, nowMs: 10 }), repeated(first, false));
    const lines = (await ledger.journal()).length;
    trial.equal(await ledger.settle({ id: 'a', actual: 3, nowMs: 11 }), repeated(first, true));
    trial.equal(await books(ledger), [50, 0, 50]);
    trial.matches(await ledger.journal(lines), [
      { operation: 'settle', outcome: 'differs', amount: 3, delta: [] },
    ]);
  });

  /** Hold 80 of 100 expired and reclaimed by refund; another then took 60. */
  async function withRefunded(trial: Trial): Promise<AsyncLedger> {
    const ledger = await withPool(trial);
    await askAndDispatch(ledger, 'dead', 80);
    await ledger.reclaim({ pool: 'free', nowMs: 1001 });
    await askAndDispatch(ledger, 'other', 60, { nowMs: 1001 });
    return ledger;
  }

  it('a late settle of a refunded hold debits what is left, and the rest is shortfall', async (trial) => {
    const ledger = await withRefunded(trial);
    const answer = await ledger.settle({ id: 'dead', actual: 70, nowMs: 1500 });
    trial.matches(answer, {
      outcome: 'settled',
      refunded: 0,
      overspent: 0,
      shortfall: 30,
      late: true,
      hold: { state: 'expired', consumed: 40, actual: 70, late: true, closedAtMs: 1001 },
    });
    trial.equal(movesOf(answer.delta), { 'free/0': { balance: -40, consumed: 40, shortfall: 30 } });
    await ledger.settle({ id: 'other', actual: 60, nowMs: 1600 });
    trial.equal(await books(ledger), [0, 0, 100]);
  });

  it('a second late settle has the first answer and debits nothing', async (trial) => {
    const ledger = await withRefunded(trial);
    const first = await ledger.settle({ id: 'dead', actual: 70, nowMs: 1500 });
    await ledger.settle({ id: 'other', actual: 10 });
    const before = await ledger.pool('free');
    const again = await ledger.settle({ id: 'dead', actual: 70, nowMs: 1700 });
    trial.equal(again, { ...repeated(first, false), version: again.version });
    trial.matches(await ledger.settle({ id: 'dead', actual: 1 }), {
      already: true,
      differs: true,
      shortfall: 30,
    });
    trial.equal(await ledger.pool('free'), before);
  });

  it('a late settle of a charged hold gives back what was not used', async (trial) => {
    const ledger = await withPool(trial, { reclaim: 'charge' });
    await askAndDispatch(ledger, 'dead', 80);
    await ledger.reclaim({ pool: 'free', nowMs: 1001 });
    trial.equal(await books(ledger), [20, 0, 80]);
    const first = await ledger.settle({ id: 'dead', actual: 70 });
    trial.matches(first, {
      refunded: 10,
      shortfall: 0,
      late: true,
      hold: { state: 'expired', consumed: 70, charged: true },
    });
    trial.equal(movesOf(first.delta), { 'free/0': { balance: 10, consumed: -10, refunded: 10 } });
    trial.equal(await books(ledger), [30, 0, 70]);
    trial.equal(await ledger.settle({ id: 'dead', actual: 70 }), repeated(first, false));
  });

  it('a late settle beyond the hold records the overspend, charged or refunded', async (trial) => {
    for (const reclaim of ['refund', 'charge'] as const) {
      const ledger = await withPool(trial, { reclaim });
      await askAndDispatch(ledger, 'dead', 80);
      await ledger.reclaim({ pool: 'free', nowMs: 1001 });
      trial.matches(await ledger.settle({ id: 'dead', actual: 95 }), {
        refunded: 0,
        overspent: 15,
        shortfall: 0,
      });
      trial.equal(await books(ledger), [20, 0, 80]);
      trial.equal((await ledger.pool('free'))?.overspent, 15);
    }
  });

  it('a late settle of 0 moves nothing back that came back already', async (trial) => {
    const ledger = await withRefunded(trial);
    trial.matches(await ledger.settle({ id: 'dead', actual: 0 }), { refunded: 0, shortfall: 0, late: true });
    trial.equal(await books(ledger), [40, 60, 0]);
  });

  it('a settle after a release is late, and the hold stays released', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 50);
    await ledger.release({ id: 'a', nowMs: 5 });
    trial.matches(await ledger.settle({ id: 'a', actual: 20, nowMs: 6 }), {
      late: true,
      hold: { state: 'released', consumed: 20, closedAtMs: 5 },
    });
    trial.equal(await books(ledger), [80, 0, 20]);
    trial.matches(await ledger.release({ id: 'a' }), {
      outcome: 'released',
      already: true,
      hold: { consumed: 20 },
    });
  });

  it('on a chain a late settle debits every row alike: as much as the emptiest still has', async (trial) => {
    const ledger = await withChain(trial);
    await askAndDispatch(ledger, 'dead', 60, { pool: 'me' });
    await ledger.reclaim({ pool: 'root', nowMs: 1001 });
    await ask(ledger, 'b', 75, { pool: 'root' });
    const answer = await ledger.settle({ id: 'dead', actual: 40 });
    trial.matches(answer, { shortfall: 15, hold: { consumed: 25 } });
    trial.equal(await books(ledger, 'me'), [35, 0, 25]);
    trial.equal(await books(ledger, 'team'), [55, 0, 25]);
    trial.equal(await books(ledger, 'root'), [0, 75, 25]);
    for (const pool of await ledger.pools()) trial.matches(await ledger.pool(pool), { pool, shortfall: 15 });
  });

  it('a late settle takes what the rows that the hold debited still have, whatever the current ones have', async (trial) => {
    const ledger = await withPool(trial);
    await askAndDispatch(ledger, 'dead', 80);
    await ledger.reclaim({ pool: 'free', nowMs: 1001 });
    await ledger.refill({ pool: 'free', period: 1 });
    await ask(ledger, 'tonight', 90);
    trial.matches(await ledger.settle({ id: 'dead', actual: 70 }), { shortfall: 0, hold: { consumed: 70 } });
    trial.equal(await books(ledger, 'free', 0), [30, 0, 70]);
    trial.equal(await books(ledger), [10, 90, 0]);
  });

  it('a settle moves the rows that the hold debited, though pools were refilled since', async (trial) => {
    const ledger = await withChain(trial);
    await askAndDispatch(ledger, 'a', 60, { pool: 'me' });
    await askAndDispatch(ledger, 'late', 20, { pool: 'team' });
    await ledger.reclaim({ pool: 'root', nowMs: 999 });
    await ledger.refill({ pool: 'team', period: 4 });
    await ledger.settle({ id: 'a', actual: 50 });
    await ledger.reclaim({ pool: 'root', nowMs: 1001 });
    await ledger.settle({ id: 'late', actual: 15 });
    trial.equal(await books(ledger, 'team'), [80, 0, 0]);
    trial.equal(await books(ledger, 'team', 0), [15, 0, 65]);
    trial.equal(await books(ledger, 'root'), [35, 0, 65]);
  });

  it('a release gives back to the rows that the hold debited, though a pool was refilled since', async (trial) => {
    const ledger = await withChain(trial);
    await ask(ledger, 'a', 60, { pool: 'me' });
    await ledger.refill({ pool: 'team', period: 4 });
    await ledger.release({ id: 'a' });
    trial.equal(await books(ledger, 'me'), [60, 0, 0]);
    trial.equal(await books(ledger, 'team'), [80, 0, 0]);
    trial.equal(await books(ledger, 'team', 0), [80, 0, 0]);
  });

  it('under charge, a late settle of a hold that was refunded, because no call was out, debits', async (trial) => {
    const ledger = await withPool(trial, { reclaim: 'charge' });
    await ask(ledger, 'dead', 80);
    await ledger.reclaim({ pool: 'free', nowMs: 1001 });
    trial.matches(await ledger.settle({ id: 'dead', actual: 30 }), {
      refunded: 0,
      shortfall: 0,
      late: true,
      hold: { state: 'expired', consumed: 30, charged: false },
    });
    trial.equal(await books(ledger), [70, 0, 30]);
  });

  it('a late settle of a hold that was closed by force, and charged, gives back what was not used', async (trial) => {
    const ledger = await withPool(trial);
    await askAndDispatch(ledger, 'live', 80);
    await ledger.pause({ pool: 'free' });
    await ledger.reclaim({ pool: 'free', nowMs: 5, force: true });
    trial.equal(await books(ledger), [20, 0, 80]);
    trial.matches(await ledger.settle({ id: 'live', actual: 30 }), { refunded: 50, late: true });
    trial.equal(await books(ledger), [70, 0, 30]);
  });
}

function repeated(first: SettleAnswer, differs: boolean): SettleAnswer {
  return { ...first, already: true, differs, delta: [] };
}
