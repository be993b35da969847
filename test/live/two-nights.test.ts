import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Budget, runQueue, SqliteLedger } from '../../src/index.ts';
import { played, sleep } from './live-night.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-'));
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

interface Row {
  readonly id: number;
  readonly prompt: string;
}

const table: readonly Row[] = Array.from({ length: 75 }, (_, id) => ({ id, prompt: `row ${id}` }));

function doneRows(): number[] {
  const file = join(folder, 'done.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : [];
}

/** One night as a scheduled process plays it: everything is read from and written to the folder. */
async function oneNight(period: number) {
  const done = new Set(doneRows());
  const jobs = table.filter(({ id }) => !done.has(id));
  const budget = new Budget({ deadlineMs: performance.now() + 50 * 60_000 });
  const ledger = new SqliteLedger(join(folder, 'ledger.sqlite3'));
  ledger.openPool({ pool: 'free', capacity: 10_000_000 });
  ledger.refill({ pool: 'free', period });
  const result = await runQueue({
    jobs,
    budget,
    ledger,
    pool: 'free',
    lanes: 2,
    envelope: (_job) => 14_000,
    input: (_job) => 5_200,
    call: async (job, { signal }) => {
      await sleep(100_000);
      signal.throwIfAborted();
      return {
        outcome: 'ok',
        result: job.prompt.toUpperCase(),
        usage: { input: 5_200, output: 640 },
      };
    },
    checkpoint: async (job, status) => {
      if (status === 'done') appendFileSync(join(folder, 'done.txt'), `${job.id}\n`);
    },
  });
  const pool = ledger.pool('free');
  const discrepancies = ledger.verify();
  ledger.close();
  return { ...result, pool, discrepancies };
}

test('what one night defers, the next one does, over the same ledger file', async () => {
  // 2,955 s less the floor: lanes start calls of 100 s up to second 2,900, when 55 s are granted and not enough.
  const first = await played(oneNight(20261130));
  expect(first.done).toHaveLength(29 * 2);
  expect(first.deferred).toHaveLength(75 - 29 * 2);
  expect(first.records).toHaveLength(30 * 2);
  expect(first.pool).toMatchObject({
    period: 20261130,
    held: 0,
    consumed: 29 * 2 * 5_840 + 2 * 5_200,
  });

  const second = await played(oneNight(20261201));
  expect(second.done.map(({ job }) => job.id)).toEqual(first.deferred.map(({ job }) => job.id));
  expect(second.done[0]?.result).toBe(`ROW ${second.done[0]?.id}`);
  expect(second.pool).toMatchObject({ period: 20261201, held: 0, consumed: (75 - 29 * 2) * 5_840 });

  expect([first.discrepancies, second.discrepancies]).toEqual([[], []]);
  expect(doneRows().sort((a, b) => a - b)).toEqual(table.map(({ id }) => id));
});

test('a night that is started again over finished work has nothing to do, and its refill changes nothing', async () => {
  await played(oneNight(20261130));
  const again = await played(oneNight(20261130));
  const third = await played(oneNight(20261130));
  expect(again.done).toHaveLength(17);
  expect(third.done).toEqual([]);
  expect(third.records).toEqual([]);
  expect(third.pool?.consumed).toBe(again.pool?.consumed);
});
