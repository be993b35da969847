// What the planner says before anything is played, in plain numbers: the JSON of `plan`.

export interface WorstCase {
  /** Jobs at the first opening. */
  readonly items: number;
  /** The largest of the classes'. */
  readonly attempts: number;
  readonly capMs: number;
  /** Σ count × attempts × cap: one lane, every attempt at the cap, no backoff. */
  readonly sequentialMs: number;
  readonly lanes: number;
  /** On the lanes, with the longest backoffs: Graham's list-scheduling bound. */
  readonly elapsedMs: number;
  readonly windowMs: number;
  readonly reserveMs: number;
  /** elapsedMs ≤ windowMs − reserveMs. */
  readonly fits: boolean;
}

export interface PlannedClass {
  readonly name: string;
  /** Jobs at the first opening. */
  readonly count: number;
  /** Or only at the first opening. */
  readonly arrivesEveryNight: boolean;
  /** Attempts allowed. */
  readonly attempts: number;
  /** Tokens one job reserves; null without a pool. */
  readonly envelope: number | null;
  /** Jobs of this class alone that the opening balance admits at once; null without a pool or envelope. */
  readonly admitted: number | null;
  /** floor((balance + held) / envelope) at the opening; null without a pool or envelope. */
  readonly maxInFlight: number | null;
  /** Of one attempt; null where the mean does not exist. */
  readonly meanInputTokens: number | null;
  /** Of one attempt; null where the mean does not exist. */
  readonly meanOutputTokens: number | null;
  readonly p95InputTokens: number;
  readonly p95OutputTokens: number;
  /** Attempts made, on average, if each is granted the whole cap. */
  readonly expectedAttempts: number;
  /** Attempts that use up the whole cap without an answer, from 0 to 1. */
  readonly timeoutRatio: number;
  /** How long one job keeps a lane, on average: attempts, pauses, its write; null where the mean does not exist. */
  readonly meanJobMs: number | null;
  /** One job's tokens, all attempts taken together, on average; null where the mean does not exist. */
  readonly meanUsedTokens: number | null;
  /** refunded ÷ held that envelope and attempts make by construction; null without a pool or envelope. */
  readonly expectedUnspentRatio: number | null;
  readonly slackMs: number;
}

export interface PlannedMix {
  /** Jobs of one opening, in the scenario's order, that the opening balance admits before any settles. */
  readonly admitted: number;
  readonly jobs: number;
  readonly reservedTokens: number;
}

export interface CapacityBound {
  readonly name: 'lanes' | 'pool' | 'writers';
  /** Jobs per night, on average; null where this part is not limited, or there are no jobs. */
  readonly jobsPerNight: number | null;
}

export interface ThreeNumbers {
  readonly poolTokens: number | null;
  /** The largest envelope at its quantile; null without a pool. */
  readonly envelopeTokens: number | null;
  readonly envelopeClass: string | null;
  /** The smallest slack of all classes; null where there is no class. */
  readonly deadlineSlackMs: number | null;
  /** From one opening to the next. */
  readonly nextOpeningMs: number;
  /**
   * Does the next opening come before the slack of a job that was refused tonight ends? A refused job is
   * asked again at the next opening at the earliest; one that waits for tokens tonight is not refused.
   */
  readonly roomForAnotherTry: boolean;
}

/** One job of which every call hangs. */
interface HangingJob {
  readonly calls: number;
  /** With the longest pauses of both layers. */
  readonly jobMs: number;
}

/** The retries of the worker times those of the client under it. */
export interface RetryLayers {
  /** The largest of the classes'. */
  readonly workerAttempts: number;
  /** Calls that the client makes for one of them, at most. */
  readonly clientAttempts: number;
  /** After which a call that hangs is given up: the client's timeout, or the cap where that is shorter. */
  readonly callMs: number;
  /** The client ends when the grant does. */
  readonly withSignal: HangingJob;
  /** The grant is handed to the client as a timeout, and the worker waits until the client has given up. */
  readonly withoutSignal: HangingJob;
  /**
   * What the scenario plays. `ignored`: the calls of `withoutSignal` in the time of `withSignal`, since the
   * worker goes on when its grant ends and so does the client. `none`: the policy hands over no signal.
   */
  readonly signal: 'honoured' | 'ignored' | 'none';
  /** The client's timer bounds the wait for the first token alone. */
  readonly timerEndsAtHeaders: boolean;
}

export interface NightPlan {
  readonly scenario: string;
  readonly worstCase: WorstCase;
  /** Null where no client retries under the worker. */
  readonly retries: RetryLayers | null;
  readonly classes: readonly PlannedClass[];
  readonly mix: PlannedMix | null;
  /** Pool tokens ÷ jobs of one opening; null without a pool or without jobs. */
  readonly meanShare: number | null;
  readonly numbers: ThreeNumbers;
  readonly bounds: readonly CapacityBound[];
  /** The smallest bound; null where nothing limits, or there are no jobs. */
  readonly binding: CapacityBound['name'] | null;
  /** Jobs that arrive at every later opening. */
  readonly arrivalsPerNight: number;
  /** More arrives every night than the smallest bound can carry. */
  readonly backlogGrows: boolean;
  /** Jobs by which it grows, on average, from one night to the next; 0 where it does not. */
  readonly backlogPerNight: number;
  readonly warnings: readonly string[];
}
