// A store that cannot answer says so: nobody may take its silence for a hold.

import type { DeclareCase } from '../trial.ts';

export function failureCases(it: DeclareCase): void {
  it('where the store cannot answer, every operation and every read throws LedgerUnavailable', async (trial) => {
    const { ledger, breakStore } = await trial.openToBreak();
    await ledger.openPool({ pool: 'free', capacity: 100 });
    await ledger.reserve({ id: 'a', pool: 'free', job: 'a', amount: 10, leaseMs: 1000, nowMs: 0 });
    await breakStore();
    const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['openPool', () => ledger.openPool({ pool: 'free', capacity: 100 })],
      [
        'reserve',
        () => ledger.reserve({ id: 'b', pool: 'free', job: 'b', amount: 10, leaseMs: 1000, nowMs: 0 }),
      ],
      [
        'reserve again',
        () => ledger.reserve({ id: 'a', pool: 'free', job: 'a', amount: 10, leaseMs: 1000, nowMs: 0 }),
      ],
      ['dispatch', () => ledger.dispatch({ id: 'a', nowMs: 0 })],
      ['renew', () => ledger.renew({ id: 'a', leaseMs: 1000, nowMs: 0 })],
      ['extendTo', () => ledger.extendTo({ id: 'a', total: 20, nowMs: 0 })],
      ['release', () => ledger.release({ id: 'a' })],
      ['settle', () => ledger.settle({ id: 'a', actual: 10 })],
      ['reclaim', () => ledger.reclaim({ pool: 'free', nowMs: 9999 })],
      ['adjust', () => ledger.adjust({ pool: 'free', capacity: 200 })],
      ['refill', () => ledger.refill({ pool: 'free', period: 1 })],
      ['pause', () => ledger.pause({ pool: 'free' })],
      ['resume', () => ledger.resume({ pool: 'free' })],
      ['post', () => ledger.post({ id: 'p', pool: 'free', side: 'debit', amount: 1, reason: 'bill' })],
      ['pool', () => ledger.pool('free')],
      ['pools', () => ledger.pools()],
      ['hold', () => ledger.hold('a')],
      ['holds', () => ledger.holds()],
      ['history', () => ledger.history('a')],
      ['verify', () => ledger.verify()],
      ['journal', () => ledger.journal()],
    ];
    for (const [name, call] of calls) await trial.rejects(call(), { name: 'LedgerUnavailable' }, name);
  });
}
