// Processes that settle holds in PostgreSQL when they are told to.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { SettleAnswer } from '../../src/ledger/ledger.ts';

const SETTLE = new URL('./children/settle.mjs', import.meta.url);

interface Settler {
  settle(id: string, actual: number): Promise<SettleAnswer>;
  end(): void;
}

/** Connected and ready when they are handed over. */
export function spawnSettlers(url: string, schema: string, count: number): Promise<readonly Settler[]> {
  return Promise.all(Array.from({ length: count }, () => spawnSettler(url, schema)));
}

async function spawnSettler(url: string, schema: string): Promise<Settler> {
  const child = spawn(process.execPath, [fileURLToPath(SETTLE)], {
    env: { ...process.env, PLIMSOLL_LEDGER: url, PLIMSOLL_SCHEMA: schema },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const next = async (): Promise<string> => (await once(lines, 'line'))[0] as string;
  await next();
  return {
    async settle(id, actual) {
      child.stdin.write(`${JSON.stringify({ id, actual })}\n`);
      return JSON.parse(await next()) as SettleAnswer;
    },
    end: () => child.stdin.end(),
  };
}
