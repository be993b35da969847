// What keeps a hold alive, and what marks that a call goes out on it.

import { expect, it } from 'vitest';
import { ask, books, type OpenLedger, withPool } from './short-hand.ts';

const CLOSED = ['settled', 'released', 'expired'] as const;

export function leaseContract(open: OpenLedger): void {
  /** One hold in each closed state, named after it. */
  function withClosedHolds() {
    const ledger = withPool(open);
    for (const id of CLOSED) ask(ledger, id, 10);
    ledger.settle({ id: 'settled', actual: 10 });
    ledger.release({ id: 'released' });
    ledger.reclaim({ pool: 'free', nowMs: 1001 });
    return ledger;
  }

  it('dispatch marks the hold and moves no books', () => {
    const ledger = withPool(open);
    ask(ledger, 'a', 10);
    expect(ledger.dispatch({ id: 'a', nowMs: 1000 })).toMatchObject({
      outcome: 'dispatched',
      hold: { state: 'held', dispatched: true },
      already: false,
      delta: [],
      version: 0,
    });
    expect(ledger.hold('a')?.dispatched).toBe(true);
    expect(books(ledger)).toEqual([90, 10, 0]);
  });

  it('dispatch again is already, while the lease runs', () => {
    const ledger = withPool(open);
    ask(ledger, 'a', 10);
    ledger.dispatch({ id: 'a', nowMs: 1 });
    expect(ledger.dispatch({ id: 'a', nowMs: 1000 })).toMatchObject({ outcome: 'dispatched', already: true });
    expect(ledger.dispatch({ id: 'a', nowMs: 1001 })).toMatchObject({
      outcome: 'refused',
      state: 'held',
      reason: 'lease-expired',
    });
  });

  it('dispatch is refused past the lease, and granted again once it is renewed', () => {
    const ledger = withPool(open);
    ask(ledger, 'a', 10);
    expect(ledger.dispatch({ id: 'a', nowMs: 1000.5 })).toMatchObject({
      outcome: 'refused',
      reason: 'lease-expired',
    });
    expect(ledger.hold('a')?.dispatched).toBe(false);
    ledger.renew({ id: 'a', leaseMs: 10, nowMs: 1001 });
    expect(ledger.dispatch({ id: 'a', nowMs: 1011 })).toMatchObject({ outcome: 'dispatched' });
  });

  it('dispatch and renew are refused on a closed hold, whose state they name', () => {
    const ledger = withClosedHolds();
    for (const id of CLOSED) {
      const refusal = { outcome: 'refused', state: id, reason: 'closed', already: false, delta: [] };
      expect(ledger.dispatch({ id, nowMs: 1 })).toMatchObject(refusal);
      expect(ledger.renew({ id, leaseMs: 5000, nowMs: 1 })).toMatchObject(refusal);
      expect(ledger.hold(id)).toMatchObject({ state: id, dispatched: false, leaseExpiresAtMs: 1000 });
    }
  });

  it('renew lengthens and never shortens', () => {
    const ledger = withPool(open);
    ask(ledger, 'a', 10);
    expect(ledger.renew({ id: 'a', leaseMs: 1000, nowMs: 500 })).toMatchObject({
      outcome: 'renewed',
      hold: { leaseExpiresAtMs: 1500, leaseMs: 1000 },
      already: false,
      delta: [],
    });
    expect(ledger.renew({ id: 'a', leaseMs: 1, nowMs: 600 })).toMatchObject({
      hold: { leaseExpiresAtMs: 1500 },
    });
  });

  it("renew is clipped to the hold's start + maxLeaseMs, and refused past that limit", () => {
    const ledger = withPool(open, { maxLeaseMs: 3000 });
    ask(ledger, 'a', 10, { nowMs: 100 });
    expect(ledger.renew({ id: 'a', leaseMs: 9000, nowMs: 200 })).toMatchObject({
      hold: { leaseExpiresAtMs: 3100 },
    });
    expect(ledger.renew({ id: 'a', leaseMs: 9000, nowMs: 3100 })).toMatchObject({
      outcome: 'renewed',
      hold: { leaseExpiresAtMs: 3100 },
    });
    expect(ledger.renew({ id: 'a', leaseMs: 9000, nowMs: 3101 })).toMatchObject({
      outcome: 'refused',
      state: 'held',
      reason: 'lease-limit',
    });
  });

  it('a held hold past its lease renews normally, and reclaim then passes it by', () => {
    const ledger = withPool(open);
    ask(ledger, 'a', 10);
    expect(ledger.renew({ id: 'a', leaseMs: 1000, nowMs: 5000 })).toMatchObject({
      outcome: 'renewed',
      hold: { leaseExpiresAtMs: 6000 },
    });
    expect(ledger.reclaim({ pool: 'free', nowMs: 6000 }).closed).toEqual([]);
    expect(ledger.hold('a')?.state).toBe('held');
  });

  it.each([0, -1, Number.NaN])('renewing for %s ms is a RangeError', (leaseMs) => {
    const ledger = withPool(open);
    ask(ledger, 'a', 10);
    expect(() => ledger.renew({ id: 'a', leaseMs, nowMs: 1 })).toThrow(RangeError);
  });
}
