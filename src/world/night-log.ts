// Tells whoever listens what happens in a night, and keeps the last events for the message that a broken
// invariant stops the run with.

import type { Engine } from '../sim/engine.ts';
import type { WorldEvent } from './world-event.ts';

type Body<Event> = Event extends WorldEvent ? Omit<Event, 'night' | 'atMs'> : never;

/** An event less when it was. */
export type EventBody = Body<WorldEvent>;

const KEPT = 20;

export class NightLog {
  readonly #night: number;
  readonly #engine: Engine;
  readonly #observe: (event: WorldEvent) => void;
  readonly #last: WorldEvent[] = [];
  #count = 0;

  constructor(night: number, engine: Engine, observe: (event: WorldEvent) => void) {
    this.#night = night;
    this.#engine = engine;
    this.#observe = observe;
  }

  emit(body: EventBody): void {
    const event = { night: this.#night, atMs: this.#engine.now, ...body } as WorldEvent;
    this.#last[this.#count % KEPT] = event;
    this.#count += 1;
    this.#observe(event);
  }

  /** Oldest first. */
  lastEvents(): readonly WorldEvent[] {
    const start = this.#count % KEPT;
    return this.#count < KEPT ? this.#last : [...this.#last.slice(start), ...this.#last.slice(0, start)];
  }
}
