// reserve and extendTo: the two ways to take tokens, each whole or not at all, from every pool of a
// chain at once.

import type { Chain, LoadedHold, Refusal, Reservation } from '../books.ts';
import type {
  BooksRow,
  ExtendAnswer,
  Hold,
  RefusalReason,
  Reserve,
  ReserveAnswer,
  RowKey,
} from '../ledger.ts';
import { type Decision, journalLine, moveRows, NOTHING, versionOf } from './decision.ts';
import { maxLeaseOf } from './lease.ts';

/**
 * @param chain of the pool asked for, or of the earlier reservation's pool where there is one
 * @param rows the keys of the chain's current rows
 * @param earlier what the id stands for already
 */
export function decideReserve(
  request: Reserve,
  chain: Chain,
  rows: readonly RowKey[],
  earlier: Reservation | undefined,
): Decision<ReserveAnswer> {
  if (earlier !== undefined) return answerAgain(request, chain, earlier);
  const { id, pool, job, amount, leaseMs, nowMs, taker = '' } = request;
  const version = versionOf(chain);
  const refused = refusalOf(chain, chainRows(chain), amount, amount);
  if (refused !== undefined) {
    const { reason, pool: refusedBy, returnable } = refused;
    const refusal: Refusal = {
      state: 'refused',
      id,
      pool,
      job,
      taker,
      askedAmount: amount,
      leaseMs,
      refusedAtMs: nowMs,
      reason,
      refusedBy,
      returnable,
      version,
    };
    return {
      answer: {
        outcome: 'refused',
        reason,
        pool: refusedBy,
        returnable,
        already: false,
        delta: NOTHING,
        version,
      },
      moved: NOTHING,
      reservations: [refusal],
      line: journalLine('reserve', 'refused', NOTHING, {
        atMs: nowMs,
        pool,
        id,
        job,
        amount,
        detail: refusedBy === pool ? reason : `${reason} at ${refusedBy}`,
      }),
    };
  }
  const hold: Hold = {
    id,
    pool,
    job,
    taker,
    askedAmount: amount,
    amount,
    state: 'held',
    dispatched: false,
    heldAtMs: nowMs,
    leaseExpiresAtMs: nowMs + Math.min(leaseMs, maxLeaseOf(chain)),
    leaseMs,
    rows,
    consumed: 0,
    charged: false,
    overspent: 0,
    shortfall: 0,
    late: false,
  };
  const delta = moveRows(rows, { balance: -amount, held: amount });
  return {
    answer: { outcome: 'granted', hold, already: false, delta, version },
    moved: NOTHING,
    reservations: [hold],
    line: journalLine('reserve', 'granted', delta, { atMs: nowMs, pool, id, job, amount }),
  };
}

/**
 * The first answer again, or `id-reused`. A refusal keeps the version it was given with: with a newer
 * one, a waiter would sleep through the very change that it has to hear of.
 */
function answerAgain(request: Reserve, chain: Chain, earlier: Reservation): Decision<ReserveAnswer> {
  const { id, pool, job, amount, nowMs } = request;
  const version = versionOf(chain);
  const isRepeat =
    earlier.pool === pool &&
    earlier.job === job &&
    earlier.taker === (request.taker ?? '') &&
    earlier.askedAmount === amount &&
    earlier.leaseMs === request.leaseMs;
  if (!isRepeat) {
    return {
      answer: { outcome: 'id-reused', already: false, delta: NOTHING, version },
      moved: NOTHING,
      reservations: NOTHING,
      line: journalLine('reserve', 'id-reused', NOTHING, { atMs: nowMs, pool, id, job, amount }),
    };
  }
  const answer: ReserveAnswer =
    earlier.state === 'refused'
      ? {
          outcome: 'refused',
          reason: earlier.reason,
          pool: earlier.refusedBy,
          returnable: earlier.returnable,
          already: true,
          delta: NOTHING,
          version: earlier.version,
        }
      : { outcome: 'granted', hold: earlier, already: true, delta: NOTHING, version };
  return { answer, moved: NOTHING, reservations: NOTHING };
}

export function decideExtend(
  request: { readonly total: number; readonly nowMs: number },
  { hold, chain, rows }: LoadedHold,
): Decision<ExtendAnswer> {
  const { total, nowMs } = request;
  const version = versionOf(chain);
  const facts = { atMs: nowMs, pool: hold.pool, id: hold.id, job: hold.job, amount: total };
  const refuse = (
    reason: 'closed' | 'row-closed' | RefusalReason,
    returnable: boolean,
  ): Decision<ExtendAnswer> => ({
    answer: {
      outcome: 'refused',
      state: hold.state,
      reason,
      returnable,
      already: false,
      delta: NOTHING,
      version,
    },
    moved: NOTHING,
    reservations: NOTHING,
    line: journalLine('extend-to', 'refused', NOTHING, { ...facts, detail: reason }),
  });
  if (hold.state !== 'held') return refuse('closed', false);
  // Before the other refusals, so that an extension whose answer was lost may be asked for again.
  if (total <= hold.amount) {
    return {
      answer: { outcome: 'extended', hold, already: false, delta: NOTHING, version },
      moved: NOTHING,
      reservations: NOTHING,
      line: journalLine('extend-to', 'extended', NOTHING, facts),
    };
  }
  if (rows.some((row, i) => row.period !== chain[i]?.row.period)) return refuse('row-closed', false);
  const refused = refusalOf(chain, rows, total - hold.amount, total);
  if (refused !== undefined) return refuse(refused.reason, refused.returnable);
  const more = total - hold.amount;
  const delta = moveRows(hold.rows, { balance: -more, held: more });
  const extended: Hold = { ...hold, amount: total };
  return {
    answer: { outcome: 'extended', hold: extended, already: false, delta, version },
    moved: NOTHING,
    reservations: [extended],
    line: journalLine('extend-to', 'extended', delta, facts),
  };
}

/**
 * Why the chain does not give `more` tokens to a hold that will then be `total` in all: the first reason
 * that any pool has, and the first pool, from the hold's own upwards, that has it.
 */
function refusalOf(
  chain: Chain,
  rows: readonly BooksRow[],
  more: number,
  total: number,
): { readonly reason: RefusalReason; readonly pool: string; readonly returnable: boolean } | undefined {
  const paused = chain.find((link) => link.pool.paused);
  if (paused !== undefined) {
    return { reason: 'paused', pool: paused.pool.pool, returnable: isReturnable(rows, total) };
  }
  const small = rows.find((row) => total > row.capacity);
  if (small !== undefined) return { reason: 'exceeds-capacity', pool: small.pool, returnable: false };
  const empty = rows.find((row) => more > row.balance);
  if (empty !== undefined) {
    return { reason: 'insufficient', pool: empty.pool, returnable: isReturnable(rows, total) };
  }
  return undefined;
}

/** A hold that asks for more is itself among `held`, so its new total is what has to fit. */
function isReturnable(rows: readonly BooksRow[], total: number): boolean {
  return rows.every((row) => row.balance + row.held >= total);
}

function chainRows(chain: Chain): readonly BooksRow[] {
  return chain.map((link) => link.row);
}
