// A suspended machine freezes the monotonic clock, but the scheduler's kill does not wait. The wall clock
// alone cannot tell a suspension from somebody setting it, so a third reading is asked: the uptime, which
// counts a suspension and ignores a set clock.

import type { Clock } from '../base/clock.ts';

/** The uptime is told in whole seconds on some systems: a smaller gap may be its rounding. */
const TOLERANCE_MS = 2_000;

export class SuspensionWatch {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #uptimeMs: () => number;
  /** Uptime less monotonic time, when last in order. */
  #offsetMs: number;

  /** @param uptime counts on while the machine is suspended, milliseconds from any origin */
  constructor(clock: Pick<Clock, 'monotonicMs'>, uptime: () => number) {
    this.#clock = clock;
    this.#uptimeMs = uptime;
    this.#offsetMs = this.#offset();
  }

  /** Milliseconds that the machine was suspended since it was last told; 0 up to the tolerance of 2 s. */
  takeGapMs(): number {
    const gapMs = this.#offset() - this.#offsetMs;
    if (gapMs <= TOLERANCE_MS) return 0;
    this.#offsetMs += gapMs;
    return gapMs;
  }

  #offset(): number {
    return this.#uptimeMs() - this.#clock.monotonicMs();
  }
}
