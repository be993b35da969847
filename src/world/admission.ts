// How jobs are admitted over the nights of one played scenario: by envelope from a real ledger, by the
// shared counter, or not at all. Opens the pool once, refills it at each opening, and reads its figures.

import { invariant } from '../base/errors.ts';
import type { Ledger, RowDelta } from '../ledger/ledger.ts';
import { nightTimes } from '../scenario/calendar.ts';
import type { Scenario, ScenarioPool } from '../scenario/scenario.ts';
import { BooksWatch } from './books-watch.ts';
import { DriftAccount, driftOf } from './drift-account.ts';
import type { NightTally } from './night-tally.ts';
import type { DriftCauses, PoolFigures } from './run-result.ts';
import { SharedCounter } from './shared-counter.ts';

/** What was done to the books before a night's first job. */
export interface OpeningMove {
  readonly operation: 'open-pool' | 'refill';
  readonly delta: readonly RowDelta[];
}

export class Admission {
  readonly #pool: ScenarioPool | undefined;
  readonly #scenario: Scenario;
  /** The pool's, as it was refilled last. */
  #period = 0;
  #moves: OpeningMove[] = [];
  readonly books: { readonly ledger: Ledger; readonly watch: BooksWatch } | undefined;
  /** Of the pool, whichever way jobs are admitted to it. */
  readonly drift = new DriftAccount();
  readonly #counter: SharedCounter | undefined;

  constructor(scenario: Scenario, openLedger: () => Ledger) {
    const { pool, policy } = scenario;
    this.#scenario = scenario;
    this.#pool = pool;
    if (pool === undefined) return;
    if (policy.admission === 'shared-counter') {
      this.#counter = new SharedCounter(pool.capacity);
      return;
    }
    const ledger = openLedger();
    this.books = { ledger, watch: new BooksWatch((name) => chainOf(ledger, name)) };
    const { name, capacity, quota, maxLeaseMs } = pool;
    const opened = this.books.ledger.openPool({
      pool: name,
      capacity,
      quota,
      reclaim: policy.reclaim,
      ...(maxLeaseMs !== undefined && { maxLeaseMs }),
    });
    this.#moved('open-pool', opened.delta);
  }

  get counter(): SharedCounter | undefined {
    return this.#counter;
  }

  /** @param night from 1 */
  open(night: number): readonly OpeningMove[] {
    const period = this.#periodAt(night);
    if (period > this.#period) this.#refill(period);
    const moves = this.#moves;
    this.#moves = [];
    return moves;
  }

  /** When the pool is full again in the middle of a night, from its opening. */
  refillsAtMs(night: number): readonly number[] {
    const { opensMs, lastsMs } = nightTimes(this.#scenario, night);
    const refills = (this.#pool?.refillsAtMs ?? []).map((atMs) => atMs - opensMs);
    return refills.filter((atMs) => atMs > 0 && atMs < lastsMs);
  }

  /** The next of these moments has come. @returns what moved in the books */
  refill(): readonly RowDelta[] {
    this.#refill(this.#period + 1);
    const moves = this.#moves;
    this.#moves = [];
    return moves.flatMap(({ delta }) => delta);
  }

  /** Nights count from 1, and so do the days or months of a pool that is refilled by them. */
  #periodAt(night: number): number {
    if (this.#pool?.refill === 'night') return night;
    const { opensMs } = nightTimes(this.#scenario, night);
    return (this.#pool?.refillsAtMs ?? []).filter((atMs) => atMs <= opensMs).length;
  }

  #refill(period: number): void {
    if (this.#pool === undefined) return;
    this.#period = period;
    this.#counter?.refill();
    const refilled = this.books?.ledger.refill({ pool: this.#pool.name, period });
    if (refilled !== undefined) this.#moved('refill', refilled.delta);
  }

  #moved(operation: OpeningMove['operation'], delta: readonly RowDelta[]): void {
    this.books?.watch.moved(delta);
    this.books?.watch.agree(delta);
    this.#moves.push({ operation, delta });
  }

  /** After a night: its flows from the tally, the stocks as they stand. */
  figures(tally: NightTally): Readonly<Record<string, PoolFigures>> {
    if (this.#pool === undefined) return {};
    const { name } = this.#pool;
    const { billed } = tally;
    const driftCauses = this.drift.take();
    if (this.#counter !== undefined) {
      const { capacity, left: balance } = this.#counter;
      // The counter is debited with what is billed, call by call, as they end.
      const consumed = tally.debited;
      const none = { held: 0, refunded: 0, overspent: 0, shortfall: 0, stranded: 0 };
      const drift = billed - consumed;
      checkCauses(driftCauses, drift);
      return { [name]: { capacity, balance, consumed, ...none, billed, drift, driftCauses } };
    }
    const row = this.books?.ledger.pool(name);
    invariant(row !== undefined, 'the pool is open', () => name);
    const { consumed, refunded, overspent, shortfall } = tally.flow(name);
    const drift = billed - consumed;
    checkCauses(driftCauses, drift);
    return {
      [name]: {
        capacity: row.capacity,
        balance: row.balance,
        held: row.held,
        consumed,
        refunded,
        overspent,
        shortfall,
        stranded: this.books?.watch.openTokens ?? 0,
        billed,
        drift,
        driftCauses,
      },
    };
  }
}

/** A pool and its ancestors, as the ledger knows them. */
function chainOf(ledger: Ledger, pool: string): readonly string[] {
  const parent = ledger.pool(pool)?.parent;
  return parent === undefined ? [pool] : [pool, ...chainOf(ledger, parent)];
}

function checkCauses(causes: DriftCauses, drift: number): void {
  invariant(
    driftOf(causes) === drift,
    'the causes of the drift sum to the drift',
    () => `${drift} tokens, by cause ${JSON.stringify(causes)}`,
  );
}
