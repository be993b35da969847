// Everything a worker waits for, as data. The worker yields one of these and is resumed with its answer;
// who answers (a real provider, a simulated world) is none of its business. There is no fork, no race
// and no cancel: a crash is a dropped generator, which is why leases expire.

import type {
  DispatchAnswer,
  ExtendAnswer,
  ReclaimAnswer,
  ReleaseAnswer,
  RenewAnswer,
  Reserve,
  ReserveAnswer,
  SettleAnswer,
} from '../ledger/ledger.ts';

/** One job handed to one lane. Nobody else gets the job until it is put back or the claim lapses. */
export interface Offer<Job> {
  readonly job: Job;
  readonly jobId: string;
  /** From 1; counts every time the job was handed out, over all nights. */
  readonly try: number;
  /** Attempts made for this job so far, over all nights. */
  readonly attemptsEver: number;
}

export type DeferCause =
  | 'out-of-time'
  | 'attempts-used-up'
  | 'hold-lost'
  /** The pool had nothing left for its next attempt; only where holds are per attempt. */
  | 'not-extended'
  | 'claimed-elsewhere'
  | 'ledger-unavailable'
  | 'checkpoint-failed'
  /** Nothing more of its class, or of the whole queue, is admitted tonight: a trip condition. */
  | 'shed';

/** While a refused job waits for tokens, lanes take only jobs with an envelope below `amount`. */
export interface Bar {
  readonly amount: number;
  /** The books' version at the refusal; the bar is void once it moves. */
  readonly version: number;
}

/** How a lane gives back a job that it never dispatched. */
export type Leave =
  /** Keeps its place, and may be taken again tonight. */
  | { readonly as: 'waiting' }
  | { readonly as: 'deferred'; readonly cause: DeferCause }
  | { readonly as: 'refused' }
  | { readonly as: 'inadmissible' };

export type CheckpointStatus = 'done' | 'pending' | 'failed';

/** Tokens of one call as the provider reports them. */
export interface Usage {
  readonly input: number;
  readonly output: number;
}

/** What came of one attempt. `timed-out` and `threw` have no answer; the others are the provider's word. */
export type CallOutcome =
  | 'ok'
  | 'invalid'
  | 'rate-limited'
  | 'server-error'
  | 'rejected'
  | 'timed-out'
  | 'threw';

export interface CallAnswer {
  readonly outcome: CallOutcome;
  readonly result?: unknown;
  readonly usage?: Usage | undefined;
  /** The provider asks everyone to stay away for so long; gates all lanes of the process. */
  readonly retryAfterMs?: number | undefined;
  readonly error?: unknown;
  /** The hold was closed by somebody else while the call was out. */
  readonly holdLost?: boolean;
}

/** One attempt, for the record: what was left, what was granted, what it took and what came of it. */
export interface AttemptRecord {
  readonly job: string;
  readonly night: number;
  /** Counts on over nights, from 1. */
  readonly attempt: number;
  /** Milliseconds from the attempt's start to the deadline less the reserve. */
  readonly remainingMs: number;
  readonly grantedMs: number;
  readonly elapsedMs: number;
  readonly outcome: CallOutcome;
  /** What this attempt adds to the settle. */
  readonly tokens: number;
}

export interface CheckpointDetail {
  readonly night: number;
  readonly try: number;
  readonly attempts: readonly AttemptRecord[];
  readonly result?: unknown;
  /** Why the job is pending or failed. */
  readonly cause?: DeferCause | 'rejected' | 'invalid';
  /** Tokens of all attempts, as they will be settled. */
  readonly usedTokens: number;
}

/** A ledger's answer, or that it has none; without one the worker goes no further. */
export type Unavailable = { readonly outcome: 'unavailable'; readonly error?: unknown };

export type Effect<Job> =
  | { readonly kind: 'take'; readonly bar: Bar | undefined }
  | { readonly kind: 'leave'; readonly offer: Offer<Job>; readonly leave: Leave }
  | {
      readonly kind: 'call';
      readonly offer: Offer<Job>;
      /** Counts on over nights, from 1. */
      readonly attempt: number;
      readonly timeoutMs: number;
      /** Present where there is a ledger; the driver renews it while the call is out. */
      readonly lease:
        | { readonly id: string; readonly leaseMs: number; readonly renewEveryMs: number }
        | undefined;
    }
  | { readonly kind: 'sleep'; readonly ms: number }
  | {
      readonly kind: 'checkpoint';
      readonly offer: Offer<Job>;
      readonly status: CheckpointStatus;
      readonly detail: CheckpointDetail;
    }
  | {
      readonly kind: 'tokens-returned';
      readonly pool: string;
      readonly version: number;
      readonly untilMs: number;
    }
  | { readonly kind: 'reserve'; readonly request: Omit<Reserve, 'nowMs'> }
  | { readonly kind: 'dispatch'; readonly id: string }
  | { readonly kind: 'renew'; readonly id: string; readonly leaseMs: number }
  | { readonly kind: 'extend-to'; readonly id: string; readonly total: number }
  | { readonly kind: 'release'; readonly id: string }
  | { readonly kind: 'settle'; readonly id: string; readonly actual: number }
  | { readonly kind: 'reclaim'; readonly pool: string };

export type EffectKind = Effect<unknown>['kind'];

/** What each effect is answered with. */
export interface Answers<Job> {
  take:
    | { readonly kind: 'job'; readonly offer: Offer<Job> }
    /**
     * Jobs are left, but none that may be taken before the books move on from `version`, or before another
     * one comes, in so many milliseconds.
     */
    | { readonly kind: 'barred'; readonly version: number; readonly nextInMs?: number }
    /** None is left, but another one comes in so many milliseconds. */
    | { readonly kind: 'none-yet'; readonly nextInMs: number }
    | { readonly kind: 'empty' };
  leave: undefined;
  call: CallAnswer;
  sleep: undefined;
  checkpoint: { readonly written: true } | { readonly written: false; readonly error: unknown };
  'tokens-returned': 'moved' | 'until';
  reserve: ReserveAnswer | Unavailable;
  dispatch: DispatchAnswer | Unavailable;
  renew: RenewAnswer | Unavailable;
  'extend-to': ExtendAnswer | Unavailable;
  release: ReleaseAnswer | Unavailable;
  settle: SettleAnswer | Unavailable;
  reclaim: ReclaimAnswer | Unavailable;
}

export type Answer<Job> = Answers<Job>[EffectKind];

/** A running worker lane or reclaimer: yields effects, is resumed with answers, returns nothing. */
export type Process<Job> = Generator<Effect<Job>, void, Answer<Job>>;

/** A part of a process: yields effects, and returns something to the process that it is part of. */
export type Step<Job, Result> = Generator<Effect<Job>, Result, Answer<Job>>;
