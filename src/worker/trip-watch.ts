// Between a worker's drivers and the trip monitor: tells it what the ledger answered and what waits in the
// queue, and does about a trip what it is told to. Both drivers use it, so that a condition that trips in the
// simulator trips in production.

import type { Answer, Effect } from './effects.ts';
import type { JobQueue } from './job-queue.ts';
import type { TripMonitor } from './trip-monitor.ts';
import type { Trip, TripReading } from './trip-settings.ts';

/** What is done about a trip by itself: no more jobs of its class (a pool's: of any class), or nothing. */
export type TripReaction = 'shed' | 'none';

export interface TripWatchOptions<Job> {
  readonly monitor: TripMonitor;
  readonly queue: JobQueue<Job>;
  readonly openedAtMs: number;
  /** Every class of the queue. */
  readonly classes: readonly string[];
  /** Undefined for a job that is none of tonight's. */
  classOf(jobId: string): string | undefined;
  /** Told of every alert and every trip; what it answers to a trip is done. */
  told(trip: Trip): TripReaction;
}

export class TripWatch<Job> {
  readonly #options: TripWatchOptions<Job>;

  constructor(options: TripWatchOptions<Job>) {
    this.#options = options;
  }

  /** Call it before a job is taken: whoever has waited too long is then not admitted any more. */
  look(nowMs: number): void {
    const { monitor, queue, classes, openedAtMs } = this.#options;
    for (const name of classes) {
      const cameMs = queue.waitsSince(name);
      const sinceMs = cameMs === undefined ? undefined : Math.max(cameMs, openedAtMs);
      this.#react(monitor.hear({ type: 'waiting', class: name, sinceMs }, nowMs));
    }
  }

  /** Call it with every effect and its answer. A repeated answer tells nothing new. */
  answered(effect: Effect<Job>, answer: Answer<Job>, nowMs: number): void {
    if (answer === undefined || typeof answer === 'string' || !('already' in answer) || answer.already)
      return;
    const { monitor, classOf } = this.#options;
    if (effect.kind === 'reserve' && (answer.outcome === 'granted' || answer.outcome === 'refused')) {
      if (answer.outcome === 'refused' && answer.reason === 'paused') return;
      const isRefused = answer.outcome === 'refused';
      this.#react(monitor.hear({ type: 'asked', job: effect.request.job, isRefused }, nowMs));
    }
    if (answer.outcome === 'settled') {
      const { job, amount: held, actual = 0 } = answer.hold;
      const name = classOf(job);
      if (name !== undefined) {
        this.#react(monitor.hear({ type: 'settled', class: name, held, actual }, nowMs));
      }
    }
  }

  readings(nowMs: number): readonly TripReading[] {
    this.look(nowMs);
    return this.#options.monitor.readings(nowMs);
  }

  #react(trips: readonly Trip[]): void {
    const { told, queue, classes } = this.#options;
    for (const trip of trips) {
      if (told(trip) === 'shed') queue.shed(trip.class === null ? classes : [trip.class]);
    }
  }
}

/** What the table of trip conditions says: an old queue is shed, the other signals are for people. */
export function tabledReaction({ level, signal }: Trip): TripReaction {
  return level === 'trip' && signal === 'queue-age' ? 'shed' : 'none';
}
