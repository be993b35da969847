// How a hold ends: release, settle, and a settle that comes after release or reclaim. At most one of
// them closes a hold; a late settle only puts right what the books still can.

import type { WallMs } from '../../base/clock.ts';
import type { LoadedHold } from '../books.ts';
import { type HoldFacts, holdOf } from '../hold-of.ts';
import type { Hold, ReleaseAnswer, RowDelta, SettleAnswer } from '../ledger.ts';
import { type Decision, journalLine, movedPools, moveRows, NOTHING, versionOf } from './decision.ts';

/** What a closing says of its hold; the rest stays as it was. */
type HoldEnd = Pick<
  HoldFacts,
  'state' | 'consumed' | 'charged' | 'overspent' | 'shortfall' | 'late' | 'actual' | 'closedAtMs'
>;

export function closeHold(hold: Hold, end: HoldEnd): Hold {
  return holdOf({
    id: hold.id,
    pool: hold.pool,
    job: hold.job,
    taker: hold.taker,
    askedAmount: hold.askedAmount,
    amount: hold.amount,
    state: end.state,
    dispatched: hold.dispatched,
    heldAtMs: hold.heldAtMs,
    leaseExpiresAtMs: hold.leaseExpiresAtMs,
    leaseMs: hold.leaseMs,
    rows: hold.rows,
    consumed: end.consumed,
    charged: end.charged,
    overspent: end.overspent,
    shortfall: end.shortfall,
    late: end.late,
    actual: end.actual,
    closedAtMs: end.closedAtMs,
  });
}

export function decideRelease(
  request: { readonly nowMs?: WallMs },
  { hold, chain }: LoadedHold,
): Decision<ReleaseAnswer> {
  const facts = { atMs: request.nowMs, pool: hold.pool, id: hold.id, job: hold.job };
  if (hold.state === 'released') {
    return {
      answer: { outcome: 'released', hold, already: true, delta: NOTHING, version: versionOf(chain) },
      moved: NOTHING,
      reservations: NOTHING,
    };
  }
  if (hold.state !== 'held' || hold.dispatched) {
    const reason = hold.state === 'held' ? 'dispatched' : 'closed';
    return {
      answer: {
        outcome: 'refused',
        state: hold.state,
        reason,
        already: false,
        delta: NOTHING,
        version: versionOf(chain),
      },
      moved: NOTHING,
      reservations: NOTHING,
      line: journalLine('release', 'refused', NOTHING, { ...facts, detail: reason }),
    };
  }
  const { amount } = hold;
  const delta = moveRows(hold.rows, { balance: amount, held: -amount, refunded: amount });
  const moved = movedPools(chain, delta);
  const released = closeHold(hold, {
    state: 'released',
    consumed: 0,
    charged: false,
    overspent: 0,
    shortfall: 0,
    late: false,
    actual: undefined,
    closedAtMs: request.nowMs,
  });
  return {
    answer: {
      outcome: 'released',
      hold: released,
      already: false,
      delta,
      version: versionOf(chain, moved.length),
    },
    moved,
    reservations: [released],
    line: journalLine('release', 'released', delta, { ...facts, amount }),
  };
}

export function decideSettle(
  request: { readonly actual: number; readonly nowMs?: WallMs },
  loaded: LoadedHold,
): Decision<SettleAnswer> {
  const { actual, nowMs } = request;
  const { hold } = loaded;
  if (hold.actual !== undefined) return settledBefore(request, hold.actual, loaded);
  if (hold.state !== 'held') return settleLate(request, loaded);
  const consumed = Math.min(actual, hold.amount);
  const refunded = hold.amount - consumed;
  const overspent = actual - consumed;
  const delta = moveRows(hold.rows, { balance: refunded, held: -hold.amount, consumed, refunded, overspent });
  const settled = closeHold(hold, {
    state: 'settled',
    consumed,
    charged: false,
    overspent,
    shortfall: 0,
    late: false,
    actual,
    closedAtMs: nowMs,
  });
  return settledNow(request, loaded, settled, delta, refunded);
}

/** What came back is debited again as far as the rows still can; of what was charged, the unused comes back. */
function settleLate(
  request: { readonly actual: number; readonly nowMs?: WallMs },
  loaded: LoadedHold,
): Decision<SettleAnswer> {
  const { hold, rows } = loaded;
  const { actual } = request;
  const used = Math.min(actual, hold.amount);
  const overspent = actual - used;
  const refunded = hold.charged ? hold.amount - used : 0;
  let debited = used;
  if (!hold.charged) for (const row of rows) debited = Math.min(debited, row.balance);
  const shortfall = used - debited;
  const delta = hold.charged
    ? moveRows(hold.rows, { balance: refunded, consumed: -refunded, refunded, overspent })
    : moveRows(hold.rows, { balance: -debited, consumed: debited, overspent, shortfall });
  const settled = closeHold(hold, {
    state: hold.state,
    consumed: debited,
    charged: hold.charged,
    overspent,
    shortfall,
    late: true,
    actual,
    closedAtMs: hold.closedAtMs,
  });
  return settledNow(request, loaded, settled, delta, refunded);
}

function settledNow(
  request: { readonly actual: number; readonly nowMs?: WallMs },
  { chain }: LoadedHold,
  hold: Hold,
  delta: readonly RowDelta[],
  refunded: number,
): Decision<SettleAnswer> {
  const { overspent, shortfall, late } = hold;
  const moved = movedPools(chain, delta);
  return {
    answer: {
      outcome: 'settled',
      hold,
      refunded,
      overspent,
      shortfall,
      late,
      differs: false,
      already: false,
      delta,
      version: versionOf(chain, moved.length),
    },
    moved,
    reservations: [hold],
    line: journalLine('settle', 'settled', delta, {
      atMs: request.nowMs,
      pool: hold.pool,
      id: hold.id,
      job: hold.job,
      amount: request.actual,
      detail: late ? `late, ${hold.state}` : undefined,
    }),
  };
}

/** The first answer again. One that names another actual is no plain repeat, and leaves its trace. */
function settledBefore(
  request: { readonly actual: number; readonly nowMs?: WallMs },
  firstActual: number,
  { hold, chain }: LoadedHold,
): Decision<SettleAnswer> {
  const { overspent, shortfall, late } = hold;
  const cameBack = !late || hold.charged;
  const differs = request.actual !== firstActual;
  const answer: SettleAnswer = {
    outcome: 'settled',
    hold,
    refunded: cameBack ? Math.max(0, hold.amount - firstActual) : 0,
    overspent,
    shortfall,
    late,
    differs,
    already: true,
    delta: NOTHING,
    version: versionOf(chain),
  };
  if (!differs) return { answer, moved: NOTHING, reservations: NOTHING };
  return {
    answer,
    moved: NOTHING,
    reservations: NOTHING,
    line: journalLine('settle', 'differs', NOTHING, {
      atMs: request.nowMs,
      pool: hold.pool,
      id: hold.id,
      job: hold.job,
      amount: request.actual,
      detail: `settled before with ${firstActual}`,
    }),
  };
}
