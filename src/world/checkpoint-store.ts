// The store that checkpoints go to: a fixed number of writers and one line before them, so that the last
// writes of a night queue behind each other. A write is durable when its writer is done with it.

import type { Engine } from '../sim/engine.ts';

interface QueuedWrite {
  readonly takesMs: number;
  started(): void;
  written(): void;
}

export class CheckpointStore {
  readonly #engine: Engine;
  readonly #waiting: QueuedWrite[] = [];
  #nextWaiting = 0;
  #idle: number;

  /** @param writers writes served at once, from 1 */
  constructor(engine: Engine, writers: number) {
    this.#engine = engine;
    this.#idle = writers;
  }

  write(write: QueuedWrite): void {
    if (this.#idle > 0) {
      this.#idle -= 1;
      this.#serve(write);
    } else {
      this.#waiting.push(write);
    }
  }

  #serve(write: QueuedWrite): void {
    write.started();
    this.#engine.schedule(write.takesMs, () => {
      write.written();
      const next = this.#waiting[this.#nextWaiting];
      if (next === undefined) {
        this.#idle += 1;
      } else {
        this.#nextWaiting += 1;
        this.#serve(next);
      }
    });
  }
}
