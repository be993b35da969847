// A scenario after reading: every default filled in, every unit in milliseconds, tokens or fractions,
// every distribution ready to be drawn. What the planner and the world work from.

import type { Distribution } from '../sim/distribution.ts';
import type { Intensity } from '../sim/intensity.ts';
import type { Calendar } from './calendar.ts';

export type Order = 'listed' | 'shuffled' | 'heaviest-first' | 'lightest-first';

export interface Scenario {
  readonly name: string;
  /** The text of the seed: turned into the root key of every random stream. */
  readonly seed: string;
  /** Nights in a row, from 1. */
  readonly nights: number;
  readonly window: {
    /** By a calendar, on a day on which no clock changes. */
    readonly lastsMs: number;
    readonly everyMs: number;
    /** From the termination signal to the kill, from 0; absent: 0. */
    readonly graceMs?: number;
  };
  /** Absent: nights are alike, and no day is known. */
  readonly calendar?: Calendar | undefined;
  readonly budget: {
    readonly reserveMs: number;
    readonly floorMs: number;
    readonly capMs: number;
    readonly attempts: number;
  };
  /** Jobs under way at once on each worker, from 1. */
  readonly lanes: number;
  /** Absent: no admission is played. */
  readonly pool: ScenarioPool | undefined;
  readonly jobs: readonly JobClass[];
  readonly order: Order;
  /** What a lane may take while a refused job waits for tokens: smaller ones, or nothing. */
  readonly backfill: 'smaller' | 'none';
  readonly backoff: {
    readonly baseMs: number;
    readonly factor: number;
    readonly maxMs: number;
    readonly jitter: 'full' | 'none';
  };
  readonly provider: {
    readonly latency: Latency;
    /** Fraction of attempts that never answer; they bill their input. */
    readonly hangs: number;
    /** Fraction answered with a server error after the first token; they bill nothing. */
    readonly errors: number;
    /** Fraction whose answer is unusable; they bill everything. */
    readonly invalid: number;
    /** `none`: answers do not tell what they used, and the worker estimates it. */
    readonly usage: 'reported' | 'none';
    /** Absent: everything is let through. */
    readonly limits: ProviderLimits | undefined;
    /** Each call beyond `from` at once multiplies the latency of the one that begins by `factor`. */
    readonly slowdown: { readonly from: number; readonly factor: number } | undefined;
    /** Every call is answered with a server error. */
    readonly outages: Incidents | undefined;
    /** The latency of calls that begin meanwhile is multiplied by `factor`. */
    readonly slow: (Incidents & { readonly factor: number }) | undefined;
    /** What a call that is given up bills: its input alone, or also what it generated until then. */
    readonly billing: { readonly abandoned: 'input' | 'generated' };
  };
  /** Retries by itself under the worker's attempts. Absent: the worker calls the provider itself. */
  readonly client: RetryingClient | undefined;
  readonly store: {
    /** Milliseconds one checkpoint takes. */
    readonly write: Distribution;
    /** Checkpoints served at once, from 1. */
    readonly writers: number;
    /** Once, after the last write, before the exit. */
    readonly flushMs: number;
    /** How much longer a write takes for each other one in the line, as a fraction; absent: 0. */
    readonly contention?: number;
    /** Every checkpoint is refused. */
    readonly outages?: Incidents | undefined;
    /** Every checkpoint is refused, and the ledger takes nothing. */
    readonly full?: Incidents | undefined;
  };
  /** Absent: it answers at once, always. */
  readonly ledger?: ScenarioLedger;
  /** What draws have in common. Absent: each is by itself. */
  readonly weather?: ScenarioWeather | undefined;
  /** Others who call the same provider. Absent: nobody. */
  readonly background?: Background | undefined;
  /** Absent: one worker, which nothing befalls. */
  readonly fleet?: Fleet;
  /** Absent: nobody touches them. */
  readonly clock?: ClockFaults;
  readonly policy: Policy;
  readonly trips: Trips;
  /** The same scenario with some keys overridden, to be played under the same weather. */
  readonly compare: readonly { readonly name: string; readonly scenario: Scenario }[];
}

export interface ScenarioPool {
  readonly name: string;
  /** The provider's quota. */
  readonly quota: number;
  /** Tokens it is funded with: `floor(quota × funded)`. */
  readonly capacity: number;
  /** The fraction of the quota that is funded, above 0 up to 1. */
  readonly funded: number;
  readonly leaseMs: number;
  /** Absent: 24 h. */
  readonly maxLeaseMs?: number;
  readonly refill: 'night' | 'day' | 'month' | 'never';
  /** By day or month: since the first opening, the first of them at or before it. Absent otherwise. */
  readonly refillsAtMs?: readonly number[] | undefined;
}

export interface ScenarioLedger {
  /** Milliseconds one operation takes. */
  readonly latency: Distribution;
  /** How much longer one takes for each other that is under way, as a fraction. */
  readonly contention: number;
  readonly outages: Incidents | undefined;
}

/** Strengths are fractions of the variance of normal scores, above 0 up to 1; each part may be absent. */
export interface ScenarioWeather {
  readonly latency: (TimedWeather & { readonly shared: SharedBy }) | undefined;
  readonly output:
    | {
        readonly strength: number;
        /** Over so many listed jobs the correlation falls to 1/e. */
        readonly lastsJobs: number;
        readonly shared: SharedBy;
      }
    | undefined;
  readonly store: TimedWeather | undefined;
}

interface TimedWeather {
  readonly strength: number;
  /** Over so long the correlation falls to 1/e. */
  readonly lastsMs: number;
}

/** What is under one weather: all of one night, all of one class, or all there is. */
export type SharedBy = 'night' | 'class' | 'provider';

/** Calls of others: each is made once, and gone when it is refused. */
export interface Background {
  readonly arrivals: Arrivals;
  readonly input: Distribution;
  readonly output: Distribution;
  /** As of a class. */
  readonly declaredOutput: number | undefined;
  /** After so long a call is given up. */
  readonly timeoutMs: number;
}

export interface Fleet {
  /** Processes on one queue, each with all the lanes, from 1. */
  readonly workers: number;
  /** A worker is gone with all its lanes, for as long as a period lasts. */
  readonly crashes: WorkerIncidents | undefined;
  /** A worker stands still, and then goes on. */
  readonly pauses: WorkerIncidents | undefined;
  /** From a period's begin on, the worker's calls never come back to it, and it renews their leases. */
  readonly zombies: WorkerIncidents | undefined;
  /** Are leases renewed while a call is out? */
  readonly renewals: boolean;
}

export interface ClockFaults {
  /** `night` counts from 1, `atMs` from its opening; `worker` from 1, absent: all of them. */
  readonly steps: readonly {
    readonly night: number;
    readonly atMs: number;
    readonly byMs: number;
    readonly worker: number | undefined;
  }[];
  readonly suspensions: readonly {
    readonly night: number;
    readonly atMs: number;
    readonly lastsMs: number;
    readonly worker: number | undefined;
  }[];
  /** Does a worker that wakes bring its deadline nearer? */
  readonly suspension: 'shorten' | 'ignore';
}

export interface JobClass {
  readonly name: string;
  /** Jobs that arrive at an opening, from 0; where they come by themselves, on average in a night and the day before it. */
  readonly count: number;
  readonly arrive: 'every-night' | 'first-night';
  /** Absent: all of them at the opening. */
  readonly arrivals?: Arrivals | undefined;
  /** By night, what an opening brings of `count`. Absent: all of it. */
  readonly volume?: readonly number[] | undefined;
  /** How long after its arrival a job may be done at the latest. Default: window − reserve. */
  readonly slackMs: number;
  /** It was said, not filled in. */
  readonly isSlackDeclared: boolean;
  readonly attempts: number;
  readonly tokens: JobTokens;
  /** The most output tokens that a call declares; there where the provider charges that. */
  readonly declaredOutput: number | undefined;
  readonly envelope: Envelope;
  /** Absent: each job is by itself. */
  readonly sessions?: Sessions | undefined;
}

/** Jobs that come by themselves, in milliseconds since the first opening. */
export type Arrivals =
  /** Gaps on a clock that runs as fast as the intensity says. */
  | { readonly kind: 'process'; readonly gaps: Distribution; readonly intensity: Intensity }
  /** In order. */
  | { readonly kind: 'moments'; readonly atMs: readonly number[] };

/** Jobs that are listed one after another, each of which sends what was said before it. */
export interface Sessions {
  /** Jobs of one session; rounded, at least 1. */
  readonly length: Distribution;
  /** What a job adds of its own; the class's input is all that is sent. */
  readonly ownInput: Distribution;
  /** The most that an input grows to. Absent: 10¹². */
  readonly contextTokens: number | undefined;
}

/** Where a class's tokens come from: two distributions, each by itself or not, or rows of a file drawn as pairs. */
export type JobTokens =
  | { readonly kind: 'independent'; readonly input: Distribution; readonly output: Distribution }
  | {
      readonly kind: 'joint';
      readonly input: Distribution;
      readonly output: Distribution;
      /** The correlation of the normals that the two are drawn from, from −1 to 1. */
      readonly normals: number;
    }
  | {
      readonly kind: 'pairs';
      readonly input: Distribution;
      readonly output: Distribution;
      /** Row by row: `[input, output]`. */
      readonly rows: readonly (readonly [number, number])[];
    };

export type Envelope =
  | { readonly kind: 'tokens'; readonly tokens: number }
  | {
      readonly kind: 'quantile';
      /** Above 0 up to 1. */
      readonly quantile: number;
      /** Prompts paid for: by default one per attempt. */
      readonly fanout: number;
      readonly overhead: number;
    };

export type Latency =
  | { readonly kind: 'by-token'; readonly firstToken: Distribution; readonly perToken: Distribution }
  | { readonly kind: 'direct'; readonly call: Distribution }
  /** Uses its whole grant, then succeeds. */
  | { readonly kind: 'whole-grant' };

export interface ProviderLimits {
  /** Requests a minute. */
  readonly requests: number | undefined;
  /** Tokens a minute, of those that `counts` says. */
  readonly tokens: number | undefined;
  readonly counts: 'input' | 'output' | 'both';
  /** What was used, as it is known; or the declared maximum at once, corrected as the call ends. */
  readonly charge: 'use' | 'declared';
  /** A bucket of one minute's or of one second's worth. */
  readonly enforced: 'minute' | 'second';
  /** Calls under way at once. */
  readonly concurrency: number | undefined;
  /** A refusal says how long to stay away. */
  readonly retryAfter: boolean;
}

/** Periods at fixed times, and those of a random process. */
export interface Incidents {
  /** `night` counts from 1, `fromMs` from its opening. */
  readonly at: readonly { readonly night: number; readonly fromMs: number; readonly lastsMs: number }[];
  readonly random:
    | {
        /** From the end of one to the begin of the next, on average. */
        readonly betweenMs: number;
        readonly lasts: Distribution;
      }
    | undefined;
}

/** Those of one worker of a fleet; random ones befall each by itself. */
export interface WorkerIncidents extends Incidents {
  readonly at: readonly (Incidents['at'][number] & {
    /** From 1. */
    readonly worker: number;
  })[];
}

export interface RetryingClient {
  /** Calls for one attempt of the worker, from 1. */
  readonly attempts: number;
  /** Its own timer for each call. */
  readonly timeoutMs: number;
  readonly honoursSignal: boolean;
  /** The timer stops at the first token. */
  readonly timerEndsAtHeaders: boolean;
  readonly backoff: Scenario['backoff'];
}

/** The thresholds of the trip conditions; ratios are fractions. */
export interface Trips {
  readonly windowMs: number;
  /** Events in the window before a rate says anything. */
  readonly leastEvents: number;
  readonly refusalRate: number;
  readonly unspentRatio: number;
  /** Above what envelope and attempts leave by construction. */
  readonly unspentAboveExpected: number;
  readonly overspendConfidence: number;
  /** Of the declared slack. */
  readonly queueAgeOfSlack: number;
  readonly onTrip: 'none' | 'shed';
}

export interface Policy {
  readonly timeouts: 'clamp' | 'fixed';
  readonly admission: 'envelope' | 'shared-counter';
  readonly reclaim: 'refund' | 'charge';
  /** Where the budget's deadline is kept. Absent: `monotonic`. */
  readonly clock?: 'monotonic' | 'wall';
  /** Absent: `whole-job`. */
  readonly hold?: 'whole-job' | 'per-attempt';
}
