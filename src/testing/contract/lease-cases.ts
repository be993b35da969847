// What keeps a hold alive, and what marks that a call goes out on it.

import { ask, books, withPool } from '../short-hand.ts';
import type { DeclareCase, Trial } from '../trial.ts';

const CLOSED = ['settled', 'released', 'expired'] as const;

export function leaseCases(it: DeclareCase): void {
  /** One hold in each closed state, named after it. */
  async function withClosedHolds(trial: Trial) {
    const ledger = await withPool(trial);
    for (const id of CLOSED) await ask(ledger, id, 10);
    await ledger.settle({ id: 'settled', actual: 10 });
    await ledger.release({ id: 'released' });
    await ledger.reclaim({ pool: 'free', nowMs: 1001 });
    return ledger;
  }

  it('dispatch marks the hold and moves no books', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 10);
    trial.matches(await ledger.dispatch({ id: 'a', nowMs: 1000 }), {
      outcome: 'dispatched',
      hold: { state: 'held', dispatched: true },
      already: false,
      delta: [],
      version: 0,
    });
    trial.equal((await ledger.hold('a'))?.dispatched, true);
    trial.equal(await books(ledger), [90, 10, 0]);
  });

  it('dispatch again is already, while the lease runs', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 10);
    await ledger.dispatch({ id: 'a', nowMs: 1 });
    trial.matches(await ledger.dispatch({ id: 'a', nowMs: 1000 }), { outcome: 'dispatched', already: true });
    trial.matches(await ledger.dispatch({ id: 'a', nowMs: 1001 }), {
      outcome: 'refused',
      state: 'held',
      reason: 'lease-expired',
    });
  });

  it('dispatch is refused past the lease, and granted again once it is renewed', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 10);
    trial.matches(await ledger.dispatch({ id: 'a', nowMs: 1000.5 }), {
      outcome: 'refused',
      reason: 'lease-expired',
    });
    trial.equal((await ledger.hold('a'))?.dispatched, false);
    await ledger.renew({ id: 'a', leaseMs: 10, nowMs: 1001 });
    trial.matches(await ledger.dispatch({ id: 'a', nowMs: 1011 }), { outcome: 'dispatched' });
  });

  it('dispatch and renew are refused on a closed hold, whose state they name', async (trial) => {
    const ledger = await withClosedHolds(trial);
    for (const id of CLOSED) {
      const refusal = { outcome: 'refused', state: id, reason: 'closed', already: false, delta: [] };
      trial.matches(await ledger.dispatch({ id, nowMs: 1 }), refusal);
      trial.matches(await ledger.renew({ id, leaseMs: 5000, nowMs: 1 }), refusal);
      trial.matches(await ledger.hold(id), { state: id, dispatched: false, leaseExpiresAtMs: 1000 });
    }
  });

  it('renew lengthens and never shortens', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 10);
    trial.matches(await ledger.renew({ id: 'a', leaseMs: 1000, nowMs: 500 }), {
      outcome: 'renewed',
      hold: { leaseExpiresAtMs: 1500, leaseMs: 1000 },
      already: false,
      delta: [],
    });
    trial.matches(await ledger.renew({ id: 'a', leaseMs: 1, nowMs: 600 }), {
      hold: { leaseExpiresAtMs: 1500 },
    });
  });

  it("renew is clipped to the hold's start + maxLeaseMs, and refused past that limit", async (trial) => {
    const ledger = await withPool(trial, { maxLeaseMs: 3000 });
    await ask(ledger, 'a', 10, { nowMs: 100 });
    trial.matches(await ledger.renew({ id: 'a', leaseMs: 9000, nowMs: 200 }), {
      hold: { leaseExpiresAtMs: 3100 },
    });
    trial.matches(await ledger.renew({ id: 'a', leaseMs: 9000, nowMs: 3100 }), {
      outcome: 'renewed',
      hold: { leaseExpiresAtMs: 3100 },
    });
    trial.matches(await ledger.renew({ id: 'a', leaseMs: 9000, nowMs: 3101 }), {
      outcome: 'refused',
      state: 'held',
      reason: 'lease-limit',
    });
  });

  it('a held hold past its lease renews normally, and reclaim then passes it by', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 10);
    trial.matches(await ledger.renew({ id: 'a', leaseMs: 1000, nowMs: 5000 }), {
      outcome: 'renewed',
      hold: { leaseExpiresAtMs: 6000 },
    });
    trial.equal((await ledger.reclaim({ pool: 'free', nowMs: 6000 })).closed, []);
    trial.equal((await ledger.hold('a'))?.state, 'held');
  });

  for (const leaseMs of [0, -1, Number.NaN]) {
    it(`renewing for ${leaseMs} ms is a RangeError that changes nothing`, async (trial) => {
      const ledger = await withPool(trial);
      await ask(ledger, 'a', 10);
      await trial.rejects(ledger.renew({ id: 'a', leaseMs, nowMs: 1 }), { name: 'RangeError' });
      trial.equal((await ledger.hold('a'))?.leaseExpiresAtMs, 1000);
    });
  }

  it('a hold on a row that is closed by now is dispatched and renewed as any other', async (trial) => {
    const ledger = await withPool(trial);
    await ask(ledger, 'a', 10);
    await ledger.refill({ pool: 'free', period: 1 });
    trial.matches(await ledger.renew({ id: 'a', leaseMs: 1000, nowMs: 500 }), {
      outcome: 'renewed',
      hold: { leaseExpiresAtMs: 1500 },
    });
    trial.matches(await ledger.dispatch({ id: 'a', nowMs: 1500 }), { outcome: 'dispatched', already: false });
  });

  it('renew is clipped to the smallest maxLeaseMs on the chain', async (trial) => {
    const ledger = await trial.open();
    await ledger.openPool({ pool: 'root', capacity: 100, maxLeaseMs: 1200 });
    await ledger.openPool({ pool: 'free', capacity: 100, maxLeaseMs: 5000, parent: 'root' });
    await ask(ledger, 'a', 10);
    trial.matches(await ledger.renew({ id: 'a', leaseMs: 1000, nowMs: 500 }), {
      outcome: 'renewed',
      hold: { leaseExpiresAtMs: 1200 },
    });
    trial.matches(await ledger.renew({ id: 'a', leaseMs: 1000, nowMs: 1201 }), { reason: 'lease-limit' });
  });
}
