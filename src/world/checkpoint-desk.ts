// Takes a worker's checkpoints in a played night to the modelled store, and tells the queue when one has
// become durable. Knows which are not.

import type { Scenario } from '../scenario/scenario.ts';
import type { Engine } from '../sim/engine.ts';
import type { CheckpointStatus, DeferCause, Effect } from '../worker/effects.ts';
import type { JobQueue } from '../worker/job-queue.ts';
import { CheckpointStore } from './checkpoint-store.ts';
import type { Draws, SampledJob } from './draws.ts';
import type { NightLog } from './night-log.ts';

export type CheckpointEffect = Extract<Effect<SampledJob>, { readonly kind: 'checkpoint' }>;

export interface LooseWrite {
  readonly status: CheckpointStatus;
  readonly cause: DeferCause;
}

export interface CheckpointDeskSetup {
  readonly engine: Engine;
  readonly store: Scenario['store'];
  readonly draws: Draws;
  readonly queue: JobQueue<SampledJob>;
  readonly log: NightLog;
}

export class CheckpointDesk {
  readonly #setup: CheckpointDeskSetup;
  readonly #store: CheckpointStore;
  readonly #loose = new Map<string, LooseWrite>();
  #lastWriteMs: number | null = null;

  constructor(setup: CheckpointDeskSetup) {
    this.#setup = setup;
    this.#store = new CheckpointStore(setup.engine, setup.store.writers);
  }

  /** By job: checkpoints that are not durable yet. */
  get loose(): ReadonlyMap<string, LooseWrite> {
    return this.#loose;
  }

  get lastWriteMs(): number | null {
    return this.#lastWriteMs;
  }

  write({ offer, status, detail }: CheckpointEffect, written: () => void): void {
    const { engine, store, draws, queue, log } = this.#setup;
    const { job, jobId } = offer;
    // A final answer has no cause that anybody would defer the job for.
    const cause =
      detail.cause === undefined || detail.cause === 'rejected' || detail.cause === 'invalid'
        ? 'out-of-time'
        : detail.cause;
    const write: LooseWrite = { status, cause };
    this.#loose.set(jobId, write);
    log.emit({ type: 'write-queued', job: jobId, status });
    this.#store.write({
      takesMs: draws.writeMs(job, offer.attemptsEver + detail.attempts.length, store.write),
      started: () => log.emit({ type: 'write-started', job: jobId, status }),
      written: () => {
        // A later try of the job may be waiting to be written by now; the last one decides.
        if (this.#loose.get(jobId) === write) this.#loose.delete(jobId);
        this.#lastWriteMs = engine.now;
        queue.checkpointed(offer, status, cause);
        log.emit({ type: 'written', job: jobId, status });
        written();
      },
    });
  }
}
