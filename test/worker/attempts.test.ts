import { describe, expect, test } from 'vitest';
import { type Night, POOL, playNight, poolOf, type TestJob } from './scripted-driver.ts';

const budget = { deadlineMs: 600_000, reserveMs: 45_000, floorMs: 3_000, capMs: 120_000 };
const one: readonly TestJob[] = [{ id: 'a', envelope: 30 }];
const four: readonly TestJob[] = ['a', 'b', 'c', 'd'].map((id) => ({ id, envelope: 10 }));

type Answered = ReturnType<NonNullable<Night['call']>>;

/** Answers the n-th call of the night with the n-th answer, and all later ones with the last. */
function script(...answers: Answered[]): NonNullable<Night['call']> {
  let next = 0;
  return () => answers[Math.min(next++, answers.length - 1)]!;
}

describe('attempts', () => {
  test('each is clamped afresh, and all of them are settled together', () => {
    const ledger = poolOf(100);
    const night = playNight({
      jobs: one,
      budget: { ...budget, deadlineMs: 45_000 + 130_000 },
      ledger,
      attempts: 3,
      call: script(
        { outcome: 'server-error', takesMs: 100_000, usage: { input: 3, output: 0 } },
        { outcome: 'ok', takesMs: 5_000, usage: { input: 3, output: 4 }, result: 'text' },
      ),
    });
    expect(night.calls.map(({ grantedMs }) => grantedMs)).toEqual([120_000, 29_000]);
    expect(night.records).toMatchObject([
      { job: 'a', night: 1, attempt: 1, remainingMs: 130_000, grantedMs: 120_000, elapsedMs: 100_000 },
      { job: 'a', night: 1, attempt: 2, remainingMs: 29_000, grantedMs: 29_000, elapsedMs: 5_000 },
    ]);
    expect(night.details).toMatchObject([{ result: 'text', usedTokens: 10, try: 1 }]);
    expect(ledger.hold('a/1/1')?.actual).toBe(10);
  });

  test.each([
    [{ outcome: 'rate-limited' }, 0],
    [{ outcome: 'server-error' }, 0],
    [{ outcome: 'rejected' }, 0],
    [{ outcome: 'timed-out' }, 11],
    [{ outcome: 'threw' }, 11],
    [{ outcome: 'invalid' }, 11],
    [{ outcome: 'ok' }, 11],
    [{ outcome: 'rejected', usage: { input: 2, output: 3 } }, 5],
  ] as const)('%j costs %i tokens', (answer, tokens) => {
    const ledger = poolOf(100);
    const night = playNight({ jobs: one, budget, ledger, call: () => answer });
    expect(night.records.map((record) => record.tokens)).toEqual([tokens]);
    expect(ledger.hold('a/1/1')?.actual).toBe(tokens);
  });

  test.each([
    ['rejected', 1, ['a', 'failed', 'rejected']],
    ['invalid', 3, ['a', 'failed', 'invalid']],
    ['server-error', 3, ['a', 'pending', 'attempts-used-up']],
    ['timed-out', 3, ['a', 'pending', 'attempts-used-up']],
    ['threw', 3, ['a', 'pending', 'attempts-used-up']],
  ] as const)(
    'a job that is always answered %s is called %i times and written down as %j',
    (outcome, calls, written) => {
      const night = playNight({ jobs: one, budget, attempts: 3, call: () => ({ outcome }) });
      expect(night.calls).toHaveLength(calls);
      expect(night.writes).toEqual([written]);
    },
  );

  test('a backoff that would end with less than the floor left is not slept', () => {
    const night = playNight({
      jobs: one,
      budget: { ...budget, deadlineMs: 45_000 + 10_000 },
      attempts: 3,
      backoffMs: 7_000,
      call: () => ({ outcome: 'server-error', takesMs: 1_000 }),
    });
    expect(night.kinds).toEqual(['call', 'checkpoint']);
    expect(night.writes).toEqual([['a', 'pending', 'out-of-time']]);
    expect(night.nowMs).toBe(1_000);
  });

  test('a backoff that ends with exactly the floor left is slept', () => {
    const night = playNight({
      jobs: one,
      budget: { ...budget, deadlineMs: 45_000 + 10_000 },
      attempts: 3,
      backoffMs: 6_000,
      call: script({ outcome: 'server-error' }, { outcome: 'ok' }),
    });
    expect(night.calls).toMatchObject([{ atMs: 0 }, { atMs: 7_000, grantedMs: 3_000 }]);
  });
});

describe('a provider that asks to be left alone', () => {
  test('gates every lane, not only the one that met it', () => {
    const night = playNight({
      jobs: four,
      budget,
      lanes: 2,
      attempts: 2,
      call: script(
        { outcome: 'rate-limited', takesMs: 500, retryAfterMs: 20_000 },
        { outcome: 'ok', takesMs: 1_000 },
      ),
    });
    expect(night.calls.map(({ atMs }) => atMs).filter((atMs) => atMs > 0 && atMs < 20_500)).toEqual([]);
    expect(night.calls.filter(({ atMs }) => atMs === 20_500)).toHaveLength(2);
    expect(Object.values(night.standings)).toEqual(['done', 'done', 'done', 'done']);
  });

  test('for longer than the night lasts ends the night: nothing more is dispatched', () => {
    const ledger = poolOf(100);
    const night = playNight({
      jobs: four,
      budget: { ...budget, deadlineMs: 45_000 + 300_000 },
      ledger,
      lanes: 2,
      attempts: 3,
      call: script(
        { outcome: 'rate-limited', takesMs: 500, retryAfterMs: 600_000 },
        { outcome: 'ok', takesMs: 1_000, usage: { input: 1, output: 1 } },
      ),
    });
    expect(night.calls).toHaveLength(2);
    expect(night.standings).toEqual({
      a: 'deferred out-of-time',
      b: 'done',
      c: 'waiting',
      d: 'waiting',
    });
    expect(night.nowMs).toBe(1_000);
    expect(ledger.pool(POOL)).toMatchObject({ held: 0, consumed: 2 });
  });

  test('after the dispatch leaves a job dispatched without an attempt: written down pending, settled with 0', () => {
    const ledger = poolOf(100);
    const night = playNight({
      jobs: one,
      budget,
      ledger,
      answer: (effect, its) => {
        if (effect.kind === 'dispatch') its.board.closeGate(its.clock.monotonicMs(), 900_000);
        return 'left-to-them';
      },
    });
    expect(night.kinds).toEqual(['reserve', 'dispatch', 'checkpoint', 'settle']);
    expect(night.writes).toEqual([['a', 'pending', 'out-of-time']]);
    expect(ledger.hold('a/1/1')).toMatchObject({ state: 'settled', actual: 0 });
  });
});

describe('the hold', () => {
  test('is renewed before a further attempt', () => {
    const night = playNight({
      jobs: one,
      budget,
      ledger: poolOf(100),
      attempts: 2,
      call: script({ outcome: 'threw' }, { outcome: 'ok' }),
    });
    expect(night.kinds).toEqual([
      'reserve',
      'dispatch',
      'call',
      'sleep',
      'renew',
      'call',
      'checkpoint',
      'settle',
    ]);
  });

  test('is renewed before a further attempt that needs no pause', () => {
    const night = playNight({
      jobs: one,
      budget,
      ledger: poolOf(100),
      attempts: 2,
      backoffMs: 0,
      call: script({ outcome: 'threw' }, { outcome: 'ok' }),
    });
    expect(night.kinds.slice(2, 5)).toEqual(['call', 'renew', 'call']);
  });

  test('is renewed on the way through a backoff that is longer than its lease', () => {
    const night = playNight({
      jobs: one,
      budget,
      ledger: poolOf(100),
      attempts: 2,
      leaseMs: 9_000,
      backoffMs: 20_000,
      call: script({ outcome: 'threw' }, { outcome: 'ok' }),
    });
    expect(night.calls.map(({ atMs }) => atMs)).toEqual([0, 21_000]);
    expect(night.kinds.filter((kind) => kind === 'renew')).toHaveLength(7);
    expect(night.standings).toEqual({ a: 'done' });
  });

  test('lost between attempts: no further attempt, pending', () => {
    const ledger = poolOf(100);
    const night = playNight({
      jobs: one,
      budget,
      ledger,
      attempts: 3,
      leaseMs: 500,
      call: () => {
        return { outcome: 'server-error', takesMs: 2_000, usage: { input: 5, output: 0 } };
      },
      happenings: [
        { atMs: 1_500, happen: (its) => ledger.reclaim({ pool: POOL, nowMs: its.clock.wallMs() }) },
      ],
    });
    expect(night.calls).toHaveLength(1);
    expect(night.writes).toEqual([['a', 'pending', 'hold-lost']]);
    expect(ledger.hold('a/1/1')).toMatchObject({ state: 'expired', late: true, actual: 5 });
  });

  test('lost during the last call: a success is still written down, and settled late', () => {
    const ledger = poolOf(100);
    const night = playNight({
      jobs: one,
      budget,
      ledger,
      leaseMs: 500,
      call: () => ({ outcome: 'ok', holdLost: true, takesMs: 2_000, usage: { input: 5, output: 0 } }),
      happenings: [
        { atMs: 1_500, happen: (its) => ledger.reclaim({ pool: POOL, nowMs: its.clock.wallMs() }) },
      ],
    });
    expect(night.writes).toEqual([['a', 'done']]);
    expect(ledger.hold('a/1/1')).toMatchObject({ state: 'expired', late: true, actual: 5, consumed: 5 });
  });

  test('lost during a call that failed: no further attempt', () => {
    const night = playNight({
      jobs: one,
      budget,
      ledger: poolOf(100),
      attempts: 3,
      call: () => ({ outcome: 'server-error', holdLost: true }),
    });
    expect(night.calls).toHaveLength(1);
    expect(night.writes).toEqual([['a', 'pending', 'hold-lost']]);
  });

  test('outlives a wait that is longer than its lease', () => {
    const ledger = poolOf(100);
    const night = playNight({
      jobs: one,
      budget,
      ledger,
      attempts: 2,
      leaseMs: 9_000,
      withReclaimer: true,
      call: script(
        { outcome: 'rate-limited', retryAfterMs: 100_000 },
        { outcome: 'ok', usage: { input: 1, output: 1 } },
      ),
    });
    expect(night.standings).toEqual({ a: 'done' });
    expect(ledger.hold('a/1/1')).toMatchObject({ state: 'settled', late: false });
  });

  test('is made sure of where a gate closed between the dispatch and the first call', () => {
    const ledger = poolOf(100);
    const night = playNight({
      jobs: one,
      budget,
      ledger,
      leaseMs: 9_000,
      answer: (effect, its) => {
        if (effect.kind === 'dispatch') its.board.closeGate(its.clock.monotonicMs(), 20_000);
        // Reclaimed elsewhere, by a clock that is ahead.
        if (effect.kind === 'renew') ledger.reclaim({ pool: POOL, nowMs: its.clock.wallMs() + 10_000 });
        return 'left-to-them';
      },
    });
    expect(night.calls).toEqual([]);
    expect(night.writes).toEqual([['a', 'pending', 'hold-lost']]);
  });

  test('without an answer to a renewal nothing more is called', () => {
    const night = playNight({
      jobs: one,
      budget,
      ledger: poolOf(100),
      attempts: 3,
      call: () => ({ outcome: 'server-error' }),
      answer: (effect) => (effect.kind === 'renew' ? { outcome: 'unavailable' } : 'left-to-them'),
    });
    expect(night.calls).toHaveLength(1);
    expect(night.writes).toEqual([['a', 'pending', 'ledger-unavailable']]);
  });
});

describe('writing down and settling', () => {
  test('a checkpoint that fails is written again, and only then the job is settled', () => {
    let failures = 2;
    const night = playNight({
      jobs: one,
      budget,
      ledger: poolOf(100),
      answer: (effect) =>
        effect.kind === 'checkpoint' && failures-- > 0
          ? { written: false, error: 'disk full' }
          : 'left-to-them',
    });
    expect(night.kinds.slice(3)).toEqual([
      'checkpoint',
      'sleep',
      'checkpoint',
      'sleep',
      'checkpoint',
      'settle',
    ]);
    expect(night.standings).toEqual({ a: 'done' });
  });

  test('a checkpoint that fails until the kill leaves the job claimed and is still settled', () => {
    const ledger = poolOf(100);
    const night = playNight({
      jobs: one,
      budget: { ...budget, deadlineMs: 60_000 },
      ledger,
      call: () => ({ outcome: 'ok', usage: { input: 5, output: 0 } }),
      answer: (effect) => (effect.kind === 'checkpoint' ? { written: false, error: 'gone' } : 'left-to-them'),
    });
    expect(night.standings).toEqual({ a: 'claimed' });
    expect(ledger.hold('a/1/1')).toMatchObject({ state: 'settled', actual: 5 });
    expect(night.nowMs).toBeLessThan(60_000);
  });

  test('a settle that the store does not take is tried until the kill, then left to reclaim and counted', () => {
    const ledger = poolOf(100);
    const night = playNight({
      jobs: one,
      budget: { ...budget, deadlineMs: 60_000 },
      ledger,
      answer: (effect) => (effect.kind === 'settle' ? { outcome: 'unavailable' } : 'left-to-them'),
    });
    const settles = night.effects.filter(({ effect }) => effect.kind === 'settle').map(({ atMs }) => atMs);
    expect(settles).toEqual(Array.from({ length: 59 }, (_, i) => 1_000 * (i + 1)));
    expect(night.board.unsettledCount).toBe(1);
    expect(night.standings).toEqual({ a: 'done' });
    expect(ledger.hold('a/1/1')?.state).toBe('held');
  });

  test('a settle that is taken at the second try is counted nowhere', () => {
    let failures = 1;
    const night = playNight({
      jobs: one,
      budget,
      ledger: poolOf(100),
      answer: (effect) =>
        effect.kind === 'settle' && failures-- > 0 ? { outcome: 'unavailable' } : 'left-to-them',
    });
    expect(night.board.unsettledCount).toBe(0);
  });
});
