// What befell the workers: crashes, pauses, sleeping machines, clocks that were set, workers that hung. Counted
// as it happened; what it cost is told by the losses and the waits.

import type { WorldEvent } from '../world/world-event.ts';
import type { FleetSeries } from './trouble-series.ts';

export class FleetTally {
  readonly #count = { crashes: 0, pauses: 0, suspensions: 0, clockSteps: 0, hung: 0, writesRefused: 0 };
  #longestPauseMs: number | null = null;
  #longestSuspensionMs: number | null = null;
  #killedWhileHung = 0;
  #isHung = false;

  hear(event: WorldEvent): void {
    switch (event.type) {
      case 'opened':
        this.#isHung = false;
        return;
      case 'crashed':
        this.#count.crashes += 1;
        return;
      case 'paused':
        this.#count.pauses += 1;
        this.#longestPauseMs = Math.max(this.#longestPauseMs ?? 0, event.untilMs - event.atMs);
        return;
      case 'suspended':
        this.#count.suspensions += 1;
        this.#longestSuspensionMs = Math.max(this.#longestSuspensionMs ?? 0, event.untilMs - event.atMs);
        return;
      case 'clock-set':
        this.#count.clockSteps += 1;
        return;
      case 'zombie':
        this.#count.hung += 1;
        this.#isHung = true;
        return;
      case 'write-failed':
        this.#count.writesRefused += 1;
        return;
      case 'killed':
        if (this.#isHung) this.#killedWhileHung += 1;
        return;
      default:
        return;
    }
  }

  series(): FleetSeries {
    return {
      ...this.#count,
      longestPauseMs: this.#longestPauseMs,
      longestSuspensionMs: this.#longestSuspensionMs,
      killedWhileHung: this.#killedWhileHung,
    };
  }
}
