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

function never(): Promise<never> {
  return new Promise(() => {});
}

describe('a call and its grant', () => {
  test('a body that stalls is cut off at the grant, though nothing in it listens to the signal', async () => {
    let signal: AbortSignal | undefined;
    const { options, writes } = night({
      jobs: jobs('a'),
      attempts: 1,
      call: (_job, context) => {
        signal = context.signal;
        return never();
      },
    });
    const startedMs = performance.now();
    const result = await played(runQueue(options));
    expect(performance.now() - startedMs).toBe(60_000);
    expect(signal?.aborted).toBe(true);
    expect(signal?.reason).toMatchObject({ name: 'TimeoutError' });
    expect(result.records).toMatchObject([{ outcome: 'timed-out', grantedMs: 60_000, elapsedMs: 60_000 }]);
    expect(result.deferred).toMatchObject([{ id: 'a', cause: 'attempts-used-up' }]);
    expect(writes).toEqual([['a', 'pending']]);
  });

  test('an answer exactly in time counts, and aborts nothing', async () => {
    let signal: AbortSignal | undefined;
    const { options } = night({
      jobs: jobs('a'),
      call: async (_job, context) => {
        signal = context.signal;
        await sleep(context.timeoutMs);
        return { outcome: 'ok', result: 'text' };
      },
    });
    const result = await played(runQueue(options));
    expect(result.done).toEqual([{ job: { id: 'a' }, id: 'a', result: 'text' }]);
    expect(signal?.aborted).toBe(false);
  });

  test('an answer a millisecond late does not', async () => {
    const { options } = night({
      jobs: jobs('a'),
      attempts: 1,
      call: async (_job, { timeoutMs }) => {
        await sleep(timeoutMs + 1);
        return { outcome: 'ok' };
      },
    });
    const result = await played(runQueue(options));
    expect(result.records).toMatchObject([{ outcome: 'timed-out' }]);
    await vi.runAllTimersAsync();
  });

  test('a call that throws when it is aborted has timed out; one that throws by itself threw', async () => {
    const { options } = night({
      jobs: jobs('a'),
      attempts: 2,
      call: (_job, { attempt, signal }) => {
        if (attempt === 1) throw new Error('connection reset');
        return new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      },
    });
    const result = await played(runQueue(options));
    expect(result.records.map(({ outcome }) => outcome)).toEqual(['threw', 'timed-out']);
    expect(result.deferred).toMatchObject([{ error: new Error('connection reset') }]);
  });

  test('what an abandoned call comes to later is heard by nobody', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    try {
      const { options, writes } = night({
        jobs: jobs('late answer', 'late rejection'),
        lanes: 2,
        attempts: 1,
        call: async ({ id }, { timeoutMs }) => {
          await sleep(timeoutMs + 5_000);
          if (id === 'late rejection') throw new Error('too late');
          return { outcome: 'ok' };
        },
      });
      const result = await played(runQueue(options));
      await vi.runAllTimersAsync();
      vi.useRealTimers();
      await sleep(5);
      vi.useFakeTimers();
      expect(result.done).toEqual([]);
      expect(writes.map(([, status]) => status)).toEqual(['pending', 'pending']);
      expect(unhandled).not.toHaveBeenCalled();
    } finally {
      process.off('unhandledRejection', unhandled);
    }
  });

  test('lanes call at the same time, and at most so many', async () => {
    let out = 0;
    let most = 0;
    const { options } = night({
      jobs: jobs(...'abcdefgh'),
      lanes: 3,
      call: async () => {
        out += 1;
        most = Math.max(most, out);
        await sleep(1_000);
        out -= 1;
        return { outcome: 'ok' };
      },
    });
    const startedMs = performance.now();
    const { done } = await played(runQueue(options));
    expect(done).toHaveLength(8);
    expect(most).toBe(3);
    expect(performance.now() - startedMs).toBe(3_000);
  });
});

test('lanes that never wait for anything let timers fire in between', async () => {
  vi.useRealTimers();
  const { options, writes } = night({
    jobs: jobs(...Array.from({ length: 500 }, (_, i) => String(i))),
    call: async () => ({ outcome: 'ok' }),
  });
  let doneByThen: number | undefined;
  setImmediate(() => {
    doneByThen = writes.length;
  });
  await runQueue(options);
  expect(writes).toHaveLength(500);
  expect(doneByThen).toBeLessThan(10);
  vi.useFakeTimers();
});

describe('leases', () => {
  function ledgerOf(capacity: number): MemoryLedger {
    const ledger = new MemoryLedger();
    ledger.openPool({ pool: 'pool', capacity });
    return ledger;
  }

  test('a lease is renewed for as long as the call is out, and no longer', async () => {
    const ledger = ledgerOf(100);
    const { options } = night({
      jobs: jobs('a'),
      ledger,
      pool: 'pool',
      envelope: () => 50,
      leaseMs: 9_000,
      renewEveryMs: 4_000,
      call: async () => {
        await sleep(30_000);
        return { outcome: 'ok', usage: { input: 10, output: 5 } };
      },
    });
    await played(runQueue(options));
    expect(ledger.journal().filter(({ operation }) => operation === 'renew')).toHaveLength(7);
    expect(ledger.hold('a/0/1')).toMatchObject({ state: 'settled', actual: 15, late: false });
  });

  test('a refused renewal does not abort the call: its success is written down and settled late', async () => {
    const ledger = ledgerOf(100);
    const { options, writes } = night({
      jobs: jobs('a'),
      ledger,
      pool: 'pool',
      envelope: () => 50,
      leaseMs: 9_000,
      attempts: 3,
      call: async () => {
        await sleep(1_000);
        ledger.reclaim({ pool: 'pool', nowMs: Date.now() + 100_000 });
        await sleep(9_000);
        return { outcome: 'ok', usage: { input: 10, output: 5 } };
      },
    });
    const { done } = await played(runQueue(options));
    expect(done).toHaveLength(1);
    expect(writes).toEqual([['a', 'done']]);
    expect(ledger.hold('a/0/1')).toMatchObject({ state: 'expired', late: true, actual: 15 });
  });

  test.each([1, 3])(
    'after a refused renewal a failure is not tried again, of %i attempts',
    async (attempts) => {
      const ledger = ledgerOf(100);
      const { options } = night({
        jobs: jobs('a'),
        ledger,
        pool: 'pool',
        envelope: () => 50,
        leaseMs: 9_000,
        attempts,
        call: async () => {
          ledger.reclaim({ pool: 'pool', nowMs: Date.now() + 100_000 });
          await sleep(5_000);
          return { outcome: 'server-error' };
        },
      });
      const { records, deferred } = await played(runQueue(options));
      expect(records).toHaveLength(1);
      expect(deferred).toMatchObject([{ cause: 'hold-lost' }]);
    },
  );
});

describe('nonsense in an answer', () => {
  const cases: [string, unknown, string][] = [
    [
      'NaN',
      { input: Number.NaN, output: 1 },
      'usage.input must be a whole number of tokens from 0 to 2^53 - 1, got NaN',
    ],
    [
      'a negative',
      { input: 1, output: -1 },
      'usage.output must be a whole number of tokens from 0 to 2^53 - 1, got -1',
    ],
    ['a fraction', { input: 1.5, output: 1 }, 'got 1.5'],
    [
      'a missing field',
      { input: 1 },
      'usage.output must be a whole number of tokens from 0 to 2^53 - 1, got undefined',
    ],
    ['a sum beyond counting', { input: 2 ** 53 - 1, output: 1 }, 'usage.input + usage.output'],
    ['no object', 17, 'usage.input'],
  ];
  test.each(cases)(
    '%s as usage costs its abandoned usage, keeps the result and warns',
    async (_, usage, words) => {
      const ledger = new MemoryLedger();
      ledger.openPool({ pool: 'pool', capacity: 1_000 });
      const { options, warnings } = night({
        jobs: jobs('a', 'b'),
        ledger,
        pool: 'pool',
        envelope: () => 50,
        input: () => 7,
        call: async () => ({
          outcome: 'ok',
          result: 'text',
          usage: usage as { input: number; output: number },
        }),
      });
      const { done } = await played(runQueue(options));
      expect(done.map(({ result }) => result)).toEqual(['text', 'text']);
      expect(ledger.hold('a/0/1')?.actual).toBe(7);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatchObject({ code: 'bad-usage', message: expect.stringContaining(words) });
    },
  );

  test.each([Number.NaN, -1, Number.POSITIVE_INFINITY, '3'])(
    '%s as retryAfterMs gates nobody and warns',
    async (value) => {
      const { options, warnings } = night({
        jobs: jobs('a', 'b'),
        call: async () => ({ outcome: 'ok', retryAfterMs: value as number }),
      });
      expect((await played(runQueue(options))).done).toHaveLength(2);
      expect(warnings).toMatchObject([{ code: 'bad-retry-after' }]);
    },
  );

  test.each([undefined, null, 'ok', {}, { outcome: 'OK' }])(
    '%j is no answer: it counts as a throw and warns',
    async (answer) => {
      const { options, warnings } = night({
        jobs: jobs('a'),
        attempts: 2,
        call: async () => answer as { outcome: 'ok' },
      });
      const { records } = await played(runQueue(options));
      expect(records.map(({ outcome }) => outcome)).toEqual(['threw', 'threw']);
      expect(warnings).toMatchObject([{ code: 'unknown-outcome' }]);
    },
  );

  test('a misspelt outcome is met with the right one', async () => {
    const { options, warnings } = night({
      jobs: jobs('a'),
      attempts: 1,
      call: async () => ({ outcome: 'rate_limited' }) as unknown as { outcome: 'ok' },
    });
    await played(runQueue(options));
    expect(warnings[0]?.message).toContain('Did you mean "rate-limited"?');
  });
});
