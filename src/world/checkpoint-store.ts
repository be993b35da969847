// The store that checkpoints go to: a fixed number of writers and one line before them, so that the last
// writes of a night queue behind each other. A write is durable when its writer is done with it.

import type { Engine, Scheduled } from '../sim/engine.ts';

export interface QueuedWrite {
  /** Alone in the store. */
  readonly takesMs: number;
  started(): void;
  /** Its writer is done with it. */
  written(): void;
}

export class CheckpointStore {
  readonly #engine: Engine;
  readonly #writers: number;
  readonly #contention: number;
  #waiting: QueuedWrite[] = [];
  #nextWaiting = 0;
  readonly #served = new Map<QueuedWrite, Scheduled>();

  /**
   * @param writers writes served at once, from 1
   * @param contention how much longer one takes for each other in the line as it starts, as a fraction
   */
  constructor(engine: Engine, writers: number, contention = 0) {
    this.#engine = engine;
    this.#writers = writers;
    this.#contention = contention;
  }

  write(write: QueuedWrite): void {
    if (this.#served.size < this.#writers) this.#serve(write);
    else this.#waiting.push(write);
  }

  /** Whoever asked for these is gone: they never become durable, and their writers go on to the next. */
  forget(writes: ReadonlySet<QueuedWrite>): void {
    this.#waiting = this.#waiting.slice(this.#nextWaiting).filter((write) => !writes.has(write));
    this.#nextWaiting = 0;
    for (const write of writes) {
      const served = this.#served.get(write);
      if (served === undefined) continue;
      this.#engine.cancel(served);
      this.#served.delete(write);
      this.#serveNext();
    }
  }

  #serve(write: QueuedWrite): void {
    const others = this.#served.size + this.#waiting.length - this.#nextWaiting;
    const takesMs = write.takesMs * (1 + this.#contention * others);
    write.started();
    this.#served.set(
      write,
      this.#engine.schedule(takesMs, () => {
        write.written();
        this.#served.delete(write);
        this.#serveNext();
      }),
    );
  }

  #serveNext(): void {
    const next = this.#waiting[this.#nextWaiting];
    if (next === undefined) return;
    this.#nextWaiting += 1;
    this.#serve(next);
  }
}
