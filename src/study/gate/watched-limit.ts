// One limit on a metric while its gate is played: the value of every replication, and what is known so far.

import type { Place } from '../../base/errors.ts';
import { unitOf } from '../../scenario/gate-metrics.ts';
import type { MetricLimit } from '../../scenario/gate-schema.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { NightResult } from '../../world/run-result.ts';
import type { Look } from '../estimates/looks.ts';
import { overNights } from '../metrics.ts';
import type { LimitResult, Series } from './check-result.ts';
import { isConstant } from './constant-metric.ts';
import { isUpperLimit, type Judgement, judge, judgeConstant, NO_DATA } from './judge.ts';

/** Nothing has been looked at. */
const UNSEEN: Judgement = { ...NO_DATA, verdict: 'inconclusive' };

export class WatchedLimit {
  /** Which figure of a replication it is on: limits that share it share its values. */
  readonly figure: string;
  readonly #limit: MetricLimit;
  readonly #place: Place;
  /** Of every replication, null where it has none. */
  readonly #values: (number | null)[] = [];
  #judgement: Judgement = UNSEEN;
  #replications = 0;
  #alpha: number | null = null;

  constructor(limit: MetricLimit, place: Place) {
    this.figure = [limit.metric, limit.over, limit.pool].join(' ');
    this.#limit = limit;
    this.#place = place;
  }

  get isDecided(): boolean {
    return this.#judgement.verdict !== 'inconclusive';
  }

  /** The next replication. */
  add(scenario: Scenario, nights: readonly NightResult[]): void {
    const { metric } = this.#limit;
    const value = overNights(this.#limit, nights);
    this.#values.push(value === null ? null : rounded(metric, value));
    if (this.#values.length > 1 || value === null || !isConstant(metric, scenario, nights)) return;
    this.#judgement = judgeConstant(this.#limit, rounded(metric, value));
    this.#replications = 1;
  }

  /** At a planned moment, with all that has been added. What is decided stays decided. */
  look({ replications, alpha }: Look): void {
    if (this.isDecided) return;
    this.#judgement = judge(this.#limit, this.#known(replications), alpha);
    this.#replications = replications;
    this.#alpha = alpha;
  }

  result(): LimitResult {
    const { metric, pool, over, key, limit: threshold, written, comparison } = this.#limit;
    const { verdict, value, lower, upper, method } = this.#judgement;
    const isShare = key === 'probability' || method === 'probability-of-any';
    const shown = (figure: number | null) => (figure === null || isShare ? figure : rounded(metric, figure));
    const inside = isUpperLimit(comparison) ? threshold - (value ?? 0) : (value ?? 0) - threshold;
    const hasMargin = value !== null && Number.isFinite(value) && method !== 'probability-of-any';
    const whose = pool === undefined ? '' : ` of ${pool}`;
    const nights = over === 'worst' ? '' : ` (${over})`;
    return {
      limit: `${metric}${whose}${nights} ${key} ${written.trim()}`,
      metric,
      pool: pool ?? null,
      over,
      statistic: key,
      plan: null,
      verdict,
      value: shown(value),
      lower: shown(lower),
      upper: shown(upper),
      threshold,
      margin: hasMargin ? shown(inside) : null,
      method,
      replications: this.#replications,
      count: this.#known(this.#replications).length,
      alpha: this.#alpha,
      place: this.#place,
    };
  }

  /** @param replications the first so many */
  series(replications: number): Series {
    const { metric, over, pool } = this.#limit;
    const values = this.#values.slice(0, replications);
    return {
      metric,
      over,
      pool: pool ?? null,
      values: values.map((value) => (value === Number.POSITIVE_INFINITY ? 'never' : value)),
    };
  }

  #known(replications: number): readonly number[] {
    return this.#values.slice(0, replications).filter((value) => value !== null);
  }
}

/** Times to the microsecond, as everywhere in what is answered. */
function rounded(metric: MetricLimit['metric'], value: number): number {
  const isTime = unitOf(metric) === 'duration' && Number.isFinite(value);
  return isTime ? Math.round(value * 1000) / 1000 : value;
}
