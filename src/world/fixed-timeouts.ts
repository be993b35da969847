// The policy that Plimsoll replaces: every call gets the cap, and nobody looks at the deadline.

import type { MonotonicMs } from '../base/clock.ts';
import type { Clamp } from '../budget/budget.ts';

export function fixedTimeouts(deadlineMs: MonotonicMs, capMs: number): Clamp {
  return {
    deadlineMs,
    callTimeout: () => capMs,
    remainingMs: (nowMs) => deadlineMs - nowMs,
    declinesAfterMs: () => Number.POSITIVE_INFINITY,
    canWait: (_nowMs, waitMs) => waitMs < Number.POSITIVE_INFINITY,
  };
}
