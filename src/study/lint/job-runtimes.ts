// How long jobs keep their holds, from the reservation to the settle, as the first nights of many
// replications play it: with this provider, these lanes and this store.

import type { Scenario } from '../../scenario/scenario.ts';
import { play } from '../../world/play.ts';
import type { WorldEvent } from '../../world/world-event.ts';
import { quantileOf } from './sample-quantile.ts';

/** @returns p99 over all jobs of all replications, in whole milliseconds; undefined where no job was held */
export function jobRuntimeP99(
  scenario: Scenario,
  replications: number,
  played: (replication: number) => void,
): number | undefined {
  const firstNight = { ...scenario, nights: 1, compare: [] };
  const runtimes: number[] = [];
  for (let replication = 0; replication < replications; replication += 1) {
    const holds = new Holds(runtimes);
    play(firstNight, { replication, observe: (event) => holds.hear(event) });
    played(replication);
  }
  return runtimes.length === 0 ? undefined : Math.round(quantileOf(runtimes, 0.99));
}

class Holds {
  readonly #heldAtMs = new Map<string, number>();
  readonly #runtimes: number[];

  constructor(runtimes: number[]) {
    this.#runtimes = runtimes;
  }

  hear(event: WorldEvent): void {
    switch (event.type) {
      case 'reserved':
        if (event.outcome === 'granted') this.#heldAtMs.set(event.id, event.atMs);
        break;
      case 'books':
        if (event.operation === 'settle' && event.id !== undefined) this.#ended(event.id, event.atMs);
        break;
      case 'killed':
        // They would have taken longer still.
        for (const id of this.#heldAtMs.keys()) this.#ended(id, event.atMs);
        break;
      default:
    }
  }

  #ended(id: string, atMs: number): void {
    const heldAtMs = this.#heldAtMs.get(id);
    if (heldAtMs === undefined) return;
    this.#heldAtMs.delete(id);
    this.#runtimes.push(atMs - heldAtMs);
  }
}
