// The keys of a scenario file, each with its unit, its default and what it means. The one place where the
// shape of a scenario is written down: reading and the JSON Schema both come from here.

import { z } from 'zod';
import { type DistributionSpec, durationDistribution, tokenDistribution } from './distribution-schema.ts';
import {
  count,
  duration,
  name,
  oneOf,
  percent,
  plainNumber,
  strictMap,
  text,
  tokens,
  unknownWord,
} from './quantity-schema.ts';
import { shaped } from './shape-schema.ts';

/** Enough for any night; above these a run would sooner fill the memory than say something. */
const MOST = { nights: 10_000, lanes: 100_000, jobs: 10_000_000, attempts: 1_000 };

const windowSchema = strictMap({
  lasts: duration('From the opening to the hard kill.', { above: 0 }),
  every: duration('From one opening to the next.', { above: 0 }).prefault('24 h'),
}).describe('When the scheduler lets the batch run.');

const budgetSchema = strictMap({
  reserve: duration('Held back before the kill for the last writes, the flush and the exit.').prefault(
    '45 s',
  ),
  floor: duration('The least worth starting: with less left no call is made.').prefault('3 s'),
  cap: duration('The most that one call is granted.', { above: 0 }).prefault('120 s'),
  attempts: count('Calls made for one job in one night, at most.', { from: 1, upTo: MOST.attempts }).prefault(
    3,
  ),
}).describe('How the time of the window is spent.');

export interface PoolSpec {
  readonly name: string;
  readonly tokens: number;
  readonly funded: number;
  readonly lease: number;
  readonly refill: 'night' | 'never';
}

const poolMap: z.ZodType<PoolSpec> = strictMap({
  name: name('What reports and the ledger call it.').prefault('pool'),
  tokens: tokens("The provider's quota.", { from: 1 }),
  funded: percent('How much of the quota the pool is funded with.', { above: 0 }).prefault('100%'),
  lease: duration('How long a hold lives without being renewed.', { above: 0 }).prefault('15 min'),
  refill: oneOf('night: full again at every opening; never: one pool for all nights.', [
    'night',
    'never',
  ]).prefault('night'),
});
const noPool: z.ZodType<undefined> = z
  .literal('none', { error: () => 'a map, or none' })
  .transform(() => undefined);

const poolSchema = shaped<PoolSpec | undefined>({
  id: 'pool',
  description: 'The tokens that all jobs share. Left out, or none: no admission is played.',
  all: () => [poolMap, noPool],
  pick: (written) => (isMap(written) ? poolMap : noPool),
});

export type EnvelopeSpec =
  | { readonly tokens: number }
  | { readonly quantile: number; readonly fanout?: number | undefined; readonly overhead: number };

const tokensEnvelope: z.ZodType<EnvelopeSpec> = strictMap({
  tokens: tokens('The envelope itself.', { from: 1 }),
});
const quantileEnvelope: z.ZodType<EnvelopeSpec> = strictMap({
  quantile: percent('The quantile of input and output that it covers.', { above: 0 }).prefault('95%'),
  fanout: plainNumber('Prompts paid for; left out: one per attempt.').optional(),
  overhead: tokens('Tokens on top, for what neither input nor output counts.').prefault(0),
});

const envelopeSchema = shaped<EnvelopeSpec>({
  id: 'envelope',
  description:
    'What one job reserves: ceil(quantile of input × fanout) + ceil(quantile of output × attempts) + overhead.',
  all: () => [quantileEnvelope, tokensEnvelope],
  pick: (written) => (isMap(written) && Object.hasOwn(written, 'tokens') ? tokensEnvelope : quantileEnvelope),
});

const jobSchema = strictMap({
  class: name('What flags and reports call this class.'),
  count: count('Jobs that arrive at an opening.', { from: 0, upTo: MOST.jobs }),
  arrive: oneOf('every-night: at every opening; first-night: a backlog that comes once.', [
    'every-night',
    'first-night',
  ]).prefault('every-night'),
  slack: duration(
    'How long after its arrival a job may be done at the latest; left out: window − reserve.',
  ).optional(),
  attempts: count('Overrides budget.attempts for this class.', { from: 1, upTo: MOST.attempts }).optional(),
  input: tokenDistribution('Input tokens of a job.').optional(),
  output: tokenDistribution('Output tokens of one attempt.').optional(),
  from: strictMap({
    file: text('A CSV file with a header line; relative to the scenario.'),
    input: text('The column with the input tokens.'),
    output: text('The column with the output tokens.'),
  })
    .describe('Tokens as rows of a file, drawn as pairs: instead of input and output.')
    .optional(),
  envelope: envelopeSchema.prefault({}),
}).describe('Jobs that are alike.');

export type LatencySpec =
  | { readonly kind: 'by-token'; readonly firstToken: DistributionSpec; readonly perToken: DistributionSpec }
  | { readonly kind: 'direct'; readonly call: DistributionSpec }
  | { readonly kind: 'whole-grant' };

const wholeGrant: z.ZodType<LatencySpec> = z
  .literal('whole-grant')
  .transform((): LatencySpec => ({ kind: 'whole-grant' }))
  .describe('Uses its whole grant, then succeeds.');
const latencyByToken: z.ZodType<LatencySpec> = strictMap({
  firstToken: durationDistribution('Until the first token.'),
  perToken: durationDistribution('For each output token.'),
}).transform(({ firstToken, perToken }): LatencySpec => ({ kind: 'by-token', firstToken, perToken }));
const direct: z.ZodType<LatencySpec> = durationDistribution('The whole call, whatever its tokens.').transform(
  (call): LatencySpec => ({ kind: 'direct', call }),
);

const latencySchema = shaped<LatencySpec>({
  id: 'latency',
  description: 'How long a call takes: by its tokens, as a distribution of its own, or whole-grant.',
  all: () => [latencyByToken, direct, wholeGrant],
  pick: (written) => {
    if (typeof written === 'string' && /^[a-z-]+$/i.test(written)) {
      if (written === 'whole-grant') return wholeGrant;
      return {
        problem: unknownWord('unknown-word', `there is no latency "${written}"`, written, ['whole-grant']),
      };
    }
    const byToken = isMap(written) && Object.keys(written).some((key) => /token/i.test(key));
    return byToken ? latencyByToken : direct;
  },
});

const providerSchema = strictMap({
  latency: latencySchema,
  hangs: percent('Attempts that never answer; they bill their input.').prefault('0%'),
  errors: percent('Attempts answered with a server error after the first token; they bill nothing.').prefault(
    '0%',
  ),
  invalid: percent('Attempts whose answer is of no use; they bill everything.').prefault('0%'),
}).describe('What is called.');

const storeSchema = strictMap({
  write: durationDistribution('How long one checkpoint takes to become durable.').prefault('0 s'),
  writers: count('Checkpoints written at once.', { from: 1, upTo: MOST.lanes }).prefault(1),
  flush: duration('Once, after the last write, before the exit.').prefault('0 s'),
}).describe('Where results are written.');

const policySchema = strictMap({
  timeouts: oneOf('clamp: what the deadline leaves; fixed: always the cap, no deadline looked at.', [
    'clamp',
    'fixed',
  ]).prefault('clamp'),
  admission: oneOf(
    'envelope: reserved before the call; shared-counter: debited after it. Only with a pool.',
    ['envelope', 'shared-counter'],
  ).prefault('envelope'),
  reclaim: oneOf('What an expired hold of a dispatched call is worth: refund or charge.', [
    'refund',
    'charge',
  ]).prefault('refund'),
}).describe('What is compared.');

const backoffSchema = strictMap({
  base: duration('The first pause, at most.').prefault('1 s'),
  factor: plainNumber('What each further pause is multiplied by.', { from: 1 }).prefault(2),
  max: duration('No pause is longer.').prefault('30 s'),
  jitter: oneOf('full: anywhere between 0 and the pause; none: always the pause.', ['full', 'none']).prefault(
    'full',
  ),
}).describe('Pauses between the attempts of a job.');

const variantSchema = strictMap({
  name: name('What reports call it.'),
  set: z
    .record(z.string(), z.unknown(), { error: () => 'a map such as { policy.timeouts: fixed }' })
    .describe('Values by dotted key: policy.timeouts, jobs.summarize.count.'),
}).describe('The same scenario under the same weather, with some keys overridden.');

const keys = {
  name: name("The scenario's name; left out: its file's.").optional(),
  seed: text('Every draw follows from it.').prefault('1'),
  nights: count('Nights in a row; what is left over comes again.', { from: 1, upTo: MOST.nights }).prefault(
    1,
  ),
  window: windowSchema,
  budget: budgetSchema.prefault({}),
  lanes: count('Jobs under way at once.', { from: 1, upTo: MOST.lanes }).prefault(1),
  pool: poolSchema.optional(),
  jobs: z
    .array(jobSchema, { error: () => 'a list of job classes' })
    .describe('The classes, in the order in which they are listed.'),
  order: oneOf('In which order jobs are taken up.', [
    'listed',
    'shuffled',
    'heaviest-first',
    'lightest-first',
  ]).prefault('listed'),
  backfill: oneOf('While a refused job waits for tokens: smaller jobs are taken up, or none.', [
    'smaller',
    'none',
  ]).prefault('smaller'),
  backoff: backoffSchema.prefault({}),
  provider: providerSchema,
  store: storeSchema.prefault({}),
  policy: policySchema.prefault({}),
  compare: z
    .array(variantSchema, { error: () => 'a list of { name: …, set: { … } }' })
    .describe('Variants played beside it.')
    .prefault([]),
};

export const scenarioSchema = strictMap(keys);

/** What is left where parts were wrong: each of them, and each item of a list, may be missing. */
export const remainderSchema = strictMap({
  ...keys,
  window: keys.window.optional(),
  jobs: z.array(jobSchema.optional()).optional(),
  provider: keys.provider.optional(),
  compare: z.array(variantSchema.optional()).prefault([]),
});

export type ScenarioRemainder = z.output<typeof remainderSchema>;
export type JobSpec = z.output<typeof jobSchema>;

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
