// When a night is to be called off track: the thresholds of the four trip conditions, what they need to know
// of each class of jobs, and what a condition that has tripped says.

/** In the order in which they are listed everywhere. */
export const TRIP_SIGNALS = ['refusal-rate', 'unspent-ratio', 'overspend', 'queue-age'] as const;
export type TripSignal = (typeof TRIP_SIGNALS)[number];

/** Ratios are fractions: 0.05 is 5 %. */
export interface TripThresholds {
  /** The sliding window of the three rates, above 0. Default: 10 min. */
  readonly windowMs: number;
  /** Events inside it before a rate says anything, from 1. Default: 20. */
  readonly leastEvents: number;
  /** Refused asks ÷ asks that are still well. Default: 0.05. */
  readonly refusalRate: number;
  /** Unspent ÷ held tokens, of what settled, that are still well. Default: 0.4. */
  readonly unspentRatio: number;
  /** So far above what a class's envelope leaves by construction is still well, if that is more. Default: 0.1. */
  readonly unspentAboveExpected: number;
  /** How sure to be that a class overspends more often than its quantile allows; above 0, below 1. Default: 0.95. */
  readonly overspendConfidence: number;
  /** How much of its declared slack a job may wait; above 0. Default: 0.5. */
  readonly queueAgeOfSlack: number;
}

export const DEFAULT_TRIPS: TripThresholds = {
  windowMs: 600_000,
  leastEvents: 20,
  refusalRate: 0.05,
  unspentRatio: 0.4,
  unspentAboveExpected: 0.1,
  overspendConfidence: 0.95,
  queueAgeOfSlack: 0.5,
};

/** What is known of a class beforehand. */
export interface ClassExpectation {
  /** How long after its arrival a job may be done at the latest, above 0. Not declared: its age trips nothing. */
  readonly slackMs?: number | undefined;
  /** The quantile of usage that its envelope covers; above 0, up to 1. Default: 0.95. */
  readonly quantile?: number | undefined;
  /** Unspent ÷ held that envelope and attempts make by construction, as `plan` says. Default: nothing is known. */
  readonly unspentRatio?: number | undefined;
}

/** Whose figure it is: a class of jobs, or the pool. The other is null. */
export interface TripSubject {
  readonly class: string | null;
  readonly pool: string | null;
}

/** One signal as it stands: a ratio, and what it may not exceed. */
export interface TripReading extends TripSubject {
  readonly signal: TripSignal;
  /** Events inside the window; for an age 1 where a job waits, else 0. */
  readonly events: number;
  /** Null where there is no data: nothing happened, or nothing waits. */
  readonly figure: number | null;
  readonly threshold: number;
  readonly isTripped: boolean;
}

/** A signal that has gone beyond its threshold, told once per subject. */
export interface Trip extends TripSubject {
  /** `alert`: look at it, a single overspend; `trip`: act on it. */
  readonly level: 'alert' | 'trip';
  readonly signal: TripSignal;
  /** On the clock that the monitor is fed with. */
  readonly atMs: number;
  readonly figure: number;
  readonly threshold: number;
  /** What to do about it. */
  readonly action: string;
}

/** What a person is to do about each. */
export const TRIP_ACTIONS: Readonly<Record<TripSignal, string>> = {
  'refusal-rate': 'shrink envelopes or lower concurrency',
  'unspent-ratio': "re-derive the class's envelope from the tail of its usage",
  overspend: "fix this class's envelope, and no other's",
  'queue-age': 'stop admitting this class and shed what waits',
};
