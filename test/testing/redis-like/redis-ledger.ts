// A ledger of one's own: on a server of keys and values, where each operation is one atomic script. It shares no
// line with Plimsoll's ledgers; that it does the same is what the contract shows.

import {
  type BooksRow,
  type Discrepancy,
  type DispatchAnswer,
  type ExtendAnswer,
  type HistoryEntry,
  type Hold,
  type JournalEntry,
  type Ledger,
  LedgerUnavailable,
  type OpenPool,
  type PoolView,
  type Post,
  type PostAnswer,
  type RefusalReason,
  type Reserve,
  type ReserveAnswer,
  type RowKey,
  type SettleAnswer,
} from '../../../src/core.ts';
import type { AsyncLedger } from '../../../src/testing/index.ts';
import * as check from './checks.ts';
import { ConnectionLost, type KeyValueServer } from './key-value-server.ts';
import { type Pool, type Posted, type Refusal, type Reservation, Transaction } from './transaction.ts';

type Request<Operation extends keyof Ledger> = Parameters<Ledger[Operation]>[0];

const OPTIONS = ['pool', 'capacity', 'quota', 'parent', 'reclaim', 'maxLeaseMs', 'nowMs'];
const DAY_MS = 86_400_000;

export class RedisLedger implements AsyncLedger {
  readonly server: KeyValueServer;

  constructor(server: KeyValueServer) {
    this.server = server;
  }

  async openPool(request: OpenPool) {
    const {
      pool: name,
      capacity,
      quota = capacity,
      parent,
      reclaim = 'refund',
      maxLeaseMs = DAY_MS,
    } = request;
    check.options(request, OPTIONS);
    check.text('pool', name);
    check.tokens('capacity', capacity);
    check.tokens('quota', quota);
    check.lease('maxLeaseMs', maxLeaseMs);
    check.choice('reclaim', reclaim, ['refund', 'charge']);
    check.moment(request.nowMs);
    return this.#script((script) => {
      const existing = script.get<Pool>('pools', name);
      const facts = { quota, reclaim, maxLeaseMs, openedCapacity: capacity };
      if (existing !== undefined) {
        const isSame = Object.entries(facts).every(([key, value]) => existing[key as keyof Pool] === value);
        check.must(isSame && existing.parent === parent, 'pool-differs');
        return { outcome: 'opened' as const, ...script.answer(name) };
      }
      if (parent !== undefined) script.chain(parent, 'unknown-parent');
      const opened = { pool: name, ...facts, capacity, period: 0, paused: false, version: 0 };
      script.set<Pool>('pools', name, { ...opened, ...(parent !== undefined && { parent }) });
      script.move([{ pool: name, period: 0 }], { capacity, balance: capacity });
      const line = { operation: 'open-pool', outcome: 'opened', pool: name, amount: capacity } as const;
      return { outcome: 'opened' as const, ...script.answer(name, { ...line, ...at(request) }) };
    });
  }

  async reserve(request: Reserve): Promise<ReserveAnswer> {
    const { id, pool: name, job, taker = '', amount, leaseMs, nowMs } = request;
    check.text('id', id);
    check.text('job', job, 0);
    check.tokens('amount', amount);
    check.lease('leaseMs', leaseMs);
    check.present(nowMs);
    return this.#script((script): ReserveAnswer => {
      const asked = { id, pool: name, job, taker, askedAmount: amount, leaseMs };
      const line = { operation: 'reserve', pool: name, id, job, amount, atMs: nowMs } as const;
      const earlier = script.get<Reservation>('reservations', id);
      if (earlier !== undefined) {
        const isSame = Object.entries(asked).every(([key, value]) => earlier[key as 'id'] === value);
        if (!isSame) {
          const answer = script.answer(earlier.pool, { ...line, outcome: 'id-reused' });
          return { outcome: 'id-reused', ...answer };
        }
        if (earlier.state !== 'refused') {
          return { outcome: 'granted', hold: earlier, ...script.answer(earlier.pool) };
        }
        const { reason, refusedBy, returnable, version } = earlier;
        const again = { ...script.answer(earlier.pool), version };
        return { outcome: 'refused', reason, pool: refusedBy, returnable, ...again };
      }
      const chain = script.chain(name);
      const rows = chain.map(({ pool, period }) => ({ pool, period }));
      const refused = refusal(chain, script.rows(rows), amount, amount);
      if (refused !== undefined) {
        const { reason, pool: refusedBy, returnable } = refused;
        const detail = refusedBy === name ? reason : `${reason} at ${refusedBy}`;
        const answer = script.answer(name, { ...line, outcome: 'refused', detail });
        const remembered = { ...asked, state: 'refused', reason, refusedBy, returnable } as const;
        script.set<Refusal>('reservations', id, { ...remembered, version: answer.version });
        return { outcome: 'refused', ...refused, ...answer, already: false };
      }
      script.move(rows, { balance: -amount, held: amount });
      const hold = script.set<Hold>('reservations', id, {
        ...asked,
        amount,
        state: 'held',
        dispatched: false,
        heldAtMs: nowMs,
        leaseExpiresAtMs: nowMs + Math.min(leaseMs, longestLease(chain)),
        rows,
        consumed: 0,
        charged: false,
        overspent: 0,
        shortfall: 0,
        late: false,
      });
      return { outcome: 'granted', hold, ...script.answer(name, { ...line, outcome: 'granted' }) };
    });
  }

  async dispatch({ id, nowMs }: Request<'dispatch'>): Promise<DispatchAnswer> {
    check.present(nowMs);
    return this.#script((script): DispatchAnswer => {
      const hold = script.hold(id);
      const { state } = hold;
      const line = { operation: 'dispatch', ...about(hold), atMs: nowMs } as const;
      if (state !== 'held' || nowMs > hold.leaseExpiresAtMs) {
        const reason = state === 'held' ? 'lease-expired' : 'closed';
        const answer = script.answer(hold.pool, { ...line, outcome: 'refused', detail: reason });
        return { outcome: 'refused', state, reason, ...answer };
      }
      if (hold.dispatched) return { outcome: 'dispatched', hold, ...script.answer(hold.pool) };
      const dispatched = script.change(hold, { dispatched: true });
      const answer = script.answer(hold.pool, { ...line, outcome: 'dispatched' });
      return { outcome: 'dispatched', hold: dispatched, ...answer };
    });
  }

  async renew({ id, leaseMs, nowMs }: Request<'renew'>) {
    check.lease('leaseMs', leaseMs);
    check.present(nowMs);
    return this.#script((script) => {
      const hold = script.hold(id);
      const { state, pool } = hold;
      const limitMs = hold.heldAtMs + longestLease(script.chain(pool));
      const line = { operation: 'renew', ...about(hold), atMs: nowMs } as const;
      if (state !== 'held' || nowMs > limitMs) {
        const reason = state === 'held' ? ('lease-limit' as const) : ('closed' as const);
        const answer = script.answer(pool, { ...line, outcome: 'refused', detail: reason });
        return { outcome: 'refused' as const, state, reason, ...answer };
      }
      const leaseExpiresAtMs = Math.max(hold.leaseExpiresAtMs, Math.min(nowMs + leaseMs, limitMs));
      const renewed = script.change(hold, { leaseExpiresAtMs });
      const answer = script.answer(pool, { ...line, outcome: 'renewed' });
      return { outcome: 'renewed' as const, hold: renewed, ...answer };
    });
  }

  async extendTo({ id, total, nowMs }: Request<'extendTo'>): Promise<ExtendAnswer> {
    check.tokens('total', total);
    check.present(nowMs);
    return this.#script((script): ExtendAnswer => {
      const hold = script.hold(id);
      const { state, rows } = hold;
      const line = { operation: 'extend-to', ...about(hold), amount: total, atMs: nowMs } as const;
      const refuse = (reason: 'closed' | 'row-closed' | RefusalReason, returnable = false) => {
        const answer = script.answer(hold.pool, { ...line, outcome: 'refused', detail: reason });
        return { outcome: 'refused', state, reason, returnable, ...answer } as const;
      };
      if (state !== 'held') return refuse('closed');
      const more = Math.max(0, total - hold.amount);
      if (more > 0) {
        const chain = script.chain(hold.pool);
        if (rows.some(({ period }, i) => period !== chain[i]?.period)) return refuse('row-closed');
        const no = refusal(chain, script.rows(rows), more, total);
        if (no !== undefined) return refuse(no.reason, no.returnable);
        script.move(rows, { balance: -more, held: more });
      }
      const extended = script.change(hold, { amount: hold.amount + more });
      const answer = script.answer(hold.pool, { ...line, outcome: 'extended' });
      return { outcome: 'extended', hold: extended, ...answer };
    });
  }

  async release({ id, nowMs }: Request<'release'>) {
    check.moment(nowMs);
    return this.#script((script) => {
      const hold = script.hold(id);
      const { state, pool, amount } = hold;
      const line = { operation: 'release', ...about(hold), ...at({ nowMs }) } as const;
      if (state === 'released') return { outcome: 'released' as const, hold, ...script.answer(pool) };
      if (state !== 'held' || hold.dispatched) {
        const reason = state === 'held' ? ('dispatched' as const) : ('closed' as const);
        const answer = script.answer(pool, { ...line, outcome: 'refused', detail: reason });
        return { outcome: 'refused' as const, state, reason, ...answer };
      }
      script.move(hold.rows, { balance: amount, held: -amount, refunded: amount });
      script.publish();
      const released = script.change(hold, { state: 'released', ...closedAt(nowMs) });
      const answer = script.answer(pool, { ...line, outcome: 'released', amount });
      return { outcome: 'released' as const, hold: released, ...answer };
    });
  }

  async settle({ id, actual, nowMs }: Request<'settle'>): Promise<SettleAnswer> {
    check.tokens('actual', actual);
    check.moment(nowMs);
    return this.#script((script): SettleAnswer => {
      const hold = script.hold(id);
      const line = { operation: 'settle', ...about(hold), amount: actual, ...at({ nowMs }) } as const;
      const used = Math.min(hold.actual ?? actual, hold.amount);
      const isLate = hold.actual === undefined ? hold.state !== 'held' : hold.late;
      const refunded = isLate && !hold.charged ? 0 : hold.amount - used;
      if (hold.actual !== undefined) {
        const differs = actual !== hold.actual;
        const { overspent, shortfall, late } = hold;
        const answer = script.answer(hold.pool, differs ? { ...line, outcome: 'differs' } : undefined);
        const facts = { refunded, overspent, shortfall, late, differs };
        return { outcome: 'settled', hold, ...facts, ...answer, already: true };
      }
      const overspent = actual - used;
      const balances = script.rows(hold.rows).map(({ balance }) => balance);
      const consumed = isLate && !hold.charged ? Math.min(used, ...balances) : used;
      const shortfall = used - consumed;
      const held = isLate ? 0 : -hold.amount;
      const wasConsumed = hold.consumed;
      const balance = wasConsumed - consumed - held;
      script.move(hold.rows, {
        balance,
        held,
        consumed: consumed - wasConsumed,
        refunded,
        overspent,
        shortfall,
      });
      script.publish();
      const settled = script.change(hold, {
        ...(!isLate && { state: 'settled', ...closedAt(nowMs) }),
        ...{ actual, consumed, overspent, shortfall, late: isLate },
      });
      const answer = script.answer(hold.pool, { ...line, outcome: 'settled' });
      const facts = { refunded, overspent, shortfall, late: isLate, differs: false };
      return { outcome: 'settled', hold: settled, ...facts, ...answer };
    });
  }

  async reclaim({ pool: name, nowMs, limit = 1000, force = false }: Request<'reclaim'>) {
    check.present(nowMs);
    check.integer('limit', limit, 1);
    return this.#script((script) => {
      check.must(!force || script.chain(name)[0].paused, 'force-needs-pause');
      const isBelow = (pool: string) => script.chain(pool).some((link) => link.pool === name);
      const isDead = ({ leaseExpiresAtMs }: Hold) => nowMs > leaseExpiresAtMs;
      script.chain(name);
      const closed = holdsOf(script)
        .filter((hold) => hold.state === 'held' && isBelow(hold.pool) && (force || isDead(hold)))
        .sort((one, other) => one.leaseExpiresAtMs - other.leaseExpiresAtMs || byCodePoint(one.id, other.id))
        .slice(0, limit)
        .map((hold) => {
          const { amount, dispatched, rows } = hold;
          const charged = dispatched && (!isDead(hold) || script.chain(hold.pool)[0].reclaim === 'charge');
          const consumed = charged ? amount : 0;
          const back = amount - consumed;
          script.move(rows, { balance: back, held: -amount, consumed, refunded: back });
          return script.change(hold, { state: 'expired', charged, consumed, closedAtMs: nowMs });
        });
      script.publish();
      const line = { operation: 'reclaim', outcome: 'reclaimed', pool: name, atMs: nowMs } as const;
      return { outcome: 'reclaimed' as const, closed, ...script.answer(name, line) };
    });
  }

  async adjust(request: Request<'adjust'>) {
    const { pool: name, capacity, nowMs } = request;
    check.tokens('capacity', capacity);
    check.moment(nowMs);
    return this.#script((script) => {
      const [pool] = script.chain(name);
      const row = script.row(pool)!;
      check.must(capacity >= row.held + row.consumed, 'capacity-below-use');
      script.set<Pool>('pools', name, { ...pool, capacity });
      script.move([pool], { capacity: capacity - row.capacity, balance: capacity - row.capacity });
      script.publish();
      const line = { operation: 'adjust', outcome: 'adjusted', pool: name, amount: capacity } as const;
      return { outcome: 'adjusted' as const, capacity, ...script.answer(name, { ...line, ...at(request) }) };
    });
  }

  async refill(request: Request<'refill'>) {
    const { pool: name, period, nowMs } = request;
    check.integer('period', period, 0);
    check.moment(nowMs);
    return this.#script((script) => {
      const [pool] = script.chain(name);
      if (period <= pool.period) {
        return { outcome: 'stale' as const, period: pool.period, ...script.answer(name) };
      }
      script.set<Pool>('pools', name, { ...pool, period });
      script.move([{ pool: name, period }], { capacity: pool.capacity, balance: pool.capacity });
      script.publish([name]);
      const line = { operation: 'refill', outcome: 'refilled', pool: name, ...at(request) } as const;
      return { outcome: 'refilled' as const, period, ...script.answer(name, line) };
    });
  }

  pause(request: Request<'pause'>) {
    return this.#pauseOrResume(request, true);
  }

  resume(request: Request<'resume'>) {
    return this.#pauseOrResume(request, false);
  }

  async #pauseOrResume(request: Request<'pause'>, paused: boolean) {
    check.moment(request.nowMs);
    return this.#script((script) => {
      const [pool] = script.chain(request.pool);
      const outcome = paused ? ('paused' as const) : ('resumed' as const);
      if (pool.paused === paused) return { outcome, ...script.answer(pool.pool) };
      script.set<Pool>('pools', pool.pool, { ...pool, paused });
      script.publish([pool.pool]);
      const operation = paused ? ('pause' as const) : ('resume' as const);
      return {
        outcome,
        ...script.answer(pool.pool, { operation, outcome, pool: pool.pool, ...at(request) }),
      };
    });
  }

  async post(request: Post): Promise<PostAnswer> {
    const { id, pool: name, side, amount, reason, hold: holdId } = request;
    check.text('id', id);
    check.choice('side', side, ['debit', 'credit']);
    check.tokens('amount', amount);
    check.must(side === 'debit' || holdId !== undefined, 'credit-needs-hold');
    check.must(side === 'credit' || holdId === undefined, 'debit-has-hold');
    return this.#script((script): PostAnswer => {
      const first = script.get<Posted>('posts', id);
      if (first !== undefined) {
        const facts = ['pool', 'side', 'amount', 'reason', 'hold'] as const;
        check.must(
          facts.every((fact) => first[fact] === request[fact]),
          'id-reused',
        );
        const { moved, shortfall } = first;
        return { outcome: 'posted', moved, shortfall, ...script.answer(first.pool) };
      }
      const keys = holdId === undefined ? script.chain(name) : this.#creditedRows(script, holdId, name);
      const most = holdId === undefined ? balanceOf(script.rows(keys)) : script.hold(holdId).consumed;
      const moved = Math.min(amount, most);
      const shortfall = side === 'debit' ? amount - moved : 0;
      const sign = side === 'debit' ? 1 : -1;
      script.move(keys, { balance: -sign * moved, consumed: sign * moved, shortfall });
      script.publish();
      if (holdId !== undefined) script.change(script.hold(holdId), { consumed: most - moved });
      script.set<Posted>('posts', id, { ...request, moved, shortfall });
      const line = { operation: 'post', outcome: side, pool: name, id, amount, detail: reason } as const;
      return { outcome: 'posted', moved, shortfall, ...script.answer(name, { ...line, ...at(request) }) };
    });
  }

  #creditedRows(script: Transaction, holdId: string, pool: string): readonly RowKey[] {
    const hold = script.hold(holdId);
    check.must(hold.actual !== undefined, 'hold-not-settled');
    check.must(hold.pool === pool, 'wrong-pool');
    return hold.rows;
  }

  async pool(name: string, period?: number): Promise<PoolView | undefined> {
    return this.#script((script) => {
      const pool = script.get<Pool>('pools', name);
      const row = pool && script.row({ pool: name, period: period ?? pool.period });
      if (pool === undefined || row === undefined) return undefined;
      const { openedCapacity, capacity, ...view } = pool;
      const { version } = script.answer(name);
      return { ...view, ...row, version };
    });
  }

  async pools() {
    return this.#script((script) => script.all<Pool>('pools').map(({ pool }) => pool));
  }

  async hold(id: string) {
    return this.#script((script) => holdsOf(script).find((hold) => hold.id === id));
  }

  async holds({ pool, state, olderThanMs }: NonNullable<Request<'holds'>> = {}) {
    return this.#script((script) =>
      holdsOf(script)
        .filter((hold) => pool === undefined || hold.pool === pool)
        .filter((hold) => state === undefined || hold.state === state)
        .filter((hold) => olderThanMs === undefined || hold.heldAtMs <= olderThanMs)
        .sort((one, other) => one.heldAtMs - other.heldAtMs || byCodePoint(one.id, other.id)),
    );
  }

  async history(job: string) {
    return this.#script((script) =>
      script
        .all<Reservation>('reservations')
        .filter((reservation) => reservation.job === job)
        .map((found): HistoryEntry => {
          const facts = { id: found.id, pool: found.pool, taker: found.taker, amount: found.askedAmount };
          if (found.state === 'refused') return { ...facts, outcome: 'refused', reason: found.reason };
          return { ...facts, outcome: 'granted', hold: found };
        }),
    );
  }

  async verify() {
    return this.#script((script) =>
      script.all<BooksRow>('rows').flatMap(({ pool, period, held }): readonly Discrepancy[] => {
        const isHere = (key: RowKey) => key.pool === pool && key.period === period;
        const open = holdsOf(script).filter((hold) => hold.state === 'held' && hold.rows.some(isHere));
        const recounted = open.reduce((total, hold) => total + hold.amount, 0);
        return recounted === held ? [] : [{ pool, period, field: 'held', says: held, recounted }];
      }),
    );
  }

  async journal(after = 0) {
    return this.#script((script) => script.all<JournalEntry>('journal').slice(after));
  }

  /** @throws LedgerUnavailable where the server cannot be reached */
  async #script<Answer>(work: (script: Transaction) => Answer): Promise<Answer> {
    try {
      return await this.server.run((commands) => work(new Transaction(commands)));
    } catch (cause) {
      if (!(cause instanceof ConnectionLost)) throw cause;
      throw new LedgerUnavailable('failed', `the server does not answer: ${cause.message}`, { cause });
    }
  }
}

function refusal(
  chain: readonly Pool[],
  rows: readonly BooksRow[],
  more: number,
  total: number,
): { readonly reason: RefusalReason; readonly pool: string; readonly returnable: boolean } | undefined {
  const returnable = rows.every(({ balance, held }) => balance + held >= total);
  const paused = chain.find((link) => link.paused);
  if (paused !== undefined) return { reason: 'paused', pool: paused.pool, returnable };
  const small = rows.find(({ capacity }) => total > capacity);
  if (small !== undefined) return { reason: 'exceeds-capacity', pool: small.pool, returnable: false };
  const empty = rows.find(({ balance }) => more > balance);
  return empty && { reason: 'insufficient', pool: empty.pool, returnable };
}

function holdsOf(script: Transaction): Hold[] {
  return script.all<Reservation>('reservations').filter((found) => found.state !== 'refused');
}

function longestLease(chain: readonly Pool[]): number {
  return Math.min(...chain.map(({ maxLeaseMs }) => maxLeaseMs));
}

function balanceOf(rows: readonly BooksRow[]): number {
  return Math.min(...rows.map(({ balance }) => balance));
}

function about({ pool, id, job }: Hold) {
  return { pool, id, job };
}

function at({ nowMs }: { readonly nowMs?: number | undefined }): { readonly atMs?: number } {
  return nowMs === undefined ? {} : { atMs: nowMs };
}

function closedAt(nowMs: number | undefined): { readonly closedAtMs?: number } {
  return nowMs === undefined ? {} : { closedAtMs: nowMs };
}

function byCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
