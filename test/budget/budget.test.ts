import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { InputError } from '../../src/base/errors.ts';
import { Budget, type BudgetOptions, type Clamp } from '../../src/budget/budget.ts';
import { budgetLaws, type MakeBudget } from './budget-laws.ts';

describe('for any options and any moment', () => {
  for (const { name, check } of budgetLaws) {
    it(name, () => check((options) => new Budget(options)));
  }
});

/** A budget with one thing wrong; what it does not override is right. */
class Mutant implements Clamp {
  protected readonly options: Required<BudgetOptions>;
  protected readonly clock: Clock;

  constructor(options: Required<BudgetOptions>, clock: Clock) {
    this.options = options;
    this.clock = clock;
  }

  get deadlineMs(): number {
    return this.options.deadlineMs;
  }

  remainingMs(now: number): number {
    if (!Number.isFinite(now)) throw new RangeError('now');
    return this.options.deadlineMs - now - this.options.reserveMs;
  }

  callTimeout(now: number): number | undefined {
    const remaining = this.remainingMs(now);
    return remaining < this.options.floorMs ? undefined : Math.min(this.options.capMs, remaining);
  }

  declinesAfterMs(): number {
    return new Budget(this.options).declinesAfterMs();
  }

  canWait(now: number, wait: number): boolean {
    return this.callTimeout(now + wait) !== undefined;
  }
}

class ComputedOnce extends Mutant {
  readonly #remaining = super.remainingMs(this.clock.monotonicMs());
  override remainingMs(): number {
    return this.#remaining;
  }
}

class OnTheWallClock extends Mutant {
  readonly #wallDeadline = this.clock.wallMs() + this.options.deadlineMs - this.clock.monotonicMs();
  override remainingMs(): number {
    return this.#wallDeadline - this.clock.wallMs() - this.options.reserveMs;
  }
}

class ReserveForgotten extends Mutant {
  override remainingMs(now: number): number {
    return super.remainingMs(now) + this.options.reserveMs;
  }
}

class ConstantCap extends Mutant {
  override callTimeout(now: number): number | undefined {
    return super.callTimeout(now) === undefined ? undefined : this.options.capMs;
  }
}

class RoundedUp extends Mutant {
  override callTimeout(now: number): number | undefined {
    const granted = super.callTimeout(now);
    return granted === undefined ? undefined : Math.min(this.options.capMs, Math.ceil(granted));
  }
}

class FloorExcluded extends Mutant {
  override callTimeout(now: number): number | undefined {
    return this.remainingMs(now) <= this.options.floorMs ? undefined : super.callTimeout(now);
  }
}

class FloorIgnored extends Mutant {
  override callTimeout(now: number): number | undefined {
    const remaining = this.remainingMs(now);
    return remaining <= 0 ? undefined : Math.min(this.options.capMs, remaining);
  }
}

class AlwaysDeclining extends Mutant {
  override callTimeout(): undefined {}
}

describe('the laws catch', () => {
  const wholeGrant = 'a call that uses its whole grant ends before the reserve begins, to a microsecond';
  const leftOrCap = 'a grant is the cap or all that is left, to a microsecond, and never more than is left';
  const exactFloor = 'with exactly the floor left, the floor is granted';
  const cases: readonly [string, new (...args: Parameters<MakeBudget>) => Clamp, string][] = [
    ['a remaining time computed once, when the budget is made', ComputedOnce, wholeGrant],
    ['a deadline on the wall clock', OnTheWallClock, 'a step of the wall clock leaves it unmoved'],
    ['a forgotten reserve', ReserveForgotten, wholeGrant],
    ['a clamp turned back into a constant', ConstantCap, wholeGrant],
    ['a grant that is rounded up', RoundedUp, leftOrCap],
    ['a floor that is not granted', FloorExcluded, exactFloor],
    ['a floor that is not looked at', FloorIgnored, 'a grant is never below the floor'],
    ['a budget that never grants', AlwaysDeclining, exactFloor],
  ];
  for (const [what, Broken, lawName] of cases) {
    it(`${what}`, () => {
      const law = budgetLaws.find(({ name }) => name === lawName)!;
      expect(() => law.check((options, clock) => new Broken(options, clock))).toThrow(/Property failed/);
    });
  }

  it('nothing in the mutants’ common part, which is right', () => {
    for (const { check } of budgetLaws) check((options, clock) => new Mutant(options, clock));
  });
});

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
