// The shape of what `run --replications --json` answers, each figure with its meaning and unit.

import { z } from 'zod';
import { TRIP_SIGNALS } from '../worker/trip-settings.ts';
import { METRICS } from './metrics.ts';
import { OUTCOMES } from './replicated-run.ts';

const counted = (meaning: string) => z.int().min(0).describe(meaning);
const figure = () => z.number().nullable();

const bounded = (meaning: string) =>
  z
    .strictObject({
      value: z.number().describe('The estimate.'),
      lower: z.number().describe('One-sided lower bound.'),
      upper: z.number().describe('One-sided upper bound.'),
    })
    .describe(meaning);

const interval = (meaning: string) =>
  z
    .strictObject({
      lower: figure().describe('One-sided lower bound; null: so few do not support one, or never.'),
      upper: figure().describe('One-sided upper bound; null: so few do not support one, or never.'),
    })
    .describe(meaning);

const metricSchema = z
  .strictObject({
    worst: z.enum(['least', 'greatest']).describe('Which night of a replication counts.'),
    count: counted('Replications that have the figure.'),
    nonZero: counted('Of those, how many have another than 0.'),
    min: figure().describe('The least.'),
    p5: figure().describe('The smallest that at least 5 % do not exceed.'),
    p50: figure().describe('The smallest that at least half do not exceed.'),
    p95: figure().describe('The smallest that at least 95 % do not exceed.'),
    max: figure().describe('The greatest.'),
    mean: bounded(
      'By Student t; null where fewer than 20 replications differ from the most frequent value, or one is never.',
    ).nullable(),
    probability: bounded(
      'That it is above 0, exactly (Clopper and Pearson); null without data, and of finishedMs.',
    ).nullable(),
    intervals: z
      .strictObject({
        p5: interval('Of the 5 % quantile, by order statistics.'),
        p50: interval('Of the median, by order statistics.'),
        p95: interval('Of the 95 % quantile, by order statistics.'),
      })
      .describe('Of the quantiles; null without data.')
      .nullable(),
    worstIn: z
      .strictObject({ replication: counted('From 0.'), night: counted('From 1.') })
      .describe('Where it is worst, the first of several, for replay-night; null without data.')
      .nullable(),
  })
  .meta({
    id: 'metric',
    description:
      'One metric over the replications, in each its worst night. Null: no data; of finishedMs where count is not 0, never: the kill came first.',
  });

const spread = (meaning: string) =>
  z
    .strictObject({
      min: z.number().min(0).describe('The least.'),
      p5: z.number().min(0).describe('The smallest that at least 5 % do not exceed.'),
      p50: z.number().min(0).describe('The smallest that at least half do not exceed.'),
      p95: z.number().min(0).describe('The smallest that at least 95 % do not exceed.'),
      max: z.number().min(0).describe('The greatest.'),
    })
    .describe(meaning)
    .nullable();

const signalSchema = z
  .strictObject({
    replications: counted('Replications in which it tripped.'),
    first: counted('Replications in which it tripped before every other signal.'),
    night: spread('The night in which it first tripped; null where it never did.'),
    atMs: spread("From that night's opening; null where it never tripped."),
  })
  .meta({ id: 'signal', description: 'One of the trip conditions over the replications.' });

function byName<Name extends string, Of>(names: readonly Name[], of: Of): Record<Name, Of> {
  return Object.fromEntries(names.map((name) => [name, of])) as Record<Name, Of>;
}

const replicated = {
  killed: counted('Replications in which the kill ended a night.'),
  killedProbability: bounded('How often the kill ends a night of a replication, exactly.'),
  perJob: z
    .strictObject(
      byName(
        OUTCOMES,
        z
          .strictObject({
            value: z.number().describe('The share.'),
            lower: figure().describe('One-sided lower bound; null: so few do not support one.'),
            upper: figure().describe('One-sided upper bound; null: so few do not support one.'),
          })
          .meta({ id: 'share', description: 'A ratio estimate over replications; null without jobs.' })
          .nullable(),
      ),
    )
    .describe('Which share of all jobs of all nights ended so.'),
  metrics: z
    .strictObject(byName(METRICS, metricSchema))
    .describe('As in a night of run; of the pools, the sum over all of them.'),
  tripped: counted('Replications in which anything tripped.'),
  signals: z.strictObject(byName(TRIP_SIGNALS, signalSchema)).describe('Every trip condition.'),
};

const pairedSchema = z
  .strictObject(
    byName(
      METRICS,
      z
        .strictObject({
          count: counted('Replications in which both have the figure, and it is finite.'),
          mean: figure().describe('Null without data.'),
          lower: figure().describe('One-sided lower bound of the mean; null where too few differ.'),
          upper: figure().describe('One-sided upper bound of the mean; null where too few differ.'),
          spread: z
            .strictObject({
              min: z.number().describe('The least.'),
              p5: z.number().describe('The smallest that at least 5 % do not exceed.'),
              p50: z.number().describe('The smallest that at least half do not exceed.'),
              p95: z.number().describe('The smallest that at least 95 % do not exceed.'),
              max: z.number().describe('The greatest.'),
            })
            .describe('Null without data.')
            .nullable(),
          better: counted('Replications in which the variant is the better of the two.'),
          worse: counted('Replications in which it is the worse.'),
        })
        .meta({ id: 'pairedDifference', description: "The variant's figure less the scenario's." }),
    ),
  )
  .describe('The variant against the scenario itself, replication by replication, under the same draws.');

export const replicatedSchema = z
  .strictObject({
    scenario: z.string().describe('Its name.'),
    seed: z.string().describe('All draws follow from it.'),
    replications: counted('How many were played: 0 to one less than this.'),
    confidence: z.number().min(0.5).max(1).describe('One-sided, of each bound.'),
    ...replicated,
    compare: z
      .record(z.string(), z.strictObject({ ...replicated, paired: pairedSchema }))
      .describe('The variants by name, each replication under the same weather.'),
  })
  .describe('What plimsoll run --replications answers. Times in milliseconds, from the opening of a night.');

export function replicatedJsonSchema(): Record<string, unknown> {
  const { $schema, ...json } = z.toJSONSchema(replicatedSchema);
  return { $schema, title: 'Plimsoll replications', ...json };
}
