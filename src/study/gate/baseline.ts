// A check against an earlier one: the same replications under the same weather, so that what is left in a
// difference is the change. It is no verdict on luck, and it refuses to compare what is not comparable.

import { z } from 'zod';
import { InputError } from '../../base/errors.ts';
import { METRICS } from '../../scenario/gate-metrics.ts';
import { FIRST_LOOK, plannedLooks } from '../estimates/looks.ts';
import { meanBounds, meanOf } from '../estimates/mean-bounds.ts';
import { proportionBounds } from '../estimates/proportion-bounds.ts';
import { WORST } from '../metrics.ts';
import { type BaselineComparison, type ScenarioCheck, type Series, worstVerdict } from './check-result.ts';

/** What is read of an earlier answer of `check --json`; what else stands in it does not matter. */
const baselineSchema = z.looseObject({
  scenarios: z.array(
    z.looseObject({
      scenario: z.string(),
      seed: z.string(),
      keyScheme: z.number(),
      series: z.array(
        z.looseObject({
          metric: z.enum(METRICS),
          over: z.enum(['worst', 'sum', 'first', 'last']),
          pool: z.string().nullable(),
          values: z.array(z.union([z.number(), z.literal('never'), z.null()])),
        }),
      ),
    }),
  ),
});

export type Baseline = z.output<typeof baselineSchema>;

/** @param file as messages name it @throws InputError where it is no answer of `check --json` */
export function readBaseline(text: string, file: string): Baseline {
  const refuse = (message: string): never => {
    const expected = 'what plimsoll check --json has written';
    throw new InputError({ code: 'not-a-baseline', message, place: { file }, expected });
  };
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return refuse('this is no JSON');
  }
  const baseline = baselineSchema.safeParse(data);
  return baseline.success ? baseline.data : refuse('this is no answer of plimsoll check');
}

interface BaselineOptions {
  /** How much worse is still well, as a fraction of the baseline's mean, from 0. */
  readonly margin: number;
  /** One-sided. */
  readonly confidence: number;
}

/** The check with every figure of it compared, and the verdict of both. */
export function againstBaseline(
  check: ScenarioCheck,
  baseline: Baseline,
  options: BaselineOptions,
): ScenarioCheck {
  const old = baseline.scenarios.find(({ scenario }) => scenario === check.scenario);
  const alpha = lastAlpha(check.replications, 1 - options.confidence);
  const reason = incomparable(old, check);
  const comparisons = check.series.map((series): BaselineComparison => {
    const { metric, over, pool } = series;
    const before = old?.series.find((one) => isSameFigure(one, series));
    const comparison =
      before === undefined || reason !== null
        ? { ...NOTHING, reason: reason ?? 'the baseline has no such figure' }
        : compare(before.values, series, options.margin, alpha);
    return { metric, over, pool, ...comparison };
  });
  const verdicts = [check.verdict, ...comparisons.map(({ verdict }) => verdict)];
  return { ...check, verdict: worstVerdict(verdicts), baseline: comparisons };
}

/** Why the two did not meet the same weather; null where they did. */
function incomparable(old: Baseline['scenarios'][number] | undefined, check: ScenarioCheck): string | null {
  if (old === undefined) return 'the baseline has no scenario of this name';
  if (old.keyScheme !== check.keyScheme) {
    return `the baseline was drawn under key scheme ${old.keyScheme}, this check under ${check.keyScheme}`;
  }
  return old.seed === check.seed ? null : 'the baseline has another seed, and so other weather';
}

/** When a check stops depends on what it saw: its last look has been paid for as one of all planned. */
function lastAlpha(replications: number, alpha: number): number {
  return plannedLooks(alpha, Math.max(FIRST_LOOK, replications)).at(-1)!.alpha;
}

function isSameFigure(one: Omit<Series, 'values'>, other: Omit<Series, 'values'>): boolean {
  return one.metric === other.metric && one.over === other.over && one.pool === other.pool;
}

type Comparison = Omit<BaselineComparison, 'metric' | 'over' | 'pool'>;

const NOTHING: Comparison = {
  verdict: 'inconclusive',
  count: 0,
  baseline: null,
  worseBy: null,
  lower: null,
  upper: null,
  margin: null,
  method: 'no-data',
  reason: null,
};

function compare(
  before: Series['values'],
  { metric, values }: Series,
  marginShare: number,
  alpha: number,
): Comparison {
  const sign = WORST[metric] === 'least' ? -1 : 1;
  const olds: number[] = [];
  const worse: number[] = [];
  for (const [replication, value] of values.entries()) {
    const old = numberOf(before[replication] ?? null);
    const now = numberOf(value);
    if (old === null || now === null) continue;
    olds.push(old);
    // Never and never again is no difference.
    worse.push(now === old ? 0 : sign * (now - old));
  }
  const count = worse.length;
  if (count === 0) return { ...NOTHING, verdict: 'fail', reason: 'no replication has both figures' };
  const baseline = meanOf(olds);
  const margin = marginShare * Math.abs(baseline);
  const known = { count, baseline: finite(baseline), worseBy: finite(meanOf(worse)), margin: finite(margin) };
  if (worse.every((one) => one === worse[0])) {
    const same = worse[0]!;
    return { ...known, ...verdictWithin(same, same, margin), method: 'exact' };
  }
  const mean = worse.every(Number.isFinite) ? meanBounds(worse, alpha) : undefined;
  if (mean !== undefined) {
    return { ...known, ...verdictWithin(mean.lower, mean.upper, margin), method: 'student-t' };
  }
  // Too few differ for a mean: how often a replication is worse stands in, held to the same share.
  const often = worse.filter((one) => one > (Number.isFinite(margin) ? margin : 0)).length;
  const { lower, upper } = proportionBounds(often, count, alpha);
  return { ...known, ...verdictWithin(lower, upper, marginShare), method: 'clopper-pearson' };
}

function verdictWithin(
  lower: number,
  upper: number,
  margin: number,
): Pick<Comparison, 'verdict' | 'lower' | 'upper' | 'reason'> {
  const bounds = { lower: finite(lower), upper: finite(upper) };
  if (lower > margin) return { verdict: 'fail', ...bounds, reason: null };
  if (upper <= margin) return { verdict: 'pass', ...bounds, reason: null };
  return {
    verdict: 'inconclusive',
    ...bounds,
    reason: 'the interval lies neither within the margin nor beyond it',
  };
}

function numberOf(value: Series['values'][number]): number | null {
  return value === 'never' ? Number.POSITIVE_INFINITY : value;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
