// A service station for the queueing tests and the bench: some servers, and a line in order of arrival.

import type { Sleeper, Wait } from '../../src/sim/engine.ts';

/** A process enters by `if (!station.tryEnter()) yield station`, and calls `leave` when it is served. */
export class Station implements Wait {
  #idle: number;
  readonly #line: Sleeper[] = [];
  #head = 0;

  constructor(servers: number) {
    this.#idle = servers;
  }

  /** Takes a server if one is idle; the line is empty then. */
  tryEnter(): boolean {
    if (this.#idle === 0) return false;
    this.#idle -= 1;
    return true;
  }

  onWait(sleeper: Sleeper): void {
    this.#line.push(sleeper);
  }

  /** Hands the server to whoever waits longest. */
  leave(): void {
    const next = this.#line[this.#head];
    if (next === undefined) {
      this.#idle += 1;
      return;
    }
    this.#head += 1;
    if (this.#head === 1024) {
      this.#line.splice(0, this.#head);
      this.#head = 0;
    }
    next.wake();
  }
}
