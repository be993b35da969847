// The ledger once more, as plainly as it can be said: a list of holds, a list of posts, and what each row
// was funded with. No balance is ever stored; every figure is summed up anew when somebody asks. Slow,
// and written without looking at the rules, so that it does not share their mistakes.

import type { BooksRow, Hold, OpenPool, ReclaimPolicy } from '../../src/ledger/ledger.ts';
import type { Command } from './commands.ts';

/** An answer without its delta and version (which the test derives from the books), or an error's code. */
export type Expected = { readonly throws: string } | ({ readonly outcome: string } & Record<string, unknown>);

interface ModelPool {
  readonly name: string;
  readonly parent: string | undefined;
  readonly reclaim: ReclaimPolicy;
  readonly maxLeaseMs: number;
  capacity: number;
  period: number;
  paused: boolean;
}

interface ModelHold {
  hold: Hold;
  gaveBack: number;
  settleAnswer?: { refunded: number; overspent: number; shortfall: number; late: boolean };
}

interface ModelPost {
  readonly command: Extract<Command, { op: 'post' }>;
  readonly moved: number;
  readonly shortfall: number;
  readonly rows: readonly string[];
}

type Of<Op extends Command['op']> = Extract<Command, { op: Op }>;

export class NaiveLedger {
  readonly #pools: ModelPool[] = [];
  readonly #funded = new Map<string, number>();
  readonly #holds: ModelHold[] = [];
  readonly #refused: { command: Of<'reserve'>; answer: Expected }[] = [];
  readonly #posts: ModelPost[] = [];

  open({ pool, capacity, parent, reclaim = 'refund', maxLeaseMs = 86_400_000 }: OpenPool): void {
    this.#pools.push({ name: pool, parent, reclaim, maxLeaseMs, capacity, period: 0, paused: false });
    this.#funded.set(key(pool, 0), capacity);
  }

  /** Every row there is, by `pool/period`. */
  rows(): Map<string, Omit<BooksRow, 'pool' | 'period'>> {
    return new Map([...this.#funded.keys()].map((row) => [row, this.#row(row)]));
  }

  /** What a pool's version watches: its current row, and whether it is paused. */
  face(pool: string): string {
    const { period, paused } = this.#pool(pool);
    return JSON.stringify([period, paused, this.#row(key(pool, period))]);
  }

  chain(pool: string): string[] {
    const { parent } = this.#pool(pool);
    return parent === undefined ? [pool] : [pool, ...this.chain(parent)];
  }

  /** The pool that a command's answer tells the version of. */
  subject(command: Command): string | undefined {
    if (command.op === 'reserve') {
      return this.#known(command.id)?.pool ?? command.pool;
    }
    if (command.op === 'post')
      return this.#posts.find((post) => post.command.id === command.id)?.command.pool ?? command.pool;
    return 'pool' in command ? command.pool : this.#known(command.id)?.pool;
  }

  holds(): readonly Hold[] {
    return this.#holds.map(({ hold }) => hold);
  }

  play(command: Command, now: number): Expected {
    switch (command.op) {
      case 'reserve':
        return this.#reserve(command, now);
      case 'post':
        return this.#post(command);
      case 'reclaim':
        return this.#reclaim(command, now);
      case 'adjust': {
        const pool = this.#pool(command.pool);
        const row = this.#row(key(pool.name, pool.period));
        if (command.capacity < row.held + row.consumed) return { throws: 'capacity-below-use' };
        pool.capacity = command.capacity;
        this.#funded.set(key(pool.name, pool.period), command.capacity);
        return { outcome: 'adjusted', capacity: command.capacity, already: false };
      }
      case 'refill': {
        const pool = this.#pool(command.pool);
        if (command.period <= pool.period) return { outcome: 'stale', period: pool.period, already: true };
        pool.period = command.period;
        this.#funded.set(key(pool.name, pool.period), pool.capacity);
        return { outcome: 'refilled', period: command.period, already: false };
      }
      case 'pause':
      case 'resume': {
        const pool = this.#pool(command.pool);
        const wanted = command.op === 'pause';
        const already = pool.paused === wanted;
        pool.paused = wanted;
        return { outcome: wanted ? 'paused' : 'resumed', already };
      }
      default: {
        const entry = this.#holds.find(({ hold }) => hold.id === command.id);
        if (entry === undefined) {
          const isRefused = this.#refused.some((refused) => refused.command.id === command.id);
          return { throws: isRefused ? 'refused-hold' : 'unknown-hold' };
        }
        return this.#onHold(command, entry, now);
      }
    }
  }

  #reserve(command: Of<'reserve'>, now: number): Expected {
    const { id, pool, taker, amount, leaseMs } = command;
    const refusedBefore = this.#refused.find((refused) => refused.command.id === id);
    const heldBefore = this.#holds.find(({ hold }) => hold.id === id)?.hold;
    if (refusedBefore !== undefined) {
      const first = refusedBefore.command;
      return first.pool === pool &&
        first.taker === taker &&
        first.amount === amount &&
        first.leaseMs === leaseMs
        ? { ...refusedBefore.answer, already: true }
        : { outcome: 'id-reused', already: false };
    }
    if (heldBefore !== undefined) {
      const isSame =
        heldBefore.pool === pool &&
        heldBefore.taker === taker &&
        heldBefore.askedAmount === amount &&
        heldBefore.leaseMs === leaseMs;
      return isSame
        ? { outcome: 'granted', hold: heldBefore, already: true }
        : { outcome: 'id-reused', already: false };
    }
    const rows = this.#currentRows(pool);
    const no = this.#refusal(pool, rows, amount, amount);
    if (no !== undefined) {
      const answer = { outcome: 'refused', ...no, already: false };
      this.#refused.push({ command, answer });
      return answer;
    }
    const longest = Math.min(...this.chain(pool).map((name) => this.#pool(name).maxLeaseMs));
    const hold: Hold = {
      id,
      pool,
      job: `job ${id}`,
      taker,
      askedAmount: amount,
      amount,
      state: 'held',
      dispatched: false,
      heldAtMs: now,
      leaseExpiresAtMs: now + Math.min(leaseMs, longest),
      leaseMs,
      rows: rows.map(unkey),
      consumed: 0,
      charged: false,
      overspent: 0,
      shortfall: 0,
      late: false,
    };
    this.#holds.push({ hold, gaveBack: 0 });
    return { outcome: 'granted', hold, already: false };
  }

  #onHold(
    command: Exclude<
      Command,
      { op: 'reserve' | 'post' | 'reclaim' | 'adjust' | 'refill' | 'pause' | 'resume' }
    >,
    entry: ModelHold,
    now: number,
  ): Expected {
    const { hold } = entry;
    const { state } = hold;
    const isOpen = state === 'held';
    const refuse = (reason: string, more = {}) => ({
      outcome: 'refused',
      state,
      reason,
      ...more,
      already: false,
    });
    const change = (more: Partial<Hold>) => {
      entry.hold = { ...hold, ...more };
      return entry.hold;
    };
    switch (command.op) {
      case 'dispatch':
        if (!isOpen) return refuse('closed');
        if (now > hold.leaseExpiresAtMs) return refuse('lease-expired');
        return { outcome: 'dispatched', already: hold.dispatched, hold: change({ dispatched: true }) };
      case 'renew': {
        const longest = Math.min(...this.chain(hold.pool).map((name) => this.#pool(name).maxLeaseMs));
        const latest = hold.heldAtMs + longest;
        if (!isOpen) return refuse('closed');
        if (now > latest) return refuse('lease-limit');
        const wanted = Math.min(now + command.leaseMs, latest);
        const leaseExpiresAtMs = Math.max(wanted, hold.leaseExpiresAtMs);
        return { outcome: 'renewed', already: false, hold: change({ leaseExpiresAtMs }) };
      }
      case 'extendTo': {
        if (!isOpen) return refuse('closed', { returnable: false });
        if (command.total <= hold.amount) return { outcome: 'extended', hold, already: false };
        const rows = hold.rows.map(({ pool, period }) => key(pool, period));
        if (String(rows) !== String(this.#currentRows(hold.pool)))
          return refuse('row-closed', { returnable: false });
        const no = this.#refusal(hold.pool, rows, command.total - hold.amount, command.total);
        if (no !== undefined) return refuse(no.reason, { returnable: no.returnable });
        return { outcome: 'extended', already: false, hold: change({ amount: command.total }) };
      }
      case 'release':
        if (state === 'released') return { outcome: 'released', hold, already: true };
        if (!isOpen) return refuse('closed');
        if (hold.dispatched) return refuse('dispatched');
        entry.gaveBack = hold.amount;
        return { outcome: 'released', already: false, hold: change({ state: 'released', closedAtMs: now }) };
      case 'settle':
        return this.#settle(command.actual, entry, now);
    }
  }

  #settle(actual: number, entry: ModelHold, now: number): Expected {
    const { hold } = entry;
    if (entry.settleAnswer !== undefined) {
      return {
        outcome: 'settled',
        hold,
        ...entry.settleAnswer,
        already: true,
        differs: actual !== hold.actual,
      };
    }
    const used = Math.min(actual, hold.amount);
    const overspent = actual - used;
    const late = hold.state !== 'held';
    let consumed = used;
    let refunded = hold.amount - used;
    if (late && !hold.charged) {
      const balances = hold.rows.map(({ pool, period }) => this.#row(key(pool, period)).balance);
      consumed = Math.min(used, ...balances);
      refunded = 0;
    }
    const shortfall = used - consumed;
    entry.settleAnswer = { refunded, overspent, shortfall, late };
    entry.gaveBack += refunded;
    entry.hold = {
      ...hold,
      state: late ? hold.state : 'settled',
      consumed,
      overspent,
      shortfall,
      late,
      actual,
      ...(!late && { closedAtMs: now }),
    };
    return { outcome: 'settled', hold: entry.hold, ...entry.settleAnswer, already: false, differs: false };
  }

  #reclaim({ pool, limit, force }: Of<'reclaim'>, now: number): Expected {
    if (force && !this.#pool(pool).paused) return { throws: 'force-needs-pause' };
    const due = this.#holds
      .filter(({ hold }) => hold.state === 'held' && this.chain(hold.pool).includes(pool))
      .filter(({ hold }) => force || now > hold.leaseExpiresAtMs)
      .sort((x, y) => (x.hold.id < y.hold.id ? -1 : 1))
      .sort((x, y) => x.hold.leaseExpiresAtMs - y.hold.leaseExpiresAtMs)
      .slice(0, limit);
    for (const entry of due) {
      const { hold } = entry;
      const isDead = now > hold.leaseExpiresAtMs;
      const charged = hold.dispatched && (isDead ? this.#pool(hold.pool).reclaim === 'charge' : true);
      entry.gaveBack = charged ? 0 : hold.amount;
      entry.hold = {
        ...hold,
        state: 'expired',
        charged,
        consumed: charged ? hold.amount : 0,
        closedAtMs: now,
      };
    }
    return { outcome: 'reclaimed', closed: due.map(({ hold }) => hold), already: false };
  }

  #post(command: Of<'post'>): Expected {
    const { id, pool, side, amount, hold: holdId } = command;
    const first = this.#posts.find((post) => post.command.id === id);
    if (first !== undefined) {
      const was = first.command;
      const isSame =
        was.pool === pool &&
        was.side === side &&
        was.amount === amount &&
        (side === 'debit' || was.hold === holdId);
      if (!isSame) return { throws: 'id-reused' };
      return { outcome: 'posted', moved: first.moved, shortfall: first.shortfall, already: true };
    }
    if (side === 'debit') {
      const rows = this.#currentRows(pool);
      const moved = Math.min(amount, ...rows.map((row) => this.#row(row).balance));
      this.#posts.push({ command, moved, shortfall: amount - moved, rows });
      return { outcome: 'posted', moved, shortfall: amount - moved, already: false };
    }
    const entry = this.#holds.find(({ hold }) => hold.id === holdId);
    if (entry === undefined) {
      return {
        throws: this.#refused.some((refused) => refused.command.id === holdId)
          ? 'refused-hold'
          : 'unknown-hold',
      };
    }
    if (entry.settleAnswer === undefined) return { throws: 'hold-not-settled' };
    if (entry.hold.pool !== pool) return { throws: 'wrong-pool' };
    const moved = Math.min(amount, entry.hold.consumed);
    entry.hold = { ...entry.hold, consumed: entry.hold.consumed - moved };
    this.#posts.push({ command, moved, shortfall: 0, rows: [] });
    return { outcome: 'posted', moved, shortfall: 0, already: false };
  }

  #refusal(pool: string, rows: readonly string[], more: number, total: number) {
    const returnable = rows
      .map((row) => this.#row(row))
      .every(({ balance, held }) => balance + held >= total);
    for (const name of this.chain(pool)) {
      if (this.#pool(name).paused) return { reason: 'paused', pool: name, returnable };
    }
    for (const row of rows) {
      if (total > this.#row(row).capacity)
        return { reason: 'exceeds-capacity', pool: unkey(row).pool, returnable: false };
    }
    for (const row of rows) {
      if (more > this.#row(row).balance) return { reason: 'insufficient', pool: unkey(row).pool, returnable };
    }
    return undefined;
  }

  #row(row: string): Omit<BooksRow, 'pool' | 'period'> {
    const capacity = this.#funded.get(row) ?? 0;
    const mine = this.#holds.filter(({ hold }) =>
      hold.rows.some(({ pool, period }) => key(pool, period) === row),
    );
    const posts = this.#posts.filter(({ rows }) => rows.includes(row));
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

  #currentRows(pool: string): string[] {
    return this.chain(pool).map((name) => key(name, this.#pool(name).period));
  }

  #known(id: string): { readonly pool: string } | undefined {
    return (
      this.#holds.find(({ hold }) => hold.id === id)?.hold ??
      this.#refused.find((refused) => refused.command.id === id)?.command
    );
  }

  #pool(name: string): ModelPool {
    return this.#pools.find((pool) => pool.name === name)!;
  }
}

function key(pool: string, period: number): string {
  return `${pool}/${period}`;
}

function unkey(row: string): { readonly pool: string; readonly period: number } {
  const [pool = '', period] = row.split('/');
  return { pool, period: Number(period) };
}
