// Starts a PostgreSQL for the run, once, when the first test file asks for it, and stops it at the end. Test
// files run in processes of their own, so they ask over a loopback port.

import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { listen, portOf } from './loopback.ts';
import { type EmbeddedPostgres, startPostgres } from './postgres-embedded.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test file asks for the server's URL. */
    readonly postgresStarter: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<EmbeddedPostgres> | undefined;
  const starter = createServer((_request, response) => {
    starting ??= startPostgres();
    starting.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(503).end(String(error)),
    );
  });
  await listen(starter);
  project.provide('postgresStarter', `http://127.0.0.1:${portOf(starter)}/`);
  return async () => {
    starter.close();
    starter.closeAllConnections();
    const running = await starting?.catch(() => undefined);
    await running?.stop();
  };
}
