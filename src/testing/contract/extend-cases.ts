// extendTo: more tokens for a hold that is still held, on the rows that it debited.

import { movesOf } from '../perform.ts';
import { ask, askAndDispatch, books, withChain, withPool } from '../short-hand.ts';
import type { DeclareCase } from '../trial.ts';

export function extendCases(it: DeclareCase): void {
  it('extendTo raises the hold to a total, on every row of its chain', async (trial) => {
    const ledger = await withChain(trial);
    await ask(ledger, 'a', 20, { pool: 'me' });
    const answer = await ledger.extendTo({ id: 'a', total: 50, nowMs: 1 });
    trial.matches(answer, {
      outcome: 'extended',
      hold: { amount: 50, askedAmount: 20 },
      already: false,
    });
    trial.equal(movesOf(answer.delta), {
      'me/0': { balance: -30, held: 30 },
      'team/0': { balance: -30, held: 30 },
      'root/0': { balance: -30, held: 30 },
    });
    await ledger.settle({ id: 'a', actual: 45 });
    trial.equal(await books(ledger, 'root'), [55, 0, 45]);
  });

  for (const total of [0, 49, 50]) {
    it(`extendTo a total of ${total} on a hold of 50 is a no-op, even while paused`, async (trial) => {
      const ledger = await withPool(trial);
      await ask(ledger, 'a', 50);
      await ledger.pause({ pool: 'free' });
      trial.matches(await ledger.extendTo({ id: 'a', total, nowMs: 1 }), {
        outcome: 'extended',
        hold: { amount: 50 },
        already: false,
        delta: [],
      });
    });
  }

  it('extendTo is refused whole, like a reservation', async (trial) => {
    const ledger = await withChain(trial);
    await ask(ledger, 'a', 20, { pool: 'me' });
    await ask(ledger, 'b', 60, { pool: 'team' });
    const extend = (total: number) => ledger.extendTo({ id: 'a', total, nowMs: 1 });
    trial.matches(await extend(61), {
      outcome: 'refused',
      state: 'held',
      reason: 'exceeds-capacity',
      returnable: false,
    });
    trial.matches(await extend(21), {
      outcome: 'refused',
      state: 'held',
      reason: 'insufficient',
      returnable: true,
    });
    await ledger.settle({ id: 'b', actual: 25 });
    trial.matches(await extend(56), { reason: 'insufficient', returnable: false });
    await ledger.pause({ pool: 'root' });
    trial.matches(await extend(55), { reason: 'paused', returnable: true });
    trial.matches(await extend(56), { reason: 'paused', returnable: false });
    await ledger.resume({ pool: 'root' });
    trial.matches(await extend(55), { outcome: 'extended' });
    trial.equal(await books(ledger, 'root'), [20, 55, 25]);
  });

  it('extendTo is refused where any row of the chain is closed', async (trial) => {
    const ledger = await withChain(trial);
    await ask(ledger, 'a', 20, { pool: 'me' });
    await ledger.refill({ pool: 'team', period: 1 });
    trial.matches(await ledger.extendTo({ id: 'a', total: 21, nowMs: 1 }), {
      outcome: 'refused',
      reason: 'row-closed',
      returnable: false,
    });
    trial.matches(await ledger.extendTo({ id: 'a', total: 20, nowMs: 1 }), { outcome: 'extended' });
    trial.equal(await books(ledger, 'me'), [40, 20, 0]);
  });

  it('extendTo is refused on a closed hold, whose state it names', async (trial) => {
    const ledger = await withPool(trial);
    for (const id of ['settled', 'released', 'expired']) await ask(ledger, id, 10);
    await ledger.settle({ id: 'settled', actual: 1 });
    await ledger.release({ id: 'released' });
    await ledger.reclaim({ pool: 'free', nowMs: 5000 });
    for (const id of ['settled', 'released', 'expired']) {
      trial.matches(await ledger.extendTo({ id, total: 5, nowMs: 1 }), {
        outcome: 'refused',
        state: id,
        reason: 'closed',
      });
    }
    trial.equal(await books(ledger), [99, 0, 1]);
  });

  it('a held hold past its lease may still be extended', async (trial) => {
    const ledger = await withPool(trial);
    await askAndDispatch(ledger, 'a', 10);
    trial.matches(await ledger.extendTo({ id: 'a', total: 12, nowMs: 5000 }), { outcome: 'extended' });
  });
}
