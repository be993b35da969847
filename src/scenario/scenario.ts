// A scenario after reading: every default filled in, every unit in milliseconds, tokens or fractions,
// every distribution ready to be drawn. What the planner and the world work from.

import type { Distribution } from '../sim/distribution.ts';

export type Order = 'listed' | 'shuffled' | 'heaviest-first' | 'lightest-first';

export interface Scenario {
  readonly name: string;
  /** The text of the seed: turned into the root key of every random stream. */
  readonly seed: string;
  /** Nights in a row, from 1. */
  readonly nights: number;
  readonly window: { readonly lastsMs: number; readonly everyMs: number };
  readonly budget: {
    readonly reserveMs: number;
    readonly floorMs: number;
    readonly capMs: number;
    readonly attempts: number;
  };
  /** Jobs under way at once, from 1. */
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
  };
  readonly store: {
    /** Milliseconds one checkpoint takes. */
    readonly write: Distribution;
    /** Checkpoints served at once, from 1. */
    readonly writers: number;
    /** Once, after the last write, before the exit. */
    readonly flushMs: number;
  };
  readonly policy: Policy;
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
  readonly refill: 'night' | 'never';
}

export interface JobClass {
  readonly name: string;
  /** Jobs that arrive at an opening, from 0. */
  readonly count: number;
  readonly arrive: 'every-night' | 'first-night';
  /** How long after its arrival a job may be done at the latest. Default: window − reserve. */
  readonly slackMs: number;
  readonly attempts: number;
  readonly tokens: JobTokens;
  readonly envelope: Envelope;
}

/** Where a class's tokens come from: two distributions, or rows of a file drawn as pairs. */
export type JobTokens =
  | { readonly kind: 'independent'; readonly input: Distribution; readonly output: Distribution }
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

export interface Policy {
  readonly timeouts: 'clamp' | 'fixed';
  readonly admission: 'envelope' | 'shared-counter';
  readonly reclaim: 'refund' | 'charge';
}
