// Reads what `runQueue` was given, whole, before anything begins: a job with a nonsensical envelope must
// not come to light after half of the night's tokens are spent.

import { InputError, type Problem } from '../base/errors.ts';
import { checkDurationMs, checkTokens } from '../base/tokens.ts';
import type { BackoffSettings } from '../budget/backoff.ts';
import { unknownKeys, withNearest } from './option-problems.ts';
import { checkTrips, classOf, tripProblems } from './queue-trips.ts';
import type { RunQueueOptions } from './run-queue-options.ts';

/** One job with everything that was asked about it. */
export interface PlannedJob<Job> {
  readonly job: Job;
  readonly jobId: string;
  /** What is shed together where a trip condition says so. */
  readonly class: string;
  /** What is reserved before the first attempt; 0 without a ledger. */
  readonly envelope: number;
  /** What so many attempts may use together: for one at first. One number for all where holds are of whole jobs. */
  readonly envelopes: readonly number[];
  readonly attempts: number;
  readonly attemptsEver: number;
  /** What an attempt costs that nobody said the cost of; undefined: to be estimated from the envelope. */
  readonly abandonedUsage: number | undefined;
}

export interface PlannedTimes {
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  readonly reclaimEveryMs: number;
  readonly busyWaitMs: number;
  readonly pollEveryMs: number;
}

type Options<Job> = RunQueueOptions<Job, unknown>;

/** Listed by hand, held to the interface by the compiler. */
const OPTIONS: { readonly [Option in keyof Required<Options<unknown>>]: true } = {
  jobs: true,
  id: true,
  budget: true,
  ledger: true,
  pool: true,
  night: true,
  lanes: true,
  envelope: true,
  attempts: true,
  attemptsEver: true,
  input: true,
  abandonedUsage: true,
  call: true,
  checkpoint: true,
  backoff: true,
  backfill: true,
  leaseMs: true,
  renewEveryMs: true,
  reclaimEveryMs: true,
  busyWaitMs: true,
  pollEveryMs: true,
  suspension: true,
  hold: true,
  stopSignal: true,
  trips: true,
  taker: true,
  clock: true,
  uptimeMs: true,
  random: true,
  onRecord: true,
  onWarning: true,
};

const BACKOFF: BackoffSettings = { baseMs: 1_000, factor: 2, maxMs: 30_000, jitter: 'full' };

/**
 * @throws InputError for options that do not exist, are missing, or do not go together
 * @throws RangeError naming a threshold that cannot be meant
 */
export function checkOptions<Job>(options: Options<Job>): void {
  const problems: Problem[] = [
    ...unknownKeys('runQueue', options, Object.keys(OPTIONS)),
    ...unknownKeys('backoff', options.backoff ?? {}, Object.keys(BACKOFF)),
    ...tripProblems(options.trips),
  ];
  if (!Array.isArray(options.jobs)) problems.push(missing('jobs', 'an array', options.jobs));
  if (typeof options.budget?.callTimeout !== 'function') {
    problems.push(missing('budget', 'new Budget({ deadlineMs })', options.budget));
  }
  for (const name of ['call', 'checkpoint'] as const) {
    if (typeof options[name] !== 'function') {
      problems.push(missing(name, 'an asynchronous function', options[name]));
    }
  }
  for (const [name, words] of [
    ['backfill', ['smaller', 'none']],
    ['suspension', ['shorten', 'ignore']],
    ['hold', ['whole-job', 'per-attempt']],
  ] as const) {
    const word = options[name];
    if (word !== undefined && !(words as readonly string[]).includes(word)) {
      problems.push(wrongWord(name, word, words));
    }
  }
  problems.push(...togetherProblems(options));
  if (problems.length > 0) throw new InputError(problems);
  if (options.trips !== undefined) checkTrips(options.trips);
}

/** A ledger alone watches nothing; a pool or an envelope alone looks as if tokens were watched. */
function togetherProblems<Job>({ ledger, pool, envelope }: Options<Job>): readonly Problem[] {
  if (ledger === undefined) {
    const alone = pool !== undefined ? 'pool' : envelope !== undefined ? 'envelope' : undefined;
    if (alone === undefined) return [];
    return [
      {
        code: 'missing-option',
        message: `runQueue was given "${alone}" but no ledger, so that no tokens would be watched; add ledger, or leave ${alone} out`,
      },
    ];
  }
  const problems: Problem[] = [];
  if (pool === undefined) {
    problems.push({
      code: 'missing-option',
      message: 'runQueue was given a ledger but not the pool that pays; add pool: "its name"',
    });
  }
  if (envelope === undefined) {
    problems.push({
      code: 'missing-option',
      message:
        'runQueue was given a ledger but not what a job may use of it; add envelope: (job) => tokens to reserve',
    });
  }
  return problems;
}

/**
 * @throws InputError for a job without a name, or two with one
 * @throws RangeError naming the job and the value that cannot be meant
 */
export function planJobs<Job>(options: Options<Job>): readonly PlannedJob<Job>[] {
  const { ledger, input, attemptsEver = () => 0 } = options;
  const allowed = options.attempts ?? 3;
  const seen = new Set<string>();
  return options.jobs.map((job, position) => {
    const jobId = nameOf(options, job, position);
    if (seen.has(jobId)) {
      throw new InputError({
        code: 'duplicate-id',
        message: `two jobs have the id ${JSON.stringify(jobId)}; a job is named once, for ever`,
      });
    }
    seen.add(jobId);
    const of = (what: string) => `${what} of job ${JSON.stringify(jobId)}`;
    const declared = input === undefined ? undefined : checkTokens(of('input'), input(job));
    const abandoned = options.abandonedUsage?.(job);
    const attempts = checkCount(of('attempts'), typeof allowed === 'number' ? allowed : allowed(job), 1);
    const envelopes = planEnvelopes(options, job, attempts, of);
    return {
      job,
      jobId,
      class: classOf(options.trips, job, jobId),
      envelope: envelopes[0]!,
      envelopes,
      attempts,
      attemptsEver: checkCount(of('attemptsEver'), attemptsEver(job), 0),
      abandonedUsage:
        abandoned === undefined
          ? (declared ?? (ledger === undefined ? 0 : undefined))
          : checkTokens(of('abandonedUsage'), abandoned),
    };
  });
}

function planEnvelopes<Job>(
  { envelope = () => 0, hold = 'whole-job' }: Options<Job>,
  job: Job,
  attempts: number,
  of: (what: string) => string,
): readonly number[] {
  if (hold === 'whole-job') return [checkTokens(of('envelope'), envelope(job, attempts))];
  let least = 0;
  return Array.from({ length: attempts }, (_, i) => {
    const tokens = checkTokens(of(`envelope for ${i + 1} attempts`), envelope(job, i + 1));
    if (tokens >= least) {
      least = tokens;
      return tokens;
    }
    throw new RangeError(
      `${of(`envelope for ${i + 1} attempts`)} must be at least that for fewer, ${least}, got ${tokens}`,
    );
  });
}

/** @throws RangeError naming the setting and the value */
export function planTimes<Job>(options: Options<Job>): PlannedTimes {
  const leaseMs = checkPositive('leaseMs', options.leaseMs ?? 15 * 60_000);
  const renewEveryMs = checkPositive('renewEveryMs', options.renewEveryMs ?? leaseMs / 3);
  if (renewEveryMs >= leaseMs) {
    throw new RangeError(`renewEveryMs must be below leaseMs, ${leaseMs}, got ${renewEveryMs}`);
  }
  return {
    leaseMs,
    renewEveryMs,
    reclaimEveryMs: checkPositive('reclaimEveryMs', options.reclaimEveryMs ?? 60_000),
    busyWaitMs: checkDurationMs('busyWaitMs', options.busyWaitMs ?? 5_000),
    pollEveryMs: checkPositive('pollEveryMs', options.pollEveryMs ?? 250),
  };
}

/** @throws RangeError naming the setting and the value */
export function planBackoff(backoff: Partial<BackoffSettings> = {}): BackoffSettings {
  const settings = { ...BACKOFF, ...backoff };
  checkDurationMs('backoff.baseMs', settings.baseMs);
  checkDurationMs('backoff.maxMs', settings.maxMs);
  if (!(settings.factor >= 1 && Number.isFinite(settings.factor))) {
    throw new RangeError(`backoff.factor must be a number from 1, got ${String(settings.factor)}`);
  }
  return settings;
}

/** @throws RangeError unless `value` is a whole number from `least` */
export function checkCount(field: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new RangeError(`${field} must be a whole number from ${least}, got ${String(value)}`);
}

function checkPositive(field: string, value: number): number {
  if (checkDurationMs(field, value) > 0) return value;
  throw new RangeError(`${field} must be above 0, got 0`);
}

function nameOf<Job>({ id }: Options<Job>, job: Job, position: number): string {
  const name: unknown =
    id !== undefined ? id(job) : typeof job === 'object' && job !== null && 'id' in job ? job.id : undefined;
  if (typeof name === 'string' && name !== '') return name;
  if (typeof name === 'number' && Number.isFinite(name)) return String(name);
  throw new InputError({
    code: 'missing-id',
    message: `jobs[${position}] has no id that is a string or a number; add id: (job) => its name`,
    got: typeof name === 'string' ? JSON.stringify(name) : String(name),
  });
}

function missing(name: string, expected: string, got: unknown): Problem {
  return { code: 'missing-option', message: `runQueue needs ${name}`, expected, got: typeof got };
}

function wrongWord(name: string, got: string, words: readonly string[]): Problem {
  return {
    code: 'wrong-option',
    message: `${name} has no such setting`,
    expected: words.join(' or '),
    got: JSON.stringify(got),
    ...withNearest(String(got), words),
  };
}
