// The hot row: reserve + settle pairs per second at one pool in PostgreSQL, by 1, 8 and 32 connections, beside
// the bare statements that nobody can do without, sent over the same driver to the same server in the same run.

import pg from 'pg';
import { PostgresLedger } from '../src/stores/postgres-ledger.ts';
import { migratePostgres } from '../src/stores/postgres-schema.ts';
import { startPostgres } from '../test/stores/postgres-embedded.ts';
import type { BenchLine } from './bench-line.ts';

const CONNECTIONS = [1, 8, 32];
const RUN_MS = 3_000;
const AMOUNT = 14_000;
const ACTUAL = 6_000;

/** One host of a pool: how it reserves and settles, by id. */
type Pair = (id: string) => Promise<unknown>;

export async function postgresBench(): Promise<BenchLine[]> {
  const server = await startPostgres({ isDurable: true });
  try {
    await migratePostgres(server.url);
    const lines: BenchLine[] = [];
    for (const connections of CONNECTIONS) {
      const ofLedger = await withLedger(server.url, connections);
      const bare = await withStatements(server.url, connections);
      const name = `PostgreSQL, one pool, ${connections} connection${connections === 1 ? '' : 's'}`;
      const figure = `${Math.round(ofLedger)} pairs/s, bare ${Math.round(bare)}, ratio ${(ofLedger / bare).toFixed(2)}`;
      lines.push({ name, figure });
    }
    return lines;
  } finally {
    await server.stop();
  }
}

async function withLedger(url: string, connections: number): Promise<number> {
  const ledger = new PostgresLedger(url, { connections });
  const pool = `hot ${connections}`;
  await ledger.openPool({ pool, capacity: Number.MAX_SAFE_INTEGER });
  const rate = await pairsPerSecond(connections, async (turn) => {
    const id = `${pool}/${turn}`;
    await ledger.reserve({ id, pool, job: id, amount: AMOUNT, leaseMs: 60_000, nowMs: 0 });
    await ledger.settle({ id, actual: ACTUAL });
  });
  await ledger.close();
  return rate;
}

/** A conditional debit and a hold, a guarded close and a refund: two statements, and no answers. */
async function withStatements(url: string, connections: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  // The server may be gone before the last connection has ended.
  pool.on('error', () => {});
  const table = `bare_${connections}`;
  await pool.query(`
    CREATE TABLE ${table} (pool integer PRIMARY KEY, balance bigint, held bigint, consumed bigint);
    CREATE TABLE ${table}_holds (id text PRIMARY KEY, amount bigint, actual bigint);
    INSERT INTO ${table} VALUES (1, ${Number.MAX_SAFE_INTEGER}, 0, 0)`);
  const rate = await pairsPerSecond(connections, async (id) => {
    await pool.query(
      `WITH debit AS (
         UPDATE ${table} SET balance = balance - $2, held = held + $2 WHERE pool = 1 AND balance >= $2 RETURNING pool)
       INSERT INTO ${table}_holds (id, amount) SELECT $1, $2 FROM debit`,
      [id, AMOUNT],
    );
    await pool.query(
      `WITH closed AS (
         UPDATE ${table}_holds SET actual = $2 WHERE id = $1 AND actual IS NULL RETURNING amount)
       UPDATE ${table} SET balance = balance + amount - $2, held = held - amount, consumed = consumed + $2
       FROM closed WHERE pool = 1`,
      [id, ACTUAL],
    );
  });
  await pool.end();
  return rate;
}

async function pairsPerSecond(connections: number, pair: Pair): Promise<number> {
  const started = process.hrtime.bigint();
  const elapsedMs = () => Number(process.hrtime.bigint() - started) / 1e6;
  let pairs = 0;
  const host = async (name: number): Promise<void> => {
    for (let turn = 0; elapsedMs() < RUN_MS; turn++) {
      await pair(`${name}/${turn}`);
      pairs += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, i) => host(i)));
  return pairs / (elapsedMs() / 1000);
}
