// Tells whoever listens what happens in a night, and when.

import type { Engine } from '../sim/engine.ts';
import type { LastEvents } from './last-events.ts';
import type { WorldEvent } from './world-event.ts';

type Body<Event> = Event extends WorldEvent ? Omit<Event, 'night' | 'atMs'> : never;

/** An event less when it was. */
export type EventBody = Body<WorldEvent>;

export class NightLog {
  readonly #night: number;
  readonly #engine: Engine;
  readonly #observe: (event: WorldEvent) => void;
  readonly #last: LastEvents;

  constructor(night: number, engine: Engine, last: LastEvents, observe: (event: WorldEvent) => void) {
    this.#night = night;
    this.#engine = engine;
    this.#last = last;
    this.#observe = observe;
  }

  emit(body: EventBody): void {
    const event = this.#event(body);
    this.#last.add(event);
    this.#observe(event);
  }

  /** A sample of how things stand: told, but nothing that happened. */
  sample(body: EventBody): void {
    this.#observe(this.#event(body));
  }

  #event(body: EventBody): WorldEvent {
    return { night: this.#night, atMs: this.#engine.now, ...body } as WorldEvent;
  }
}
