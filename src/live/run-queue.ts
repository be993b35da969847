// The runtime's front door: a list of jobs, a budget, perhaps a ledger, and two functions of the user's;
// the worker does the rest on the real clock.

import type { JobQueue } from '../worker/job-queue.ts';
import { lane } from '../worker/lane.ts';
import { reclaimer } from '../worker/reclaimer.ts';
import { SuspensionWatch } from '../worker/suspension-watch.ts';
import { LaneBoard, type WorkerSettings } from '../worker/worker-settings.ts';
import { type CallContext, LiveDriver, type LiveSurroundings } from './live-driver.ts';
import type { Patience } from './patience.ts';
import { poolNow } from './pool-now.ts';
import { QueueOutcome } from './queue-outcome.ts';
import {
  checkCount,
  checkOptions,
  type PlannedJob,
  type PlannedTimes,
  planBackoff,
  planJobs,
  planTimes,
} from './queue-plan.ts';
import { watchTrips } from './queue-trips.ts';
import { realClock } from './real-clock.ts';
import type { QueueResult, RunQueueOptions } from './run-queue-options.ts';
import { jobQueue, readTokenUse, type TokenUse } from './token-use.ts';
import { TokenWatch } from './token-watch.ts';
import { uptimeMs } from './uptime.ts';
import { type QueueWarning, WarnOnce } from './warn-once.ts';

/**
 * Runs a night: takes the jobs in order on so many lanes, reserves each one's envelope, calls within what
 * the budget grants, writes down what came of it, and settles what it used. Resolves when every job is
 * done or cannot be tonight; a job that the night never reached is deferred, `out-of-time`.
 *
 * @throws InputError for options that do not go together, two jobs with one id, a pool that is not open
 * @throws RangeError naming the job or the setting, and the value, before anything is spent
 * @throws LedgerUnavailable where the ledger cannot be read at the beginning; later that defers jobs
 * @throws whatever a bug throws, after every call under way was aborted
 */
export async function runQueue<Job, Result = unknown>(
  options: RunQueueOptions<Job, Result>,
): Promise<QueueResult<Job, Result>> {
  // The checks look at no result.
  const unread = options as RunQueueOptions<Job, unknown>;
  checkOptions(unread);
  const lanes = checkCount('lanes', options.lanes ?? 1, 1);
  const times = planTimes(unread);
  const backoff = planBackoff(options.backoff);
  const jobs = planJobs(unread);
  const { clock = realClock, random = Math.random } = options;
  const warnings = new WarnOnce(options.onWarning ?? emitWarning);
  const patience: Patience = { clock, random, busyWaitMs: times.busyWaitMs };
  const tokens = await readTokenUse(unread, jobs, times, patience);
  const night = checkCount('night', options.night ?? tokens?.period ?? 0, 0);

  const outcome = new QueueOutcome<Job, Result>();
  const queue = jobQueue(jobs, tokens);
  if (jobs.length === 0) return outcome.result(queue, 0);
  const watch = watches(unread, queue, tokens, times);
  const driver = new LiveDriver<Job>({
    clock,
    queue,
    patience,
    warnings,
    ...watch,
    ...tripHooks(unread, jobs, queue, watch.beforeResuming),
    call: (job: Job, context: CallContext) => options.call(job, context),
    checkpoint: (job, status, detail) => unread.checkpoint(job, status, detail),
    failed: (offer, error) => outcome.failed(offer, error),
    written: (offer, status, detail) => outcome.written(offer, status, detail),
  });
  const asked = new Map(jobs.map((planned) => [planned.job, planned]));
  const settings: WorkerSettings<Job> = {
    clock,
    budget: options.budget,
    pool: tokens?.pool,
    night,
    hold: options.hold ?? 'whole-job',
    envelope: (job, attempts) => {
      const { envelope, envelopes } = asked.get(job)!;
      return envelopes[attempts - 1] ?? envelope;
    },
    attempts: (job) => asked.get(job)!.attempts,
    abandonedUsage: (job) => abandonedUsage(asked.get(job)!, warnings),
    backoff,
    jitter: random,
    backfill: options.backfill ?? 'smaller',
    record: (record, ofLane) => {
      outcome.records.push(record);
      options.onRecord?.(record, ofLane);
    },
  };
  const board = await drive(driver, settings, Math.min(lanes, jobs.length), options.stopSignal);
  return outcome.result(queue, board.unsettledCount);
}

/** What the driver keeps an eye on: whether the machine was suspended, and whether tokens came back. */
function watches<Job>(
  options: RunQueueOptions<Job, unknown>,
  queue: JobQueue<Job>,
  tokens: TokenUse | undefined,
  { pollEveryMs, reclaimEveryMs }: PlannedTimes,
): Pick<LiveSurroundings<Job>, 'beforeResuming' | 'tokens' | 'take'> {
  const { budget, clock = realClock } = options;
  const beforeResuming = suspensionWatcher(options);
  if (tokens === undefined) return { beforeResuming, tokens };
  const { ledger, claims, pool } = tokens;
  const watch = new TokenWatch({
    clock,
    version: async () => (await poolNow(ledger, pool.name)).version,
    pollMs: pollEveryMs,
    declinesAfterMs: () => {
      beforeResuming();
      return budget.declinesAfterMs();
    },
    hasClaimedElsewhere: () => queue.hasClaimedElsewhere,
    recheckMs: reclaimEveryMs,
  });
  return {
    beforeResuming,
    tokens: { ledger, taker: pool.taker, watch },
    take: (bar) => claims.take(queue, bar),
  };
}

/** Tells the trip conditions of every answer, and has them look at the queue before a job is taken. */
function tripHooks<Job>(
  { trips, pool, clock = realClock }: RunQueueOptions<Job, unknown>,
  jobs: readonly PlannedJob<Job>[],
  queue: JobQueue<Job>,
  beforeResuming: () => void,
): Partial<Pick<LiveSurroundings<Job>, 'beforeResuming' | 'answered'>> {
  if (trips === undefined) return {};
  const classes = new Map(jobs.map((planned) => [planned.jobId, planned.class]));
  const watch = watchTrips(trips, queue, classes, pool);
  const openedAtMs = clock.monotonicMs();
  const now = () => clock.monotonicMs() - openedAtMs;
  return {
    beforeResuming: () => {
      beforeResuming();
      watch.look(now());
    },
    answered: (effect, answer) => watch.answered(effect, answer, now()),
  };
}

/** Runs the lanes, and the reclaimer beside them. A bug in one ends them all, and is thrown once all have. */
async function drive<Job>(
  driver: LiveDriver<Job>,
  settings: WorkerSettings<Job>,
  lanes: number,
  stopSignal: AbortSignal | undefined,
): Promise<LaneBoard> {
  const board = new LaneBoard(lanes);
  const stop = () => {
    board.close();
    driver.endWaits();
  };
  if (stopSignal?.aborted === true) stop();
  else stopSignal?.addEventListener('abort', stop, { once: true });
  const guarded = (running: Promise<void>) =>
    running.catch((error: unknown) => {
      driver.end();
      throw error;
    });
  // The reclaimer first: tokens that a crashed process left behind are free before anybody asks for some.
  const beside = Promise.allSettled(
    settings.pool === undefined ? [] : [guarded(driver.drive(reclaimer(settings.pool, board)))],
  );
  const running = Array.from({ length: lanes }, (_, i) => guarded(driver.drive(lane(settings, board, i))));
  const ended = await Promise.allSettled(running);
  stopSignal?.removeEventListener('abort', stop);
  driver.end();
  ended.push(...(await beside));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  return board;
}

/** An attempt that nobody said the cost of may have cost anything; without a better word, its share. */
function abandonedUsage<Job>(planned: PlannedJob<Job>, warnings: WarnOnce): number {
  if (planned.abandonedUsage !== undefined) return planned.abandonedUsage;
  warnings.warn({
    code: 'estimated-usage',
    message:
      'an attempt ended without saying what it cost, and is settled with envelope / attempts; ' +
      'add input: (job) => its prompt tokens, or abandonedUsage',
  });
  return Math.ceil(planned.envelopes.at(-1)! / planned.attempts);
}

/** A clock of the user's can only be compared with an uptime of the user's. */
function suspensionWatcher<Job>(options: RunQueueOptions<Job, unknown>): () => void {
  const uptime = options.uptimeMs ?? (options.clock === undefined ? uptimeMs : undefined);
  if (options.suspension === 'ignore' || uptime === undefined) return () => {};
  const watch = new SuspensionWatch(options.clock ?? realClock, uptime);
  return () => options.budget.shortenBy(watch.takeGapMs());
}

function emitWarning({ code, message }: QueueWarning): void {
  process.emitWarning(message, { type: 'PlimsollWarning', code });
}
