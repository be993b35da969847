// Reads of a ledger in PostgreSQL. Each is one statement, and so sees the books at one moment.

import type { HoldFilter } from '../ledger/books.ts';
import { checkInteger } from '../ledger/checks.ts';
import { historyEntry } from '../ledger/history-entry.ts';
import { journalEntry } from '../ledger/journal-entry.ts';
import type * as Words from '../ledger/ledger.ts';
import { poolView } from '../ledger/pool-view.ts';
import { ownLink } from '../ledger/rules/pools.ts';
import type { Ask } from './postgres-connection.ts';
import { poolNames } from './postgres-names.ts';
import {
  type JournalColumns,
  journalLineOf,
  type LinkColumns,
  linkOf,
  type ReservationColumns,
  reservationOf,
  rowOf,
} from './postgres-records.ts';
import { fromStored, toStored } from './postgres-text.ts';

interface Reserved {
  readonly reservation: ReservationColumns;
  readonly chain: readonly string[];
}

export class PostgresReads {
  readonly #ask: Ask;
  readonly #schema: string;

  /** @param schema quoted */
  constructor(ask: Ask, schema: string) {
    this.#ask = ask;
    this.#schema = schema;
  }

  async pool(name: string, period?: number): Promise<Words.PoolView | undefined> {
    const s = this.#schema;
    const [found] = await this.#ask<{ links: readonly LinkColumns[]; row: Words.BooksRow | null }>(
      `SELECT (${chainJson(s)}) AS links,
              (SELECT to_json(b) FROM ${s}.books AS b WHERE b.pool = $1 AND b.period = $2) AS row`,
      [toStored(name), period],
    );
    if (found === undefined || found.links.length === 0) return undefined;
    const chain = found.links.map(linkOf);
    if (period === undefined) return poolView(chain, ownLink(chain).row);
    return found.row === null ? undefined : poolView(chain, rowOf(found.row));
  }

  pools(): Promise<readonly string[]> {
    return poolNames(this.#ask, this.#schema);
  }

  async hold(id: string): Promise<Words.Hold | undefined> {
    const [found] = await this.#reservations('r.id = $1', [toStored(id)]);
    return found === undefined || found.state === 'refused' ? undefined : found;
  }

  async holds({ pool, state, olderThanMs }: HoldFilter = {}): Promise<readonly Words.Hold[]> {
    const found = await this.#reservations(
      `r.state <> 'refused' AND r.pool = coalesce($1, r.pool) AND r.state = coalesce($2, r.state)
       AND r.asked_at_ms <= coalesce($3, r.asked_at_ms) ORDER BY r.asked_at_ms, r.id`,
      [pool === undefined ? undefined : toStored(pool), state, olderThanMs],
    );
    return found as Words.Hold[];
  }

  async history(job: string): Promise<readonly Words.HistoryEntry[]> {
    return (await this.#reservations('r.job = $1 ORDER BY r.sequence', [toStored(job)])).map(historyEntry);
  }

  /** The recount of `ledger/rules/recount.ts`, where the rows are: in one statement, whatever is going on. */
  async verify(): Promise<readonly Words.Discrepancy[]> {
    const s = this.#schema;
    const found = await this.#ask<{ it: Words.Discrepancy }>(`
      WITH counted AS (
        SELECT key.pool, key.period,
               sum(CASE r.state WHEN 'held' THEN r.amount ELSE 0 END) AS held, sum(r.consumed) AS consumed,
               sum(r.overspent) AS overspent, sum(r.shortfall) AS shortfall
        FROM ${s}.reservations AS r JOIN ${s}.pools AS p USING (pool),
             unnest(p.chain, r.periods) AS key (pool, period)
        WHERE r.state <> 'refused'
        GROUP BY key.pool, key.period
      ), posted AS (
        -- What a credit gave back is gone from its hold's own consumed.
        SELECT key.pool, key.period, sum(CASE t.side WHEN 'debit' THEN t.moved ELSE 0 END) AS consumed,
               sum(t.shortfall) AS shortfall
        FROM ${s}.posts AS t JOIN ${s}.pools AS p USING (pool), unnest(p.chain, t.periods) AS key (pool, period)
        GROUP BY key.pool, key.period
      ), counts AS (
        SELECT b.*, p.sequence, coalesce(c.held, 0) AS now_held,
               coalesce(c.consumed, 0) + coalesce(t.consumed, 0) AS now_consumed,
               coalesce(c.overspent, 0) AS now_overspent,
               coalesce(c.shortfall, 0) + coalesce(t.shortfall, 0) AS now_shortfall
        FROM ${s}.books AS b JOIN ${s}.pools AS p USING (pool)
        LEFT JOIN counted AS c ON (c.pool, c.period) = (b.pool, b.period)
        LEFT JOIN posted AS t ON (t.pool, t.period) = (b.pool, b.period)
      )
      SELECT json_build_object('pool', pool, 'period', period, 'field', field, 'says', says, 'recounted', recounted) AS it
      FROM counts, LATERAL (VALUES
        (1, 'conservation', capacity, balance + held + consumed),
        (2, 'balance', balance, greatest(0, capacity - now_held - now_consumed)),
        (3, 'held', held, now_held),
        (4, 'consumed', consumed, now_consumed),
        (5, 'overspent', overspent, now_overspent),
        (6, 'shortfall', shortfall, now_shortfall)) AS field (place, field, says, recounted)
      WHERE says <> recounted ORDER BY sequence, period, place`);
    return found.map(({ it }) => ({ ...it, pool: fromStored(it.pool) }));
  }

  async journal(after = 0): Promise<readonly Words.JournalEntry[]> {
    checkInteger('after', after, 0);
    const found = await this.#ask<{ it: JournalColumns }>(
      `SELECT to_json(j) AS it FROM ${this.#schema}.journal AS j WHERE sequence > $1 ORDER BY sequence`,
      [after],
    );
    return found.map(({ it }) => journalEntry(it.sequence, journalLineOf(it)));
  }

  async #reservations(condition: string, values: readonly (string | number | undefined)[]) {
    const s = this.#schema;
    const found = await this.#ask<Reserved>(
      `SELECT to_json(r) AS reservation, to_json(p.chain) AS chain
       FROM ${s}.reservations AS r JOIN ${s}.pools AS p USING (pool) WHERE ${condition}`,
      values,
    );
    return found.map(({ reservation, chain }) => reservationOf(reservation, chain));
  }
}

/** A query for the chain of pool `$1`, with its current rows, as JSON; empty where there is no such pool. */
export function chainJson(schema: string): string {
  return `
    SELECT coalesce(json_agg(to_jsonb(p) || jsonb_build_object('row', to_jsonb(b)) ORDER BY p.depth DESC), '[]')
    FROM ${schema}.pools AS own
    JOIN ${schema}.pools AS p ON p.pool = ANY (own.chain)
    JOIN ${schema}.books AS b ON b.pool = p.pool AND b.period = p.period
    WHERE own.pool = $1`;
}
