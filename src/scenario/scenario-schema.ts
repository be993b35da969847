// The keys of a scenario file, each with its unit, its default and what it means. The one place where the
// shape of a scenario is written down: reading and the JSON Schema both come from here.

import { z } from 'zod';
import { arriveSchema, volumeSchema } from './arrival-schema.ts';
import { backgroundSchema } from './background-schema.ts';
import { backoffMap } from './backoff-schema.ts';
import { clientSchema } from './client-schema.ts';
import { type DistributionSpec, durationDistribution, tokenDistribution } from './distribution-schema.ts';
import { clockSchema, fleetSchema } from './fleet-schema.ts';
import { gateSchema } from './gate-schema.ts';
import { incidents } from './incidents-schema.ts';
import { correlationSchema, sessionsSchema } from './joint-schema.ts';
import { LINT_RULES } from './lint-rules.ts';
import {
  billingSchema,
  limitsSchema,
  outagesSchema,
  slowdownSchema,
  slowSchema,
} from './provider-faults-schema.ts';
import {
  count,
  duration,
  flag,
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
import { tripsSchema } from './trips-schema.ts';
import { weatherSchema } from './weather-schema.ts';
import { windowSchema, zone } from './window-schema.ts';

/** Enough for any night; above these a run would sooner fill the memory than say something. */
const MOST = { nights: 10_000, lanes: 100_000, jobs: 10_000_000, attempts: 1_000, replications: 100_000 };

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
  readonly maxLease: number;
  readonly refill: 'night' | 'day' | 'month' | 'never';
  readonly zone?: string | undefined;
  readonly teams: number;
}

const poolMap: z.ZodType<PoolSpec> = strictMap({
  name: name('What reports and the ledger call it.').prefault('pool'),
  tokens: tokens("The provider's quota.", { from: 1 }),
  funded: percent('How much of the quota the pool is funded with.', { above: 0 }).prefault('100%'),
  lease: duration('How long a hold lives without being renewed.', { above: 0 }).prefault('15 min'),
  maxLease: duration('How long a hold lives at most, however often it is renewed.', { above: 0 }).prefault(
    '24 h',
  ),
  refill: oneOf(
    'night: full again at every opening; day or month: at midnight, as each begins; never: one pool for all nights.',
    ['night', 'day', 'month', 'never'],
  ).prefault('night'),
  zone: zone('Where the midnight of a day or a month is; left out: where the window is.').optional(),
  teams: count('Teams that draw on it; for lint only.', { from: 1 }).prefault(1),
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
  count: count('Jobs that arrive at an opening; left out where "arrive" says how many come.', {
    from: 0,
    upTo: MOST.jobs,
  }).optional(),
  arrive: arriveSchema.prefault('every-night'),
  volume: volumeSchema.optional(),
  slack: duration(
    'How long after its arrival a job may be done at the latest; left out: window − reserve.',
  ).optional(),
  attempts: count('Overrides budget.attempts for this class.', { from: 1, upTo: MOST.attempts }).optional(),
  input: tokenDistribution('Input tokens of a job.').optional(),
  output: tokenDistribution('Output tokens of one attempt.').optional(),
  declared: tokens('The most output tokens that a call declares; left out: the most that it can have.', {
    from: 1,
  }).optional(),
  from: strictMap({
    file: text('A CSV file with a header line; relative to the scenario.'),
    input: text('The column with the input tokens.'),
    output: text('The column with the output tokens.'),
  })
    .describe('Tokens as rows of a file, drawn as pairs: instead of input and output.')
    .optional(),
  correlation: correlationSchema.optional(),
  sessions: sessionsSchema.optional(),
  envelope: envelopeSchema.prefault({}),
  idempotent: flag('May a job be done twice without harm? For lint only.').prefault(true),
  samples: count('Observations that its quantiles come from; for lint only.', { from: 1 }).optional(),
  answerWithin: duration('How soon somebody waits for the answer; for lint only.', { above: 0 }).optional(),
  mustFinishTonight: flag('A later night is too late; for lint only.').prefault(false),
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
  usage: oneOf('reported: answers say what they used; none: the worker has to estimate.', [
    'reported',
    'none',
  ]).prefault('reported'),
  context: tokens('The most input or output of one call that the model takes; for lint only.', {
    from: 1,
  }).optional(),
  limits: limitsSchema.optional(),
  slowdown: slowdownSchema.optional(),
  outages: outagesSchema.optional(),
  slow: slowSchema.optional(),
  billing: billingSchema.prefault({}),
}).describe('What is called.');

const storeSchema = strictMap({
  write: durationDistribution('How long one checkpoint takes to become durable.').prefault('0 s'),
  writers: count('Checkpoints written at once.', { from: 1, upTo: MOST.lanes }).prefault(1),
  contention: percent('How much longer one takes for each other that is under way or waits.', {
    upTo: 10,
  }).prefault('0%'),
  flush: duration('Once, after the last write, before the exit.').prefault('0 s'),
  outages: incidents('It refuses every checkpoint, at once; one that is being written fails.').optional(),
  full: incidents('The disk is full: no checkpoint, and nothing in the ledger on it.').optional(),
}).describe('Where results are written.');

const ledgerSchema = strictMap({
  latency: durationDistribution('How long one operation takes.').prefault('0 s'),
  contention: percent('How much longer one takes for each other that is under way.', {
    upTo: 10,
  }).prefault('0%'),
  outages: incidents('No operation is answered: nothing is dispatched meanwhile.').optional(),
  file: text('Where it is kept; for lint only.').optional(),
  disk: oneOf('ephemeral: gone with its machine or container; for lint only.', [
    'persistent',
    'ephemeral',
  ]).prefault('persistent'),
}).describe('Where the books are kept.');

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
  clock: oneOf('monotonic; or wall: the deadline is kept on a clock that somebody may set.', [
    'monotonic',
    'wall',
  ]).prefault('monotonic'),
  hold: oneOf('whole-job: all attempts are paid for before the first; per-attempt: each before it is made.', [
    'whole-job',
    'per-attempt',
  ]).prefault('whole-job'),
}).describe('What is compared.');

const backoffSchema = backoffMap({ base: '1 s', max: '30 s' }).describe(
  'Pauses between the attempts of a job.',
);

const lintSchema = strictMap({
  replications: count('Replications that its p99s come from.', { from: 1, upTo: MOST.replications }).prefault(
    200,
  ),
  ignore: z
    .array(
      strictMap({
        rule: oneOf('The id of the rule.', LINT_RULES),
        because: text('Why it does not apply here.'),
      }),
      { error: () => 'a list of { rule: …, because: … }' },
    )
    .describe('Rules whose findings are known and accepted.')
    .prefault([]),
}).describe('What plimsoll lint takes into account.');

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
  lanes: count('Jobs under way at once, on each worker.', { from: 1, upTo: MOST.lanes }).prefault(1),
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
  client: clientSchema.optional(),
  store: storeSchema.prefault({}),
  ledger: ledgerSchema.prefault({}),
  weather: weatherSchema.optional(),
  background: backgroundSchema.optional(),
  fleet: fleetSchema.prefault({}),
  clock: clockSchema.prefault({}),
  policy: policySchema.prefault({}),
  trips: tripsSchema.prefault({}),
  lint: lintSchema.prefault({}),
  gate: gateSchema.prefault([]),
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
  gate: z.array(gateSchema.element.optional()).prefault([]),
  compare: z.array(variantSchema.optional()).prefault([]),
});

export type ScenarioRemainder = z.output<typeof remainderSchema>;
export type JobSpec = z.output<typeof jobSchema>;
export type ProviderSpec = z.output<typeof providerSchema>;
export type ClientSpec = NonNullable<z.output<typeof clientSchema>>;

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
