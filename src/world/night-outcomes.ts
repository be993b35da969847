// What became of each job when a night is over: exactly one outcome, decided from what the queue knows and
// from what was still under way when the night ended.

import type { CheckpointStatus, DeferCause } from '../worker/effects.ts';
import type { JobStanding } from '../worker/job-queue.ts';
import type { Outcome, OutcomeCounts } from './run-result.ts';

/** What was under way, job by job, when the night ended. */
export interface Loose {
  /** Jobs with a call that nobody knows the end of. */
  readonly calls: { has(job: string): boolean };
  /** Checkpoints that were not durable. */
  readonly writes: ReadonlyMap<string, { readonly status: CheckpointStatus; readonly cause: DeferCause }>;
  /** Jobs told at least once that tokens may come back. */
  readonly waited: ReadonlySet<string>;
  /** Jobs whose call went out under the shared counter and needed more than was left. */
  readonly atTheWall: ReadonlySet<string>;
  /** The shared counter is empty: whatever is left is refused. */
  readonly counterIsEmpty: boolean;
}

export interface Judged {
  readonly outcome: Outcome;
  readonly cause?: DeferCause | 'not-reached';
}

export function judgeJob(jobId: string, standing: JobStanding, loose: Loose): Judged {
  if (standing.state === 'done') return { outcome: 'done' };
  if (loose.atTheWall.has(jobId)) return { outcome: 'refused' };
  switch (standing.state) {
    case 'failed':
    case 'refused':
    case 'inadmissible':
      return { outcome: standing.state };
    case 'deferred':
      return { outcome: 'deferred', cause: standing.cause };
    case 'claimed':
    case 'waiting':
      return judgeOpenJob(jobId, standing, loose);
  }
}

function judgeOpenJob(jobId: string, { state }: JobStanding, loose: Loose): Judged {
  const write = loose.writes.get(jobId);
  if (write?.status === 'pending') return { outcome: 'deferred', cause: write.cause };
  if (write !== undefined) return { outcome: 'lostWrite' };
  if (loose.calls.has(jobId)) return { outcome: 'unknown' };
  if (loose.counterIsEmpty) return { outcome: 'refused' };
  const wasReached = state === 'claimed' || loose.waited.has(jobId);
  return { outcome: 'deferred', cause: wasReached ? 'out-of-time' : 'not-reached' };
}

/** Counts that can still grow. */
export type OutcomeTally = { -readonly [Count in keyof OutcomeCounts]: number };

export function noOutcomes(): OutcomeTally {
  return { jobs: 0, done: 0, deferred: 0, refused: 0, inadmissible: 0, failed: 0, unknown: 0, lostWrites: 0 };
}

export function countOutcome(tally: OutcomeTally, outcome: Outcome): void {
  tally.jobs += 1;
  tally[outcome === 'lostWrite' ? 'lostWrites' : outcome] += 1;
}

/** A job that was carried over counts in every night that it was in. */
export function addOutcomes(sum: OutcomeTally, counts: OutcomeCounts): void {
  sum.jobs += counts.jobs;
  sum.done += counts.done;
  sum.deferred += counts.deferred;
  sum.refused += counts.refused;
  sum.inadmissible += counts.inadmissible;
  sum.failed += counts.failed;
  sum.unknown += counts.unknown;
  sum.lostWrites += counts.lostWrites;
}
