// The discrete-event engine: a virtual clock and a heap of what happens next. It knows nothing of what it
// plays. Everything goes through the heap, also what is ready at once: one order, no recursion.

import { invariant } from '../base/errors.ts';
import { EventHeap, HeapEvent } from './event-heap.ts';

/** A scheduled callback, for `cancel`. */
export type Scheduled = HeapEvent;

/** A process that waits, as what it waits for sees it. */
export interface Sleeper {
  /** Puts the process on the heap at the present time; once per wait. `answer` is what its `yield` gives. */
  wake(answer?: unknown): void;
}

/** Something to wait for that is no delay: it keeps the sleeper, and wakes it when the time has come. */
export interface Wait {
  onWait(sleeper: Sleeper): void;
}

/** Yields a delay or a `Wait`, and is resumed when that is over. Who drops a process has ended it. */
export type Process = Generator<number | Wait, void, unknown>;

export class Engine {
  #now: number;
  readonly #heap = new EventHeap<EngineEvent>();

  /** @param startsAt the clock's first reading, finite; default 0 */
  constructor(startsAt = 0) {
    invariant(Number.isFinite(startsAt), 'virtual time is finite', () => String(startsAt));
    this.#now = startsAt;
  }

  /** Virtual time, in whatever unit the caller's delays have. Never goes back. */
  get now(): number {
    return this.#now;
  }

  /** The number of events that are scheduled and neither played nor cancelled. */
  get pending(): number {
    return this.#heap.size;
  }

  /** When the next event is due; +∞ where there is none. */
  get nextAt(): number {
    return this.#heap.earliest;
  }

  /** Calls `callback` after `delay`: finite, from 0. Equal times are played in the order of scheduling. */
  schedule(delay: number, callback: () => void): Scheduled {
    return this.#push(delay, new Callback(callback));
  }

  /** Calls `callback` at `time`: finite, not before now. */
  scheduleAt(time: number, callback: () => void): Scheduled {
    if (!(time >= this.#now && time < Number.POSITIVE_INFINITY)) refuseTime(time, this.#now);
    const event = new Callback(callback);
    this.#heap.push(time, event);
    return event;
  }

  /** @returns false where it has been played or cancelled already */
  cancel(scheduled: Scheduled): boolean {
    return this.#heap.remove(scheduled as EngineEvent);
  }

  /** Starts a process after `delay`: finite, from 0, default 0; through the heap like everything else. */
  start(process: Process, delay = 0): void {
    this.#push(delay, new Resumption(process, this.#push));
  }

  /** Plays the next event. An exception of its callback comes out of here. @returns false where there was none */
  step(): boolean {
    const time = this.#heap.earliest;
    const event = this.#heap.pop();
    if (event === undefined) return false;
    this.#now = time;
    if (event instanceof Resumption) this.#resume(event);
    else event.callback();
    return true;
  }

  /**
   * Plays events until none is left, or none that is due at `until` or before; the clock then reads
   * `until` where that was given. An exception of a callback comes out of here, and the engine can be
   * run on from where it stands.
   */
  run(until = Number.POSITIVE_INFINITY): void {
    invariant(!Number.isNaN(until), 'a run ends at a time', () => 'NaN');
    while (this.#heap.earliest <= until && this.step());
    if (until > this.#now && until < Number.POSITIVE_INFINITY) this.#now = until;
  }

  #resume(event: Resumption): void {
    const answer = event.answer;
    event.answer = undefined;
    const { done, value } = event.process.next(answer);
    if (done === true) return;
    if (typeof value === 'number') this.#push(value, event);
    else value.onWait(event);
  }

  readonly #push = <Event extends EngineEvent>(delay: number, event: Event): Event => {
    if (!(delay >= 0 && delay < Number.POSITIVE_INFINITY)) refuseDelay(delay);
    this.#heap.push(this.#now + delay, event);
    return event;
  };
}

type EngineEvent = Callback | Resumption;

class Callback extends HeapEvent {
  readonly callback: () => void;

  constructor(callback: () => void) {
    super();
    this.callback = callback;
  }
}

/** A process's next step. It waits for one thing at a time, so that one event does for its whole life. */
class Resumption extends HeapEvent implements Sleeper {
  readonly process: Process;
  readonly #push: (delay: number, event: Resumption) => void;
  answer: unknown = undefined;

  constructor(process: Process, push: (delay: number, event: Resumption) => void) {
    super();
    this.process = process;
    this.#push = push;
  }

  wake(answer?: unknown): void {
    invariant(this.place < 0, 'a process is woken once per wait', () => 'it is about to run already');
    this.answer = answer;
    this.#push(0, this);
  }
}

function refuseDelay(delay: number): void {
  invariant(false, 'a delay is finite and 0 or more', () => String(delay));
}

function refuseTime(time: number, now: number): void {
  invariant(false, 'nothing is scheduled into the past, or at no time', () => `${time} at ${now}`);
}
