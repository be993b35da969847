// What becomes of one job's calls and time where two layers retry, each by itself: the worker, and the client
// under it. The product that nobody wrote down.

import type { RetryLayers } from './night-plan.ts';

export interface RetriesInput {
  /** The largest of the classes'. */
  readonly workerAttempts: number;
  /** The longest pauses between that many attempts, summed. */
  readonly workerPausesMs: number;
  readonly capMs: number;
  readonly client: ClientInput | null;
}

export interface ClientInput {
  readonly attempts: number;
  readonly timeoutMs: number;
  /** The longest pauses between all its calls for one attempt, summed. */
  readonly longestPausesMs: number;
  /** By call, from the first: the least that it has paused before it, summed. */
  readonly leastPausesBeforeMs: readonly number[];
  readonly timerEndsAtHeaders: boolean;
  readonly signal: RetryLayers['signal'];
}

/**
 * One job of which every call hangs, and is given up after `min(client timeout, cap)`. Without the signal an
 * attempt is over when the client gives up: `worker attempts × client attempts` calls, one after another.
 * With it, when the grant is: of its calls only those are made that begin before that.
 *
 * @returns null where there is no client that retries by itself
 */
export function retryLayers(input: RetriesInput): RetryLayers | null {
  const { workerAttempts, workerPausesMs, capMs, client } = input;
  if (client === null) return null;
  const callMs = Math.min(client.timeoutMs, capMs);
  const attemptMs = client.attempts * callMs + client.longestPausesMs;
  const begun = client.leastPausesBeforeMs.filter((pausesMs, before) => before * callMs + pausesMs < capMs);
  return {
    workerAttempts,
    clientAttempts: client.attempts,
    callMs,
    withSignal: {
      calls: workerAttempts * begun.length,
      jobMs: workerAttempts * Math.min(capMs, attemptMs) + workerPausesMs,
    },
    withoutSignal: {
      calls: workerAttempts * client.attempts,
      jobMs: workerAttempts * attemptMs + workerPausesMs,
    },
    signal: client.signal,
    timerEndsAtHeaders: client.timerEndsAtHeaders,
  };
}
