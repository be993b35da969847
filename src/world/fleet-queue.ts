// One queue for all workers of a night, each of which sees the others' claims: a lane that finds nothing to
// take waits as long as other workers hold jobs, since those come back if their workers die.

import type { Answers, Offer } from '../worker/effects.ts';
import type { JobQueue } from '../worker/job-queue.ts';
import type { ComingJobs } from './coming-jobs.ts';
import type { SampledJob } from './draws.ts';
import type { OfferedJobs } from './simulated-driver.ts';

interface Claim {
  /** Tells apart a worker's processes too: a restarted one is another. */
  readonly process: number;
  readonly offer: Offer<SampledJob>;
  readonly takenAtMs: number;
}

export interface FleetQueueSetup {
  readonly queue: JobQueue<SampledJob>;
  readonly coming: ComingJobs;
  nowMs(): number;
  /** The books' version, where claims are leases: without, nobody waits for the others. */
  version(): number | undefined;
  /** A process gives a job back, or writes off what it was at work on. */
  left(offer: Offer<SampledJob>): void;
}

export class FleetQueue {
  readonly #setup: FleetQueueSetup;
  /** By job: its latest claim, which may have ended. */
  readonly #claims = new Map<string, Claim>();

  constructor(setup: FleetQueueSetup) {
    this.#setup = setup;
  }

  /** The queue as one process sees it. */
  offeredTo(process: number): OfferedJobs<SampledJob> {
    const { queue, version, left, nowMs } = this.#setup;
    const hasClaimedElsewhere = () => this.#open((claim) => claim.process !== process).length > 0;
    return {
      take: (bar) => {
        const taken = queue.take(bar);
        if (taken.kind === 'job') {
          const { offer } = taken;
          this.#claims.set(offer.jobId, { process, offer, takenAtMs: nowMs() });
        }
        if (taken.kind === 'barred') return this.#barred(taken.version);
        if (taken.kind !== 'empty') return taken;
        const current = version();
        if (current !== undefined && hasClaimedElsewhere()) return this.#barred(current);
        const nextInMs = this.#setup.coming.sleepMs(process);
        return nextInMs === undefined ? taken : { kind: 'none-yet', nextInMs };
      },
      leave: (offer, how) => {
        left(offer);
        queue.leave(offer, how);
      },
      attempted: (jobId) => queue.attempted(jobId),
      get hasClaimedElsewhere() {
        return queue.hasClaimedElsewhere || hasClaimedElsewhere();
      },
    };
  }

  /** What a process has in hand. */
  claimsOf(process: number): readonly Claim[] {
    return this.#open((claim) => claim.process === process);
  }

  #barred(version: number): Answers<SampledJob>['take'] {
    const { nextInMs } = this.#setup.coming;
    return { kind: 'barred', version, ...(nextInMs !== undefined && { nextInMs }) };
  }

  #open(isMeant: (claim: Claim) => boolean): readonly Claim[] {
    const open: Claim[] = [];
    for (const [jobId, claim] of this.#claims) {
      const standing = this.#setup.queue.standing(jobId);
      if (standing.state !== 'claimed' || standing.offer !== claim.offer) this.#claims.delete(jobId);
      else if (isMeant(claim)) open.push(claim);
    }
    return open;
  }
}
