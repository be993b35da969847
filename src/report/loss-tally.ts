// What took the calls and answers that were lost: a worker that crashed, a store that took nothing, or the
// kill. The outcomes alone do not tell, and each asks for another remedy.

import type { WorldEvent } from '../world/world-event.ts';
import type { LossSeries } from './trouble-series.ts';

type EventOf<Type extends WorldEvent['type']> = Extract<WorldEvent, { readonly type: Type }>;

export class LossTally {
  readonly #lanesEach: number;
  /** Tonight's calls that are out, by lane, and the lane that each job was last called on. */
  readonly #out = new Map<number, string>();
  readonly #laneOf = new Map<string, number>();
  /** Jobs with a checkpoint on its way to the store. */
  readonly #writing = new Set<string>();
  /** Jobs whose last call, or whose last checkpoint, is lost already. */
  readonly #lostCalls = new Set<string>();
  readonly #lostWrites = new Map<string, 'crash' | 'store'>();
  readonly #calls = { crash: 0, kill: 0 };
  readonly #answers = { crash: 0, store: 0, kill: 0 };

  /** @param lanesEach how many lanes each worker has; they are numbered over all workers */
  constructor(lanesEach: number) {
    this.#lanesEach = lanesEach;
  }

  hear(event: WorldEvent): void {
    switch (event.type) {
      case 'opened':
        for (const tonight of [this.#out, this.#laneOf, this.#writing, this.#lostCalls, this.#lostWrites])
          tonight.clear();
        return;
      case 'granted':
        this.#out.set(event.lane, event.job);
        this.#laneOf.set(event.job, event.lane);
        // Tried again: what became of the try before decides nothing any more.
        this.#lostCalls.delete(event.job);
        this.#lostWrites.delete(event.job);
        return;
      case 'attempt':
        this.#out.delete(event.lane);
        return;
      case 'write-queued':
        this.#writing.add(event.job);
        return;
      case 'written':
        this.#writing.delete(event.job);
        this.#lostWrites.delete(event.job);
        return;
      case 'write-failed':
        this.#writing.delete(event.job);
        this.#lostWrites.set(event.job, 'store');
        return;
      case 'crashed':
        this.#crashed(event.worker);
        return;
      case 'outcome':
        this.#ended(event);
        return;
      default:
        return;
    }
  }

  series(): LossSeries {
    return { calls: { ...this.#calls }, answers: { ...this.#answers } };
  }

  #crashed(worker: number): void {
    const isOf = (lane: number | undefined): boolean =>
      lane !== undefined && Math.floor(lane / this.#lanesEach) + 1 === worker;
    for (const [lane, job] of this.#out) {
      if (!isOf(lane)) continue;
      this.#out.delete(lane);
      this.#lostCalls.add(job);
    }
    for (const job of this.#writing) {
      if (!isOf(this.#laneOf.get(job))) continue;
      this.#writing.delete(job);
      this.#lostWrites.set(job, 'crash');
    }
  }

  #ended({ job, outcome }: EventOf<'outcome'>): void {
    if (outcome === 'unknown') this.#calls[this.#lostCalls.has(job) ? 'crash' : 'kill'] += 1;
    if (outcome === 'lostWrite') this.#answers[this.#lostWrites.get(job) ?? 'kill'] += 1;
  }
}
