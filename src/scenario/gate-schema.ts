// The limits that a scenario is held to: of a metric, `{ metric: lostWrites, probability: "< 0.1%" }`, or of
// what the planner says, `{ plan: worstCase.fits, is: false }`. How a limit is written follows from its unit.

import { z } from 'zod';
import { parseDuration, parseNumber, parsePercent, parseTokenAmount, type Quantity } from '../base/units.ts';
import { METRICS, type Metric, NOT_SUMMED, POOLED, type Unit, unitOf } from './gate-metrics.ts';
import { name, oneOf, refuse, type SchemaProblem, strictMap, text, unknownWord } from './quantity-schema.ts';
import { shaped } from './shape-schema.ts';

export type Comparison = '<' | '<=' | '>' | '>=';
export type Over = 'worst' | 'sum' | 'first' | 'last';

/** What of a metric's values, one for each replication, is held to the limit. */
export type Statistic = 'probability' | 'mean' | { readonly p: number };

export interface MetricLimit {
  readonly kind: 'metric';
  readonly metric: Metric;
  /** Undefined: all pools together. */
  readonly pool: string | undefined;
  /** Which of a replication's nights. */
  readonly over: Over;
  readonly statistic: Statistic;
  /** The statistic's key, as it was written. */
  readonly key: string;
  readonly comparison: Comparison;
  /** Milliseconds, tokens, a fraction or a count. */
  readonly limit: number;
  /** As it was written. */
  readonly written: string;
}

export interface PlanLimit {
  readonly kind: 'plan';
  /** Of the JSON of `plan`, dotted. */
  readonly field: string;
  /** A value, or a comparison such as `< 10`. */
  readonly is: string | boolean;
}

export type GateLimit = MetricLimit | PlanLimit;

/** Every quantile that may be held to a limit. */
const QUANTILES: Readonly<Record<string, number>> = {
  p01: 0.01,
  p05: 0.05,
  p5: 0.05,
  p10: 0.1,
  p25: 0.25,
  p50: 0.5,
  p75: 0.75,
  p90: 0.9,
  p95: 0.95,
  p99: 0.99,
  'p99.9': 0.999,
};
const STATISTICS = ['probability', 'mean', ...Object.keys(QUANTILES)];

const comparison = (meaning: string) => text(meaning).optional();
const quantiles = Object.fromEntries(
  Object.keys(QUANTILES).map((key) => [key, comparison('Its quantile over the replications.')]),
);

const metricLimit: z.ZodType<GateLimit> = strictMap({
  metric: text('What is held to it, as run --json names it.'),
  pool: name('Of this pool alone; left out: of all.').optional(),
  over: oneOf('Which night of a replication: the worst, all of them in sum, the first, the last.', [
    'worst',
    'sum',
    'first',
    'last',
  ]).prefault('worst'),
  probability: comparison('How often it is above 0; of finishedMs: that a night never finishes.'),
  mean: comparison('Its mean over the replications.'),
  ...quantiles,
}).transform((written, context): GateLimit => {
  const metric = metricNamed(written.metric);
  if (metric === undefined) return refuse(context, unknownMetric(written.metric), ['metric']);
  const { over, pool } = written;
  if (pool !== undefined && !POOLED.has(metric)) {
    return refuse(context, contradiction(`${metric} is no figure of a pool`), ['pool']);
  }
  if (over === 'sum' && NOT_SUMMED.has(metric)) {
    return refuse(context, contradiction(`nights of ${metric} have no sum`, 'worst, first or last'), [
      'over',
    ]);
  }
  const given = Object.entries(written).filter(
    ([key, value]) => STATISTICS.includes(key) && value !== undefined,
  ) as [string, string][];
  const [only, another] = given;
  if (only === undefined) return refuse(context, noStatistic());
  if (another !== undefined) {
    return refuse(context, contradiction('one entry is one limit: write another entry'), [another[0]]);
  }
  const [key, condition] = only;
  const limit = readCondition(condition, (amount) => parseAmount(amount, key, metric));
  if ('problem' in limit) return refuse(context, limit.problem, [key]);
  const statistic = key === 'probability' || key === 'mean' ? key : { p: QUANTILES[key]! };
  return { kind: 'metric', metric, pool, over, statistic, key, written: condition, ...limit };
});

const planLimit: z.ZodType<GateLimit> = strictMap({
  plan: text('A field of plan --json, such as worstCase.fits or classes.code.admitted.'),
  is: z
    .union([z.boolean(), z.string()], { error: () => 'true, false, a word, or a comparison such as "< 10"' })
    .describe('What it has to be.'),
}).transform(({ plan, is }): GateLimit => ({ kind: 'plan', field: plan, is }));

export const gateSchema = z
  .array(
    shaped<GateLimit>({
      id: 'limit',
      description: 'One limit: of a metric over the replications, or of what the planner says.',
      all: () => [metricLimit, planLimit],
      pick: (written) =>
        typeof written === 'object' && written !== null && Object.hasOwn(written, 'plan')
          ? planLimit
          : metricLimit,
    }),
    { error: () => 'a list of { metric: …, mean: "< …" }' },
  )
  .describe('The limits that plimsoll check holds it to.');

/** Upper and lower case, spaces, `-` and `_` do not matter. Undefined where there is none of this name. */
export function metricNamed(written: string): Metric | undefined {
  const plain = (word: string): string => word.toLowerCase().replace(/[\s_-]+/g, '');
  return METRICS.find((metric) => plain(metric) === plain(written));
}

function unknownMetric(written: string): SchemaProblem {
  return unknownWord('unknown-metric', `there is no metric "${written}"`, written, METRICS);
}

function noStatistic(): SchemaProblem {
  const message = 'this limits nothing';
  return { code: 'missing-key', message, expected: `one of ${STATISTICS.join(', ')}` };
}

function contradiction(message: string, expected?: string): SchemaProblem {
  return { code: 'contradiction', message, ...(expected === undefined ? {} : { expected }) };
}

/** The comparison and its amount, from `< 5%`. */
export function readCondition(
  written: string,
  parse: (amount: string) => Quantity,
): { readonly comparison: Comparison; readonly limit: number } | { readonly problem: SchemaProblem } {
  const [, sign = '', amount = ''] = /^\s*(<=|>=|<|>|≤|≥)?\s*(.*?)\s*$/s.exec(written) ?? [];
  if (sign === '') {
    const message = 'this says no direction';
    return { problem: { code: 'no-comparison', message, expected: `"< ${amount}" or "> ${amount}"` } };
  }
  const quantity = parse(amount);
  if (!quantity.ok) return quantity;
  const comparisons: Readonly<Record<string, Comparison>> = { '≤': '<=', '≥': '>=' };
  return { comparison: comparisons[sign] ?? (sign as Comparison), limit: quantity.value };
}

function parseAmount(amount: string, key: string, metric: Metric): Quantity {
  if (key !== 'probability') return PARSERS[unitOf(metric)](amount);
  const share = parsePercent(amount);
  if (!share.ok || (share.value > 0 && share.value < 1)) return share;
  const expected = 'a percentage above 0% and below 100%';
  return {
    ok: false,
    problem: { code: 'out-of-range', message: 'no number of replications shows this', expected },
  };
}

const PARSERS: Readonly<Record<Unit, (amount: string) => Quantity>> = {
  count: parseNumber,
  ratio: parsePercent,
  tokens: parseTokenAmount,
  'signed-tokens': (amount) => {
    const [, sign, size = ''] = /^([-−]?)(.*)$/s.exec(amount) ?? [];
    const quantity = parseTokenAmount(size);
    return quantity.ok && sign !== '' ? { ok: true, value: -quantity.value } : quantity;
  },
  duration: parseDuration,
};
