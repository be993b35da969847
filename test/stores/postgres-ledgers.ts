// Ledgers in PostgreSQL for a test file: each in a schema of its own that goes with the file, and emptied
// rather than made anew where one after the other is needed.

import pg from 'pg';
import { afterAll } from 'vitest';
import { PostgresLedger, type PostgresLedgerOptions } from '../../src/stores/postgres-ledger.ts';
import { migratePostgres } from '../../src/stores/postgres-schema.ts';

const TABLES = ['journal', 'posts', 'reservations', 'books', 'pools'];
const NUMBERED = ['journal', 'pools', 'reservations', 'posts'];

/** What the tests of one file make on the server; call it inside a `describe`. */
export class PostgresLedgers {
  readonly #url: string;
  readonly #closers: (() => Promise<void>)[] = [];
  readonly #idle: [schema: string, ledger: PostgresLedger][] = [];
  readonly #lent = new Map<PostgresLedger, string>();
  #admin: pg.Pool | undefined;
  #count = 0;

  constructor(url: string) {
    this.#url = url;
    afterAll(() => this.#end());
  }

  get url(): string {
    return this.#url;
  }

  /** For looking at the server past the ledger. */
  get admin(): pg.Pool {
    if (this.#admin === undefined) {
      this.#admin = new pg.Pool({ connectionString: this.#url, max: 4 });
      // The server may be gone before the last connection has ended.
      this.#admin.on('error', () => {});
    }
    return this.#admin;
  }

  /** The name of a migrated schema with an empty ledger. */
  async schema(): Promise<string> {
    const name = this.newName();
    await migratePostgres(this.#url, { schema: name });
    return name;
  }

  /** The name of a schema that is not there yet, and is gone after the file. */
  newName(): string {
    const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 8)}_${this.#count++}`;
    this.#closers.push(async () => {
      await this.admin.query(`DROP SCHEMA IF EXISTS ${name} CASCADE`);
    });
    return name;
  }

  /** A new, empty ledger. */
  async open(options: PostgresLedgerOptions = {}): Promise<PostgresLedger> {
    return this.at(await this.schema(), options);
  }

  /** One more host at a ledger. */
  at(schema: string, options: PostgresLedgerOptions = {}): PostgresLedger {
    const ledger = new PostgresLedger(this.#url, { schema, ...options });
    this.#closers.push(() => ledger.close());
    return ledger;
  }

  /** A new, empty ledger, or one that was given back, emptied. */
  async borrow(): Promise<PostgresLedger> {
    const idle = this.#idle.pop();
    const [schema, ledger] = idle ?? (await this.#borrowable());
    if (idle !== undefined) await this.#empty(schema);
    this.#lent.set(ledger, schema);
    return ledger;
  }

  giveBack(ledger: PostgresLedger): void {
    const schema = this.#lent.get(ledger);
    this.#lent.delete(ledger);
    if (schema !== undefined) this.#idle.push([schema, ledger]);
  }

  /** It cannot be given back. */
  async break(ledger: PostgresLedger): Promise<void> {
    this.#lent.delete(ledger);
    await ledger.close();
  }

  async #borrowable(): Promise<[string, PostgresLedger]> {
    const schema = await this.schema();
    return [schema, this.at(schema)];
  }

  /** Much faster than a new schema, and than TRUNCATE. */
  async #empty(schema: string): Promise<void> {
    await this.admin.query(
      [
        ...TABLES.map((table) => `DELETE FROM ${schema}.${table}`),
        ...NUMBERED.map((table) => `ALTER TABLE ${schema}.${table} ALTER COLUMN sequence RESTART`),
      ].join(';'),
    );
  }

  async #end(): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed()) await close();
    await this.#admin?.end();
  }
}
