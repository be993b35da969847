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
  openTokens: number;
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
  readonly #chainOf: (pool: string) => readonly string[] | undefined;
  readonly #chains = new Map<string, readonly string[] | undefined>();

  /** @param chainOf the pools that a hold on this one debits, itself first; by default they are not checked */
  constructor(chainOf: (pool: string) => readonly string[] | undefined = () => undefined) {
    this.#chainOf = chainOf;
  }

  /** Tokens in holds that nothing has closed. */
  get openTokens(): number {
    return this.#openTokens;
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** Does an open hold claim this job? */
  hasClaim(job: string): boolean {
    return this.#openByJob.has(job);
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

  /** Once the holds that moved them are known: what a row says is held is what its open holds hold. */
  agree(delta: readonly RowDelta[]): void {
    for (const { pool, period } of delta) {
      const row = this.#row(pool, period);
      invariant(
        row.held === row.openTokens,
        'held is the sum of the open holds',
        () => `${row.openTokens} tokens in open holds, ${describe(row)}`,
      );
    }
  }

  granted(hold: Hold): void {
    invariant(!this.#open.has(hold.id), 'a hold is granted once', () => hold.id);
    const chain = this.#chain(hold.pool);
    invariant(
      chain === undefined || chain.join() === hold.rows.map(({ pool }) => pool).join(),
      'a hold debits every pool of its chain',
      () => `${hold.id} debits ${JSON.stringify(hold.rows)}, its chain is ${chain?.join()}`,
    );
    const other = this.#openByJob.get(hold.job);
    invariant(other === undefined, 'no job has two claims at once', () => `${hold.id} beside ${other}`);
    const rows = hold.rows.map(({ pool, period }) => key(pool, period));
    this.#openByJob.set(hold.job, hold.id);
    this.#add(hold.id, { job: hold.job, amount: hold.amount, rows });
  }

  /** A hold that has grown under its job. */
  extended(hold: Hold): void {
    const open = this.#open.get(hold.id);
    invariant(open !== undefined, 'only an open hold is extended', () => `${hold.id} has been closed`);
    this.#remove(open);
    this.#add(hold.id, { ...open, amount: hold.amount });
  }

  closed(hold: Hold): void {
    const open = this.#open.get(hold.id);
    invariant(open !== undefined, 'a hold closes at most once', () => `${hold.id} is ${hold.state}`);
    this.#open.delete(hold.id);
    this.#openByJob.delete(open.job);
    this.#remove(open);
  }

  renewed(hold: Hold): void {
    invariant(this.#open.has(hold.id), 'only an open hold is renewed', () => `${hold.id} has been closed`);
  }

  /** A settle, late or not: on every row it moves what its hold then says, which is no more than was used. */
  settled(hold: Hold, delta: readonly RowDelta[]): void {
    const { amount, actual = 0, consumed, charged, overspent, shortfall, late } = hold;
    const used = Math.min(actual, amount);
    invariant(
      consumed + shortfall === used && shortfall >= 0 && overspent === actual - used,
      'a settle consumes what was used of the hold, less its shortfall',
      () => `${hold.id}: ${JSON.stringify({ amount, actual, consumed, overspent, shortfall })}`,
    );
    const consumedBefore = late && charged ? amount : 0;
    for (const row of delta) {
      invariant(
        row.consumed === consumed - consumedBefore && row.held === (late ? 0 : -amount),
        'a settle moves each row by what its hold says',
        () => `${hold.id}: ${JSON.stringify({ amount, consumed, consumedBefore, row })}`,
      );
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

  #add(id: string, open: OpenHold): void {
    this.#open.set(id, open);
    this.#openTokens += open.amount;
    for (const name of open.rows) {
      const row = this.#rows.get(name)!;
      row.openCount += 1;
      row.openTokens += open.amount;
      row.openAmounts.set(open.amount, (row.openAmounts.get(open.amount) ?? 0) + 1);
      this.#checkCeiling(row);
    }
  }

  #remove(open: OpenHold): void {
    this.#openTokens -= open.amount;
    for (const name of open.rows) {
      const row = this.#rows.get(name)!;
      row.openCount -= 1;
      row.openTokens -= open.amount;
      const left = (row.openAmounts.get(open.amount) ?? 0) - 1;
      if (left > 0) row.openAmounts.set(open.amount, left);
      else row.openAmounts.delete(open.amount);
    }
  }

  /** Asked of the ledger once: a pool's parent never changes. */
  #chain(pool: string): readonly string[] | undefined {
    if (!this.#chains.has(pool)) this.#chains.set(pool, this.#chainOf(pool));
    return this.#chains.get(pool);
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
        openTokens: 0,
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
