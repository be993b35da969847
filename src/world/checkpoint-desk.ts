// Takes the workers' checkpoints in a played night to the modelled store, and tells the queue when one has
// become durable. Knows which are not.

import type { Scenario } from '../scenario/scenario.ts';
import type { Engine } from '../sim/engine.ts';
import type { Answers, CheckpointStatus, DeferCause, Effect } from '../worker/effects.ts';
import type { JobQueue } from '../worker/job-queue.ts';
import { CheckpointStore, type QueuedWrite } from './checkpoint-store.ts';
import type { Draws, SampledJob } from './draws.ts';
import type { Period } from './incident-times.ts';
import type { NightLog } from './night-log.ts';
import { isWithin } from './troubles.ts';

export type CheckpointEffect = Extract<Effect<SampledJob>, { readonly kind: 'checkpoint' }>;
type Answer = (answer: Answers<SampledJob>['checkpoint']) => void;

export interface LooseWrite {
  readonly status: CheckpointStatus;
  readonly cause: DeferCause;
}

export interface CheckpointDeskSetup {
  readonly engine: Engine;
  readonly store: Scenario['store'];
  readonly draws: Draws;
  /** From 1. */
  readonly night: number;
  readonly queue: JobQueue<SampledJob>;
  readonly log: NightLog;
  /** When no checkpoint becomes durable. */
  readonly refusing: readonly Period[];
}

export class CheckpointDesk {
  readonly #setup: CheckpointDeskSetup;
  readonly #store: CheckpointStore;
  readonly #loose = new Map<string, LooseWrite>();
  /** By write: the process that waits for it. */
  readonly #askedBy = new Map<QueuedWrite, number>();
  #lastWriteMs: number | null = null;

  constructor(setup: CheckpointDeskSetup) {
    const { writers, contention } = setup.store;
    this.#setup = setup;
    this.#store = new CheckpointStore(setup.engine, writers, contention);
  }

  /** By job: checkpoints that are not durable yet, or never will be. */
  get loose(): ReadonlyMap<string, LooseWrite> {
    return this.#loose;
  }

  get lastWriteMs(): number | null {
    return this.#lastWriteMs;
  }

  /** @param process that waits for it, and takes it along when it goes */
  write({ offer, status, detail }: CheckpointEffect, process: number, answer: Answer): void {
    const { engine, store, draws, night, queue, log } = this.#setup;
    const { job, jobId } = offer;
    // Somebody else has the job by now, and what they write must not be overwritten with less.
    if (status !== 'done' && queue.isSuperseded(offer)) {
      log.emit({ type: 'superseded', job: jobId, status });
      answer({ written: true });
      return;
    }
    // A final answer has no cause that anybody would defer the job for.
    const cause =
      detail.cause === undefined || detail.cause === 'rejected' || detail.cause === 'invalid'
        ? 'out-of-time'
        : detail.cause;
    const loose: LooseWrite = { status, cause };
    this.#loose.set(jobId, loose);
    log.emit({ type: 'write-queued', job: jobId, status });
    if (this.#isRefusing()) {
      this.#fails(jobId, status, answer);
      return;
    }
    const attempt = offer.attemptsEver + detail.attempts.length;
    const weatherPull = draws.weather?.storePull(night, engine.now) ?? 0;
    const write: QueuedWrite = {
      takesMs: draws.writeMs(job, attempt, store.write, weatherPull),
      started: () => log.emit({ type: 'write-started', job: jobId, status }),
      written: () => {
        this.#askedBy.delete(write);
        if (this.#isRefusing()) {
          this.#fails(jobId, status, answer);
          return;
        }
        // A later try of the job may be waiting to be written by now; the last one decides.
        if (this.#loose.get(jobId) === loose) this.#loose.delete(jobId);
        this.#lastWriteMs = engine.now;
        queue.checkpointed(offer, status, cause);
        log.emit({ type: 'written', job: jobId, status });
        answer({ written: true });
      },
    };
    this.#askedBy.set(write, process);
    this.#store.write(write);
  }

  /** A process is gone, and what it had in the store's line is lost. */
  drop(process: number): void {
    const lost = [...this.#askedBy].filter(([, askedBy]) => askedBy === process).map(([write]) => write);
    for (const write of lost) this.#askedBy.delete(write);
    this.#store.forget(new Set(lost));
  }

  /** A later try of the job is under way: what an earlier one could not write decides nothing any more. */
  triedAgain(jobId: string): void {
    this.#loose.delete(jobId);
  }

  #isRefusing(): boolean {
    return isWithin(this.#setup.refusing, this.#setup.engine.now);
  }

  #fails(job: string, status: CheckpointStatus, answer: Answer): void {
    this.#setup.log.emit({ type: 'write-failed', job, status });
    answer({ written: false, error: 'the store takes nothing' });
  }
}
