// Budgets with one mistake each: what a contract is there to find. The first four were real ones.

import type { Clock } from '../../src/base/clock.ts';
import { Budget, type BudgetOptions, type Clamp } from '../../src/budget/budget.ts';

/** What the others do not override is right. */
export class SoundBudget implements Clamp {
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

export class ComputedOnce extends SoundBudget {
  readonly #remaining = super.remainingMs(this.clock.monotonicMs());
  override remainingMs(): number {
    return this.#remaining;
  }
}

export class OnTheWallClock extends SoundBudget {
  readonly #wallDeadline = this.clock.wallMs() + this.options.deadlineMs - this.clock.monotonicMs();
  override remainingMs(): number {
    return this.#wallDeadline - this.clock.wallMs() - this.options.reserveMs;
  }
}

export class ReserveForgotten extends SoundBudget {
  override remainingMs(now: number): number {
    return super.remainingMs(now) + this.options.reserveMs;
  }
}

export class ConstantCap extends SoundBudget {
  override callTimeout(now: number): number | undefined {
    return super.callTimeout(now) === undefined ? undefined : this.options.capMs;
  }
}

export class RoundedUp extends SoundBudget {
  override callTimeout(now: number): number | undefined {
    const granted = super.callTimeout(now);
    return granted === undefined ? undefined : Math.min(this.options.capMs, Math.ceil(granted));
  }
}

export class FloorExcluded extends SoundBudget {
  override callTimeout(now: number): number | undefined {
    return this.remainingMs(now) <= this.options.floorMs ? undefined : super.callTimeout(now);
  }
}

export class FloorIgnored extends SoundBudget {
  override callTimeout(now: number): number | undefined {
    const remaining = this.remainingMs(now);
    return remaining <= 0 ? undefined : Math.min(this.options.capMs, remaining);
  }
}

export class AlwaysDeclining extends SoundBudget {
  override callTimeout(): undefined {}
}
