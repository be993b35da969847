import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SqliteLedger } from '../../src/index.ts';

const script = fileURLToPath(new URL('night-process.mjs', import.meta.url));

let folder: string;
let running: ChildProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plimsoll-'));
});
afterEach(async () => {
  running?.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

/** The lines of a night's process, which is killed as soon as there are so many. */
async function nightProcess(answered: string, killAfterLines: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [script, folder, answered], { stdio: ['ignore', 'pipe', 'inherit'] });
  running = child;
  const exited = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (lines.length === killAfterLines) child.kill('SIGKILL');
  }
  const [, signal] = await exited;
  expect(signal).toBe(killAfterLines < Number.POSITIVE_INFINITY ? 'SIGKILL' : null);
  return lines;
}

async function checkpoints(): Promise<readonly { id: number; status: string }[]> {
  const text = await readFile(join(folder, 'checkpoints.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

test('a night that is killed with kill -9 and started again loses nothing and does nothing twice', async () => {
  // Five calls are answered; then three hang, one on each lane, and the process is killed.
  const called = await nightProcess('5', 8);
  expect(called).toHaveLength(8);
  expect(await checkpoints()).toHaveLength(5);
  const done = new Set((await checkpoints()).map(({ id }) => id));
  const inFlight = called.map((line) => Number(line.split(' ')[1])).filter((id) => !done.has(id));
  expect(inFlight).toHaveLength(3);

  const ledger = new SqliteLedger(join(folder, 'ledger.sqlite3'));
  expect(
    ledger
      .holds({ state: 'held' })
      .map(({ job }) => Number(job))
      .sort(),
  ).toEqual(inFlight.sort());

  const again = await nightProcess('all', Number.POSITIVE_INFINITY);
  expect(again.at(-1)).toBe('ended 7 done, 0 deferred');
  for (const job of inFlight) {
    const [dead, alive] = [ledger.hold(`${job}/7/1`), ledger.hold(`${job}/7/2`)];
    expect(dead).toMatchObject({ state: 'expired', dispatched: true });
    expect(alive).toMatchObject({ state: 'settled', actual: 340 });
    expect(alive!.heldAtMs).toBeGreaterThan(dead!.leaseExpiresAtMs);
  }
  const written = await checkpoints();
  expect(written.every(({ status }) => status === 'done')).toBe(true);
  expect(written.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 12 }, (_, id) => id),
  );
  expect(ledger.pool('free')).toMatchObject({ held: 0, consumed: 12 * 340 });
  expect(ledger.verify()).toEqual([]);
  ledger.close();
});
