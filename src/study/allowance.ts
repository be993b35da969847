// What studies may play, in calls: the same on every machine, unlike the time that it takes.

import type { Played } from '../world/run-result.ts';

/** An ask in vain costs less than a call. */
export const CALLS_OF_A_REFUSAL = 0.25;

/** What playing it once more costs, about. */
export function callsIn({ attempts, refused, inadmissible }: Played['total']): number {
  return Math.max(1, attempts + CALLS_OF_A_REFUSAL * (refused + inadmissible));
}

export class Allowance {
  #left: number;

  /** @param calls in all; +∞ for no end */
  constructor(calls: number) {
    this.#left = calls;
  }

  /** Below 0 where what was begun took more than there was. */
  get left(): number {
    return this.#left;
  }

  spend(calls: number): void {
    this.#left -= calls;
  }
}
