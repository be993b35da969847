// What every deadline clamp must keep, for any input: one list, run over the real budget and over budgets
// with a known bug, so that each law is known to be able to fail.

import fc from 'fast-check';
import type { Clock } from '../base/clock.ts';
import type { BudgetOptions, Clamp } from '../budget/budget.ts';

/** The clock stands at monotonic 0 when the budget is made. An honest budget has no use for it. */
export type MakeBudget = (options: Required<BudgetOptions>, clock: Clock) => Clamp;

export interface BudgetLaw {
  readonly name: string;
  /** Throws where the law is broken. */
  readonly check: (make: MakeBudget, settings: LawSettings) => void;
}

interface LawSettings {
  readonly numRuns: number;
  readonly seed?: number;
}

const MICROSECOND = 0.001;

/** Both faces, at unrelated origins, moved by hand. */
class HandClock implements Clock {
  mono = 0;
  wall = 1_800_000_000_000;

  monotonicMs(): number {
    return this.mono;
  }

  wallMs(): number {
    return this.wall;
  }

  advanceTo(mono: number): void {
    this.wall += mono - this.mono;
    this.mono = mono;
  }
}

const durations = fc.oneof(
  fc.integer({ min: 0, max: 600_000 }),
  fc.double({ min: 0, max: 600_000, noNaN: true }),
  fc.double({ min: 0, max: 9e11, noNaN: true }),
);
const deadlines = fc.oneof(
  fc.integer({ min: 0, max: 100_000_000 }),
  fc.double({ min: 0, max: 2e9, noNaN: true }),
  fc.double({ min: -9e11, max: 9e11, noNaN: true }),
);

const budgetOptions: fc.Arbitrary<Required<BudgetOptions>> = fc
  .record({ deadlineMs: deadlines, reserveMs: durations, first: durations, second: durations })
  .map(({ deadlineMs, reserveMs, first, second }) => ({
    deadlineMs,
    reserveMs,
    floorMs: Math.min(first, second),
    capMs: Math.max(first, second, 0.001),
  }));

/** Anywhere, but mostly where something is decided: around the floor and the cap, and at the ends. */
function momentsFor({
  deadlineMs,
  reserveMs,
  floorMs,
  capMs,
}: Required<BudgetOptions>): fc.Arbitrary<number> {
  const end = deadlineMs - reserveMs;
  return fc.oneof(
    fc.double({ min: -2, max: 2, noNaN: true }).map((share) => end - share * capMs),
    fc.double({ min: -2, max: 2, noNaN: true }).map((share) => end - floorMs + share),
    fc.constantFrom(end, end - floorMs, end - capMs, deadlineMs, 0, 1e9, 1e15 / 8, -1e15 / 8),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
}

/** Asks one budget twice, at the earlier moment first. */
function forAnyTwoMoments(
  make: MakeBudget,
  settings: LawSettings,
  holds: (budget: Clamp, options: Required<BudgetOptions>, early: number, late: number) => boolean,
): void {
  const cases = budgetOptions.chain((options) =>
    fc.record({ options: fc.constant(options), moments: fc.tuple(momentsFor(options), momentsFor(options)) }),
  );
  fc.assert(
    fc.property(cases, ({ options, moments: [one, other] }) => {
      const clock = new HandClock();
      const budget = make(options, clock);
      return holds(budget, options, Math.min(one, other), Math.max(one, other));
    }),
    settings,
  );
}

function forAnyGrant(
  make: MakeBudget,
  settings: LawSettings,
  holds: (granted: number, options: Required<BudgetOptions>, now: number) => boolean,
): void {
  forAnyTwoMoments(make, settings, (budget, options, early, late) =>
    [early, late].every((now) => {
      const granted = budget.callTimeout(now);
      return granted === undefined || holds(granted, options, now);
    }),
  );
}

export const budgetLaws: readonly BudgetLaw[] = [
  {
    name: 'a grant is never above the cap',
    check: (make, settings) => forAnyGrant(make, settings, (granted, { capMs }) => granted <= capMs),
  },
  {
    name: 'a grant is never below the floor',
    check: (make, settings) => forAnyGrant(make, settings, (granted, { floorMs }) => granted >= floorMs),
  },
  {
    name: 'a call that uses its whole grant ends before the reserve begins, to a microsecond',
    check: (make, settings) =>
      forAnyGrant(
        make,
        settings,
        (granted, { deadlineMs, reserveMs }, now) => now + granted - (deadlineMs - reserveMs) <= MICROSECOND,
      ),
  },
  {
    name: 'a grant is the cap or all that is left, to a microsecond, and never more than is left',
    check: (make, settings) =>
      forAnyTwoMoments(make, settings, (budget, { deadlineMs, reserveMs, capMs }, early, late) =>
        [early, late].every((now) => {
          const granted = budget.callTimeout(now);
          if (granted === undefined) return true;
          const left = Math.min(capMs, deadlineMs - reserveMs - now);
          return granted <= budget.remainingMs(now) && Math.abs(granted - left) <= MICROSECOND;
        }),
      ),
  },
  {
    name: 'a grant never grows as time goes by',
    check: (make, settings) =>
      forAnyTwoMoments(make, settings, (budget, _options, early, late) => {
        const first = budget.callTimeout(early) ?? Number.NEGATIVE_INFINITY;
        const second = budget.callTimeout(late) ?? Number.NEGATIVE_INFINITY;
        return second <= first;
      }),
  },
  {
    name: 'it declines exactly where less than the floor is left',
    check: (make, settings) =>
      forAnyTwoMoments(make, settings, (budget, { floorMs }, early, late) =>
        [early, late].every(
          (now) => (budget.callTimeout(now) === undefined) === budget.remainingMs(now) < floorMs,
        ),
      ),
  },
  {
    name: 'with exactly the floor left, the floor is granted',
    check: (make, settings) => {
      const whole = fc.record({
        deadlineMs: fc.integer({ min: -1e11, max: 1e11 }),
        reserveMs: fc.integer({ min: 0, max: 1e9 }),
        floorMs: fc.integer({ min: 0, max: 1e6 }),
        above: fc.integer({ min: 1, max: 1e6 }),
      });
      fc.assert(
        fc.property(whole, ({ above, ...rest }) => {
          const budget = make({ ...rest, capMs: rest.floorMs + above }, new HandClock());
          const last = rest.deadlineMs - rest.reserveMs - rest.floorMs;
          return budget.callTimeout(last) === rest.floorMs && budget.declinesAfterMs() === last;
        }),
        settings,
      );
    },
  },
  {
    name: 'the moment after which it declines is one at which it grants, and a microsecond later it does not',
    check: (make, settings) =>
      forAnyTwoMoments(make, settings, (budget) => {
        const last = budget.declinesAfterMs();
        return budget.callTimeout(last) !== undefined && budget.callTimeout(last + MICROSECOND) === undefined;
      }),
  },
  {
    name: 'a wait is worth it exactly where the call after it would be granted',
    check: (make, settings) =>
      forAnyTwoMoments(make, settings, (budget, _options, early, late) => {
        const waitMs = late - early;
        const then = early + waitMs;
        if (!Number.isFinite(then)) return true;
        return budget.canWait(early, waitMs) === (budget.callTimeout(then) !== undefined);
      }),
  },
  {
    name: 'a step of the wall clock leaves it unmoved',
    check: (make, settings) => {
      const steps = fc.integer({ min: -86_400_000, max: 86_400_000 });
      fc.assert(
        fc.property(
          budgetOptions,
          steps,
          fc.double({ min: 0, max: 1, noNaN: true }),
          (options, step, share) => {
            const clock = new HandClock();
            const budget = make(options, clock);
            clock.advanceTo(share * Math.max(0, options.deadlineMs - options.reserveMs));
            const before = budget.callTimeout(clock.mono);
            clock.wall += step;
            return budget.callTimeout(clock.mono) === before;
          },
        ),
        settings,
      );
    },
  },
  {
    name: 'a moment that is no finite number is rejected',
    check: (make) => {
      const budget = make({ deadlineMs: 100_000, reserveMs: 0, floorMs: 1, capMs: 10 }, new HandClock());
      for (const moment of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        expectRangeError(() => budget.callTimeout(moment));
        expectRangeError(() => budget.remainingMs(moment));
        expectRangeError(() => budget.canWait(moment, 0));
      }
    },
  },
];

function expectRangeError(call: () => unknown): void {
  try {
    call();
  } catch (error) {
    if (error instanceof RangeError) return;
    throw error;
  }
  throw new Error('nothing was thrown where a RangeError was due');
}
