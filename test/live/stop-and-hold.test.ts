// The scheduler's termination signal, and holds that grow attempt by attempt.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MemoryLedger, runQueue } from '../../src/index.ts';
import { jobs, night, played, sleep } from './live-night.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function poolOf(capacity: number): MemoryLedger {
  const ledger = new MemoryLedger();
  ledger.openPool({ pool: 'free', capacity });
  return ledger;
}

describe('a termination signal', () => {
  const call = async () => {
    await sleep(1_000);
    return { outcome: 'ok' as const, usage: { input: 1, output: 1 } };
  };

  test('lets what is under way end, and nothing else begin', async () => {
    const stop = new AbortController();
    const { options, writes } = night({ jobs: jobs('a', 'b', 'c'), call, stopSignal: stop.signal });
    setTimeout(() => stop.abort(), 1_500);
    const { done, deferred } = await played(runQueue(options));
    expect(done.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(deferred).toMatchObject([{ id: 'c', cause: 'out-of-time' }]);
    expect(writes).toHaveLength(2);
  });

  test('that came before the beginning lets nothing begin', async () => {
    const { options } = night({ jobs: jobs('a'), call: vi.fn(call), stopSignal: AbortSignal.abort() });
    expect((await played(runQueue(options))).deferred).toHaveLength(1);
    expect(options.call).not.toHaveBeenCalled();
  });

  test('ends the wait for tokens', async () => {
    const stop = new AbortController();
    const ledger = poolOf(10);
    ledger.reserve({
      id: 'x',
      pool: 'free',
      job: 'x',
      taker: 'them',
      amount: 5,
      leaseMs: 9e6,
      nowMs: Date.now(),
    });
    const { options } = night({
      jobs: jobs('a'),
      call,
      ledger,
      pool: 'free',
      envelope: () => 10,
      stopSignal: stop.signal,
    });
    const startedMs = performance.now();
    setTimeout(() => stop.abort(), 1_500);
    expect((await played(runQueue(options))).deferred).toMatchObject([{ id: 'a', cause: 'out-of-time' }]);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});

describe('a hold per attempt', () => {
  const options = (capacity: number, failures: number) => {
    const ledger = poolOf(capacity);
    let calls = 0;
    const { options: all, writes } = night({
      jobs: jobs('a'),
      ledger,
      pool: 'free',
      attempts: 3,
      hold: 'per-attempt',
      envelope: (_job, attempts) => 10 + 20 * attempts,
      call: async () => {
        calls += 1;
        const outcome = calls > failures ? ('ok' as const) : ('server-error' as const);
        return { outcome, usage: { input: 10, output: 5 } };
      },
    });
    return { ledger, writes, options: all };
  };
  const moved = (ledger: MemoryLedger) =>
    ledger
      .journal()
      .flatMap(({ operation, outcome, amount }) =>
        operation === 'reserve' || operation === 'extend-to' ? [[operation, outcome, amount]] : [],
      );

  test('holds what the first may use, and more before each further one', async () => {
    const one = options(100, 2);
    expect((await played(runQueue(one.options))).done).toHaveLength(1);
    expect(moved(one.ledger)).toEqual([
      ['reserve', 'granted', 30],
      ['extend-to', 'extended', 50],
      ['extend-to', 'extended', 70],
    ]);
    expect(one.ledger.pool('free')).toMatchObject({ balance: 55, held: 0, consumed: 45 });
  });

  test('that cannot grow leaves the job for another night, and settles what was used', async () => {
    const one = options(49, 2);
    const { deferred } = await played(runQueue(one.options));
    expect(deferred).toMatchObject([{ id: 'a', cause: 'not-extended' }]);
    expect(one.writes).toEqual([['a', 'pending']]);
    expect(one.ledger.pool('free')).toMatchObject({ balance: 34, held: 0, consumed: 15 });
  });

  test('must not fall with the number of attempts', async () => {
    const { options: all } = options(100, 0);
    const envelope = (_job: unknown, attempts: number) => 30 - attempts;
    await expect(runQueue({ ...all, envelope })).rejects.toThrow(
      'envelope for 2 attempts of job "a" must be at least that for fewer, 29, got 28',
    );
  });
});
