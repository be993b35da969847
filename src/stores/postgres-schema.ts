// The ledger's tables and functions in a PostgreSQL schema of their own, in numbered steps. A step that was
// taken is never changed; whoever needs something else adds one.

import { InputError, LedgerUnavailable } from '../base/errors.ts';
import { closingFunctions } from './postgres-closing-functions.ts';
import { type Ask, PostgresConnection } from './postgres-connection.ts';
import { parsePostgresUrl } from './postgres-driver.ts';
import { rowFunctions } from './postgres-row-functions.ts';
import { tables } from './postgres-tables.ts';
import { takingFunctions } from './postgres-taking-functions.ts';

export const DEFAULT_SCHEMA = 'plimsoll';

const STEPS: readonly ((schema: string) => string)[] = [
  tables,
  (schema) => rowFunctions(schema) + takingFunctions(schema) + closingFunctions(schema),
];

/** A step may rewrite a large table. */
const STEP_TIMEOUT_MS = 60 * 60_000;

export interface Migration {
  /** The schema's version before; 0 where there was no ledger. */
  readonly from: number;
  readonly to: number;
}

/**
 * Makes the ledger's tables, or brings them to this version. Many hosts may do so at once: one does the
 * work, the others wait and find it done. Where nothing is to be done, reading rights are enough.
 *
 * @param url `postgres://user:password@host:port/database`
 * @throws InputError `malformed-url`, `wrong-schema`
 * @throws LedgerUnavailable saying which: `unreachable`, `access-denied`, `no-such-database`, `no-rights`,
 *   `newer-schema`, …
 */
export async function migratePostgres(
  url: string,
  { schema = DEFAULT_SCHEMA }: { readonly schema?: string } = {},
): Promise<Migration> {
  const place = parsePostgresUrl(url);
  const quoted = quoteSchema(schema);
  const connection = new PostgresConnection(place, { connections: 1, statementTimeoutMs: STEP_TIMEOUT_MS });
  try {
    return await connection.transaction(async (ask) => {
      await ask('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`plimsoll ledger ${schema}`]);
      const from = await versionNow(ask, schema);
      checkNotNewer(from, place.shown);
      if (from === 0) await begin(ask, quoted, place.shown);
      for (const [i, step] of STEPS.entries()) {
        if (i < from) continue;
        await ask(step(quoted));
        await ask(`INSERT INTO ${quoted}.migrations (version) VALUES ($1)`, [i + 1]);
      }
      return { from, to: STEPS.length };
    });
  } finally {
    await connection.close();
  }
}

/** @throws LedgerUnavailable `no-ledger`, `older-schema`, `newer-schema` */
export async function checkSchema(ask: Ask, schema: string, where: string): Promise<void> {
  const version = await versionNow(ask, schema);
  checkNotNewer(version, where);
  if (version === STEPS.length) return;
  throw version === 0
    ? new LedgerUnavailable(
        'no-ledger',
        `there is no ledger at ${where}; make one: plimsoll ledger migrate --ledger postgres://…`,
      )
    : new LedgerUnavailable(
        'older-schema',
        `the ledger at ${where} has schema ${version} of an older Plimsoll, this one needs ${STEPS.length}; ` +
          'bring it up: plimsoll ledger migrate --ledger postgres://…',
      );
}

/**
 * The name as SQL takes it.
 *
 * @throws InputError `wrong-schema`
 */
export function quoteSchema(schema: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) return `"${schema}"`;
  throw new InputError({
    code: 'wrong-schema',
    message: 'schema must be a plain PostgreSQL name',
    expected: 'small letters, digits and _, at most 63, no digit first',
    got: JSON.stringify(schema),
  });
}

async function begin(ask: Ask, quoted: string, where: string): Promise<void> {
  const [server] = await ask<{ encoding: string; exists: boolean }>(
    `SELECT current_setting('server_encoding') AS encoding, to_regnamespace($1) IS NOT NULL AS exists`,
    [quoted],
  );
  if (server?.encoding !== 'UTF8') {
    throw new LedgerUnavailable(
      'failed',
      `the database at ${where} has the encoding ${server?.encoding}; a ledger needs one with UTF8`,
    );
  }
  if (!server.exists) await ask(`CREATE SCHEMA ${quoted}`);
  await ask(`
    CREATE TABLE ${quoted}.migrations (
      version    integer PRIMARY KEY,
      migrated_at timestamptz NOT NULL DEFAULT now()
    )`);
}

function checkNotNewer(version: number, where: string): void {
  if (version <= STEPS.length) return;
  throw new LedgerUnavailable(
    'newer-schema',
    `the ledger at ${where} has schema ${version} of a newer Plimsoll, this one knows ${STEPS.length}; use that version`,
  );
}

/** 0 where there is no ledger. */
async function versionNow(ask: Ask, schema: string): Promise<number> {
  const quoted = quoteSchema(schema);
  const [found] = await ask<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    `${quoted}.migrations`,
  ]);
  if (found?.exists !== true) return 0;
  const [last] = await ask<{ version: number | null }>(
    `SELECT max(version) AS version FROM ${quoted}.migrations`,
  );
  return last?.version ?? 0;
}
