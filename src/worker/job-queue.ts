// The queue of one night: hands each job to one lane at a time, in order, and knows what became of it.
// Used by the live driver over a list of jobs and by the simulated world over its backlog.

import type { Answers, Bar, CheckpointStatus, DeferCause, Leave, Offer } from './effects.ts';
import { MinTree } from './min-tree.ts';
import { WaitingJobs } from './waiting-jobs.ts';

export interface QueuedJob<Job> {
  readonly job: Job;
  readonly jobId: string;
  /** What a lane compares with the bar. */
  readonly envelope: number;
  /** The kind of job it is: what is shed together. Default: the empty name. */
  readonly class?: string;
  /** Times it was handed out before this queue was made, by anybody. Default: 0. */
  readonly triesEver?: number;
  readonly attemptsEver?: number;
  /** It is not there from the start: nobody is handed it before `arrived` tells that it came at this moment. */
  readonly arrivesAtMs?: number | undefined;
}

/** What a job has come to so far tonight. */
export type JobStanding =
  /** Nobody has it; it may have been put back. */
  | { readonly state: 'waiting' }
  | { readonly state: 'claimed'; readonly offer: Offer<unknown> }
  | { readonly state: 'done' }
  | { readonly state: 'failed' }
  | { readonly state: 'deferred'; readonly cause: DeferCause }
  | { readonly state: 'refused' }
  | { readonly state: 'inadmissible' };

/** What other processes have done with a job, read from the ledger's history. */
export interface ElsewhereClaim {
  readonly triesEver: number;
  /** `claimed`: somebody else's hold is open. `settled`: the last one ended by a settle, so somebody lived to the end of it. */
  readonly standing: 'free' | 'claimed' | 'settled';
}

export interface JobQueueOptions {
  /** Asked before a job is handed out; absent where no other process can have it. */
  readonly elsewhere?: (jobId: string) => ElsewhereClaim;
  /** The books' version now; what a lane waits on while every job left is claimed elsewhere. */
  readonly version?: () => number;
}

interface Entry<Job> {
  readonly job: Job;
  readonly jobId: string;
  readonly envelope: number;
  readonly class: string;
  tries: number;
  attempts: number;
  /** Another process was seen to have it. */
  seenElsewhere: boolean;
  standing: JobStanding;
}

const TAKEN = Number.POSITIVE_INFINITY;

export class JobQueue<Job> {
  readonly #entries: Entry<Job>[];
  readonly #positions = new Map<string, number>();
  /** The envelopes of the jobs that may be taken, by place; `TAKEN` for the others. */
  readonly #available: MinTree;
  /** Those that may be taken. */
  readonly #waiting: WaitingJobs;
  /** Classes of which no job is handed out any more tonight. */
  readonly #shed = new Set<string>();
  /** Places of jobs that another process was seen to have. */
  #aside: number[] = [];
  readonly #options: JobQueueOptions;

  /**
   * @param jobs in the order in which they are to be taken
   * @throws RangeError where two jobs have one id
   */
  constructor(jobs: readonly QueuedJob<Job>[], options: JobQueueOptions = {}) {
    this.#options = options;
    this.#entries = jobs.map((queued, position) => {
      const { job, jobId, envelope, class: ofClass = '' } = queued;
      const { triesEver: tries = 0, attemptsEver: attempts = 0 } = queued;
      if (this.#positions.has(jobId)) throw new RangeError(`two jobs have the id ${JSON.stringify(jobId)}`);
      this.#positions.set(jobId, position);
      const standing: JobStanding = { state: 'waiting' };
      return { job, jobId, envelope, class: ofClass, tries, attempts, seenElsewhere: false, standing };
    });
    this.#waiting = new WaitingJobs(jobs);
    this.#available = new MinTree(
      jobs.map(({ envelope, arrivesAtMs }) => (arrivesAtMs === undefined ? envelope : TAKEN)),
    );
  }

  get size(): number {
    return this.#entries.length;
  }

  /** Jobs were put aside at the last `take`, because other processes have them. */
  get hasClaimedElsewhere(): boolean {
    return this.#aside.length > 0;
  }

  take(bar: Bar | undefined): Answers<Job>['take'] {
    // Read before the claims are: a hold that closes in between moves the version, and the wait ends.
    const version = this.#options.version?.() ?? 0;
    this.#openAside();
    for (;;) {
      const position = this.#available.firstBelow(bar?.amount ?? TAKEN);
      if (position === undefined) break;
      const entry = this.#entry(position);
      // Asked first: where that throws, the job has not been taken off.
      const elsewhere = this.#options.elsewhere?.(entry.jobId);
      this.#close(position);
      if (elsewhere?.standing === 'claimed') {
        entry.seenElsewhere = true;
        this.#aside.push(position);
        continue;
      }
      const wasTakenElsewhere = entry.seenElsewhere || (elsewhere?.triesEver ?? 0) > entry.tries;
      if (elsewhere?.standing === 'settled' && wasTakenElsewhere) {
        // Whoever had it finished with it; only a claim whose worker is gone is taken over.
        entry.standing = { state: 'deferred', cause: 'claimed-elsewhere' };
        continue;
      }
      return { kind: 'job', offer: this.#offer(entry, elsewhere?.triesEver ?? 0) };
    }
    if (bar !== undefined && this.#available.firstBelow(TAKEN) !== undefined) {
      return { kind: 'barred', version: bar.version };
    }
    return this.#aside.length > 0 ? { kind: 'barred', version } : { kind: 'empty' };
  }

  /**
   * Gives up for tonight on the job that `take` would look at next: its claim elsewhere cannot be read.
   *
   * @returns false where there is no such job
   */
  skip(bar: Bar | undefined, cause: DeferCause): boolean {
    this.#openAside();
    const position = this.#available.firstBelow(bar?.amount ?? TAKEN);
    if (position === undefined) return false;
    this.#close(position);
    this.#entry(position).standing = { state: 'deferred', cause };
    return true;
  }

  leave(offer: Offer<Job>, how: Leave): void {
    const entry = this.#claimedBy(offer);
    if (entry === undefined) return;
    if (how.as === 'waiting') {
      entry.standing = { state: 'waiting' };
      this.#open(this.#position(offer.jobId));
    } else {
      entry.standing = how.as === 'deferred' ? { state: 'deferred', cause: how.cause } : { state: how.as };
    }
  }

  /** One attempt of this job has begun; counts on over nights. */
  attempted(jobId: string): void {
    this.#entry(this.#position(jobId)).attempts += 1;
  }

  /**
   * A checkpoint has become durable. `done` wins, once; a claim that has been superseded may write only
   * `done`.
   *
   * @returns whether it changed what the job stands at
   */
  checkpointed(offer: Offer<Job>, status: CheckpointStatus, cause: DeferCause): boolean {
    const entry = this.#entry(this.#position(offer.jobId));
    if (entry.standing.state === 'done') return false;
    if (status !== 'done' && this.#claimedBy(offer) === undefined) return false;
    this.#close(this.#position(offer.jobId));
    entry.standing = status === 'pending' ? { state: 'deferred', cause } : { state: status };
    return true;
  }

  /** The claim's hold has closed and nobody works on it any more: the job may be taken again. */
  lapse(jobId: string, tryNumber: number): void {
    const entry = this.#entry(this.#position(jobId));
    if (entry.standing.state !== 'claimed' || entry.tries !== tryNumber) return;
    entry.standing = { state: 'waiting' };
    this.#open(this.#position(jobId));
  }

  /** One that was to come later is here. */
  arrived(jobId: string): void {
    const position = this.#position(jobId);
    // It may have been shed before it came.
    if (this.#entry(position).standing.state === 'waiting') this.#open(position);
  }

  /**
   * Since when the oldest job of this class waits that nobody has, and that may be taken tonight: −∞ where it
   * was there from the start, undefined where there is none.
   */
  waitsSince(ofClass: string): number | undefined {
    return this.#waiting.oldest(ofClass);
  }

  /**
   * Hands out no more jobs of these classes tonight: those that wait are deferred, and whatever is put back
   * later. Who has a job goes on with it.
   */
  shed(classes: Iterable<string>): void {
    for (const ofClass of classes) this.#shed.add(ofClass);
    for (const [position, entry] of this.#entries.entries()) {
      if (entry.standing.state !== 'waiting' || !this.#shed.has(entry.class)) continue;
      this.#close(position);
      entry.standing = { state: 'deferred', cause: 'shed' };
    }
  }

  /** The job was handed out again after this offer: a claim that may write only `done`. */
  isSuperseded(offer: Offer<Job>): boolean {
    return this.#entry(this.#position(offer.jobId)).tries !== offer.try;
  }

  standing(jobId: string): JobStanding {
    return this.#entry(this.#position(jobId)).standing;
  }

  /** Every job with what it stands at, in order. */
  *standings(): Generator<{
    readonly job: Job;
    readonly jobId: string;
    readonly triesEver: number;
    readonly attemptsEver: number;
    readonly standing: JobStanding;
  }> {
    for (const { job, jobId, tries, attempts, standing } of this.#entries) {
      yield { job, jobId, triesEver: tries, attemptsEver: attempts, standing };
    }
  }

  #offer(entry: Entry<Job>, triesElsewhere: number): Offer<Job> {
    entry.tries = Math.max(entry.tries, triesElsewhere) + 1;
    const offer = {
      job: entry.job,
      jobId: entry.jobId,
      try: entry.tries,
      attemptsEver: entry.attempts,
    };
    entry.standing = { state: 'claimed', offer };
    return offer;
  }

  #claimedBy(offer: Offer<Job>): Entry<Job> | undefined {
    const entry = this.#entry(this.#position(offer.jobId));
    return entry.standing.state === 'claimed' && entry.tries === offer.try ? entry : undefined;
  }

  #openAside(): void {
    for (const position of this.#aside) {
      // An earlier offer of ours may have been finished meanwhile.
      if (this.#entry(position).standing.state === 'waiting') this.#open(position);
    }
    this.#aside = [];
  }

  #open(position: number): void {
    const entry = this.#entry(position);
    if (this.#shed.has(entry.class)) {
      entry.standing = { state: 'deferred', cause: 'shed' };
    } else if (!this.#isOpen(position)) {
      this.#available.set(position, entry.envelope);
      this.#waiting.add(position);
    }
  }

  #close(position: number): void {
    if (!this.#isOpen(position)) return;
    this.#available.set(position, TAKEN);
    this.#waiting.remove(position);
  }

  #isOpen(position: number): boolean {
    return this.#available.at(position) < TAKEN;
  }

  #position(jobId: string): number {
    const position = this.#positions.get(jobId);
    if (position === undefined) throw new RangeError(`the queue has no job ${JSON.stringify(jobId)}`);
    return position;
  }

  #entry(position: number): Entry<Job> {
    return this.#entries[position]!;
  }
}
