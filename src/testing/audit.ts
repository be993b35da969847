// The ledger under test, with somebody looking over its shoulder: after every operation each row that it ever
// named must conserve, and be what the answers' deltas sum to. So a case that looks at one answer still sees
// what the operation did elsewhere.

import type { AsyncLedger } from '../ledger/async-ledger.ts';
import type * as Words from '../ledger/ledger.ts';
import { type AnyLedger, asynchronous } from './asynchronous.ts';
import type { Expectation } from './expectation.ts';

type Figures = Omit<Words.RowDelta, keyof Words.RowKey>;

const NONE: Figures = {
  capacity: 0,
  balance: 0,
  held: 0,
  consumed: 0,
  refunded: 0,
  overspent: 0,
  shortfall: 0,
};
const FIELDS = Object.keys(NONE) as readonly (keyof Figures)[];

export class Audit {
  /** The audited ledger, to be used instead of the one that was given. */
  readonly ledger: AsyncLedger;
  readonly #bare: AsyncLedger;
  readonly #expectation: Expectation;
  /** By `[pool, period]`. */
  readonly #sums = new Map<string, Figures>();
  #runningCount = 0;

  constructor(ledger: AnyLedger, expectation: Expectation) {
    const bare = asynchronous(ledger);
    this.#bare = bare;
    this.#expectation = expectation;
    this.ledger = {
      ...bare,
      openPool: (request) => this.#operate('openPool', () => bare.openPool(request)),
      reserve: (request) => this.#operate('reserve', () => bare.reserve(request)),
      dispatch: (request) => this.#operate('dispatch', () => bare.dispatch(request)),
      renew: (request) => this.#operate('renew', () => bare.renew(request)),
      extendTo: (request) => this.#operate('extendTo', () => bare.extendTo(request)),
      release: (request) => this.#operate('release', () => bare.release(request)),
      settle: (request) => this.#operate('settle', () => bare.settle(request)),
      reclaim: (request) => this.#operate('reclaim', () => bare.reclaim(request)),
      adjust: (request) => this.#operate('adjust', () => bare.adjust(request)),
      refill: (request) => this.#operate('refill', () => bare.refill(request)),
      pause: (request) => this.#operate('pause', () => bare.pause(request)),
      resume: (request) => this.#operate('resume', () => bare.resume(request)),
      post: (request) => this.#operate('post', () => bare.post(request)),
    };
  }

  /** What can be asked at the end: the journal tells of every movement, and a recount finds the rows right. */
  async conclude(): Promise<void> {
    await this.#checkRows('at the end');
    const told = new Map<string, Figures>();
    for (const { delta } of await this.#bare.journal()) addTo(told, delta);
    this.#expectation.equal(moved(told), moved(this.#sums), "the sums of the journal's deltas, by row");
    this.#expectation.equal(await this.#bare.verify(), [], 'verify()');
  }

  /** Calls may overlap; the rows are looked at whenever none is on its way. */
  async #operate<Answer extends { readonly delta: readonly Words.RowDelta[] }>(
    operation: keyof Words.Ledger,
    call: () => Promise<Answer>,
  ): Promise<Answer> {
    this.#runningCount += 1;
    try {
      const answer = await call();
      addTo(this.#sums, answer.delta);
      if (!['openPool', 'adjust', 'refill'].includes(operation)) {
        const minted = answer.delta.filter(({ capacity }) => capacity !== 0);
        if (minted.length > 0) this.#expectation.equal(minted, [], `rows whose capacity ${operation} moved`);
      }
      return answer;
    } finally {
      this.#runningCount -= 1;
      if (this.#runningCount === 0) await this.#checkRows(`after ${operation}`);
    }
  }

  async #checkRows(when: string): Promise<void> {
    for (const [key, sum] of this.#sums) {
      const [pool, period] = JSON.parse(key) as [string, number];
      const row = await this.#bare.pool(pool, period);
      if (row === undefined || !isSound(row, sum)) this.#tell(row, { pool, period, ...sum }, when);
    }
  }

  /** Fails, saying what is wrong with the row. */
  #tell(row: Words.BooksRow | undefined, told: Words.RowDelta, when: string): void {
    const name = `row ${told.pool}/${told.period} ${when}`;
    this.#expectation.matches(row, told, `${name}, against the deltas of all answers`);
    const { capacity, balance, held, consumed } = row as Words.BooksRow;
    this.#expectation.equal(balance + held + consumed, capacity, `${name}: balance + held + consumed`);
    this.#expectation.equal(Math.min(0, balance), 0, `${name}: the least of 0 and its balance`);
  }
}

/** Asked in plain words first: most rows are, and a runner's `expect` is slow. */
function isSound(row: Words.BooksRow, sum: Figures): boolean {
  const { capacity, balance, held, consumed } = row;
  return (
    FIELDS.every((field) => row[field] === sum[field]) &&
    balance + held + consumed === capacity &&
    balance >= 0
  );
}

/** The rows on which anything moved: a row of nothing may be told of or not. */
function moved(sums: ReadonlyMap<string, Figures>): Record<string, Figures> {
  return Object.fromEntries([...sums].filter(([, sum]) => FIELDS.some((field) => sum[field] !== 0)));
}

function addTo(sums: Map<string, Figures>, deltas: readonly Words.RowDelta[]): void {
  for (const delta of deltas) {
    const key = JSON.stringify([delta.pool, delta.period]);
    const before = sums.get(key) ?? NONE;
    const after = Object.fromEntries(FIELDS.map((field) => [field, before[field] + delta[field]]));
    sums.set(key, after as unknown as Figures);
  }
}
