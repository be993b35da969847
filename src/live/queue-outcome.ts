// Gathers what became of each job while a queue runs, and says it at the end.

import type { AttemptRecord, CheckpointDetail, CheckpointStatus, Offer } from '../worker/effects.ts';
import type { JobQueue } from '../worker/job-queue.ts';
import type { DeferredJob, DoneJob, FailedJob, NamedJob, QueueResult } from './run-queue-options.ts';

export class QueueOutcome<Job, Result> {
  readonly records: AttemptRecord[] = [];
  readonly #details = new Map<string, CheckpointDetail>();
  readonly #errors = new Map<string, unknown>();

  failed({ jobId }: Offer<Job>, error: unknown): void {
    this.#errors.set(jobId, error);
  }

  written({ jobId }: Offer<Job>, _status: CheckpointStatus, detail: CheckpointDetail): void {
    this.#details.set(jobId, detail);
  }

  result(queue: JobQueue<Job>, unsettled: number): QueueResult<Job, Result> {
    const done: DoneJob<Job, Result>[] = [];
    const deferred: DeferredJob<Job>[] = [];
    const refused: NamedJob<Job>[] = [];
    const inadmissible: NamedJob<Job>[] = [];
    const failed: FailedJob<Job>[] = [];
    for (const { job, jobId: id, standing } of queue.standings()) {
      const error = this.#errors.has(id) ? { error: this.#errors.get(id) } : {};
      switch (standing.state) {
        case 'done':
          // The call's own answer, handed through the worker, which does not look into it.
          done.push({ job, id, result: this.#details.get(id)?.result as Result | undefined });
          break;
        case 'failed':
          failed.push({ job, id, cause: this.#failedCause(id), ...error });
          break;
        case 'deferred':
          deferred.push({ job, id, cause: standing.cause, ...error });
          break;
        case 'waiting':
          deferred.push({ job, id, cause: 'out-of-time' });
          break;
        case 'claimed':
          // Its lane carried it to the end, but the end could not be written down.
          deferred.push({ job, id, cause: 'checkpoint-failed', ...error });
          break;
        case 'refused':
          refused.push({ job, id });
          break;
        case 'inadmissible':
          inadmissible.push({ job, id });
          break;
      }
    }
    return { done, deferred, refused, inadmissible, failed, records: this.records, unsettled };
  }

  #failedCause(id: string): 'rejected' | 'invalid' {
    return this.#details.get(id)?.cause === 'invalid' ? 'invalid' : 'rejected';
  }
}
