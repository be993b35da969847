// What a ledger in PostgreSQL does when the server or the wire to it fails, and what it says of a server that it
// cannot use.

import { inspect } from 'node:util';
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest';
import { InputError, LedgerUnavailable } from '../../src/base/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { loadDriver } from '../../src/stores/postgres-driver.ts';
import { PostgresLedger } from '../../src/stores/postgres-ledger.ts';
import { migratePostgres } from '../../src/stores/postgres-schema.ts';
import { PostgresLedgers } from './postgres-ledgers.ts';
import { PostgresProxy } from './postgres-proxy.ts';
import { describeWithPostgres } from './postgres-server.ts';

const MARKED = 'p4ssw0rd-that-nobody-may-see';

const request = { id: 'a', pool: 'free', job: 'j', amount: 10, leaseMs: 1000, nowMs: 0 };

async function failureOf(asked: Promise<unknown>): Promise<LedgerUnavailable> {
  const error = await asked.then(
    () => expect.unreachable('it should have failed'),
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(LedgerUnavailable);
  return error as LedgerUnavailable;
}

it('a ledger whose answers travel is no ledger that answers at once: the simulator cannot be given one', () => {
  expectTypeOf<PostgresLedger>().not.toExtend<Ledger>();
});

it('without the driver, the error names the package', () => {
  const load = () => {
    throw new Error('not found');
  };
  expect(() => loadDriver(load)).toThrow(expect.objectContaining({ code: 'missing-package' }));
});

describe('a URL that cannot be meant', () => {
  it.each([
    ['another scheme', `mysql://me:${MARKED}@host/ledger`],
    ['no URL', `me:${MARKED}`],
    ['no database', `postgres://me:${MARKED}@host`],
    ['no host', `postgres:///ledger?password=${MARKED}`],
    ['a port that is none', `postgres://me:${MARKED}@host:99999999/ledger`],
    ['a broken escape', `postgres://me:${MARKED}%zz@host/ledger`],
  ])('%s is bad input, and the password is not repeated', (_what, url) => {
    let error: unknown;
    try {
      new PostgresLedger(url);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: 'malformed-url' });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(MARKED);
  });

  it.each([
    [{ schema: 'no"schema' }, 'wrong-schema'],
    [{ connections: 0 }, 'not-an-integer'],
    [{ statementTimeoutMs: 0.5 }, 'not-an-integer'],
    [{ time: 'mine' as 'server' }, 'unknown-choice'],
    [{ tiem: 'server' } as object, 'unknown-option'],
  ])('options %o are bad input', (options, code) => {
    expect(() => new PostgresLedger('postgres://host/ledger', options)).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

await describeWithPostgres('a ledger in PostgreSQL', (url) => {
  const ledgers = new PostgresLedgers(url);
  const ends: (() => void | Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  async function throughProxy(options: { readonly statementTimeoutMs?: number } = {}) {
    const schema = await ledgers.schema();
    const proxy = await PostgresProxy.before(url);
    const ledger = new PostgresLedger(proxy.url, { schema, ...options });
    ends.push(
      () => ledger.close(),
      () => proxy.end(),
    );
    await ledger.openPool({ pool: 'free', capacity: 100 });
    return { proxy, ledger, schema };
  }

  it('asks again under the same id where the answer was lost: the books move once', async () => {
    const { proxy, ledger } = await throughProxy();
    proxy.loseAnswer();
    expect(await ledger.reserve(request)).toMatchObject({ outcome: 'granted', already: true });
    expect(await ledger.pool('free')).toMatchObject({ balance: 90, held: 10 });
    proxy.loseAnswer();
    expect(await ledger.settle({ id: 'a', actual: 4 })).toMatchObject({
      already: true,
      refunded: 6,
      differs: false,
    });
    expect(await ledger.pool('free')).toMatchObject({ balance: 96, held: 0, consumed: 4 });
    proxy.loseAnswer();
    await ledger.refill({ pool: 'free', period: 1 });
    expect(await ledger.pool('free')).toMatchObject({ period: 1, balance: 100 });
    expect(await ledger.verify()).toEqual([]);
  });

  it('gives up after a few tries, says so, and goes on once the server is back', async () => {
    const { proxy, ledger } = await throughProxy();
    proxy.cut();
    const failure = await failureOf(ledger.reserve(request));
    expect(failure).toMatchObject({ code: 'unreachable', isTransient: true });
    expect(failure.message).not.toContain('\n');
    proxy.mend();
    expect(await ledger.reserve(request)).toMatchObject({ outcome: 'granted' });
  });

  it('is not stopped by a server that ends its connections', async () => {
    const { ledger, schema } = await throughProxy();
    const blocker = await ledgers.admin.connect();
    await blocker.query('BEGIN');
    await blocker.query(`SELECT 1 FROM ${schema}.pools FOR UPDATE`);
    const asked = ledger.reserve(request);
    await expect
      .poll(async () => {
        const { rowCount } = await ledgers.admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1`,
          [`%${schema}%reserve%`],
        );
        return rowCount;
      })
      .toBe(1);
    await blocker.query('COMMIT');
    blocker.release();
    expect(await asked).toMatchObject({ outcome: 'granted' });
    expect(await ledger.pool('free')).toMatchObject({ held: 10 });
  });

  it('is busy where others hold a lock for longer than a statement may take, and nothing was done', async () => {
    const { ledger, schema } = await throughProxy({ statementTimeoutMs: 100 });
    const blocker = await ledgers.admin.connect();
    await blocker.query('BEGIN');
    await blocker.query(`SELECT 1 FROM ${schema}.pools FOR UPDATE`);
    expect(await failureOf(ledger.reserve(request))).toMatchObject({ code: 'busy', isTransient: true });
    await blocker.query('ROLLBACK');
    blocker.release();
    expect(await ledger.hold('a')).toBeUndefined();
    expect(await ledger.pool('free')).toMatchObject({ balance: 100 });
  });

  it('dates operations by the server where it is told to', async () => {
    const ledger = await ledgers.open({ time: 'server' });
    await ledger.openPool({ pool: 'free', capacity: 100 });
    const before = Date.now();
    const answer = await ledger.reserve({ ...request, nowMs: 5 });
    const heldAtMs = answer.outcome === 'granted' ? answer.hold.heldAtMs : 0;
    // Its clock is this machine's here, in whole milliseconds.
    expect(heldAtMs).toBeGreaterThanOrEqual(before - 60_000);
    expect((await ledger.reclaim({ pool: 'free', nowMs: heldAtMs + 5000 })).closed).toEqual([]);
    await ledger.settle({ id: 'a', actual: 1 });
    expect((await ledger.hold('a'))?.closedAtMs).toBeGreaterThanOrEqual(heldAtMs);
    await ledger.pause({ pool: 'free', nowMs: 5 });
    expect(
      (await ledger.journal()).every(({ atMs }) => atMs !== undefined && atMs >= heldAtMs - 60_000),
    ).toBe(true);
  });

  it('closed, it is unavailable', async () => {
    const ledger = await ledgers.open();
    await ledger.close();
    await ledger.close();
    expect(await failureOf(ledger.pools())).toMatchObject({ code: 'failed' });
  });

  describe('that cannot be used says which, in one line without a password', () => {
    async function user(): Promise<string> {
      const name = `role_${Math.random().toString(36).slice(2, 8)}`;
      await ledgers.admin.query(`CREATE ROLE ${name} LOGIN PASSWORD '${MARKED}'`);
      ends.push(async () => {
        await ledgers.admin.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
      });
      return name;
    }

    function withUser(name: string, password: string, changes: Partial<URL> = {}): string {
      return Object.assign(new URL(url), { username: name, password }, changes).href;
    }

    async function expectFailure(at: string, schema: string, code: string): Promise<void> {
      const ledger = new PostgresLedger(at, { schema });
      ends.push(() => ledger.close());
      const failure = await failureOf(ledger.pools());
      expect(failure.code).toBe(code);
      expect(failure.message).not.toContain('\n');
      for (const told of [failure, ledger]) {
        expect(inspect(told, { depth: 9, showHidden: true })).not.toContain(MARKED);
      }
      expect(failure.stack).not.toContain(MARKED);
    }

    it('no server', async () => {
      await expectFailure(withUser('me', MARKED, { port: '1' }), 'plimsoll', 'unreachable');
      await expectFailure(`postgres://me:${MARKED}@nowhere.invalid/ledger`, 'plimsoll', 'unreachable');
    });

    it('wrong password, no password', async () => {
      const name = await user();
      await expectFailure(withUser(name, `${MARKED}-wrong`), 'plimsoll', 'access-denied');
      await expectFailure(withUser(name, ''), 'plimsoll', 'access-denied');
    });

    it('no such database', async () => {
      await expectFailure(
        withUser(await user(), MARKED, { pathname: '/nobodys' }),
        'plimsoll',
        'no-such-database',
      );
    });

    it('no ledger, an older and a newer schema', async () => {
      const schema = await ledgers.schema();
      await expectFailure(url, ledgers.newName(), 'no-ledger');
      await ledgers.admin.query(`INSERT INTO ${schema}.migrations (version) VALUES (99)`);
      await expectFailure(url, schema, 'newer-schema');
      expect(await failureOf(migratePostgres(url, { schema }))).toMatchObject({ code: 'newer-schema' });
      await ledgers.admin.query(`DELETE FROM ${schema}.migrations WHERE version > 1`);
      await expectFailure(url, schema, 'older-schema');
    });

    it('a role without rights, until it is granted what docs/deploy.md names', async () => {
      const schema = await ledgers.schema();
      const name = await user();
      await expectFailure(withUser(name, MARKED), schema, 'no-rights');
      await ledgers.admin.query(`GRANT USAGE ON SCHEMA ${schema} TO ${name}`);
      await ledgers.admin.query(`GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${name}`);
      const reader = new PostgresLedger(withUser(name, MARKED), { schema });
      ends.push(() => reader.close());
      expect(await reader.pools()).toEqual([]);
      expect(await failureOf(reader.openPool({ pool: 'free', capacity: 1 }))).toMatchObject({
        code: 'no-rights',
      });
      await ledgers.admin.query(`GRANT INSERT, UPDATE ON ALL TABLES IN SCHEMA ${schema} TO ${name}`);
      await reader.openPool({ pool: 'free', capacity: 100 });
      await reader.reserve(request);
      await reader.settle({ id: 'a', actual: 4 });
      await reader.refill({ pool: 'free', period: 1 });
      expect(await reader.pool('free', 0)).toMatchObject({ balance: 96, consumed: 4 });
      const at = withUser(name, MARKED);
      expect(await migratePostgres(at, { schema })).toMatchObject({ from: 2, to: 2 });
      expect(await failureOf(migratePostgres(at, { schema: ledgers.newName() }))).toMatchObject({
        code: 'no-rights',
      });
    });
  });

  describe('is migrated', () => {
    it('by one of many hosts that try at once, and by nobody a second time', async () => {
      const schema = ledgers.newName();
      const done = await Promise.all(Array.from({ length: 8 }, () => migratePostgres(url, { schema })));
      expect(done.filter(({ from }) => from === 0)).toHaveLength(1);
      expect(done.filter(({ from, to }) => from === to)).toHaveLength(7);
      expect(await migratePostgres(url, { schema })).toEqual({ from: done[0]!.to, to: done[0]!.to });
      expect(await ledgers.at(schema).pools()).toEqual([]);
    });

    it('by one at a time: the next waits until the one before is done', async () => {
      const schema = ledgers.newName();
      const holder = await ledgers.admin.connect();
      const lock = `hashtextextended('plimsoll ledger ${schema}', 0)`;
      await holder.query(`SELECT pg_advisory_lock(${lock})`);
      const migrating = migratePostgres(url, { schema });
      await expect
        .poll(async () => {
          const { rows } = await ledgers.admin.query(
            `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
             AND (classid::bigint << 32) + objid::bigint = ${lock}`,
          );
          return rows.length;
        })
        .toBe(1);
      const { rows } = await ledgers.admin.query('SELECT to_regnamespace($1) AS made', [schema]);
      expect(rows).toEqual([{ made: null }]);
      await holder.query(`SELECT pg_advisory_unlock(${lock})`);
      holder.release();
      expect(await migrating).toMatchObject({ from: 0 });
    });

    it('whole or not at all', async () => {
      const schema = ledgers.newName();
      await ledgers.admin.query(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.books (mine integer)`);
      await failureOf(migratePostgres(url, { schema }));
      const { rows } = await ledgers.admin.query(
        'SELECT count(*)::integer AS count FROM pg_tables WHERE schemaname = $1',
        [schema],
      );
      expect(rows).toEqual([{ count: 1 }]);
    });
  });
});
