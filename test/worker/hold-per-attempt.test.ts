import { describe, expect, test } from 'vitest';
import { type Night, POOL, playNight, poolOf, type TestJob } from './scripted-driver.ts';

const budget = { deadlineMs: 600_000, reserveMs: 45_000, floorMs: 3_000, capMs: 120_000 };
const one: readonly TestJob[] = [{ id: 'a', envelope: 30 }];

/** Three attempts of ten tokens each; server errors that cost four, unless a test says so. */
function failing(over: Partial<Night> = {}) {
  const ledger = over.ledger ?? poolOf(100);
  const night = playNight({
    jobs: one,
    budget,
    attempts: 3,
    hold: 'per-attempt',
    call: () => ({ outcome: 'server-error', usage: { input: 4, output: 0 } }),
    ...over,
    ledger,
  });
  return { ledger, night };
}

describe('a hold per attempt', () => {
  test('is raised before each further attempt, after its backoff, to what all so far may use', () => {
    const { night, ledger } = failing();
    expect(night.kinds).toEqual([
      ...['reserve', 'dispatch', 'call'],
      ...['sleep', 'renew', 'extend-to', 'call'],
      ...['sleep', 'renew', 'extend-to', 'call'],
      ...['checkpoint', 'settle'],
    ]);
    const totals = night.effects.flatMap(({ effect }) =>
      effect.kind === 'reserve' ? [effect.request.amount] : effect.kind === 'extend-to' ? [effect.total] : [],
    );
    expect(totals).toEqual([10, 20, 30]);
    expect(ledger.hold('a/1/1')).toMatchObject({ amount: 30, askedAmount: 10, actual: 12, state: 'settled' });
  });

  test('lets more jobs in at once than a hold of the whole job', () => {
    const jobs = ['a', 'b', 'c'].map((id) => ({ id, envelope: 30 }));
    const first = (hold: 'whole-job' | 'per-attempt') => {
      const { night } = failing({
        jobs,
        hold,
        lanes: 3,
        ledger: poolOf(30),
        call: () => ({ outcome: 'ok' }),
      });
      return night.calls.filter(({ atMs }) => atMs === 0).map(({ job }) => job);
    };
    expect(first('whole-job')).toEqual(['a']);
    expect(first('per-attempt')).toEqual(['a', 'b', 'c']);
  });

  test('that cannot be raised ends the attempts: written down as pending, and settled', () => {
    const { night, ledger } = failing({ ledger: poolOf(19) });
    expect(night.calls).toHaveLength(1);
    expect(night.writes).toEqual([['a', 'pending', 'not-extended']]);
    expect(night.standings).toEqual({ a: 'deferred not-extended' });
    expect(ledger.hold('a/1/1')).toMatchObject({ state: 'settled', actual: 4 });
  });

  test('that was raised in vain is not asked to be raised again', () => {
    const { night } = failing({ ledger: poolOf(29) });
    expect(night.kinds.filter((kind) => kind === 'extend-to')).toHaveLength(2);
    expect(night.calls).toHaveLength(2);
  });

  test('that somebody closed in the meantime is lost', () => {
    const ledger = poolOf(100);
    const { night } = failing({
      ledger,
      answer: (effect) => {
        if (effect.kind === 'extend-to') ledger.settle({ id: effect.id, actual: 0 });
        return 'left-to-them';
      },
    });
    expect(night.writes).toEqual([['a', 'pending', 'hold-lost']]);
  });

  test('whose row was refilled away cannot grow', () => {
    const ledger = poolOf(100);
    const happenings = [{ atMs: 500, happen: () => ledger.refill({ pool: POOL, period: 1 }) }];
    expect(failing({ ledger, happenings }).night.writes).toEqual([['a', 'pending', 'not-extended']]);
  });

  test('that has no answer is not called on', () => {
    const { night } = failing({
      answer: (effect) => (effect.kind === 'extend-to' ? { outcome: 'unavailable' } : 'left-to-them'),
    });
    expect(night.calls).toHaveLength(1);
    expect(night.writes).toEqual([['a', 'pending', 'ledger-unavailable']]);
  });

  test('waits out a gate that closed while it was raised', () => {
    const { night } = failing({
      answer: (effect, its) => {
        if (effect.kind === 'extend-to') its.board.closeGate(its.clock.monotonicMs(), 40_000);
        return 'left-to-them';
      },
    });
    const [first, second] = night.calls.map(({ atMs }) => atMs);
    expect(second! - first!).toBeGreaterThanOrEqual(40_000);
  });
});

describe('a closed board', () => {
  test('lets no lane take up anything more', () => {
    const { night } = failing({
      jobs: ['a', 'b'].map((id) => ({ id, envelope: 30 })),
      happenings: [{ atMs: 500, happen: (its) => its.board.close() }],
      call: () => ({ outcome: 'ok' }),
    });
    expect(night.standings).toEqual({ a: 'done', b: 'waiting' });
  });

  test('lets no lane wait for tokens', () => {
    const ledger = poolOf(30);
    ledger.reserve({
      id: 'x',
      pool: POOL,
      job: 'x',
      taker: 'them',
      amount: 30,
      leaseMs: 9e6,
      nowMs: 1_800_000_000_000,
    });
    let takes = 0;
    const { night } = failing({
      ledger,
      answer: (effect, its) => {
        if (effect.kind === 'take') takes += 1;
        if (takes === 2) its.board.close();
        return 'left-to-them';
      },
    });
    expect(night.kinds).toEqual(['reserve', 'leave', 'reclaim']);
    expect(night.nowMs).toBe(0);
  });
});
