import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LedgerUnavailable, MemoryLedger, runQueue } from '../../src/index.ts';
import { jobs, night, played, sleep } from './live-night.ts';

type Operation = 'reserve' | 'dispatch' | 'renew' | 'settle' | 'reclaim' | 'history' | 'pool';

/** A ledger in which single operations can be made to throw. */
class TroubledLedger extends MemoryLedger {
  readonly asked: { readonly operation: Operation; readonly atMs: number; readonly id?: string }[] = [];
  #trouble: (operation: Operation) => Error | undefined;

  constructor(capacity: number, trouble: (operation: Operation) => Error | undefined) {
    super();
    this.#trouble = () => undefined;
    this.openPool({ pool: 'pool', capacity });
    this.#trouble = trouble;
  }

  #ask(operation: Operation, id?: string): void {
    this.asked.push({ operation, atMs: performance.now(), ...(id === undefined ? {} : { id }) });
    const error = this.#trouble(operation);
    if (error !== undefined) throw error;
  }

  override reserve(request: Parameters<MemoryLedger['reserve']>[0]) {
    this.#ask('reserve', request.id);
    return super.reserve(request);
  }

  override dispatch(request: Parameters<MemoryLedger['dispatch']>[0]) {
    this.#ask('dispatch', request.id);
    return super.dispatch(request);
  }

  override renew(request: Parameters<MemoryLedger['renew']>[0]) {
    this.#ask('renew', request.id);
    return super.renew(request);
  }

  override settle(request: Parameters<MemoryLedger['settle']>[0]) {
    this.#ask('settle', request.id);
    return super.settle(request);
  }

  override reclaim(request: Parameters<MemoryLedger['reclaim']>[0]) {
    this.#ask('reclaim');
    return super.reclaim(request);
  }

  override history(job: string) {
    this.#ask('history', job);
    return super.history(job);
  }

  override pool(name: string, period?: number) {
    this.#ask('pool');
    return super.pool(name, period);
  }
}

const busy = () => new LedgerUnavailable('busy', 'another process is writing');
const failed = () => new LedgerUnavailable('failed', 'disk gone');

const with50 = { pool: 'pool', envelope: () => 50 } as const;
const ok = async () => ({ outcome: 'ok' as const, usage: { input: 10, output: 0 } });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('a busy ledger', () => {
  test.each(['reserve', 'dispatch', 'settle', 'history'] as const)(
    'is asked for %s again, under the same id, until it answers',
    async (operation) => {
      let refusals = 5;
      const ledger = new TroubledLedger(100, (its) =>
        its === operation && refusals-- > 0 ? busy() : undefined,
      );
      const { options, warnings } = night({
        jobs: jobs('a'),
        ledger,
        ...with50,
        random: () => 0.5,
        call: ok,
      });
      const { done, unsettled } = await played(runQueue(options));
      expect(done).toHaveLength(1);
      expect(unsettled).toBe(0);
      expect(warnings).toEqual([]);
      const asked = ledger.asked.filter((its) => its.operation === operation).slice(0, 6);
      expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
      const pauses = asked.slice(1).map(({ atMs }, i) => atMs - asked[i]!.atMs);
      expect(pauses).toEqual([3, 6, 12, 24, 48]);
      expect(ledger.pool('pool')).toMatchObject({ balance: 90, consumed: 10 });
    },
  );

  test('that stays busy for the whole wait defers the job, and nothing is called', async () => {
    const ledger = new TroubledLedger(100, (its) => (its === 'reserve' ? busy() : undefined));
    const call = vi.fn(ok);
    const { options, writes, warnings } = night({
      jobs: jobs('a'),
      ledger,
      ...with50,
      busyWaitMs: 2_000,
      call,
    });
    const startedMs = performance.now();
    const { deferred } = await played(runQueue(options));
    expect(deferred).toMatchObject([{ id: 'a', cause: 'ledger-unavailable' }]);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(2_000);
    expect(performance.now() - startedMs).toBeLessThan(2_300);
    expect(call).not.toHaveBeenCalled();
    expect(writes).toEqual([]);
    expect(warnings).toMatchObject([{ code: 'ledger-unavailable' }]);
  });

  test('holds up one lane, not the timers of the others', async () => {
    const ledger = new TroubledLedger(100, (its) => (its === 'settle' ? busy() : undefined));
    const { options } = night({
      jobs: jobs('quick', 'stalled'),
      lanes: 2,
      attempts: 1,
      ledger,
      ...with50,
      call: async ({ id }) => (id === 'quick' ? ok() : new Promise<never>(() => {})),
    });
    const { records } = await played(runQueue(options));
    expect(records.find(({ job }) => job === 'stalled')).toMatchObject({ elapsedMs: 60_000 });
  });
});

describe('a ledger that fails', () => {
  test.each(['reserve', 'dispatch'] as const)(
    'at %s: nothing is called without a hold',
    async (operation) => {
      const ledger = new TroubledLedger(100, (its) => (its === operation ? failed() : undefined));
      const call = vi.fn(ok);
      const { options } = night({ jobs: jobs('a', 'b'), ledger, ...with50, call });
      const { deferred } = await played(runQueue(options));
      expect(deferred.map(({ cause }) => cause)).toEqual(['ledger-unavailable', 'ledger-unavailable']);
      expect(call).not.toHaveBeenCalled();
    },
  );

  test("so that other processes' claims cannot be read: no job is taken", async () => {
    // Both jobs' pasts are read once before anything begins.
    let readsLeft = 2;
    const ledger = new TroubledLedger(100, (its) =>
      its === 'history' && readsLeft-- <= 0 ? failed() : undefined,
    );
    const call = vi.fn(ok);
    const { options } = night({ jobs: jobs('a', 'b'), ledger, ...with50, call });
    const { deferred } = await played(runQueue(options));
    expect(deferred.map(({ cause }) => cause)).toEqual(['ledger-unavailable', 'ledger-unavailable']);
    expect(call).not.toHaveBeenCalled();
  });

  test('at the settle is asked until the deadline, and the job is counted as unsettled', async () => {
    const ledger = new TroubledLedger(100, (its) => (its === 'settle' ? failed() : undefined));
    const { options, writes } = night({ jobs: jobs('a'), ledger, ...with50, call: ok });
    const startedMs = performance.now();
    const { done, unsettled } = await played(runQueue(options));
    expect([done.length, unsettled]).toEqual([1, 1]);
    expect(writes).toEqual([['a', 'done']]);
    expect(performance.now() - startedMs).toBe(599_000);
  });

  test('at a renewal is asked again at the next turn; the call goes on', async () => {
    let failures = 2;
    const ledger = new TroubledLedger(100, (its) =>
      its === 'renew' && failures-- > 0 ? failed() : undefined,
    );
    const { options } = night({
      jobs: jobs('a'),
      ledger,
      ...with50,
      leaseMs: 20_000,
      renewEveryMs: 5_000,
      call: async () => {
        await sleep(18_000);
        return ok();
      },
    });
    const { done } = await played(runQueue(options));
    expect(done).toHaveLength(1);
    expect(ledger.hold('a/0/1')).toMatchObject({ state: 'settled', late: false });
    expect(ledger.asked.filter(({ operation }) => operation === 'renew')).toHaveLength(3);
  });

  test('at a renewal does not make the hold a lost one', async () => {
    const ledger = new TroubledLedger(100, (its) => (its === 'renew' ? failed() : undefined));
    const { options } = night({
      jobs: jobs('a'),
      ledger,
      ...with50,
      attempts: 1,
      leaseMs: 20_000,
      renewEveryMs: 5_000,
      call: async () => {
        await sleep(8_000);
        return { outcome: 'server-error' };
      },
    });
    expect((await played(runQueue(options))).deferred).toMatchObject([{ cause: 'attempts-used-up' }]);
  });

  test('before anything began rejects the run', async () => {
    const ledger = new TroubledLedger(100, () => failed());
    const { options } = night({ jobs: jobs('a'), ledger, ...with50, call: ok });
    await expect(played(runQueue(options))).rejects.toThrow(LedgerUnavailable);
  });
});

describe('a bug', () => {
  test('is thrown, after the other calls were aborted and what was answered is written down and settled', async () => {
    const ledger = new TroubledLedger(100, () => undefined);
    const signals = new Map<string, AbortSignal>();
    const { options, writes } = night({
      jobs: jobs('stalled', 'answered', 'bug', 'never begun'),
      lanes: 3,
      ledger,
      pool: 'pool',
      envelope: () => 10,
      checkpoint: async (job, status) => {
        await sleep(5_000);
        writes.push([job.id, status]);
      },
      call: async ({ id }, { signal }) => {
        signals.set(id, signal);
        if (id === 'stalled') return new Promise<never>(() => {});
        await sleep(1_000);
        return ok();
      },
      onRecord: ({ job }) => {
        if (job === 'bug') throw new RangeError('a bug of the caller');
      },
    });
    await expect(played(runQueue(options))).rejects.toThrow('a bug of the caller');
    expect([...signals].map(([id, { aborted }]) => [id, aborted])).toEqual([
      ['stalled', true],
      ['answered', false],
      ['bug', false],
    ]);
    expect(signals.get('stalled')?.reason).toMatchObject({ name: 'AbortError' });
    expect(writes).toEqual([['answered', 'done']]);
    expect(ledger.hold('answered/0/1')).toMatchObject({ state: 'settled', actual: 10 });
    expect(ledger.hold('stalled/0/1')).toMatchObject({ state: 'held' });
  });

  test('in a renewal is not swallowed', async () => {
    const ledger = new TroubledLedger(100, (its) => (its === 'renew' ? new TypeError('broken') : undefined));
    const { options } = night({
      jobs: jobs('a'),
      ledger,
      ...with50,
      leaseMs: 3_000,
      call: async () => {
        await sleep(5_000);
        return ok();
      },
    });
    await expect(played(runQueue(options))).rejects.toThrow('broken');
  });

  test('in the reclaimer ends the run', async () => {
    let sweeps = 0;
    const ledger = new TroubledLedger(100, (its) =>
      its === 'reclaim' && ++sweeps > 1 ? new TypeError('broken') : undefined,
    );
    const { options } = night({
      jobs: jobs('a'),
      ledger,
      ...with50,
      reclaimEveryMs: 2_000,
      call: () => new Promise<never>(() => {}),
    });
    const startedMs = performance.now();
    await expect(played(runQueue(options))).rejects.toThrow('broken');
    expect(performance.now() - startedMs).toBe(2_000);
  });
});

describe('waiting for tokens', () => {
  function foreignHold(ledger: MemoryLedger, id: string, leaseMs = 3_600_000): void {
    const job = id.split('/')[0]!;
    ledger.reserve({ id, pool: 'pool', job, taker: 'them', amount: 60, leaseMs, nowMs: Date.now() });
  }

  test("this process's own settle wakes the lane at once", async () => {
    const ledger = new TroubledLedger(100, () => undefined);
    const calledAtMs: number[] = [];
    const { options } = night({
      jobs: jobs('large', 'b', 'c'),
      lanes: 2,
      ledger,
      pool: 'pool',
      envelope: ({ id }) => (id === 'large' ? 90 : 45),
      pollEveryMs: 100_000,
      call: async () => {
        calledAtMs.push(performance.now());
        await sleep(1_000);
        return ok();
      },
    });
    expect((await played(runQueue(options))).done).toHaveLength(3);
    // Both at once: the lane that settled takes one, the lane that waited the other.
    expect(calledAtMs.slice(1).map((atMs) => atMs - calledAtMs[0]!)).toEqual([1_000, 1_000]);
  });

  test('what another process gives back is seen within one poll', async () => {
    const ledger = new TroubledLedger(100, () => undefined);
    foreignHold(ledger, 'other/0/1');
    const calledAtMs: number[] = [];
    const { options } = night({
      jobs: jobs('a'),
      ledger,
      ...with50,
      pollEveryMs: 250,
      call: async () => {
        calledAtMs.push(performance.now());
        return ok();
      },
    });
    const startedMs = performance.now();
    const running = runQueue(options);
    setTimeout(() => ledger.settle({ id: 'other/0/1', actual: 0 }), 10_100);
    await played(running);
    expect(calledAtMs[0]! - startedMs).toBe(10_250);
  });

  test('ends when the clamp would decline, and the job is deferred', async () => {
    const ledger = new TroubledLedger(100, () => undefined);
    foreignHold(ledger, 'other/0/1');
    const { options } = night({ jobs: jobs('a'), ledger, ...with50, pollEveryMs: 7_000, call: ok });
    const startedMs = performance.now();
    const { deferred } = await played(runQueue(options));
    expect(deferred).toMatchObject([{ cause: 'out-of-time' }]);
    expect(performance.now() - startedMs).toBe(600_000 - 5_000 - 3_000);
  });

  test('a ledger that cannot answer a poll is polled again', async () => {
    let isDown = false;
    const ledger = new TroubledLedger(100, (its) => (its === 'pool' && isDown ? failed() : undefined));
    foreignHold(ledger, 'other/0/1');
    const { options } = night({ jobs: jobs('a'), ledger, ...with50, call: ok });
    const running = runQueue(options);
    setTimeout(() => {
      isDown = true;
      ledger.settle({ id: 'other/0/1', actual: 0 });
    }, 5_000);
    setTimeout(() => {
      isDown = false;
    }, 9_000);
    expect((await played(running)).done).toHaveLength(1);
  });

  test("a job that a dead process claimed on an earlier night's books is taken over once its lease has run out", async () => {
    const ledger = new TroubledLedger(100, () => undefined);
    foreignHold(ledger, 'a/0/1', 30_000);
    ledger.refill({ pool: 'pool', period: 1 });
    const { options } = night({ jobs: jobs('a'), ledger, ...with50, reclaimEveryMs: 20_000, call: ok });
    const startedMs = performance.now();
    const { done } = await played(runQueue(options));
    expect(done).toHaveLength(1);
    const [dead, alive] = [ledger.hold('a/0/1')!, ledger.hold('a/1/2')!];
    expect([dead.state, alive.state]).toEqual(['expired', 'settled']);
    expect(alive.heldAtMs).toBeGreaterThan(dead.leaseExpiresAtMs);
    expect(performance.now() - startedMs).toBeLessThanOrEqual(60_000);
  });
});

test('a claim that somebody else has taken over writes down nothing but done', async () => {
  const ledger = new TroubledLedger(1_000, () => undefined);
  const { options, writes } = night({
    jobs: jobs('failing', 'succeeding'),
    lanes: 2,
    attempts: 1,
    ledger,
    ...with50,
    leaseMs: 9_000,
    call: async ({ id }) => {
      await sleep(1_000);
      // As if this process had been stopped for an hour.
      ledger.reclaim({ pool: 'pool', nowMs: Date.now() + 3_600_000 });
      const request = { pool: 'pool', taker: 'them', amount: 50, leaseMs: 9_000, nowMs: Date.now() };
      ledger.reserve({ id: `${id}/0/2`, job: id, ...request });
      return { outcome: id === 'failing' ? 'rejected' : 'ok', usage: { input: 1, output: 1 } };
    },
  });
  await played(runQueue(options));
  expect(writes).toEqual([['succeeding', 'done']]);
});
