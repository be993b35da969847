// One script's view of the ledger's records, which are JSON in hashes, and what it did to them: the rows it moved
// become its answer's delta, its line in the journal, and news for those who wait for tokens.

import {
  type BooksRow,
  type Hold,
  InputError,
  type JournalEntry,
  type PoolView,
  type Post,
  type RefusalReason,
  type RowDelta,
  type RowKey,
} from '../../../src/core.ts';
import type { Commands } from './key-value-server.ts';

export interface Pool
  extends Pick<PoolView, 'pool' | 'parent' | 'quota' | 'reclaim' | 'maxLeaseMs' | 'paused'> {
  readonly openedCapacity: number;
  readonly capacity: number;
  readonly period: number;
  readonly version: number;
}

export interface Refusal extends Pick<Hold, 'id' | 'pool' | 'job' | 'taker' | 'askedAmount' | 'leaseMs'> {
  readonly state: 'refused';
  readonly reason: RefusalReason;
  readonly refusedBy: string;
  readonly returnable: boolean;
  readonly version: number;
}

export type Reservation = Hold | Refusal;
export type Posted = Post & { readonly moved: number; readonly shortfall: number };

type Figures = Omit<RowDelta, keyof RowKey>;
type Line = Pick<JournalEntry, 'operation' | 'outcome'> & Partial<JournalEntry>;

const NOTHING: Figures = {
  capacity: 0,
  balance: 0,
  held: 0,
  consumed: 0,
  refunded: 0,
  overspent: 0,
  shortfall: 0,
};
const FIELDS = Object.keys(NOTHING) as readonly (keyof Figures)[];

export class Transaction {
  readonly #server: Commands;
  readonly #delta = new Map<string, RowDelta>();

  constructor(server: Commands) {
    this.#server = server;
  }

  get<Kind>(hash: string, field: string): Kind | undefined {
    const text = this.#server.hget(hash, field);
    return text === undefined ? undefined : (JSON.parse(text) as Kind);
  }

  all<Kind>(hash: string): readonly Kind[] {
    return this.#server.hvals(hash).map((text) => JSON.parse(text) as Kind);
  }

  set<Kind>(hash: string, field: string, value: Kind): Kind {
    this.#server.hset(hash, field, JSON.stringify(value));
    return value;
  }

  /** The pool and those above it, the root last. */
  chain(name: string, code = 'unknown-pool'): readonly [Pool, ...Pool[]] {
    const pool = this.get<Pool>('pools', name);
    if (pool === undefined) throw new InputError({ code, message: `there is no pool "${name}"` });
    return pool.parent === undefined ? [pool] : [pool, ...this.chain(pool.parent)];
  }

  row({ pool, period }: RowKey): BooksRow | undefined {
    return this.get('rows', keyOf({ pool, period }));
  }

  rows(keys: readonly RowKey[]): readonly BooksRow[] {
    return keys.map((key) => this.row(key)!);
  }

  hold(id: string): Hold {
    const found = this.get<Reservation>('reservations', id);
    if (found !== undefined && found.state !== 'refused') return found;
    const code = found === undefined ? 'unknown-hold' : 'refused-hold';
    throw new InputError({ code, message: `there is no hold "${id}"` });
  }

  /** Saves the hold with what is new of it. */
  change(hold: Hold, facts: Partial<Hold>): Hold {
    return this.set('reservations', hold.id, { ...hold, ...facts });
  }

  /** The same move on every row. */
  move(keys: readonly RowKey[], by: Partial<Figures>): void {
    for (const { pool, period } of keys) {
      const key = keyOf({ pool, period });
      const move = { pool, period, ...NOTHING, ...by };
      this.set('rows', key, sum(this.row(move) ?? { pool, period, ...NOTHING }, move));
      this.#delta.set(key, sum(this.#delta.get(key) ?? { pool, period, ...NOTHING }, move));
    }
  }

  /** Current rows that moved are news, by name or by the rows' own pools. */
  publish(names: readonly string[] = this.#movedPools()): void {
    for (const name of names) {
      const pool = this.get<Pool>('pools', name)!;
      this.set('pools', name, { ...pool, version: pool.version + 1 });
    }
  }

  /** What every answer has, the journal's line written; a repeat has none. */
  answer(pool: string, line?: Line): { already: boolean; delta: readonly RowDelta[]; version: number } {
    const delta = [...this.#delta.values()];
    if (line !== undefined) {
      const sequence = this.all('journal').length + 1;
      this.set('journal', String(sequence), { sequence, ...line, delta });
    }
    const version = this.chain(pool).reduce((total, link) => total + link.version, 0);
    return { already: line === undefined, delta, version };
  }

  #movedPools(): readonly string[] {
    return [...this.#delta.values()]
      .filter((delta) => FIELDS.some((field) => delta[field] !== 0))
      .filter(({ pool, period }) => this.get<Pool>('pools', pool)?.period === period)
      .map(({ pool }) => pool);
  }
}

function keyOf({ pool, period }: RowKey): string {
  return JSON.stringify([pool, period]);
}

function sum<Kind extends RowDelta>(one: Kind, other: RowDelta): Kind {
  const sums = FIELDS.map((field) => [field, one[field] + other[field]]);
  return { ...one, ...Object.fromEntries(sums) };
}
