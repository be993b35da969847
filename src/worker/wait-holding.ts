// Waiting with a hold in hand: out a backoff, out a closed gate. A lease would run out meanwhile, and a call
// must never go out on a hold that somebody else has closed, so it is renewed on the way.

import { renew, sleep } from './ask.ts';
import type { Step } from './effects.ts';
import type { LaneBoard, WorkerSettings } from './worker-settings.ts';

/** Why nothing may follow the wait. */
export type WaitFailure = 'out-of-time' | 'hold-lost' | 'ledger-unavailable';

export interface Wait {
  /** Undefined where there is no pool: nothing is renewed then. */
  readonly hold: string | undefined;
  /** The least to wait; the gate may make it longer. */
  readonly pauseMs: number;
  /** Nothing was waited for since the hold was asked about, so that no renewal is needed to be sure of it. */
  readonly isSure: boolean;
}

/** Undefined where a call may go out now. A wait that would end with less than the floor left is not slept. */
export function* waitHolding<Job>(
  settings: WorkerSettings<Job>,
  board: LaneBoard,
  { hold, pauseMs, isSure }: Wait,
): Step<Job, WaitFailure | undefined> {
  const { budget, clock, pool } = settings;
  let isHeld = isSure || hold === undefined || pool === undefined;
  let restMs = pauseMs;
  for (;;) {
    const nowMs = clock.monotonicMs();
    const waitMs = Math.max(0, restMs, board.gateUntilMs - nowMs);
    if (!budget.canWait(nowMs, waitMs)) return 'out-of-time';
    if (waitMs === 0 && isHeld) return undefined;
    if (waitMs > 0) {
      const sliceMs = Math.min(waitMs, pool?.renewEveryMs ?? waitMs);
      yield* sleep<Job>(sliceMs);
      restMs -= sliceMs;
    }
    if (hold !== undefined && pool !== undefined) {
      const renewed = yield* renew<Job>(hold, pool.leaseMs);
      if (renewed.outcome === 'unavailable') return 'ledger-unavailable';
      if (renewed.outcome === 'refused') return 'hold-lost';
    }
    isHeld = true;
  }
}
