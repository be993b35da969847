// What is done to pools, and posts: rare, so the shared rules decide here, on records that were locked and
// loaded in the transaction that writes what they decided.

import { InputError } from '../base/errors.ts';
import { checkTokens } from '../base/tokens.ts';
import type { Chain, LoadedHold, PoolRecord } from '../ledger/books.ts';
import { checkInteger, checkNowMs, checkOpenPool, checkPost, unknownName } from '../ledger/checks.ts';
import type * as Words from '../ledger/ledger.ts';
import type { Decision } from '../ledger/rules/decision.ts';
import { decideAdjust, decideOpen, decidePause, decideRefill } from '../ledger/rules/pools.ts';
import { decideCredit, decideDebit, postedBefore } from '../ledger/rules/post.ts';
import type { Ask, PostgresConnection } from './postgres-connection.ts';
import { heldIds, poolNames } from './postgres-names.ts';
import { chainJson } from './postgres-reads.ts';
import {
  deltaColumns,
  type LinkColumns,
  linkOf,
  type PostColumns,
  postOf,
  type ReservationColumns,
  reservationOf,
} from './postgres-records.ts';
import { toStored } from './postgres-text.ts';

type Request<Operation extends keyof Words.Ledger> = Parameters<Words.Ledger[Operation]>[0];
type Timed<Asked> = Omit<Asked, 'nowMs'> & { readonly nowMs?: number };

export class PostgresSetup {
  readonly #connection: PostgresConnection;
  readonly #schema: string;
  readonly #usesServerTime: boolean;

  /** @param schema quoted */
  constructor(connection: PostgresConnection, schema: string, usesServerTime: boolean) {
    this.#connection = connection;
    this.#schema = schema;
    this.#usesServerTime = usesServerTime;
  }

  async openPool(request: Words.OpenPool): Promise<Words.OpenPoolAnswer> {
    checkOpenPool(request);
    return this.#commit(request, async (ask, timed) => {
      const existing = await this.#chain(ask, request.pool);
      const { parent } = request;
      const above =
        parent === undefined || existing !== undefined
          ? undefined
          : await this.#chainOf(ask, parent, 'unknown-parent');
      return decideOpen(timed, existing, above);
    });
  }

  async adjust(request: Request<'adjust'>): Promise<Words.AdjustAnswer> {
    checkTokens('capacity', request.capacity);
    return this.#onPool(request, decideAdjust);
  }

  async refill(request: Request<'refill'>): Promise<Words.RefillAnswer> {
    checkInteger('period', request.period, 0);
    return this.#onPool(request, decideRefill);
  }

  async pause(request: Request<'pause'>): Promise<Words.PauseAnswer> {
    return this.#onPool(request, (timed, chain) => decidePause(timed, true, chain));
  }

  async resume(request: Request<'resume'>): Promise<Words.PauseAnswer> {
    return this.#onPool(request, (timed, chain) => decidePause(timed, false, chain));
  }

  async post(request: Words.Post): Promise<Words.PostAnswer> {
    checkPost(request);
    const s = this.#schema;
    return this.#commit(request, async (ask, timed) => {
      const [first] = await ask<{ post: PostColumns; chain: readonly string[] }>(
        `SELECT to_json(t) AS post, to_json(p.chain) AS chain
         FROM ${s}.posts AS t JOIN ${s}.pools AS p USING (pool) WHERE t.id = $1`,
        [toStored(request.id)],
      );
      if (first !== undefined) {
        const record = postOf(first.post, first.chain);
        return postedBefore(timed, await this.#chainOf(ask, record.pool), record);
      }
      if (request.hold !== undefined) return decideCredit(timed, await this.#hold(ask, request.hold));
      await this.#lock(ask, request.pool);
      const chain = await this.#chainOf(ask, request.pool);
      const rows = chain.map(({ row: { pool, period } }) => ({ pool, period }));
      return decideDebit(timed, chain, rows);
    });
  }

  async #onPool<Asked extends { readonly pool: string; readonly nowMs?: number }, Answer extends Answered>(
    request: Asked,
    decide: (request: Timed<Asked>, chain: Chain) => Decision<Answer>,
  ): Promise<Answer> {
    checkNowMs(request.nowMs);
    return this.#commit(request, async (ask, timed) => {
      await this.#lock(ask, request.pool);
      return decide(timed, await this.#chainOf(ask, request.pool));
    });
  }

  async #commit<Asked extends { readonly nowMs?: number }, Answer extends Answered>(
    request: Asked,
    decide: (ask: Ask, timed: Asked) => Promise<Decision<Answer>>,
  ): Promise<Answer> {
    return this.#connection.transaction(async (ask) => {
      const decision = await decide(
        ask,
        this.#usesServerTime ? await this.#atServerTime(ask, request) : request,
      );
      await this.#write(ask, decision);
      return decision.answer;
    });
  }

  async #atServerTime<Asked>(ask: Ask, request: Asked): Promise<Asked> {
    const [now] = await ask<{ ms: number }>(`SELECT ${this.#schema}.now_ms() AS ms`);
    return { ...request, nowMs: now!.ms };
  }

  async #lock(ask: Ask, pool: string): Promise<void> {
    await ask(`SELECT ${this.#schema}.lock_pools(${this.#schema}.chain_of($1))`, [toStored(pool)]);
  }

  async #chain(ask: Ask, pool: string): Promise<Chain | undefined> {
    const [found] = await ask<{ links: readonly LinkColumns[] }>(
      `SELECT (${chainJson(this.#schema)}) AS links`,
      [toStored(pool)],
    );
    return found === undefined || found.links.length === 0 ? undefined : found.links.map(linkOf);
  }

  async #chainOf(
    ask: Ask,
    pool: string,
    code: 'unknown-pool' | 'unknown-parent' = 'unknown-pool',
  ): Promise<Chain> {
    const chain = await this.#chain(ask, pool);
    if (chain === undefined) throw unknownName(code, pool, await poolNames(ask, this.#schema));
    return chain;
  }

  /** Locked, with its chain. A credit looks at none of its rows. */
  async #hold(ask: Ask, id: string): Promise<LoadedHold> {
    const [found] = await ask<{ hold: ReservationColumns; chain: readonly string[] }>(
      `SELECT to_json(h) AS hold, to_json(${this.#schema}.chain_of(h.pool)) AS chain
       FROM ${this.#schema}.lock_hold($1) AS h WHERE h.id IS NOT NULL`,
      [toStored(id)],
    );
    if (found === undefined) throw unknownName('unknown-hold', id, await heldIds(ask, this.#schema));
    const hold = reservationOf(found.hold, found.chain);
    if (hold.state === 'refused') {
      throw new InputError({
        code: 'refused-hold',
        message: `hold "${id}" was never granted: its reservation was refused (${hold.reason})`,
      });
    }
    return { hold, chain: await this.#chainOf(ask, hold.pool), rows: [] };
  }

  async #write<Answer extends Answered>(ask: Ask, decision: Decision<Answer>): Promise<void> {
    const s = this.#schema;
    const { answer, moved, reservations, pool, post, line } = decision;
    // Of two hosts that open a pool at once, one fails on the insert, begins anew and finds it there.
    if (pool !== undefined)
      await (line?.operation === 'open-pool' ? this.#addPool(ask, pool) : this.#changePool(ask, pool));
    for (const delta of answer.delta) await this.#moveRow(ask, delta);
    for (const name of moved) {
      await ask(`UPDATE ${s}.pools SET version = version + 1 WHERE pool = $1`, [toStored(name)]);
    }
    // A credit takes from what a hold consumed; nothing else of a hold changes here.
    for (const { id, consumed } of reservations as readonly Words.Hold[]) {
      await ask(`UPDATE ${s}.reservations SET consumed = $2 WHERE id = $1`, [toStored(id), consumed]);
    }
    if (post !== undefined) {
      const { id, side, amount, reason, hold, moved: tokens, shortfall, rows } = post;
      await ask(
        `INSERT INTO ${s}.posts (id, pool, side, amount, reason, hold, moved, shortfall, periods)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          toStored(id),
          toStored(post.pool),
          side,
          amount,
          toStored(reason),
          hold === undefined ? undefined : toStored(hold),
          tokens,
          shortfall,
          rows.map(({ period }) => period),
        ],
      );
    }
    if (line === undefined) return;
    const { atMs, operation, amount, outcome, detail, delta } = line;
    const [ofPool, id, job, told] = [line.pool, line.id, line.job, detail].map((text) =>
      text === undefined ? undefined : toStored(text),
    );
    await ask(
      `INSERT INTO ${s}.journal (at_ms, operation, pool, id, job, amount, outcome, detail, delta)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [atMs, operation, ofPool, id, job, amount, outcome, told, JSON.stringify(deltaColumns(delta))],
    );
  }

  async #addPool(ask: Ask, record: PoolRecord): Promise<void> {
    const s = this.#schema;
    const { parent, openedCapacity, quota, reclaim, maxLeaseMs, capacity, period, paused } = record;
    await ask(
      `INSERT INTO ${s}.pools (
         pool, parent, opened_capacity, quota, reclaim, max_lease_ms, capacity, period, paused, chain, depth)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, ARRAY[$1] || above, cardinality(above)
       FROM (SELECT coalesce(${s}.chain_of($2), '{}') AS above) AS parent`,
      [
        toStored(record.pool),
        parent === undefined ? undefined : toStored(parent),
        openedCapacity,
        quota,
        reclaim,
        maxLeaseMs,
        capacity,
        period,
        paused,
      ],
    );
  }

  async #changePool(ask: Ask, { pool, capacity, period, paused }: PoolRecord): Promise<void> {
    await ask(`UPDATE ${this.#schema}.pools SET capacity = $2, period = $3, paused = $4 WHERE pool = $1`, [
      toStored(pool),
      capacity,
      period,
      paused,
    ]);
  }

  async #moveRow(ask: Ask, delta: Words.RowDelta): Promise<void> {
    const [columns] = deltaColumns([delta]);
    const changed = await ask(
      `UPDATE ${this.#schema}.books
       SET capacity = capacity + $3, balance = balance + $4, held = held + $5, consumed = consumed + $6,
           refunded = refunded + $7, overspent = overspent + $8, shortfall = shortfall + $9
       WHERE pool = $1 AND period = $2 RETURNING pool`,
      columns,
    );
    if (changed.length > 0) return;
    await ask(`INSERT INTO ${this.#schema}.books VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, columns);
  }
}

interface Answered {
  readonly delta: readonly Words.RowDelta[];
}
