// The shape of what `check --json` answers, each figure with its meaning and unit.

import { z } from 'zod';
import { METRICS } from '../../scenario/gate-metrics.ts';
import { METHODS } from './judge.ts';

const counted = (meaning: string) => z.int().min(0).describe(meaning);
const figure = (meaning: string) => z.number().nullable().describe(meaning);
const words = (meaning: string) => z.string().describe(meaning);
const scalar = (meaning: string) =>
  z.union([z.number(), z.string(), z.boolean(), z.null()]).describe(meaning);

const verdict = z
  .enum(['pass', 'fail', 'inconclusive'])
  .describe('Shown to lie inside the limit, shown to lie outside, or neither.');
const metric = z.enum(METRICS).describe('As in a night of run.');
const over = z
  .enum(['worst', 'sum', 'first', 'last'])
  .describe('Which nights of a replication: the worst, all in sum, the first or the last.');
const pool = words('Of this pool alone; null: of all.').nullable();

const limitSchema = z
  .strictObject({
    limit: words('The limit in one line.'),
    metric: metric.nullable().describe('As in a night of run; null for a limit on the plan.'),
    pool,
    over: over.nullable().describe('Which nights of a replication; null for a limit on the plan.'),
    statistic: words('probability, mean or a quantile such as p95; null for a limit on the plan.').nullable(),
    plan: words('The field of plan; null for a limit on a metric.').nullable(),
    verdict,
    value: scalar('The statistic, or the field; null: no data. Ratios are fractions.'),
    lower: figure('One-sided lower bound; null: the data do not support one.'),
    upper: figure('One-sided upper bound; null: the data do not support one.'),
    threshold: scalar('What it is held to.'),
    margin: figure(
      'How far the value lies inside the limit, negative outside; null where it has no distance.',
    ),
    method: z.enum(METHODS).describe('How the bounds came about.'),
    replications: counted('At the look that decided it, or the last one.'),
    count: counted('Of those, how many have the figure.'),
    alpha: figure('What each of the two bounds may be wrong by, at that look; null for what is exact.'),
    place: z
      .strictObject({
        file: words('The scenario file.').optional(),
        line: counted('From 1.').optional(),
        column: counted('From 1.').optional(),
        flag: words('The flag that set it over the file.').optional(),
      })
      .describe('Where the limit is written.'),
  })
  .meta({ id: 'limit', description: 'One limit, held against the replications.' });

const comparisonSchema = z
  .strictObject({
    metric,
    over,
    pool,
    verdict,
    count: counted('Replications that both have.'),
    baseline: figure("The baseline's mean; null: no data, or never."),
    worseBy: figure('How much worse the mean is; negative: better. Null: no data, or never.'),
    lower: figure('One-sided lower bound of that, or of how often a replication is worse.'),
    upper: figure('One-sided upper bound of that, or of how often a replication is worse.'),
    margin: figure('How much worse is still well.'),
    method: z
      .enum(['student-t', 'clopper-pearson', 'exact', 'no-data'])
      .describe(
        'clopper-pearson: the bounds are of how often a replication is worse by more than the margin.',
      ),
    reason: words('Why there is no verdict; null where there is one.').nullable(),
  })
  .meta({ id: 'comparison', description: 'One figure against the baseline, replication by replication.' });

const seriesSchema = z
  .strictObject({
    metric,
    over,
    pool,
    values: z
      .array(z.union([z.number(), z.literal('never'), z.null()]))
      .describe('Of each replication from 0 on; never: a night did not finish; null: no data.'),
  })
  .meta({ id: 'series', description: 'One figure of every replication, for a later check to compare with.' });

export const checkSchema = z
  .strictObject({
    verdict: verdict.describe('Of all scenarios: one that fails comes before one that is not decided.'),
    confidence: z.number().min(0.5).max(1).describe('One-sided, of each bound over all looks together.'),
    budget: counted('Replications of each scenario, at most.'),
    scenarios: z
      .array(
        z
          .strictObject({
            scenario: words('Its name.'),
            seed: words('All draws follow from it.'),
            keyScheme: counted('Which draw belongs to what: only under equal ones do results compare.'),
            verdict,
            replications: counted('Played, and looked at: 0 to one less than this.'),
            limits: z.array(limitSchema).describe('As listed in the scenario.'),
            baseline: z
              .array(comparisonSchema)
              .describe('Every figure against the baseline; null without one.')
              .nullable(),
            series: z.array(seriesSchema).describe('The values behind the limits.'),
          })
          .meta({ id: 'scenarioCheck', description: 'One scenario.' }),
      )
      .describe('In the order in which they were named.'),
  })
  .describe('What plimsoll check answers. Times in milliseconds, tokens whole, ratios as fractions.');

export function checkJsonSchema(): Record<string, unknown> {
  const { $schema, ...json } = z.toJSONSchema(checkSchema);
  return { $schema, title: 'Plimsoll check', ...json };
}
