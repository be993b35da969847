// The jobs that come in the middle of a night: lets each into the queue at its moment, and tells a lane that
// finds nothing how long it is until one comes.

import type { Scenario } from '../scenario/scenario.ts';
import type { Engine } from '../sim/engine.ts';
import type { BacklogJob } from './backlog.ts';

interface ComingJob {
  readonly jobId: string;
  /** From the opening, above 0. */
  readonly atMs: number;
}

export interface ComingSetup {
  readonly engine: Engine;
  /** In any order. */
  readonly jobs: readonly ComingJob[];
  /** From then on nothing is taken up, and nobody waits for what comes. */
  readonly untilMs: number;
  /** How many workers share the queue. */
  readonly workers: number;
  arrived(jobId: string): void;
}

/** @param scenario as it is tonight */
export function comingTonight(
  { window, fleet }: Scenario,
  backlog: readonly BacklogJob[],
): Pick<ComingSetup, 'jobs' | 'untilMs' | 'workers'> {
  const jobs = backlog.flatMap(({ job, arrivesAtMs: atMs }) =>
    atMs === undefined ? [] : [{ jobId: job.id, atMs }],
  );
  return { jobs, untilMs: window.lastsMs - (window.graceMs ?? 0), workers: fleet?.workers ?? 1 };
}

/** Workers that share a queue look into it so often: another one's job may be free again. */
const LOOK_EVERY_MS = 60_000;

/** Sums of times are right to less than this: who wakes so much too early is told to wait, not to ask at once. */
const A_MICROSECOND_MS = 1e-3;

export class ComingJobs {
  readonly #setup: ComingSetup;
  readonly #jobs: readonly ComingJob[];
  /** How many have come. */
  #come = 0;
  /** By process: up to which one its lanes, each asleep, wait for the next ones in turn. */
  readonly #awaited = new Map<number, number>();

  constructor(setup: ComingSetup) {
    this.#setup = setup;
    this.#jobs = setup.jobs.toSorted((one, other) => one.atMs - other.atMs);
  }

  open(): void {
    const { engine, arrived } = this.#setup;
    for (const { jobId, atMs } of this.#jobs) {
      engine.scheduleAt(atMs, () => {
        this.#come += 1;
        arrived(jobId);
      });
    }
  }

  /** Until the next one comes in time to be taken up; undefined where none does. */
  get nextInMs(): number | undefined {
    return this.#inMs(this.#come);
  }

  /**
   * For a lane that sleeps until then, come what may. Where one worker is alone, each lane waits for a job of
   * its own, and none is woken for what another one takes.
   */
  sleepMs(process: number): number | undefined {
    const nextMs = this.nextInMs;
    if (nextMs === undefined || nextMs <= A_MICROSECOND_MS) return nextMs;
    if (this.#setup.workers > 1) return Math.min(nextMs, LOOK_EVERY_MS);
    const own = Math.max(this.#come, this.#awaited.get(process) ?? 0);
    const inMs = this.#inMs(own);
    if (inMs === undefined) return this.#lastInMs;
    this.#awaited.set(process, own + 1);
    return inMs;
  }

  /** Whoever waits for nothing of its own is there for what comes back. */
  get #lastInMs(): number | undefined {
    let last = this.#jobs.length - 1;
    while (last >= this.#come && this.#inMs(last) === undefined) last -= 1;
    return this.#inMs(last);
  }

  #inMs(position: number): number | undefined {
    const job = this.#jobs[position];
    if (job === undefined || position < this.#come || job.atMs >= this.#setup.untilMs) return undefined;
    return Math.max(A_MICROSECOND_MS, job.atMs - this.#setup.engine.now);
  }
}
