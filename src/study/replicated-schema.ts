// The shape of what `run --replications --json` answers, each figure with its meaning and unit.

import { z } from 'zod';
import { TRIP_SIGNALS } from '../worker/trip-settings.ts';
import { METRICS } from './metrics.ts';

const counted = (meaning: string) => z.int().min(0).describe(meaning);
const figure = () => z.number().nullable();

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
