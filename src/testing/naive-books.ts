// The naive ledger's books: a list of holds, a list of posts, and what each row was funded with. No balance is
// ever stored; every figure is summed up anew when somebody asks.

import type { BooksRow, Hold, OpenPool, ReclaimPolicy, RefusalReason, RowKey } from '../ledger/ledger.ts';
import type { Operation } from './operations.ts';

export interface NaivePool {
  readonly name: string;
  readonly parent: string | undefined;
  readonly reclaim: ReclaimPolicy;
  readonly maxLeaseMs: number;
  capacity: number;
  period: number;
  paused: boolean;
}

export interface NaiveHold {
  hold: Hold;
  gaveBack: number;
  settleAnswer?: { refunded: number; overspent: number; shortfall: number; late: boolean };
}

export interface NaivePost {
  readonly operation: Extract<Operation, { op: 'post' }>;
  readonly moved: number;
  readonly shortfall: number;
  readonly rows: readonly string[];
}

export interface NaiveRefusal {
  readonly operation: Extract<Operation, { op: 'reserve' }>;
  readonly answer: { readonly outcome: 'refused'; readonly reason: RefusalReason } & Record<string, unknown>;
}

export class NaiveBooks {
  readonly pools: NaivePool[] = [];
  readonly funded = new Map<string, number>();
  readonly holds: NaiveHold[] = [];
  readonly refused: NaiveRefusal[] = [];
  /** Ids ever asked for, oldest first. */
  readonly ids: string[] = [];
  readonly posts: NaivePost[] = [];

  open({ pool, capacity, parent, reclaim = 'refund', maxLeaseMs = 86_400_000 }: OpenPool): void {
    this.pools.push({ name: pool, parent, reclaim, maxLeaseMs, capacity, period: 0, paused: false });
    this.funded.set(key(pool, 0), capacity);
  }

  /** Every row there is, by `pool/period`. */
  rows(): Map<string, Omit<BooksRow, 'pool' | 'period'>> {
    return new Map([...this.funded.keys()].map((row) => [row, this.row(row)]));
  }

  /** What a pool's version watches: its current row, and whether it is paused. */
  face(pool: string): string {
    const { period, paused } = this.pool(pool);
    return JSON.stringify([period, paused, this.row(key(pool, period))]);
  }

  chain(pool: string): string[] {
    const { parent } = this.pool(pool);
    return parent === undefined ? [pool] : [pool, ...this.chain(parent)];
  }

  /** The pool that an operation's answer tells the version of. */
  subject(operation: Operation): string | undefined {
    if (operation.op === 'reserve') {
      return this.known(operation.id)?.pool ?? operation.pool;
    }
    if (operation.op === 'post')
      return this.posts.find((post) => post.operation.id === operation.id)?.operation.pool ?? operation.pool;
    return 'pool' in operation ? operation.pool : this.known(operation.id)?.pool;
  }

  refusal(id: string): NaiveRefusal | undefined {
    return this.refused.find((refused) => refused.operation.id === id);
  }

  row(row: string): Omit<BooksRow, 'pool' | 'period'> {
    const capacity = this.funded.get(row) ?? 0;
    const mine = this.holds.filter(({ hold }) =>
      hold.rows.some(({ pool, period }) => key(pool, period) === row),
    );
    const posts = this.posts.filter(({ rows }) => rows.includes(row));
    const sum = (figures: readonly number[]) => figures.reduce((total, figure) => total + figure, 0);
    const held = sum(mine.filter(({ hold }) => hold.state === 'held').map(({ hold }) => hold.amount));
    const consumed = sum([...mine.map(({ hold }) => hold.consumed), ...posts.map(({ moved }) => moved)]);
    return {
      capacity,
      balance: capacity - held - consumed,
      held,
      consumed,
      refunded: sum(mine.map(({ gaveBack }) => gaveBack)),
      overspent: sum(mine.map(({ hold }) => hold.overspent)),
      shortfall: sum([...mine.map(({ hold }) => hold.shortfall), ...posts.map(({ shortfall }) => shortfall)]),
    };
  }

  currentRows(pool: string): string[] {
    return this.chain(pool).map((name) => key(name, this.pool(name).period));
  }

  known(id: string): { readonly pool: string } | undefined {
    return (
      this.holds.find(({ hold }) => hold.id === id)?.hold ??
      this.refused.find((refused) => refused.operation.id === id)?.operation
    );
  }

  pool(name: string): NaivePool {
    return this.pools.find((pool) => pool.name === name)!;
  }
}

/** How a row is named. */
export function key(pool: string, period: number): string {
  return `${pool}/${period}`;
}

export function unkey(row: string): RowKey {
  const [pool = '', period] = row.split('/');
  return { pool, period: Number(period) };
}
