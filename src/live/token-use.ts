// The ledger as one run uses it: the pool that pays, the night it pays for, and what other processes have
// done with tonight's jobs.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { InputError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import type { Ledger, PoolView } from '../ledger/ledger.ts';
import { JobQueue } from '../worker/job-queue.ts';
import type { PoolUse } from '../worker/worker-settings.ts';
import { claimElsewhere } from './claim-elsewhere.ts';
import { askPatiently, type Patience } from './patience.ts';
import type { PlannedJob, PlannedTimes } from './queue-plan.ts';
import type { RunQueueOptions } from './run-queue-options.ts';
import { Pauses } from './timers.ts';

export interface TokenUse {
  readonly ledger: Ledger;
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
  const read = () => {
    const tries = jobs.map(({ jobId }) => {
      return [jobId, claimElsewhere(ledger.history(jobId), jobId, taker).triesEver] as const;
    });
    const { period } = poolNow(ledger, name);
    return { outcome: 'read' as const, period, triesEver: new Map(tries) };
  };
  const answer = await askPatiently(read, patience, new Pauses());
  if (answer.outcome === 'unavailable') throw answer.error;
  return { ledger, pool, period: answer.period, triesEver: answer.triesEver };
}

/** Tonight's queue, which looks at the other processes' claims before it hands out a job. */
export function jobQueue<Job>(jobs: readonly PlannedJob<Job>[], tokens: TokenUse | undefined): JobQueue<Job> {
  if (tokens === undefined) return new JobQueue(jobs);
  const { ledger, pool, triesEver } = tokens;
  return new JobQueue(
    jobs.map((planned) => ({ ...planned, triesEver: triesEver.get(planned.jobId) ?? 0 })),
    {
      elsewhere: (jobId) => claimElsewhere(ledger.history(jobId), jobId, pool.taker),
      version: () => poolNow(ledger, pool.name).version,
    },
  );
}

/** @throws InputError where the pool is not open */
export function poolNow(ledger: Ledger, name: string): PoolView {
  const pool = ledger.pool(name);
  if (pool !== undefined) return pool;
  const meant = nearest(name, ledger.pools());
  throw new InputError({
    code: 'unknown-pool',
    message: `the ledger has no pool ${JSON.stringify(name)}; open it first: ledger.openPool({ pool, capacity })`,
    ...(meant === undefined ? {} : { nearest: meant }),
  });
}
