// The causes of drift, one by one: what each kind of end makes of what a hold was billed.

import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { DriftAccount, driftOf, noDrift } from '../../src/world/drift-account.ts';
import type { DriftCauses } from '../../src/world/run-result.ts';

/** A pool of 100 with one hold on it, dispatched, with a lease of 10 ms. */
function oneHold(amount: number, reclaim: 'refund' | 'charge' = 'refund') {
  const ledger = new MemoryLedger();
  ledger.openPool({ pool: 'p', capacity: 100, reclaim });
  const account = new DriftAccount();
  const hold = (id: string, tokens: number) => {
    ledger.reserve({ id, pool: 'p', job: id, taker: 't', amount: tokens, leaseMs: 10, nowMs: 0 });
    ledger.dispatch({ id, nowMs: 0 });
  };
  hold('h', amount);
  const ends = {
    settle: (id: string, actual: number) => account.closed(ledger.settle({ id, actual, nowMs: 100 }).hold),
    reclaim: () => {
      for (const one of ledger.reclaim({ pool: 'p', nowMs: 100 }).closed) account.closed(one);
    },
  };
  const consumed = () => ledger.pool('p')!.consumed;
  return { account, hold, consumed, ...ends };
}

const only = (causes: Partial<DriftCauses>): DriftCauses => ({ ...noDrift(), ...causes });

describe('drift', () => {
  it('is none where the settle says what is billed', () => {
    const { account, settle, consumed } = oneHold(80);
    account.attempted('h', { outcome: 'ok', billed: 70, settledWith: 70 });
    settle('h', 70);
    expect(consumed()).toBe(70);
    expect(account.take()).toEqual(only({}));
  });

  it('is overspend beyond the envelope', () => {
    const { account, settle } = oneHold(80);
    account.attempted('h', { outcome: 'ok', billed: 95, settledWith: 95 });
    settle('h', 95);
    expect(account.take()).toEqual(only({ overspend: 15 }));
  });

  it('is a late shortfall where the pool has given the tokens to somebody else', () => {
    const { account, hold, reclaim, settle, consumed } = oneHold(80);
    account.attempted('h', { outcome: 'ok', billed: 70, settledWith: 70 });
    reclaim();
    hold('other', 60);
    settle('h', 70);
    account.attempted('other', { outcome: 'ok', billed: 60, settledWith: 60 });
    settle('other', 60);
    expect(consumed()).toBe(100);
    expect(account.take()).toEqual(only({ lateShortfall: 30 }));
  });

  it('is none after a late settle that the pool could still pay, or had charged', () => {
    for (const policy of ['refund', 'charge'] as const) {
      const { account, reclaim, settle, consumed } = oneHold(80, policy);
      account.attempted('h', { outcome: 'ok', billed: 70, settledWith: 70 });
      reclaim();
      settle('h', 70);
      expect(consumed()).toBe(70);
      expect(account.take()).toEqual(only({}));
    }
  });

  it('counts a hold that nobody settles: given back whole, or charged whole', () => {
    const refunded = oneHold(80);
    refunded.account.cutOff('h', 30);
    refunded.reclaim();
    expect(refunded.account.take()).toEqual(only({ neverSettled: 30 }));
    const charged = oneHold(80, 'charge');
    charged.account.cutOff('h', 30);
    charged.reclaim();
    expect(charged.account.take()).toEqual(only({ chargedNotSpent: -50 }));
  });

  it('is still open until the hold is closed, and that night counts it back', () => {
    const { account, reclaim } = oneHold(80, 'charge');
    account.cutOff('h', 30);
    expect(account.take()).toEqual(only({ stillOpen: 30 }));
    reclaim();
    // In this night the books take 80, and nothing is billed.
    const since = account.take();
    expect(since).toEqual(only({ stillOpen: -30, chargedNotSpent: -50 }));
    expect(driftOf(since)).toBe(-80);
  });

  it('tells what an abandoned call costs from what was estimated wrong', () => {
    const { account, settle } = oneHold(80);
    account.attempted('h', { outcome: 'timed-out', billed: 25, settledWith: 20 });
    account.attempted('h', { outcome: 'timed-out', billed: 0, settledWith: 20 });
    account.attempted('h', { outcome: 'ok', billed: 30, settledWith: 20 });
    settle('h', 60);
    expect(account.take()).toEqual(only({ abandonedCalls: 5, estimatedUsage: -20 + 10 }));
  });

  it('has calls that no hold knew of, and corrections, beside all holds', () => {
    const { account } = oneHold(80);
    account.unknown('hiddenCalls', 7);
    account.unknown('neverSettled', 3);
    account.corrected(4);
    account.corrected(-1);
    expect(account.take()).toEqual(only({ hiddenCalls: 7, neverSettled: 3, corrected: -3 }));
  });
});
