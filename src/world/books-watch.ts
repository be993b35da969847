// Checks the ledger after every operation of a played night, from the outside: keeps its own books from the
// answers' deltas, in constant time per operation, and stops the run where a law of the ledger is broken.

import { invariant } from '../base/errors.ts';
import type { Hold, Ledger, RowDelta } from '../ledger/ledger.ts';

interface WatchedRow {
  readonly pool: string;
  readonly period: number;
  capacity: number;
  balance: number;
  held: number;
  consumed: number;
  /** How many open holds there are of each amount on this row. */
  readonly openAmounts: Map<number, number>;
  openCount: number;
}

interface OpenHold {
  readonly job: string;
  readonly amount: number;
  readonly rows: readonly string[];
}

export class BooksWatch {
  readonly #rows = new Map<string, WatchedRow>();
  readonly #open = new Map<string, OpenHold>();
  readonly #openByJob = new Map<string, string>();
  #openTokens = 0;

  /** Tokens in holds that nothing has closed. */
  get openTokens(): number {
    return this.#openTokens;
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** Books that moved, whoever moved them. Conservation and `balance ≥ 0` hold on each row by now. */
  moved(delta: readonly RowDelta[]): void {
    for (const change of delta) {
      const row = this.#row(change.pool, change.period);
      row.capacity += change.capacity;
      row.balance += change.balance;
      row.held += change.held;
      row.consumed += change.consumed;
      invariant(row.balance >= 0, 'balance ≥ 0', () => describe(row));
      invariant(
        row.capacity === row.balance + row.held + row.consumed,
        'capacity = balance + held + consumed',
        () => describe(row),
      );
    }
  }

  granted(hold: Hold): void {
    invariant(!this.#open.has(hold.id), 'a hold is granted once', () => hold.id);
    const other = this.#openByJob.get(hold.job);
    invariant(other === undefined, 'no job has two claims at once', () => `${hold.id} beside ${other}`);
    const rows = hold.rows.map(({ pool, period }) => key(pool, period));
    this.#open.set(hold.id, { job: hold.job, amount: hold.amount, rows });
    this.#openByJob.set(hold.job, hold.id);
    this.#openTokens += hold.amount;
    for (const name of rows) {
      const row = this.#rows.get(name)!;
      row.openCount += 1;
      row.openAmounts.set(hold.amount, (row.openAmounts.get(hold.amount) ?? 0) + 1);
      this.#checkCeiling(row);
    }
  }

  closed(hold: Hold): void {
    const open = this.#open.get(hold.id);
    invariant(open !== undefined, 'a hold closes at most once', () => `${hold.id} is ${hold.state}`);
    this.#open.delete(hold.id);
    this.#openByJob.delete(open.job);
    this.#openTokens -= open.amount;
    for (const name of open.rows) {
      const row = this.#rows.get(name)!;
      row.openCount -= 1;
      const left = (row.openAmounts.get(open.amount) ?? 0) - 1;
      if (left > 0) row.openAmounts.set(open.amount, left);
      else row.openAmounts.delete(open.amount);
    }
  }

  /** At a night's end: the ledger recounts itself, and agrees with these books. */
  recount(ledger: Ledger): void {
    const wrong = ledger.verify();
    invariant(wrong.length === 0, 'the books add up when recounted', () => JSON.stringify(wrong));
    for (const row of this.#rows.values()) {
      const says = ledger.pool(row.pool, row.period);
      invariant(
        says !== undefined &&
          says.capacity === row.capacity &&
          says.balance === row.balance &&
          says.held === row.held &&
          says.consumed === row.consumed,
        'the answers’ deltas add up to the books',
        () => `${describe(row)}; the ledger says ${JSON.stringify(says)}`,
      );
    }
  }

  /** Not more holds at once than the smallest of them would fit into what is free or held. */
  #checkCeiling(row: WatchedRow): void {
    let smallest = Number.POSITIVE_INFINITY;
    for (const amount of row.openAmounts.keys()) smallest = Math.min(smallest, amount);
    invariant(
      smallest === 0 || row.openCount <= Math.floor((row.balance + row.held) / smallest),
      'holds on a row ≤ (balance + held) / the smallest envelope among them',
      () => `${row.openCount} holds, smallest ${smallest}, ${describe(row)}`,
    );
  }

  #row(pool: string, period: number): WatchedRow {
    const name = key(pool, period);
    let row = this.#rows.get(name);
    if (row === undefined) {
      row = {
        pool,
        period,
        capacity: 0,
        balance: 0,
        held: 0,
        consumed: 0,
        openAmounts: new Map(),
        openCount: 0,
      };
      this.#rows.set(name, row);
    }
    return row;
  }
}

function key(pool: string, period: number): string {
  return `${pool}\u0000${period}`;
}

function describe(row: WatchedRow): string {
  const { pool, period, capacity, balance, held, consumed } = row;
  return `pool ${pool}, period ${period}: capacity ${capacity}, balance ${balance}, held ${held}, consumed ${consumed}`;
}
