// What `runQueue` takes and what it answers: the words of the runtime's front door.

import type { Clock } from '../base/clock.ts';
import type { BackoffSettings } from '../budget/backoff.ts';
import type { Budget } from '../budget/budget.ts';
import type { AnyLedger } from '../ledger/async-ledger.ts';
import type { AttemptRecord, CheckpointDetail, CheckpointStatus, DeferCause } from '../worker/effects.ts';
import type { CallContext } from './live-driver.ts';
import type { ProviderAnswer } from './provider-answer.ts';
import type { QueueTrips } from './queue-trips.ts';
import type { QueueWarning } from './warn-once.ts';

/**
 * One call to the provider. It should stop when the signal aborts; if it does not, it is abandoned, and
 * whatever it comes to later is ignored. A throw is worth another attempt.
 */
export type Call<Job, Result> = (job: Job, context: CallContext) => Promise<ProviderAnswer<Result>>;

/**
 * Writes down what became of a job; resolves once it is durable. Called once per job and night, and again
 * every second if it throws. `done` must win: a process that was thought dead may still write it, so keep
 * the first `done` and let nothing overwrite it. `pending` jobs belong in a later night's list.
 */
export type Checkpoint<Job, Result> = (
  job: Job,
  status: CheckpointStatus,
  detail: Omit<CheckpointDetail, 'result'> & { readonly result?: Result },
) => Promise<void> | void;

export interface RunQueueOptions<Job, Result> {
  /** Tonight's jobs, in the order in which they are to be taken. */
  readonly jobs: readonly Job[];
  /** Names a job for ever and uniquely. Default: its `id`, a string or a number. */
  readonly id?: (job: Job) => string;
  readonly budget: Budget;
  /** Who counts the tokens. Without one the deadline alone is watched. Needs `pool` and `envelope`. */
  readonly ledger?: AnyLedger;
  /** The pool that pays; must be open. */
  readonly pool?: string;
  /** Part of every hold's id; a whole number from 0. Default: the pool's current period, 0 without a ledger. */
  readonly night?: number;
  /** Jobs at work at once, a whole number from 1. Default: 1. */
  readonly lanes?: number;
  /**
   * Tokens that so many attempts of a job may use together, reserved before it is dispatched. Asked before
   * anything begins: once per job for all its attempts, or, under `hold: 'per-attempt'`, for each number of
   * them from 1; must not fall as that rises.
   */
  readonly envelope?: (job: Job, attempts: number) => number;
  /**
   * `whole-job`: what all attempts may use is reserved before the first. `per-attempt`: what the first may use,
   * and more before each further one; a job whose retry cannot be paid is deferred, `not-extended`. Default:
   * `whole-job`.
   */
  readonly hold?: 'whole-job' | 'per-attempt';
  /** Attempts per job and night, a whole number from 1. Default: 3. */
  readonly attempts?: number | ((job: Job) => number);
  /** Attempts made on earlier nights, so that `attempt` counts on. Default: 0. */
  readonly attemptsEver?: (job: Job) => number;
  /** The tokens of the job's prompt, where they are known. */
  readonly input?: (job: Job) => number;
  /**
   * Tokens that an attempt is settled with if nobody said what it cost: it timed out, threw, or answered
   * without usage. Default: the job's `input`; without that, envelope ÷ attempts, rounded up, and a
   * warning; 0 without a ledger.
   */
  readonly abandonedUsage?: (job: Job) => number;
  readonly call: Call<Job, Result>;
  readonly checkpoint: Checkpoint<Job, Result>;
  /** Pauses between attempts. Default: 1 s, doubling up to 30 s, full jitter. */
  readonly backoff?: Partial<BackoffSettings>;
  /** What lanes may take while a refused job waits for tokens: smaller jobs, or nothing. Default: `smaller`. */
  readonly backfill?: 'smaller' | 'none';
  /** How long a hold outlives a process that crashed; above 0. Default: 15 min. */
  readonly leaseMs?: number;
  /** How often it is renewed while a call is out; above 0, below `leaseMs`. Default: a third of it. */
  readonly renewEveryMs?: number;
  /** How often holds left behind by crashed processes are closed; above 0. Default: 60 s. */
  readonly reclaimEveryMs?: number;
  /** How long a ledger that another process is writing to is asked again; from 0. Default: 5 s. */
  readonly busyWaitMs?: number;
  /** How often lanes that wait for tokens look whether other processes gave some back; above 0. Default: 250. */
  readonly pollEveryMs?: number;
  /**
   * `shorten`: a suspension of the machine brings the budget's deadline nearer, because the scheduler's
   * kill does not wait. `ignore`: it does not. Default: `shorten`.
   */
  readonly suspension?: 'shorten' | 'ignore';
  /**
   * Once it aborts, no job is taken up any more, and what is under way goes on to its end: for the scheduler's
   * termination signal.
   */
  readonly stopSignal?: AbortSignal;
  /** Names this process in its holds; must be new for each run. Default: host, process id and a random part. */
  readonly taker?: string;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Counts on while the machine is suspended, in milliseconds. Default: the machine's uptime. */
  readonly uptimeMs?: () => number;
  /** Draws the jitter, from 0 up to, not including, 1. Default: `Math.random`. */
  readonly random?: () => number;
  /** Watches the trip conditions: tells when the night is off track, and stops admitting. Default: nobody does. */
  readonly trips?: QueueTrips<Job>;
  /** Told of every attempt as it ends; lanes count from 0. */
  readonly onRecord?: (record: AttemptRecord, lane: number) => void;
  /** Told of what went wrong without stopping the run, each kind once. Default: `process.emitWarning`. */
  readonly onWarning?: (warning: QueueWarning) => void;
}

/** A job under the name that the ledger knows it by. */
export interface NamedJob<Job> {
  readonly job: Job;
  readonly id: string;
}

export interface DoneJob<Job, Result> extends NamedJob<Job> {
  readonly result: Result | undefined;
}

/** Pending still: belongs in a later night's list. Never a failure. */
export interface DeferredJob<Job> extends NamedJob<Job> {
  readonly cause: DeferCause;
  /** What its last attempt or checkpoint threw or brought. */
  readonly error?: unknown;
}

export interface FailedJob<Job> extends NamedJob<Job> {
  /** `rejected`: the provider will never take it. `invalid`: no usable answer, the last attempt included. */
  readonly cause: 'rejected' | 'invalid';
  readonly error?: unknown;
}

/** What became of the night. Each job is in exactly one of the first five. */
export interface QueueResult<Job, Result> {
  readonly done: readonly DoneJob<Job, Result>[];
  readonly deferred: readonly DeferredJob<Job>[];
  /** The pool has too few tokens left tonight, whatever else comes back. */
  readonly refused: readonly NamedJob<Job>[];
  /** The envelope exceeds the pool's whole capacity. */
  readonly inadmissible: readonly NamedJob<Job>[];
  readonly failed: readonly FailedJob<Job>[];
  /** Every attempt, in order of ending. */
  readonly records: readonly AttemptRecord[];
  /** Jobs whose usage the ledger would not take until the deadline; their leases will end their holds. */
  readonly unsettled: number;
}
