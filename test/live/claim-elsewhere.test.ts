import { describe, expect, test } from 'vitest';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { claimElsewhere, isSuperseded } from '../../src/live/claim-elsewhere.ts';

const NOW = 1_800_000_000_000;

/** A ledger in which `a` was reserved under these ids, by these takers. */
function ledgerOf(...reservations: [id: string, taker: string][]): MemoryLedger {
  const ledger = new MemoryLedger();
  ledger.openPool({ pool: 'pool', capacity: 100 });
  for (const [id, taker] of reservations) {
    ledger.reserve({ id, pool: 'pool', job: 'a', taker, amount: 10, leaseMs: 60_000, nowMs: NOW });
  }
  return ledger;
}

describe('what a past says of a job', () => {
  test('nobody ever had it', () => {
    expect(claimElsewhere([], 'a', 'us')).toEqual({ triesEver: 0, standing: 'free' });
  });

  test("another process's open hold is a claim, our own is none", () => {
    const history = ledgerOf(['a/1/1', 'them']).history('a');
    expect(claimElsewhere(history, 'a', 'us')).toEqual({ triesEver: 1, standing: 'claimed' });
    expect(claimElsewhere(history, 'a', 'them')).toEqual({ triesEver: 1, standing: 'free' });
  });

  test('an open hold is a claim, whatever became of later ones', () => {
    const ledger = ledgerOf(['a/1/1', 'them'], ['a/2/2', 'others']);
    ledger.settle({ id: 'a/2/2', actual: 5 });
    expect(claimElsewhere(ledger.history('a'), 'a', 'us')).toEqual({ triesEver: 2, standing: 'claimed' });
  });

  test('the last hold decides between settled and free, over refusals', () => {
    const ledger = ledgerOf(['a/1/1', 'them']);
    ledger.settle({ id: 'a/1/1', actual: 5 });
    ledger.reserve({ id: 'a/1/2', pool: 'pool', job: 'a', amount: 1_000, leaseMs: 1, nowMs: NOW });
    expect(claimElsewhere(ledger.history('a'), 'a', 'us')).toEqual({ triesEver: 2, standing: 'settled' });
    ledger.reserve({ id: 'a/1/3', pool: 'pool', job: 'a', amount: 1, leaseMs: 1, nowMs: NOW });
    ledger.release({ id: 'a/1/3' });
    expect(claimElsewhere(ledger.history('a'), 'a', 'us')).toEqual({ triesEver: 3, standing: 'free' });
  });

  test('the highest try of any night counts, ids that are made up otherwise do not', () => {
    const history = ledgerOf(['a/9/3', 'x'], ['a/10/2', 'x'], ['a/b/77', 'x'], ['free text', 'x']).history(
      'a',
    );
    expect(claimElsewhere(history, 'a', 'us').triesEver).toBe(3);
  });

  test('a job with a slash in its name is counted under its own name', () => {
    const ledger = ledgerOf();
    ledger.reserve({ id: 'a/1/1/4', pool: 'pool', job: 'a/1', amount: 1, leaseMs: 1, nowMs: NOW });
    expect(claimElsewhere(ledger.history('a/1'), 'a/1', 'us').triesEver).toBe(4);
  });
});

describe('an offer is superseded', () => {
  const offer = { job: {}, jobId: 'a', try: 1, attemptsEver: 0 };

  test("by another process's later try, not by an earlier one or our own", () => {
    const by = (...reservations: [string, string][]) =>
      isSuperseded(ledgerOf(['a/1/1', 'us'], ...reservations).history('a'), offer, 'us');
    expect(by()).toBe(false);
    expect(by(['a/2/2', 'them'])).toBe(true);
    expect(by(['a/2/2', 'us'])).toBe(false);
    expect(by(['a/0/1', 'them'])).toBe(false);
  });

  test('not by a later try that was refused', () => {
    const ledger = ledgerOf(['a/1/1', 'us']);
    ledger.reserve({
      id: 'a/1/2',
      pool: 'pool',
      job: 'a',
      taker: 'them',
      amount: 999,
      leaseMs: 1,
      nowMs: NOW,
    });
    expect(isSuperseded(ledger.history('a'), offer, 'us')).toBe(false);
  });
});
