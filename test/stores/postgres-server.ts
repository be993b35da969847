// A real PostgreSQL for a test file: the one that PLIMSOLL_TEST_POSTGRES_URL names, or the run's own. Where
// there is neither, the tests say so: they are skipped with the reason in their title, and fail in CI.

import { describe, inject, it } from 'vitest';
import { type EmbeddedPostgres, startPostgres } from './postgres-embedded.ts';

/**
 * Declares tests that need a server.
 *
 * @param tests is given the server's URL: a role that may create schemas, in a database of its own
 */
export async function describeWithPostgres(title: string, tests: (url: string) => void): Promise<void> {
  await describeWith(title, serverUrl, tests);
}

/** The same with a server that the tests may kill. They stop it. */
export async function describeWithOwnPostgres(
  title: string,
  tests: (server: EmbeddedPostgres) => void,
): Promise<void> {
  await describeWith(title, () => startPostgres(), tests);
}

async function describeWith<Server>(
  title: string,
  find: () => Promise<Server>,
  tests: (server: Server) => void,
): Promise<void> {
  try {
    const server = await find();
    describe(title, () => tests(server));
  } catch (error) {
    const reason = `no PostgreSQL to test on: ${String(error)}; PLIMSOLL_TEST_POSTGRES_URL may name one`;
    if (isCi()) {
      it(title, () => {
        throw new Error(reason);
      });
    } else {
      it.skip(`${title} (${reason})`, () => {});
    }
  }
}

async function serverUrl(): Promise<string> {
  const named = process.env.PLIMSOLL_TEST_POSTGRES_URL;
  if (named !== undefined && named !== '') return named;
  const response = await fetch(inject('postgresStarter'));
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return answer;
}

function isCi(): boolean {
  return (process.env.CI ?? '') !== '';
}
