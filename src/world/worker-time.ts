// One worker's own time. It may stand still while the world goes on: in a pause (garbage collection) its
// clocks run and its timers are due when it wakes; in a suspension of its machine the monotonic clock stands
// still as well, and every timer keeps what it had left.

import type { Engine, Scheduled } from '../sim/engine.ts';

/** A timer of the worker's, for `cancel`. */
export interface WorkerTimer {
  event: Scheduled;
  isCancelled: boolean;
}

export class WorkerTime {
  readonly #engine: Engine;
  #awakeAtMs = Number.NEGATIVE_INFINITY;
  #suspendedUntilMs = Number.NEGATIVE_INFINITY;
  /** Of all suspensions, the one under way in full. */
  #suspendedMs = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  get isAwake(): boolean {
    return this.#engine.now >= this.#awakeAtMs;
  }

  /** By how much the monotonic clock has fallen behind so far. */
  get behindMs(): number {
    return this.#suspendedMs - Math.max(0, this.#suspendedUntilMs - this.#engine.now);
  }

  pause(forMs: number): void {
    this.#awakeAtMs = Math.max(this.#awakeAtMs, this.#engine.now + forMs);
  }

  suspend(forMs: number): void {
    const untilMs = this.#engine.now + forMs;
    this.#suspendedMs += Math.max(0, untilMs - Math.max(this.#engine.now, this.#suspendedUntilMs));
    this.#suspendedUntilMs = Math.max(this.#suspendedUntilMs, untilMs);
    this.pause(forMs);
  }

  /** At once where it is awake, else as soon as it is; in the order of asking. */
  whenAwake(then: () => void): void {
    if (this.isAwake) then();
    else this.#engine.scheduleAt(this.#awakeAtMs, () => this.whenAwake(then));
  }

  /** After `ms` of the monotonic clock: finite, from 0. Set by a worker that is awake. */
  after(ms: number, then: () => void): WorkerTimer {
    let countedMs = this.#suspendedMs;
    const due = (): void => {
      const missedMs = this.#suspendedMs - countedMs;
      if (missedMs > 0) {
        countedMs = this.#suspendedMs;
        timer.event = this.#engine.schedule(missedMs, due);
      } else {
        this.whenAwake(() => {
          if (!timer.isCancelled) then();
        });
      }
    };
    const timer: WorkerTimer = { event: this.#engine.schedule(ms, due), isCancelled: false };
    return timer;
  }

  /** Also of a timer that is due, while its worker does not know of it yet. Harmless once it does. */
  cancel(timer: WorkerTimer): void {
    timer.isCancelled = true;
    this.#engine.cancel(timer.event);
  }
}
