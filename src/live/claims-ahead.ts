// What other processes have done with tonight's jobs, read before a job is taken: the queue decides at once,
// and the answers of a ledger behind a network have to travel first.

import type { AnyLedger } from '../ledger/async-ledger.ts';
import type { Answers, Bar } from '../worker/effects.ts';
import type { ElsewhereClaim, JobQueue, JobQueueOptions } from '../worker/job-queue.ts';
import { claimElsewhere } from './claim-elsewhere.ts';
import { poolNow } from './pool-now.ts';

interface Known {
  readonly version: number;
  readonly claims: Map<string, ElsewhereClaim>;
}

/** The queue came to a job whose claims are not known yet; it has not been taken off. */
class ClaimUnread extends Error {
  readonly jobId: string;

  constructor(jobId: string) {
    super(`the claims of job ${JSON.stringify(jobId)} were not read`);
    this.jobId = jobId;
  }
}

export class ClaimsAhead {
  readonly #ledger: AnyLedger;
  readonly #pool: string;
  readonly #taker: string;
  /** While a queue is asked. */
  #known: Known | undefined;

  constructor(ledger: AnyLedger, pool: { readonly name: string; readonly taker: string }) {
    this.#ledger = ledger;
    this.#pool = pool.name;
    this.#taker = pool.taker;
  }

  /** What a queue is to be made with. */
  readonly queueOptions: Required<JobQueueOptions> = {
    version: () => this.#known?.version ?? 0,
    elsewhere: (jobId) => {
      const claim = this.#known?.claims.get(jobId);
      if (claim === undefined) throw new ClaimUnread(jobId);
      return claim;
    },
  };

  /** Asks the queue, and again with each claim that it turned out to need. */
  async take<Job>(queue: JobQueue<Job>, bar: Bar | undefined): Promise<Answers<Job>['take']> {
    // The version first: a hold that closes in between moves it, and the wait ends.
    const { version } = await poolNow(this.#ledger, this.#pool);
    const known: Known = { version, claims: new Map() };
    for (;;) {
      try {
        this.#known = known;
        return queue.take(bar);
      } catch (error) {
        if (!(error instanceof ClaimUnread)) throw error;
        const { jobId } = error;
        known.claims.set(jobId, claimElsewhere(await this.#ledger.history(jobId), jobId, this.#taker));
      } finally {
        this.#known = undefined;
      }
    }
  }
}
