// An operation that is data, asked of a ledger; and its answer in the form in which answers are compared: the
// rows that it moved, each with what moved on it, instead of the delta.

import type { RowDelta } from '../ledger/ledger.ts';
import type { AnyLedger } from './asynchronous.ts';
import type { Operation } from './operations.ts';

/** By `pool/period`; figures that did not move are left out, and so are rows. */
export type Moves = Readonly<Record<string, Partial<Omit<RowDelta, 'pool' | 'period'>>>>;

/** An answer; what is special to its operation is among the rest. */
export type ResultAnswer = Readonly<Record<string, unknown>> & {
  readonly throws?: undefined;
  readonly outcome: string;
  readonly already: boolean;
  readonly version: number;
  readonly moves: Moves;
};

/** What an operation came to: an answer, or the code of the `InputError` that it threw. */
export type Result = ResultAnswer | { readonly throws: string };

/** @throws what the ledger throws, an `InputError` aside */
export async function perform(ledger: AnyLedger, operation: Operation, nowMs: number): Promise<Result> {
  try {
    const { delta, ...rest } = await ask(ledger, operation, nowMs);
    return { ...rest, moves: movesOf(delta) };
  } catch (error) {
    const { name, code } = error as Error & { readonly code?: string };
    if (name === 'InputError' && code !== undefined) return { throws: code };
    throw error;
  }
}

async function ask(ledger: AnyLedger, operation: Operation, nowMs: number) {
  switch (operation.op) {
    case 'reserve': {
      const { op, ...request } = operation;
      return ledger.reserve({ ...request, job: jobOf(operation.id), nowMs });
    }
    case 'post': {
      const { op, hold, ...post } = operation;
      return ledger.post({ ...post, reason: 'bill', nowMs, ...(post.side === 'credit' && { hold }) });
    }
    case 'dispatch':
      return ledger.dispatch({ id: operation.id, nowMs });
    case 'renew':
      return ledger.renew({ id: operation.id, leaseMs: operation.leaseMs, nowMs });
    case 'extendTo':
      return ledger.extendTo({ id: operation.id, total: operation.total, nowMs });
    case 'release':
      return ledger.release({ id: operation.id, nowMs });
    case 'settle':
      return ledger.settle({ id: operation.id, actual: operation.actual, nowMs });
    case 'reclaim':
      return ledger.reclaim({ pool: operation.pool, limit: operation.limit, force: operation.force, nowMs });
    case 'adjust':
      return ledger.adjust({ pool: operation.pool, capacity: operation.capacity, nowMs });
    case 'refill':
      return ledger.refill({ pool: operation.pool, period: operation.period, nowMs });
    case 'pause':
      return ledger.pause({ pool: operation.pool, nowMs });
    case 'resume':
      return ledger.resume({ pool: operation.pool, nowMs });
  }
}

/** The job that a reservation made from data is for. */
export function jobOf(id: string): string {
  return `job ${id}`;
}

/** The rows that a delta names, with what moved on each; those on which nothing did are left out. */
export function movesOf(delta: readonly RowDelta[]): Moves {
  const moves: Record<string, Moves[string]> = {};
  for (const { pool, period, ...figures } of delta) {
    const moved = Object.entries(figures).filter(([, by]) => by !== 0);
    if (moved.length > 0) moves[`${pool}/${period}`] = Object.fromEntries(moved);
  }
  return moves;
}
