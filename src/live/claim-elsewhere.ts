// What a job's past in the ledger says about other processes: how often the job was handed out, whether
// somebody has it now, and whether a later try by somebody else makes an earlier one void.

import type { HistoryEntry } from '../ledger/ledger.ts';
import type { Offer } from '../worker/effects.ts';
import type { ElsewhereClaim } from '../worker/job-queue.ts';

/** @param taker this process: its own holds are no claim of somebody else's */
export function claimElsewhere(
  history: readonly HistoryEntry[],
  jobId: string,
  taker: string,
): ElsewhereClaim {
  let triesEver = 0;
  let isClaimed = false;
  let last: HistoryEntry | undefined;
  for (const entry of history) {
    triesEver = Math.max(triesEver, tryOf(entry.id, jobId));
    if (entry.hold === undefined) continue;
    last = entry;
    if (entry.hold.state === 'held' && entry.taker !== taker) isClaimed = true;
  }
  if (isClaimed) return { triesEver, standing: 'claimed' };
  return { triesEver, standing: last?.hold?.state === 'settled' ? 'settled' : 'free' };
}

/** Somebody else was granted a later try of the job: this offer may write only `done`. */
export function isSuperseded(
  history: readonly HistoryEntry[],
  offer: Offer<unknown>,
  taker: string,
): boolean {
  return history.some(
    ({ id, taker: other, outcome }) =>
      outcome === 'granted' && other !== taker && tryOf(id, offer.jobId) > offer.try,
  );
}

/** The try in `job/night/try`; 0 for an id that somebody else made up. */
function tryOf(id: string, jobId: string): number {
  const found = id.startsWith(`${jobId}/`) ? /^\d+\/(\d+)$/.exec(id.slice(jobId.length + 1)) : null;
  return found === null ? 0 : Number(found[1]);
}
