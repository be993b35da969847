import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Budget, runQueue } from '../../src/index.ts';
import { jobs, night, played, sleep } from './live-night.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Calls take a second; during the first one, `happen` comes to pass. Answers what the second was granted. */
async function secondGrant(
  happen: () => void,
  options: { readonly uptimeMs: () => number; readonly suspension?: 'shorten' | 'ignore' },
): Promise<number | undefined> {
  const budget = new Budget({ deadlineMs: performance.now() + 100_000, reserveMs: 0 });
  const its = night({
    jobs: jobs('a', 'b'),
    budget,
    call: async ({ id }) => {
      await sleep(1_000);
      if (id === 'a') happen();
      return { outcome: 'ok' };
    },
  });
  const { records } = await played(runQueue({ ...its.options, ...options }));
  return records[1]?.grantedMs;
}

test('a suspension of the machine brings the deadline nearer', async () => {
  let suspendedMs = 0;
  const uptimeMs = () => performance.now() + suspendedMs;
  const suspend = () => {
    suspendedMs = 30_000;
  };
  expect(await secondGrant(suspend, { uptimeMs })).toBe(69_000);
  suspendedMs = 0;
  expect(await secondGrant(suspend, { uptimeMs, suspension: 'ignore' })).toBe(99_000);
});

test('setting the wall clock leaves the budget unmoved', async () => {
  const step = () => {
    vi.setSystemTime(Date.now() + 3_600_000);
  };
  expect(await secondGrant(step, { uptimeMs: () => performance.now() })).toBe(99_000);
});

test('an uptime in whole seconds is no suspension', async () => {
  const uptimeMs = () => Math.floor(performance.now() / 1_000) * 1_000;
  expect(await secondGrant(() => {}, { uptimeMs })).toBe(99_000);
});

test('short suspensions add up until they are seen', async () => {
  const budget = new Budget({ deadlineMs: performance.now() + 100_000, reserveMs: 0 });
  let suspendedMs = 0;
  const its = night({
    jobs: jobs(...'abcdef'),
    budget,
    uptimeMs: () => performance.now() + suspendedMs,
    call: async () => {
      await sleep(1_000);
      suspendedMs += 1_500;
      return { outcome: 'ok' };
    },
  });
  const { records } = await played(runQueue(its.options));
  expect(records.map(({ grantedMs }) => grantedMs)).toEqual([
    100_000, 99_000, 95_000, 94_000, 90_000, 89_000,
  ]);
});

test('a suspension while a lane waits for tokens ends the wait earlier', async () => {
  const { MemoryLedger } = await import('../../src/index.ts');
  const ledger = new MemoryLedger();
  ledger.openPool({ pool: 'pool', capacity: 100 });
  ledger.reserve({ id: 'x', pool: 'pool', job: 'x', amount: 60, leaseMs: 8e6, nowMs: Date.now() });
  let suspendedMs = 0;
  const its = night({
    jobs: jobs('a'),
    ledger,
    pool: 'pool',
    envelope: () => 50,
    uptimeMs: () => performance.now() + suspendedMs,
    call: async () => ({ outcome: 'ok' }),
  });
  const startedMs = performance.now();
  setTimeout(() => {
    suspendedMs = 500_000;
  }, 10_000);
  const { deferred } = await played(runQueue(its.options));
  expect(deferred).toHaveLength(1);
  expect(performance.now() - startedMs).toBe(600_000 - 5_000 - 3_000 - 500_000);
});
