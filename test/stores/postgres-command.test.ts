// `plimsoll ledger migrate`, and what the command line says of servers that it cannot use. Whatever goes wrong, a
// password that was typed or inherited is in none of its output.

import { describe, expect, it } from 'vitest';
import { type Ended, plimsoll } from '../cli/command-line.ts';
import { PostgresLedgers } from './postgres-ledgers.ts';
import { describeWithPostgres } from './postgres-server.ts';

const MARKED = 'p4ssw0rd-that-nobody-may-see';

/** The command's end, with its output held to be free of the password. */
async function migrate(args: readonly string[], env: Record<string, string> = {}) {
  const end = await plimsoll(['ledger', 'migrate', ...args], { env: { PLIMSOLL_LEDGER: '', ...env } });
  expect(`${end.stdout}${end.stderr}`).not.toContain(MARKED);
  return end;
}

function expectOneLine({ code, stderr }: Ended, expected: number): void {
  expect(code).toBe(expected);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(/^error: /);
}

describe('plimsoll ledger migrate', () => {
  it.each([
    ['no ledger is named', []],
    ['the URL is malformed', ['--ledger', `postgres//me:${MARKED}@host`]],
    ['the URL names another store', ['--ledger', `mysql://me:${MARKED}@host/ledger`]],
    ['the URL stands where the action does', [`postgres://me:${MARKED}@host/ledger`]],
    ['the flag is misspelt', ['--ledgr', `postgres://me:${MARKED}@host/ledger`]],
    ['the schema is no name', ['--ledger', `postgres://me:${MARKED}@host/ledger`, '--schema', 'a b']],
  ])('exits 2 where %s', async (_what, args) => {
    expectOneLine(await migrate(args), 2);
  });

  it('exits 5 where no server answers, named by flag or by environment', async () => {
    const url = `postgres://me:${MARKED}@127.0.0.1:1/ledger`;
    expectOneLine(await migrate(['--ledger', url]), 5);
    const end = await migrate([], { PLIMSOLL_LEDGER: url, PLIMSOLL_DEBUG: '1' });
    expect(end.code).toBe(5);
    expect(end.stderr).toContain('no PostgreSQL server answers at postgres://127.0.0.1:1/ledger');
  });

  it('is not repeated by a command that knows no such ledger', async () => {
    const end = await plimsoll(['run', 'three-classes', '--ledger', `postgres://me:${MARKED}@host/ledger`]);
    expect(end.code).toBe(2);
    expect(end.stderr).not.toContain(MARKED);
  });
});

await describeWithPostgres('plimsoll ledger migrate on a server', (url) => {
  const ledgers = new PostgresLedgers(url);

  it('makes the tables once, and says so', async () => {
    const schema = ledgers.newName();
    const first = await migrate(['--schema', schema], { PLIMSOLL_LEDGER: url });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/was made, version 2/);
    const again = await migrate(['--schema', schema, '--ledger', url, '--json']);
    expect(JSON.parse(again.stdout)).toEqual({ schema, from: 2, to: 2 });
  });

  it('exits 5 on a wrong password, a database that is not there, and a newer schema', async () => {
    const wrong = Object.assign(new URL(url), { username: 'nobody', password: MARKED }).href;
    expectOneLine(await migrate(['--ledger', wrong]), 5);
    expectOneLine(await migrate(['--ledger', Object.assign(new URL(url), { pathname: '/nobodys' }).href]), 5);
    const schema = await ledgers.schema();
    await ledgers.admin.query(`INSERT INTO ${schema}.migrations (version) VALUES (99)`);
    expectOneLine(await migrate(['--ledger', url, '--schema', schema]), 5);
  });
});
