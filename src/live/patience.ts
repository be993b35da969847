// Asking a ledger that may be busy, or out of reach for a moment. It says so, and the waiting is done here,
// asleep, so that the other lanes' timers stay on time.

import type { Clock } from '../base/clock.ts';
import { EnvironmentError, LedgerUnavailable } from '../base/errors.ts';
import type { Unavailable } from '../worker/effects.ts';
import type { Pauses } from './timers.ts';

const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 250;

export interface Patience {
  readonly clock: Clock;
  /** Draws the pauses, from 0 up to, not including, 1. */
  readonly random: () => number;
  /** How long a ledger whose trouble may pass is asked again before it counts as unavailable. */
  readonly busyWaitMs: number;
}

/**
 * The operation's answer. A ledger whose trouble may pass is asked again, after pauses that grow and are
 * jittered; one that stays in trouble, or fails for another reason of the environment, is answered `unavailable`.
 *
 * @param operate must bear being repeated: the worker's operations carry an id
 * @throws whatever else the operation throws: wrong use, or a bug
 */
export async function askPatiently<Answer>(
  operate: () => Answer | Promise<Answer>,
  { clock, random, busyWaitMs }: Patience,
  pauses: Pauses,
): Promise<Answer | Unavailable> {
  const giveUpMs = clock.monotonicMs() + busyWaitMs;
  let longestMs = FIRST_PAUSE_MS;
  for (;;) {
    try {
      return await operate();
    } catch (error) {
      if (!(error instanceof EnvironmentError)) throw error;
      const mayPass = error instanceof LedgerUnavailable && error.isTransient;
      const leftMs = giveUpMs - clock.monotonicMs();
      if (!mayPass || leftMs <= 0 || pauses.isEnded) return { outcome: 'unavailable', error };
      // At least half of it, so that a busy ledger is never asked in a tight loop.
      await pauses.pause(Math.min(leftMs, (longestMs * (1 + random())) / 2));
      longestMs = Math.min(LONGEST_PAUSE_MS, 2 * longestMs);
    }
  }
}
