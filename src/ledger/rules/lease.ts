// dispatch and renew: what keeps a hold alive, or marks that a call goes out on it. Neither moves a row.

import type { Chain, LoadedHold } from '../books.ts';
import type { DispatchAnswer, Hold, RenewAnswer } from '../ledger.ts';
import { type Decision, journalLine, NOTHING, versionOf } from './decision.ts';

/** No lease on this chain outlives its hold's start by more. */
export function maxLeaseOf(chain: Chain): number {
  let maxLeaseMs = Number.POSITIVE_INFINITY;
  for (const link of chain) maxLeaseMs = Math.min(maxLeaseMs, link.pool.maxLeaseMs);
  return maxLeaseMs;
}

/** The last moment of a lease belongs to it. */
export function isExpired(hold: Hold, nowMs: number): boolean {
  return nowMs > hold.leaseExpiresAtMs;
}

export function decideDispatch(
  request: { readonly nowMs: number },
  { hold, chain }: LoadedHold,
): Decision<DispatchAnswer> {
  const { nowMs } = request;
  const version = versionOf(chain);
  const facts = { atMs: nowMs, pool: hold.pool, id: hold.id, job: hold.job };
  if (hold.state !== 'held' || isExpired(hold, nowMs)) {
    const reason = hold.state === 'held' ? 'lease-expired' : 'closed';
    return {
      answer: { outcome: 'refused', state: hold.state, reason, already: false, delta: NOTHING, version },
      moved: NOTHING,
      reservations: NOTHING,
      line: journalLine('dispatch', 'refused', NOTHING, { ...facts, detail: reason }),
    };
  }
  if (hold.dispatched) {
    return {
      answer: { outcome: 'dispatched', hold, already: true, delta: NOTHING, version },
      moved: NOTHING,
      reservations: NOTHING,
    };
  }
  const dispatched: Hold = { ...hold, dispatched: true };
  return {
    answer: { outcome: 'dispatched', hold: dispatched, already: false, delta: NOTHING, version },
    moved: NOTHING,
    reservations: [dispatched],
    line: journalLine('dispatch', 'dispatched', NOTHING, facts),
  };
}

export function decideRenew(
  request: { readonly leaseMs: number; readonly nowMs: number },
  { hold, chain }: LoadedHold,
): Decision<RenewAnswer> {
  const { leaseMs, nowMs } = request;
  const version = versionOf(chain);
  const facts = { atMs: nowMs, pool: hold.pool, id: hold.id, job: hold.job };
  const limitMs = hold.heldAtMs + maxLeaseOf(chain);
  if (hold.state !== 'held' || nowMs > limitMs) {
    const reason = hold.state === 'held' ? 'lease-limit' : 'closed';
    return {
      answer: { outcome: 'refused', state: hold.state, reason, already: false, delta: NOTHING, version },
      moved: NOTHING,
      reservations: NOTHING,
      line: journalLine('renew', 'refused', NOTHING, { ...facts, detail: reason }),
    };
  }
  const leaseExpiresAtMs = Math.max(hold.leaseExpiresAtMs, Math.min(nowMs + leaseMs, limitMs));
  const renewed: Hold = { ...hold, leaseExpiresAtMs };
  return {
    answer: { outcome: 'renewed', hold: renewed, already: false, delta: NOTHING, version },
    moved: NOTHING,
    reservations: [renewed],
    line: journalLine('renew', 'renewed', NOTHING, facts),
  };
}
