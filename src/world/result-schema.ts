// The shape of what `plan --json` and `run --json` answer, each figure with its meaning and unit, for those
// who read them with other programs.

import { z } from 'zod';
import { TRIP_SIGNALS } from '../worker/trip-settings.ts';

const counted = (meaning: string) => z.int().min(0).describe(meaning);
const figure = (meaning: string) => z.number().min(0).describe(meaning);
const ratio = (meaning: string) => z.number().min(0).max(1).describe(meaning);
const words = (meaning: string) => z.string().describe(meaning);
const yesNo = (meaning: string) => z.boolean().describe(meaning);

const BOUND = z.enum(['lanes', 'pool', 'writers']);

const worstCaseSchema = z
  .strictObject({
    items: counted('Jobs at the first opening.'),
    attempts: counted("The largest of the classes' attempts."),
    capMs: figure('The most that one call is granted.'),
    sequentialMs: figure('Σ count × attempts × cap: one lane, every attempt at the cap, no backoff.'),
    lanes: counted('Jobs under way at once.'),
    elapsedMs: figure("On the lanes, with the longest backoffs: Graham's list-scheduling bound."),
    windowMs: figure('From the opening to the kill.'),
    reserveMs: figure('Held back before the kill.'),
    fits: yesNo('elapsedMs ≤ windowMs − reserveMs.'),
  })
  .describe('What it takes if every attempt of every job uses the whole cap.');

const hangingJobSchema = (meaning: string) =>
  z
    .strictObject({
      calls: counted('Calls for one job.'),
      jobMs: figure('One job, with the longest pauses of both layers.'),
    })
    .describe(meaning);

const retriesSchema = z
  .strictObject({
    workerAttempts: counted("The largest of the classes' attempts."),
    clientAttempts: counted('Calls that the client makes for one of them, at most.'),
    callMs: figure("After which a call that hangs is given up: the client's timeout or the cap."),
    withSignal: hangingJobSchema('The client ends when the grant does.'),
    withoutSignal: hangingJobSchema('The grant is only handed to the client as a timeout.'),
    signal: z
      .enum(['honoured', 'ignored', 'none'])
      .describe(
        'What is played: with the signal; the calls without it in the time with it; without it, because the policy hands over none.',
      ),
    timerEndsAtHeaders: yesNo("The client's timer bounds the wait for the first token alone."),
  })
  .describe(
    'One job of which every call hangs, under the worker and a client that retries by itself; null without such a client.',
  );

const plannedClassSchema = z.strictObject({
  name: words('The class.'),
  count: counted('Jobs at the first opening.'),
  arrivesEveryNight: yesNo('At every opening, or only at the first.'),
  attempts: counted('Attempts allowed in one night.'),
  envelope: counted('Tokens that one job reserves; null without a pool.').nullable(),
  admitted: counted('Jobs of this class alone that the opening balance admits at once.').nullable(),
  maxInFlight: counted('floor((balance + held) / envelope) at the opening.').nullable(),
  meanInputTokens: figure('Of one attempt; null where the mean does not exist.').nullable(),
  meanOutputTokens: figure('Of one attempt; null where the mean does not exist.').nullable(),
  p95InputTokens: counted('Of one attempt.'),
  p95OutputTokens: counted('Of one attempt.'),
  expectedAttempts: figure('Attempts made, on average, if each is granted the whole cap.'),
  timeoutRatio: ratio('Attempts that use up the whole cap without an answer.'),
  meanJobMs: figure(
    'How long one job keeps a lane, on average; null where the mean does not exist.',
  ).nullable(),
  meanUsedTokens: figure(
    "One job's tokens over all attempts, on average; null where the mean does not exist.",
  ).nullable(),
  expectedUnspentRatio: ratio('refunded ÷ held that envelope and attempts make by construction.').nullable(),
  slackMs: figure('How long after its arrival a job may be done at the latest.'),
});

export const planSchema = z
  .strictObject({
    scenario: words('Its name.'),
    worstCase: worstCaseSchema,
    retries: retriesSchema.nullable(),
    classes: z.array(plannedClassSchema).describe('In the order of the scenario.'),
    mix: z
      .strictObject({
        admitted: counted('Jobs that the opening balance admits before any settles.'),
        jobs: counted('Jobs of the first opening.'),
        reservedTokens: counted('What the admitted ones reserve.'),
      })
      .describe('All jobs of the first opening, in the order of the queue; null without a pool.')
      .nullable(),
    meanShare: figure('Pool tokens ÷ jobs of one opening; null without a pool or jobs.').nullable(),
    numbers: z
      .strictObject({
        poolTokens: counted('What the pool is funded with; null without a pool.').nullable(),
        envelopeTokens: counted('The largest envelope; null without a pool.').nullable(),
        envelopeClass: words('Whose it is.').nullable(),
        deadlineSlackMs: figure('The smallest slack of all classes; null without classes.').nullable(),
        nextOpeningMs: figure('From one opening to the next.'),
        roomForAnotherTry: yesNo(
          'The next opening comes before the slack of a job that was refused tonight ends.',
        ),
      })
      .describe('The numbers to know by heart.'),
    bounds: z
      .array(
        z.strictObject({
          name: BOUND.describe('The part.'),
          jobsPerNight: figure('On average; null where it does not limit.').nullable(),
        }),
      )
      .describe('What each part could carry by itself.'),
    binding: BOUND.describe('The smallest bound; null where nothing limits.').nullable(),
    arrivalsPerNight: counted('Jobs that arrive at every later opening.'),
    backlogGrows: yesNo('More arrives every night than the smallest bound carries.'),
    backlogPerNight: figure('By so many jobs, on average, from one night to the next.'),
    warnings: z.array(z.string()).describe('What should stop a reader, the most urgent first.'),
  })
  .describe('What plimsoll plan says: arithmetic alone. Times in milliseconds.');

const outcomes = {
  jobs: counted('Jobs of the night, those carried over included: the sum of the outcomes.'),
  done: counted('Done, and durable.'),
  deferred: counted('Left for a later night, for want of time or attempts.'),
  refused: counted('Left for a later night, for want of tokens.'),
  inadmissible: counted("Their envelope exceeds the pool's capacity."),
  failed: counted('Failed for good.'),
  unknown: counted('Their call was cut off by the kill.'),
  lostWrites: counted('Their answer was there, its checkpoint not durable at the kill.'),
};

const signed = (meaning: string) => z.int().describe(meaning);

const driftCausesSchema = z
  .strictObject({
    overspend: signed('Used beyond envelopes: recorded, never debited.'),
    lateShortfall: signed('What late settles could not debit any more.'),
    chargedNotSpent: signed('Of holds that were charged in full and never settled; at most 0.'),
    estimatedUsage: signed('What the worker had to estimate, against the bill; either sign.'),
    abandonedCalls: signed("What calls without an answer are billed beyond the worker's estimate."),
    hiddenCalls: signed('Calls that a client made by itself.'),
    neverSettled: signed('Calls of holds that were given back without a settle.'),
    corrected: signed('Correcting entries after the bill; either sign.'),
    stillOpen: signed('Calls of holds that nothing has closed; below 0 where a night closes older ones.'),
  })
  .meta({ id: 'driftCauses', description: 'Tokens by cause; they sum to the drift.' });

const poolFiguresSchema = z
  .strictObject({
    capacity: counted('What the books hold in all: balance + held + consumed of a period.'),
    balance: counted('Free at the end.'),
    held: counted('In open holds at the end.'),
    consumed: counted('Used, as the ledger knows it.'),
    refunded: counted('Held, and given back.'),
    overspent: counted('Used beyond envelopes: recorded, never debited.'),
    shortfall: counted('What late settles could not debit any more.'),
    stranded: counted('In holds whose worker is gone, at the end.'),
    billed: counted('What the provider bills.'),
    drift: z.int().describe('billed − consumed.'),
    driftCauses: driftCausesSchema,
  })
  .meta({
    id: 'poolFigures',
    description: 'Tokens. Over several nights flows are summed, and stocks are those of the last night.',
  });

const CAUSES = z.enum([
  'out-of-time',
  'attempts-used-up',
  'hold-lost',
  'not-extended',
  'claimed-elsewhere',
  'ledger-unavailable',
  'checkpoint-failed',
  'shed',
  'not-reached',
]);

const outcomesSchema = z
  .strictObject(outcomes)
  .meta({ id: 'outcomes', description: 'What became of jobs, each exactly one of these.' });

const tripSchema = z
  .strictObject({
    signal: z.enum(TRIP_SIGNALS).describe('Which of the trip conditions.'),
    class: words('Whose figure it is; null where it is the pool’s.').nullable(),
    pool: words('Whose figure it is; null where it is a class’s.').nullable(),
    atMs: figure('From the opening.'),
    figure: figure('A ratio: what it came to.'),
    threshold: figure('What it may not exceed.'),
    action: words('What to do about it.'),
  })
  .meta({ id: 'trip', description: 'A signal that went beyond its threshold.' });

const backgroundSchema = z
  .strictObject({
    calls: counted('Made while the night was played.'),
    refused: counted("Of them, those that the provider's limits refused."),
    tokens: counted('What those that were let in are billed.'),
    tokensAfter: counted("What they use from the night's end to the next opening."),
    quotaLeft: z
      .int()
      .describe(
        "The pool's quota less what the batch is billed and both of these, below 0 where it is overdrawn; null without a pool that is refilled every night.",
      )
      .nullable(),
  })
  .meta({
    id: 'background',
    description: 'Others who called the same provider. Only where the scenario has them.',
  });

const nightSchema = z
  .strictObject({
    night: counted('From 1.'),
    date: words(
      'The day on which it opens, where its clock hangs. Only where the scenario has a calendar, as the next three.',
    ).optional(),
    opens: words('With the offset then: 2026-03-29T01:30+01:00.').optional(),
    closes: words('When the kill comes.').optional(),
    windowMs: figure('From the opening to the kill.').optional(),
    ...outcomes,
    carriedOver: counted('Jobs that came over from the night before.'),
    deferCauses: z.partialRecord(CAUSES, z.int().min(1)).describe('Why jobs were deferred.'),
    attempts: counted('Calls made.'),
    timeouts: counted('Calls that used up their grant without an answer.'),
    errors: counted('Calls answered with a server error.'),
    invalid: counted('Calls whose answer was of no use.'),
    rateLimited: counted("Calls that the provider's limits refused."),
    hiddenCalls: counted('Calls that a client made by itself, beyond one for each attempt.'),
    refusalRate: ratio('Jobs refused at their first ask ÷ jobs that asked; null where none did.').nullable(),
    unsettled: counted('Holds that the night ended without settling.'),
    duplicated: counted(
      'Jobs taken up by a worker while another, whose lease had run out, was still at work on them.',
    ),
    finishedMs: figure(
      'From the opening until the worker had left; null where the kill came first.',
    ).nullable(),
    lastWriteMs: figure(
      'From the opening until the last checkpoint was durable; null without one.',
    ).nullable(),
    alerts: z.array(tripSchema).describe('Classes that overspent, each once, in order of time.'),
    trips: z
      .array(tripSchema)
      .describe('Signals that tripped, each once per class or pool, in order of time.'),
    firstTripMs: figure('When the first of them tripped; null where none did.').nullable(),
    pools: z.record(z.string(), poolFiguresSchema).describe('By name.'),
    classes: z.record(z.string(), outcomesSchema).describe('By name.'),
    background: backgroundSchema.optional(),
  })
  .meta({ id: 'night', description: 'One night.' });

const totalSchema = z
  .strictObject({
    ...outcomes,
    attempts: counted('Calls made.'),
    unsettled: counted('Holds that nights ended without settling.'),
  })
  .meta({
    id: 'total',
    description: 'Summed over the nights: a job that was carried over counts in each of its nights.',
  });

const classSchema = z
  .strictObject({
    ...outcomes,
    attempts: counted('Calls made.'),
    heldTokens: counted('What was held for its jobs, of what settled.'),
    usedTokens: counted('What they were settled with.'),
  })
  .meta({ id: 'class', description: 'One class, over all nights.' });

const played = {
  nights: z.array(nightSchema).describe('In order.'),
  total: totalSchema,
  pools: z.record(z.string(), poolFiguresSchema).describe('By name, over all nights.'),
  classes: z.record(z.string(), classSchema).describe('By name, over all nights.'),
};

export const runSchema = z
  .strictObject({
    scenario: words('Its name.'),
    seed: words('All draws follow from it.'),
    ...played,
    compare: z
      .record(z.string(), z.strictObject(played))
      .describe('The variants by name, played under the same weather.'),
  })
  .describe('What plimsoll run answers. Times in milliseconds, from the opening of a night.');

export function planJsonSchema(): Record<string, unknown> {
  return titled('Plimsoll plan', planSchema);
}

export function runJsonSchema(): Record<string, unknown> {
  return titled('Plimsoll run', runSchema);
}

function titled(title: string, schema: z.ZodType): Record<string, unknown> {
  const { $schema, ...json } = z.toJSONSchema(schema);
  return { $schema, title, ...json };
}
