// What a rule hands back: the answer, and everything a store has to write to make it true. Rules are
// pure, so that every store decides alike and only loads and saves differently.

import type { Chain, JournalLine, PoolRecord, PostRecord, Reservation } from '../books.ts';
import type { JournalOperation, RowDelta, RowKey } from '../ledger.ts';

/** The row movements to apply are the answer's own `delta`. */
export interface Decision<Answer> {
  readonly answer: Answer;
  /** Pools whose version moves by one. */
  readonly moved: readonly string[];
  /** Written in full, in this order. */
  readonly reservations: readonly Reservation[];
  readonly pool?: PoolRecord;
  readonly post?: PostRecord;
  /** Absent for a repeat, which adds nothing to the audit trail. */
  readonly line?: JournalLine;
}

export const NOTHING: readonly never[] = Object.freeze([]);

/** How an operation moves each of its rows; what is absent does not move. */
interface Move {
  readonly balance: number;
  readonly held?: number;
  readonly consumed?: number;
  readonly refunded?: number;
  readonly overspent?: number;
  readonly shortfall?: number;
}

/** The same move on every row. (`+ 0` turns −0 into 0, which the books do not know.) */
export function moveRows(rows: readonly RowKey[], move: Move): RowDelta[] {
  const deltas: RowDelta[] = [];
  for (const row of rows) {
    deltas.push({
      pool: row.pool,
      period: row.period,
      capacity: 0,
      balance: move.balance + 0,
      held: (move.held ?? 0) + 0,
      consumed: (move.consumed ?? 0) + 0,
      refunded: (move.refunded ?? 0) + 0,
      overspent: (move.overspent ?? 0) + 0,
      shortfall: (move.shortfall ?? 0) + 0,
    });
  }
  return deltas;
}

/** A row's capacity and balance rise or fall together: it opens, or is adjusted. */
export function fundRow(pool: string, period: number, tokens: number): RowDelta {
  return {
    pool,
    period,
    capacity: tokens,
    balance: tokens,
    held: 0,
    consumed: 0,
    refunded: 0,
    overspent: 0,
    shortfall: 0,
  };
}

export function isMoved(delta: RowDelta): boolean {
  return (
    delta.capacity !== 0 ||
    delta.balance !== 0 ||
    delta.held !== 0 ||
    delta.consumed !== 0 ||
    delta.refunded !== 0 ||
    delta.overspent !== 0 ||
    delta.shortfall !== 0
  );
}

/** Pools of the chain whose current row the deltas move. A row of an earlier period moves no version. */
export function movedPools(chain: Chain, delta: readonly RowDelta[]): readonly string[] {
  const moved: string[] = [];
  for (let i = 0; i < chain.length; i++) {
    const link = chain[i]!;
    const row = delta[i];
    if (row !== undefined && row.period === link.row.period && isMoved(row)) moved.push(link.pool.pool);
  }
  return moved;
}

/** The chain's version once `moved` of its pools have moved. */
export function versionOf(chain: Chain, moved = 0): number {
  let version = moved;
  for (const link of chain) version += link.version;
  return version;
}

/** What the audit trail will say of an operation, with those facts that it has. */
export function journalLine(
  operation: JournalOperation,
  outcome: string,
  delta: readonly RowDelta[],
  facts: Partial<Omit<JournalLine, 'operation' | 'outcome' | 'delta'>>,
): JournalLine {
  const { atMs, pool, id, job, amount, detail } = facts;
  return { atMs, operation, pool, id, job, amount, outcome, detail, delta };
}
