// The ledger once more, as plainly as it can be said, over books that store no balance. Slow, and written without
// looking at the rules, so that it does not share their mistakes.

import type { Hold, RefusalReason } from '../ledger/ledger.ts';
import { key, NaiveBooks, type NaiveHold, unkey } from './naive-books.ts';
import type { Operation } from './operations.ts';

/** An answer without its delta and version (which the model derives from the books), or an error's code. */
export type NaiveAnswer =
  | { readonly throws: string }
  | (Readonly<Record<string, unknown>> & { readonly throws?: undefined; readonly outcome: string });

type Of<Op extends Operation['op']> = Extract<Operation, { op: Op }>;

export class NaiveLedger {
  readonly books = new NaiveBooks();

  play(operation: Operation, now: number): NaiveAnswer {
    switch (operation.op) {
      case 'reserve':
        return this.#reserve(operation, now);
      case 'post':
        return this.#post(operation);
      case 'reclaim':
        return this.#reclaim(operation, now);
      case 'adjust': {
        const pool = this.books.pool(operation.pool);
        const row = this.books.row(key(pool.name, pool.period));
        if (operation.capacity < row.held + row.consumed) return { throws: 'capacity-below-use' };
        pool.capacity = operation.capacity;
        this.books.funded.set(key(pool.name, pool.period), operation.capacity);
        return { outcome: 'adjusted', capacity: operation.capacity, already: false };
      }
      case 'refill': {
        const pool = this.books.pool(operation.pool);
        if (operation.period <= pool.period) return { outcome: 'stale', period: pool.period, already: true };
        pool.period = operation.period;
        this.books.funded.set(key(pool.name, pool.period), pool.capacity);
        return { outcome: 'refilled', period: operation.period, already: false };
      }
      case 'pause':
      case 'resume': {
        const pool = this.books.pool(operation.pool);
        const wanted = operation.op === 'pause';
        const already = pool.paused === wanted;
        pool.paused = wanted;
        return { outcome: wanted ? 'paused' : 'resumed', already };
      }
      default: {
        const entry = this.books.holds.find(({ hold }) => hold.id === operation.id);
        if (entry === undefined) {
          const isRefused = this.books.refused.some((refused) => refused.operation.id === operation.id);
          return { throws: isRefused ? 'refused-hold' : 'unknown-hold' };
        }
        return this.#onHold(operation, entry, now);
      }
    }
  }

  #reserve(operation: Of<'reserve'>, now: number): NaiveAnswer {
    const { id, pool, taker, amount, leaseMs } = operation;
    const refusedBefore = this.books.refused.find((refused) => refused.operation.id === id);
    const heldBefore = this.books.holds.find(({ hold }) => hold.id === id)?.hold;
    if (refusedBefore !== undefined) {
      const first = refusedBefore.operation;
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
    const rows = this.books.currentRows(pool);
    const no = this.#refusal(pool, rows, amount, amount);
    this.books.ids.push(id);
    if (no !== undefined) {
      const answer = { outcome: 'refused' as const, ...no, already: false };
      this.books.refused.push({ operation, answer });
      return answer;
    }
    const longest = Math.min(...this.books.chain(pool).map((name) => this.books.pool(name).maxLeaseMs));
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
    this.books.holds.push({ hold, gaveBack: 0 });
    return { outcome: 'granted', hold, already: false };
  }

  #onHold(
    operation: Exclude<
      Operation,
      { op: 'reserve' | 'post' | 'reclaim' | 'adjust' | 'refill' | 'pause' | 'resume' }
    >,
    entry: NaiveHold,
    now: number,
  ): NaiveAnswer {
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
    switch (operation.op) {
      case 'dispatch':
        if (!isOpen) return refuse('closed');
        if (now > hold.leaseExpiresAtMs) return refuse('lease-expired');
        return { outcome: 'dispatched', already: hold.dispatched, hold: change({ dispatched: true }) };
      case 'renew': {
        const longest = Math.min(
          ...this.books.chain(hold.pool).map((name) => this.books.pool(name).maxLeaseMs),
        );
        const latest = hold.heldAtMs + longest;
        if (!isOpen) return refuse('closed');
        if (now > latest) return refuse('lease-limit');
        const wanted = Math.min(now + operation.leaseMs, latest);
        const leaseExpiresAtMs = Math.max(wanted, hold.leaseExpiresAtMs);
        return { outcome: 'renewed', already: false, hold: change({ leaseExpiresAtMs }) };
      }
      case 'extendTo': {
        if (!isOpen) return refuse('closed', { returnable: false });
        if (operation.total <= hold.amount) return { outcome: 'extended', hold, already: false };
        const rows = hold.rows.map(({ pool, period }) => key(pool, period));
        if (String(rows) !== String(this.books.currentRows(hold.pool)))
          return refuse('row-closed', { returnable: false });
        const no = this.#refusal(hold.pool, rows, operation.total - hold.amount, operation.total);
        if (no !== undefined) return refuse(no.reason, { returnable: no.returnable });
        return { outcome: 'extended', already: false, hold: change({ amount: operation.total }) };
      }
      case 'release':
        if (state === 'released') return { outcome: 'released', hold, already: true };
        if (!isOpen) return refuse('closed');
        if (hold.dispatched) return refuse('dispatched');
        entry.gaveBack = hold.amount;
        return { outcome: 'released', already: false, hold: change({ state: 'released', closedAtMs: now }) };
      case 'settle':
        return this.#settle(operation.actual, entry, now);
    }
  }

  #settle(actual: number, entry: NaiveHold, now: number): NaiveAnswer {
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
      const balances = hold.rows.map(({ pool, period }) => this.books.row(key(pool, period)).balance);
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

  #reclaim({ pool, limit, force }: Of<'reclaim'>, now: number): NaiveAnswer {
    if (force && !this.books.pool(pool).paused) return { throws: 'force-needs-pause' };
    const due = this.books.holds
      .filter(({ hold }) => hold.state === 'held' && this.books.chain(hold.pool).includes(pool))
      .filter(({ hold }) => force || now > hold.leaseExpiresAtMs)
      .sort((x, y) => (x.hold.id < y.hold.id ? -1 : 1))
      .sort((x, y) => x.hold.leaseExpiresAtMs - y.hold.leaseExpiresAtMs)
      .slice(0, limit);
    for (const entry of due) {
      const { hold } = entry;
      const isDead = now > hold.leaseExpiresAtMs;
      const charged = hold.dispatched && (isDead ? this.books.pool(hold.pool).reclaim === 'charge' : true);
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

  #post(operation: Of<'post'>): NaiveAnswer {
    const { id, pool, side, amount, hold: holdId } = operation;
    const first = this.books.posts.find((post) => post.operation.id === id);
    if (first !== undefined) {
      const was = first.operation;
      const isSame =
        was.pool === pool &&
        was.side === side &&
        was.amount === amount &&
        (side === 'debit' || was.hold === holdId);
      if (!isSame) return { throws: 'id-reused' };
      return { outcome: 'posted', moved: first.moved, shortfall: first.shortfall, already: true };
    }
    if (side === 'debit') {
      const rows = this.books.currentRows(pool);
      const moved = Math.min(amount, ...rows.map((row) => this.books.row(row).balance));
      this.books.posts.push({ operation, moved, shortfall: amount - moved, rows });
      return { outcome: 'posted', moved, shortfall: amount - moved, already: false };
    }
    const entry = this.books.holds.find(({ hold }) => hold.id === holdId);
    if (entry === undefined) {
      return {
        throws: this.books.refused.some((refused) => refused.operation.id === holdId)
          ? 'refused-hold'
          : 'unknown-hold',
      };
    }
    if (entry.settleAnswer === undefined) return { throws: 'hold-not-settled' };
    if (entry.hold.pool !== pool) return { throws: 'wrong-pool' };
    const moved = Math.min(amount, entry.hold.consumed);
    entry.hold = { ...entry.hold, consumed: entry.hold.consumed - moved };
    this.books.posts.push({ operation, moved, shortfall: 0, rows: [] });
    return { outcome: 'posted', moved, shortfall: 0, already: false };
  }

  #refusal(
    pool: string,
    rows: readonly string[],
    more: number,
    total: number,
  ): { reason: RefusalReason; pool: string; returnable: boolean } | undefined {
    const returnable = rows
      .map((row) => this.books.row(row))
      .every(({ balance, held }) => balance + held >= total);
    for (const name of this.books.chain(pool)) {
      if (this.books.pool(name).paused) return { reason: 'paused', pool: name, returnable };
    }
    for (const row of rows) {
      if (total > this.books.row(row).capacity)
        return { reason: 'exceeds-capacity', pool: unkey(row).pool, returnable: false };
    }
    for (const row of rows) {
      if (more > this.books.row(row).balance)
        return { reason: 'insufficient', pool: unkey(row).pool, returnable };
    }
    return undefined;
  }
}
