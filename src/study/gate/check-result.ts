// What `check` answers: every limit with its verdict and what it rests on, and the values of each
// replication, against which a later check may be held.

import type { Place } from '../../base/errors.ts';
import type { Metric } from '../../scenario/gate-metrics.ts';
import type { Over } from '../../scenario/gate-schema.ts';
import type { Method, Verdict } from './judge.ts';

export interface LimitResult {
  /** The limit in one line: `lostWrites probability < 0.1%`. */
  readonly limit: string;
  /** Null for a limit on the plan. */
  readonly metric: Metric | null;
  readonly pool: string | null;
  readonly over: Over | null;
  readonly statistic: string | null;
  /** The field of the plan; null for a metric. */
  readonly plan: string | null;
  readonly verdict: Verdict;
  /** Null: no data. Times in milliseconds, ratios as fractions. */
  readonly value: number | string | boolean | null;
  readonly lower: number | null;
  readonly upper: number | null;
  /** What it is held to. */
  readonly threshold: number | string | boolean | null;
  /** How far the value lies inside the limit, in its unit; negative outside; null where there is no such difference. */
  readonly margin: number | null;
  readonly method: Method;
  /** Replications at the look that decided, or the last one. */
  readonly replications: number;
  /** Of those, how many have the figure. */
  readonly count: number;
  /** What each of the two bounds may be wrong by, at that look; null for what is exact. */
  readonly alpha: number | null;
  readonly place: Place;
}

/** One figure of every replication, from 0 on. `never`: a night did not finish; null: no data. */
export interface Series {
  readonly metric: Metric;
  readonly over: Over;
  readonly pool: string | null;
  readonly values: readonly (number | 'never' | null)[];
}

/** The mean of this check less that of the baseline, replication by replication; above 0 is worse. */
export interface BaselineComparison {
  readonly metric: Metric;
  readonly over: Over;
  readonly pool: string | null;
  readonly verdict: Verdict;
  /** Replications that both have. */
  readonly count: number;
  /** The baseline's mean; null without data. */
  readonly baseline: number | null;
  /** How much worse the mean is; null without data. */
  readonly worseBy: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  /** How much worse is still well. */
  readonly margin: number | null;
  readonly method: 'student-t' | 'clopper-pearson' | 'exact' | 'no-data';
  /** Why there is no verdict; null where there is one. */
  readonly reason: string | null;
}

export interface ScenarioCheck {
  readonly scenario: string;
  readonly seed: string;
  /** Which draw belongs to what: only under equal ones do results compare. */
  readonly keyScheme: number;
  readonly verdict: Verdict;
  /** Played, and looked at. */
  readonly replications: number;
  readonly limits: readonly LimitResult[];
  /** Null where there is none. */
  readonly baseline: readonly BaselineComparison[] | null;
  readonly series: readonly Series[];
}

export interface CheckResult {
  readonly verdict: Verdict;
  /** One-sided, of each bound over all looks. */
  readonly confidence: number;
  /** Replications of each scenario, at most. */
  readonly budget: number;
  readonly scenarios: readonly ScenarioCheck[];
}

/** Of several: one that fails comes before one that is not decided. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('fail')) return 'fail';
  return verdicts.includes('inconclusive') ? 'inconclusive' : 'pass';
}
