// Correcting entries after the bill.

import type { Post } from '../../ledger/ledger.ts';
import { movesOf } from '../perform.ts';
import { ask, askAndDispatch, books, withChain, withPool } from '../short-hand.ts';
import type { DeclareCase } from '../trial.ts';

const DEBIT: Post = {
  id: 'bill',
  pool: 'free',
  side: 'debit',
  amount: 30,
  reason: 'another user of the key',
};

export function postCases(it: DeclareCase): void {
  it('a debit takes from the current row of every pool of the chain, and counts as consumed', async (trial) => {
    const ledger = await withChain(trial);
    await ledger.refill({ pool: 'team', period: 2 });
    const answer = await ledger.post({ ...DEBIT, pool: 'me' });
    trial.matches(answer, { outcome: 'posted', moved: 30, shortfall: 0, already: false });
    const move = { balance: -30, consumed: 30 };
    trial.equal(movesOf(answer.delta), { 'me/0': move, 'team/2': move, 'root/0': move });
  });

  it('a debit takes at most the smallest balance, and the rest is shortfall', async (trial) => {
    const ledger = await withChain(trial);
    await ask(ledger, 'a', 90, { pool: 'root' });
    trial.matches(await ledger.post({ ...DEBIT, pool: 'me' }), { moved: 10, shortfall: 20 });
    trial.equal(await books(ledger, 'me'), [50, 0, 10]);
    trial.equal(await books(ledger, 'root'), [0, 90, 10]);
    trial.equal((await ledger.pool('me'))?.shortfall, 20);
  });

  it("a credit gives back to the settled hold's own rows, at most what it still consumes", async (trial) => {
    const ledger = await withChain(trial);
    await askAndDispatch(ledger, 'a', 50, { pool: 'me' });
    await ledger.settle({ id: 'a', actual: 40 });
    await ledger.refill({ pool: 'team', period: 1 });
    const credit: Post = { id: 'c1', pool: 'me', side: 'credit', amount: 25, reason: 'cached', hold: 'a' };
    const answer = await ledger.post(credit);
    trial.matches(answer, { moved: 25, shortfall: 0 });
    const move = { balance: 25, consumed: -25 };
    trial.equal(movesOf(answer.delta), { 'me/0': move, 'team/0': move, 'root/0': move });
    trial.matches(await ledger.hold('a'), { consumed: 15, actual: 40, state: 'settled' });
    trial.matches(await ledger.post({ ...credit, id: 'c2' }), { moved: 15, shortfall: 0 });
    trial.matches(await ledger.post({ ...credit, id: 'c3' }), { moved: 0 });
    trial.equal(await books(ledger, 'root'), [100, 0, 0]);
  });

  it('a credit does not change the answer of a settle that is repeated', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 50);
    const first = await ledger.settle({ id: 'a', actual: 40 });
    await ledger.post({ ...DEBIT, side: 'credit', hold: 'a' });
    trial.matches(await ledger.settle({ id: 'a', actual: 40 }), {
      refunded: first.refunded,
      overspent: 0,
      shortfall: 0,
      already: true,
      hold: { consumed: 10 },
    });
  });

  it('a late settled hold may be credited, for what it could still debit', async (trial) => {
    const ledger = await withPool(trial);
    await askAndDispatch(ledger, 'a', 80);
    await ledger.reclaim({ pool: 'free', nowMs: 1001 });
    await ask(ledger, 'b', 70);
    await ledger.settle({ id: 'a', actual: 60 });
    trial.matches(await ledger.post({ ...DEBIT, side: 'credit', amount: 50, hold: 'a' }), { moved: 30 });
    trial.equal(await books(ledger), [30, 70, 0]);
  });

  it('a post is idempotent by id: the first answer again, nothing moved', async (trial) => {
    const ledger = await withPool(trial);
    const first = await ledger.post(DEBIT);
    await ask(ledger, 'a', 70);
    const again = await ledger.post({ ...DEBIT, nowMs: 5 });
    trial.equal(again, { ...first, already: true, delta: [] });
    trial.equal(await books(ledger), [0, 70, 30]);
  });

  const others: readonly Partial<Post>[] = [
    { amount: 31 },
    { reason: 'else' },
    { pool: 'other' },
    { side: 'credit', hold: 'a' },
  ];
  for (const other of others) {
    it(`the same id with ${JSON.stringify(other)} is an error that changes nothing`, async (trial) => {
      const ledger = await withPool(trial);
      await ledger.openPool({ pool: 'other', capacity: 100 });
      await ask(ledger, 'a', 10);
      await ledger.settle({ id: 'a', actual: 10 });
      await ledger.post(DEBIT);
      await trial.rejects(ledger.post({ ...DEBIT, ...other }), { code: 'id-reused' });
      trial.equal(await books(ledger), [60, 0, 40]);
      trial.equal(await books(ledger, 'other'), [100, 0, 0]);
    });
  }

  it('posts go on while the pool is paused', async (trial) => {
    const ledger = await withPool(trial);
    await ledger.pause({ pool: 'free' });
    trial.matches(await ledger.post(DEBIT), { moved: 30 });
  });

  it('a credit must name a settled hold of that pool, a debit none', async (trial) => {
    const ledger = await withPool(trial);
    await ledger.openPool({ pool: 'other', capacity: 100 });
    for (const id of ['held', 'released', 'settled']) await ask(ledger, id, 10);
    await ledger.release({ id: 'released' });
    await ledger.settle({ id: 'settled', actual: 10 });
    const credit = (hold: string | undefined, pool = 'free') =>
      ledger.post({ ...DEBIT, pool, side: 'credit', ...(hold !== undefined && { hold }) });
    await trial.rejects(credit(undefined), { code: 'credit-needs-hold' });
    await trial.rejects(credit('held'), { code: 'hold-not-settled' });
    await trial.rejects(credit('released'), { code: 'hold-not-settled' });
    await trial.rejects(credit('nobody'), { code: 'unknown-hold' });
    await trial.rejects(credit('settled', 'other'), { code: 'wrong-pool' });
    await trial.rejects(ledger.post({ ...DEBIT, hold: 'settled' }), { code: 'debit-has-hold' });
    trial.equal(await books(ledger), [80, 10, 10]);
    trial.matches(await credit('settled'), { moved: 10 });
  });

  it('an amount that is no count of tokens, or a side that does not exist, is an error', async (trial) => {
    const ledger = await withPool(trial);
    await trial.rejects(ledger.post({ ...DEBIT, amount: -1 }), { name: 'RangeError' });
    await trial.rejects(ledger.post({ ...DEBIT, side: 'debet' as 'debit' }), { name: 'InputError' });
    trial.equal(await books(ledger), [100, 0, 0]);
  });
}
