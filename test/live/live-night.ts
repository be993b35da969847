// What the live tests share: jobs, a budget and options of `runQueue`, on fake timers unless a test says so.

import { vi } from 'vitest';
import { Budget, type CheckpointStatus, type QueueWarning, type RunQueueOptions } from '../../src/index.ts';

export interface TestJob {
  readonly id: string;
}

export function jobs(...ids: string[]): TestJob[] {
  return ids.map((id) => ({ id }));
}

/** Ten minutes, of which five seconds are held back. */
export function tenMinutes(): Budget {
  return new Budget({ deadlineMs: performance.now() + 600_000, reserveMs: 5_000, capMs: 60_000 });
}

/** Options that write down and warn into lists; everything else may be overridden. */
export function night<Result = unknown>(
  options: Pick<RunQueueOptions<TestJob, Result>, 'jobs' | 'call'> &
    Partial<RunQueueOptions<TestJob, Result>>,
) {
  const writes: [string, CheckpointStatus][] = [];
  const warnings: QueueWarning[] = [];
  return {
    writes,
    warnings,
    options: {
      budget: tenMinutes(),
      // Nobody waits for a backoff longer than asked.
      backoff: { jitter: 'none' as const },
      checkpoint: (job: TestJob, status: CheckpointStatus) => {
        writes.push([job.id, status]);
      },
      onWarning: (warning: QueueWarning) => {
        warnings.push(warning);
      },
      ...options,
    } satisfies RunQueueOptions<TestJob, Result>,
  };
}

/** Runs fake time on until the promise settles. */
export async function played<Value>(promise: Promise<Value>): Promise<Value> {
  let isSettled = false;
  promise.then(
    () => {
      isSettled = true;
    },
    () => {
      isSettled = true;
    },
  );
  for (let rounds = 0; !isSettled; rounds += 1) {
    if (rounds > 100_000) throw new Error('the run waits for nothing, or for ever');
    await vi.advanceTimersToNextTimerAsync();
  }
  return promise;
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
