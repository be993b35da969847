// Who is at work on which job. One that was taken from a worker because its lease had run out may still be
// at work there when another takes it up: the job's work is done twice then, and paid for twice.

import { invariant } from '../base/errors.ts';
import type { Hold } from '../ledger/ledger.ts';

export class LiveClaims {
  readonly #byJob = new Map<string, Map<string, number>>();
  readonly #jobOf = new Map<string, string>();

  /**
   * @param worker whose process was granted the hold
   * @param stateOf what the ledger says of another hold
   * @returns how many workers are at work on the job already
   */
  granted({ id, job }: Hold, worker: number, stateOf: (id: string) => Hold['state'] | undefined): number {
    let live = this.#byJob.get(job);
    if (live === undefined) {
      live = new Map();
      this.#byJob.set(job, live);
    }
    for (const other of live.keys()) {
      const state = stateOf(other);
      invariant(
        state === 'expired',
        'two live holds for one job occur only after an expiry',
        () => `${id} is granted beside ${other}, which is ${state}`,
      );
    }
    const others = live.size;
    live.set(id, worker);
    this.#jobOf.set(id, job);
    return others;
  }

  /** Its worker is through with it. */
  ended(id: string): void {
    const job = this.#jobOf.get(id);
    if (job === undefined) return;
    this.#jobOf.delete(id);
    const live = this.#byJob.get(job);
    live?.delete(id);
    if (live?.size === 0) this.#byJob.delete(job);
  }

  /** The worker's process is gone, and with it all that it was at work on. */
  gone(worker: number): void {
    for (const live of [...this.#byJob.values()]) {
      for (const [id, of] of [...live]) if (of === worker) this.ended(id);
    }
  }
}
