// The connections of one ledger to its server: a few, shared by all lanes. A statement that a broken
// connection or a conflict cut short is asked again, a bounded number of times: every operation bears it.

import type pg from 'pg';
import {
  isDuplicate,
  isTransient,
  loadDriver,
  type PostgresPlace,
  translateError,
} from './postgres-driver.ts';

export interface ConnectionOptions {
  readonly connections: number;
  readonly statementTimeoutMs: number;
}

/** Values that a statement is given; `undefined` is null. */
export type Values = readonly (string | number | boolean | null | undefined | readonly number[])[];

/** Asks one statement inside a transaction, or alone. */
export type Ask = <Row>(sql: string, values?: Values) => Promise<readonly Row[]>;

const TRIES = 3;
const CONNECT_TIMEOUT_MS = 5_000;

/** The operations rely on seeing what was committed before each statement, and an answer on being kept. */
const SESSION = `
  SELECT set_config('default_transaction_isolation', 'read committed', false),
         CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END`;

const ignore = () => {};

export class PostgresConnection {
  readonly #pool: pg.Pool;
  readonly #where: string;

  /** Connects to nothing yet. */
  constructor({ url, shown }: PostgresPlace, { connections, statementTimeoutMs }: ConnectionOptions) {
    const { Pool } = loadDriver();
    this.#where = shown;
    const settings = {
      connectionString: url,
      application_name: 'plimsoll',
      max: connections,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: statementTimeoutMs,
      // A host that is gone in the middle of a transaction holds its locks no longer than that.
      idle_in_transaction_session_timeout: statementTimeoutMs,
      // Where the server's own timeout cannot be heard: the network is gone.
      query_timeout: 2 * statementTimeoutMs,
      keepAlive: true,
      // An idle ledger keeps no process alive.
      allowExitOnIdle: true,
      onConnect: async (client: pg.ClientBase) => {
        await client.query(SESSION);
      },
    };
    this.#pool = new Pool(settings);
    // A connection that breaks while nobody uses it is replaced at the next use.
    this.#pool.on('error', ignore);
  }

  /** @throws LedgerUnavailable once the tries are used up, or at once where another try cannot help */
  async ask<Row>(sql: string, values: Values = []): Promise<readonly Row[]> {
    return this.#persist(async () => (await this.#pool.query(sql, [...values])).rows as Row[]);
  }

  /** All or nothing, and begun anew where it was cut short. */
  async transaction<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> {
    return this.#persist(async () => {
      const client = await this.#pool.connect();
      // The statement under way fails too, and that is where it is told; unheard, it would end the process.
      client.on('error', ignore);
      try {
        await client.query('BEGIN');
        const result = await work(async (sql, values = []) => (await client.query(sql, [...values])).rows);
        await client.query('COMMIT');
        client.off('error', ignore);
        client.release();
        return result;
      } catch (error) {
        // Closing the connection undoes whatever was begun on it.
        client.release(true);
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    if (!this.#pool.ended && !this.#pool.ending) await this.#pool.end();
  }

  async #persist<Result>(attempt: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt();
      } catch (error) {
        const told = translateError(error, this.#where);
        if (tries === TRIES || !(isTransient(told) || isDuplicate(error))) throw told;
      }
    }
  }
}
