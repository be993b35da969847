// The model that ledgers are held to: the naive ledger's answers, with the rows that each operation moved and the
// chain's version, both derived from what the books were before and after.

import type { HistoryEntry, Hold, OpenPool } from '../ledger/ledger.ts';
import type { NaiveBooks } from './naive-books.ts';
import { NaiveLedger } from './naive-ledger.ts';
import type { Operation } from './operations.ts';
import { jobOf, type Moves, type Result } from './perform.ts';

const FIELDS = ['capacity', 'balance', 'held', 'consumed', 'refunded', 'overspent', 'shortfall'] as const;

type Rows = ReturnType<NaiveBooks['rows']>;

/**
 * A ledger as plain as it can be: slow, in memory, asked with operations as data. It expects well-formed ones on
 * pools that are open; what is no count of tokens, or an unknown pool, is beyond it.
 */
export class ModelLedger {
  readonly #naive = new NaiveLedger();
  readonly #versions = new Map<string, number>();
  /** The versions that refusals were first given with. */
  readonly #refusedAt = new Map<string, number>();

  /** Once per pool, after its parent. */
  openPool(request: OpenPool): void {
    this.#naive.books.open(request);
    this.#versions.set(request.pool, 0);
  }

  /** What a ledger must answer, or the code of the `InputError` that it must throw. */
  perform(operation: Operation, nowMs: number): Result {
    const before = this.rows();
    const faces = this.#faces();
    const subject = this.#naive.books.subject(operation);
    const answer = this.#naive.play(operation, nowMs);
    if (operation.op !== 'reserve' && operation.op !== 'extendTo') this.#moveVersions(faces);
    if (answer.throws !== undefined) return answer;
    const version = this.#versionOf(operation, subject!, answer);
    return { already: false, ...answer, version, moves: movesBetween(before, this.rows()) };
  }

  /** Every row there is, by `pool/period`, in order of opening. */
  rows(): Rows {
    return this.#naive.books.rows();
  }

  /** In order of `heldAtMs`, then id. */
  holds(): readonly Hold[] {
    return this.#holds().toSorted(
      (one, other) => one.heldAtMs - other.heldAtMs || (one.id < other.id ? -1 : 1),
    );
  }

  /** Jobs that anything was ever reserved for, granted or refused, oldest first. */
  jobs(): readonly string[] {
    return this.#naive.books.ids.map(jobOf);
  }

  /** As the ledger's `history`, oldest first. */
  history(job: string): readonly HistoryEntry[] {
    return this.#naive.books.ids.filter((id) => jobOf(id) === job).map((id) => this.#historyEntry(id));
  }

  #historyEntry(id: string): HistoryEntry {
    const refusal = this.#naive.books.refusal(id);
    if (refusal !== undefined) {
      const { pool, taker, amount } = refusal.operation;
      return { id, pool, taker, amount, outcome: 'refused', reason: refusal.answer.reason };
    }
    const hold = this.#holds().find((one) => one.id === id)!;
    return { id, pool: hold.pool, taker: hold.taker, amount: hold.askedAmount, outcome: 'granted', hold };
  }

  #holds(): readonly Hold[] {
    return this.#naive.books.holds.map(({ hold }) => hold);
  }

  #faces(): ReadonlyMap<string, string> {
    return new Map([...this.#versions.keys()].map((pool) => [pool, this.#naive.books.face(pool)]));
  }

  #moveVersions(before: ReadonlyMap<string, string>): void {
    for (const [pool, version] of this.#versions) {
      if (this.#naive.books.face(pool) !== before.get(pool)) this.#versions.set(pool, version + 1);
    }
  }

  #versionOf(
    operation: Operation,
    subject: string,
    answer: { readonly outcome: string; readonly already?: unknown },
  ): number {
    const version = this.#naive.books
      .chain(subject)
      .reduce((sum, pool) => sum + this.#versions.get(pool)!, 0);
    if (operation.op !== 'reserve' || answer.outcome !== 'refused') return version;
    if (answer.already !== true) this.#refusedAt.set(operation.id, version);
    return this.#refusedAt.get(operation.id)!;
  }
}

function movesBetween(before: Rows, after: Rows): Moves {
  const moves: Record<string, Moves[string]> = {};
  for (const [row, figures] of after) {
    const was = before.get(row);
    const moved = FIELDS.map((field) => [field, figures[field] - (was?.[field] ?? 0)] as const).filter(
      ([, by]) => by !== 0,
    );
    if (moved.length > 0) moves[row] = Object.fromEntries(moved);
  }
  return moves;
}
