// The last events of a played run, over the nights: what the message says that a broken invariant stops it with.

import type { WorldEvent } from './world-event.ts';

const KEPT = 20;

export class LastEvents {
  readonly #ring: WorldEvent[] = [];
  #count = 0;

  add(event: WorldEvent): void {
    this.#ring[this.#count % KEPT] = event;
    this.#count += 1;
  }

  /** At most twenty, the oldest first. */
  list(): readonly WorldEvent[] {
    const start = this.#count % KEPT;
    if (this.#count < KEPT) return [...this.#ring];
    return [...this.#ring.slice(start), ...this.#ring.slice(0, start)];
  }
}
