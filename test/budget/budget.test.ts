import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.ts';
import { Budget, type BudgetOptions } from '../../src/budget/budget.ts';
import { budgetContract } from '../../src/testing/budget-contract.ts';

budgetContract((options) => new Budget(options), { describe, expect, it });

describe('a budget', () => {
  it('holds back 45 s, starts nothing under 3 s and caps a call at 120 s unless told otherwise', () => {
    const budget = new Budget({ deadlineMs: 200_000 });
    expect(budget.callTimeout(0)).toBe(120_000);
    expect(budget.callTimeout(100_000)).toBe(55_000);
    expect(budget.callTimeout(152_000)).toBe(3_000);
    expect(budget.callTimeout(152_001)).toBeUndefined();
    expect(budget.remainingMs(160_000)).toBe(-5_000);
  });

  it('comes nearer by as long as the machine was suspended', () => {
    const budget = new Budget({ deadlineMs: 200_000 });
    budget.shortenBy(60_000);
    budget.shortenBy(0);
    expect(budget.deadlineMs).toBe(140_000);
    expect(budget.remainingMs(0)).toBe(95_000);
    expect(budget.declinesAfterMs()).toBe(92_000);
  });

  it('never moves its deadline away, nor to nowhere', () => {
    const budget = new Budget({ deadlineMs: 200_000 });
    for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => budget.shortenBy(ms)).toThrow(RangeError);
    }
    expect(budget.remainingMs(0)).toBe(155_000);
  });

  it('does not wait for ever, and rejects a wait that is none', () => {
    const budget = new Budget({ deadlineMs: 200_000 });
    expect(budget.canWait(0, 152_000)).toBe(true);
    expect(budget.canWait(0, 152_001)).toBe(false);
    expect(budget.canWait(0, Number.POSITIVE_INFINITY)).toBe(false);
    expect(() => budget.canWait(0, -1)).toThrow(/waitMs .* got -1/);
    expect(() => budget.canWait(0, Number.NaN)).toThrow(/waitMs .* got NaN/);
  });
});

describe('options that cannot be meant are rejected, naming field and value', () => {
  const wrong: readonly [Partial<BudgetOptions>, RegExp][] = [
    [{ deadlineMs: Number.NaN }, /deadlineMs .* got NaN/],
    [{ deadlineMs: Number.POSITIVE_INFINITY }, /deadlineMs .* got Infinity/],
    [{ deadlineMs: -1e12 }, /deadlineMs .* got -1000000000000/],
    [{ reserveMs: -1 }, /reserveMs .* got -1/],
    [{ reserveMs: Number.NaN }, /reserveMs .* got NaN/],
    [{ reserveMs: 1e12 }, /reserveMs .* got 1000000000000/],
    [{ floorMs: -0.5 }, /floorMs .* got -0.5/],
    [{ floorMs: Number.NaN }, /floorMs .* got NaN/],
    [{ capMs: 0, floorMs: 0 }, /capMs .* got 0/],
    [{ capMs: Number.POSITIVE_INFINITY }, /capMs .* got Infinity/],
    [{ floorMs: 11, capMs: 10 }, /floorMs .* got floorMs 11, capMs 10/],
    [{ capMs: '120' as never }, /capMs .* got "120"/],
  ];
  for (const [options, message] of wrong) {
    it(String(message), () => {
      const make = () => new Budget({ deadlineMs: 100_000, ...options });
      expect(make).toThrow(RangeError);
      expect(make).toThrow(message);
    });
  }

  it('an epoch time as the deadline is told from a monotonic one', () => {
    const make = () => new Budget({ deadlineMs: 1_800_000_000_000 });
    expect(make).toThrow(RangeError);
    expect(make).toThrow(/performance\.now\(\).*1800000000000 looks like an epoch time/);
  });

  it('a misspelt option is not taken for its default', () => {
    const make = () => new Budget({ deadlineMs: 100_000, reservMs: 10 } as never);
    expect(make).toThrow(InputError);
    expect(make).toThrow(/no option "reservMs".*Did you mean "reserveMs"/);
  });
});
