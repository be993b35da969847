// The ledger as one run uses it: the pool that pays, the night it pays for, and what other processes have
// done with tonight's jobs.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { AnyLedger } from '../ledger/async-ledger.ts';
import { JobQueue } from '../worker/job-queue.ts';
import type { PoolUse } from '../worker/worker-settings.ts';
import { claimElsewhere } from './claim-elsewhere.ts';
import { ClaimsAhead } from './claims-ahead.ts';
import { askPatiently, type Patience } from './patience.ts';
import { poolNow } from './pool-now.ts';
import type { PlannedJob, PlannedTimes } from './queue-plan.ts';
import type { RunQueueOptions } from './run-queue-options.ts';
import { Pauses } from './timers.ts';

export interface TokenUse {
  readonly ledger: AnyLedger;
  readonly claims: ClaimsAhead;
  readonly pool: PoolUse;
  /** The pool's current period. */
  readonly period: number;
  /** Times each job was handed out before this run, by anybody. */
  readonly triesEver: ReadonlyMap<string, number>;
}

/**
 * Reads what the ledger knows of the pool and the jobs at the beginning. Undefined without a ledger.
 *
 * @throws InputError where the pool is not open
 * @throws LedgerUnavailable where the ledger cannot be read
 */
export async function readTokenUse<Job>(
  options: RunQueueOptions<Job, unknown>,
  jobs: readonly PlannedJob<Job>[],
  times: PlannedTimes,
  patience: Patience,
): Promise<TokenUse | undefined> {
  const { ledger, pool: name } = options;
  if (ledger === undefined || name === undefined) return undefined;
  const taker = options.taker ?? `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const pool: PoolUse = { name, taker, ...times };
  const pauses = new Pauses();
  const read = async <Answer>(ask: () => Answer | Promise<Answer>): Promise<Answer> => {
    const answer = await askPatiently(
      async () => ({ outcome: 'read' as const, read: await ask() }),
      patience,
      pauses,
    );
    if (answer.outcome === 'unavailable') throw answer.error;
    return answer.read;
  };
  const triesEver = new Map<string, number>();
  for (const { jobId } of jobs) {
    const history = await read(() => ledger.history(jobId));
    triesEver.set(jobId, claimElsewhere(history, jobId, taker).triesEver);
  }
  const { period } = await read(() => poolNow(ledger, name));
  const claims = new ClaimsAhead(ledger, pool);
  return { ledger, claims, pool, period, triesEver };
}

/** Tonight's queue, which looks at the other processes' claims before it hands out a job. */
export function jobQueue<Job>(jobs: readonly PlannedJob<Job>[], tokens: TokenUse | undefined): JobQueue<Job> {
  if (tokens === undefined) return new JobQueue(jobs);
  const { claims, triesEver } = tokens;
  return new JobQueue(
    jobs.map((planned) => ({ ...planned, triesEver: triesEver.get(planned.jobId) ?? 0 })),
    claims.queueOptions,
  );
}
