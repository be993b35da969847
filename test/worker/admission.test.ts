import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Night, POOL, playNight, poolOf, type TestJob } from './scripted-driver.ts';

const budget = { deadlineMs: 600_000, reserveMs: 45_000, floorMs: 3_000, capMs: 120_000 };
const WALL = 1_800_000_000_000;

function jobs(...envelopes: number[]): TestJob[] {
  return envelopes.map((envelope, i) => ({ id: 'abcdefgh'[i]!, envelope }));
}

/** Somebody else's hold. */
function foreignHold(ledger: Ledger, amount: number, leaseMs = 900_000, id = 'other/1/1'): void {
  const job = id.split('/')[0]!;
  ledger.reserve({ id, pool: POOL, job, taker: 'them', amount, leaseMs, nowMs: WALL });
}

function used(tokens: number): NonNullable<Night['call']> {
  return () => ({ outcome: 'ok', usage: { input: tokens, output: 0 } });
}

describe('admission', () => {
  test('an admitted job is reserved, dispatched, called, written down and settled, in this order', () => {
    const ledger = poolOf(100);
    const night = playNight({ jobs: jobs(60), budget, ledger, call: used(25) });

    expect(night.kinds).toEqual(['reserve', 'dispatch', 'call', 'checkpoint', 'settle']);
    expect(night.standings).toEqual({ a: 'done' });
    expect(ledger.hold('a/1/1')).toMatchObject({ state: 'settled', actual: 25, job: 'a', taker: 'us' });
    expect(ledger.pool(POOL)).toMatchObject({ balance: 75, held: 0, consumed: 25 });
  });

  test('a job larger than the pool is inadmissible, and the next one is taken', () => {
    const night = playNight({ jobs: jobs(101, 60), budget, ledger: poolOf(100) });
    expect(night.standings).toEqual({ a: 'inadmissible', b: 'done' });
    expect(night.writes).toEqual([['b', 'done']]);
  });

  test('a job that cannot be paid whatever comes back is refused tonight', () => {
    const night = playNight({ jobs: jobs(60, 60, 30), budget, ledger: poolOf(100), call: used(50) });
    expect(night.standings).toEqual({ a: 'done', b: 'refused', c: 'done' });
    expect(night.kinds).not.toContain('tokens-returned');
  });

  test('a job that held tokens could pay waits for them, and is asked for again as soon as they come back', () => {
    const ledger = poolOf(100);
    foreignHold(ledger, 60);
    const night = playNight({
      jobs: jobs(60),
      budget,
      ledger,
      happenings: [{ atMs: 5_000, happen: () => ledger.settle({ id: 'other/1/1', actual: 0 }) }],
    });
    expect(night.kinds.slice(0, 5)).toEqual(['reserve', 'leave', 'reclaim', 'tokens-returned', 'reserve']);
    expect(night.effects.filter(({ effect }) => effect.kind === 'reserve').map(({ atMs }) => atMs)).toEqual([
      0, 5_000,
    ]);
    expect(night.standings).toEqual({ a: 'done' });
  });

  test('a refused lane reclaims, and asks again at once if that closed a hold', () => {
    const ledger = poolOf(100);
    ledger.reserve({
      id: 'other/1/1',
      pool: POOL,
      job: 'other',
      amount: 60,
      leaseMs: 1_000,
      nowMs: WALL - 5_000,
    });
    const night = playNight({ jobs: jobs(60), budget, ledger });
    expect(night.kinds.slice(0, 5)).toEqual(['reserve', 'leave', 'reclaim', 'reserve', 'dispatch']);
    expect(night.effects.every(({ atMs }) => atMs <= 1_000)).toBe(true);
    expect(night.standings).toEqual({ a: 'done' });
  });

  test('a lane waits for tokens until the clamp would decline, and no longer', () => {
    const ledger = poolOf(100);
    foreignHold(ledger, 60, 86_400_000);
    const night = playNight({ jobs: jobs(60), budget, ledger });
    expect(night.standings).toEqual({ a: 'waiting' });
    expect(night.nowMs).toBe(600_000 - 45_000 - 3_000);
    expect(night.writes).toEqual([]);
  });

  test('a paused pool holds up every size, and resuming wakes the lane', () => {
    const ledger = poolOf(100);
    ledger.pause({ pool: POOL });
    const night = playNight({
      jobs: jobs(60, 0),
      budget,
      ledger,
      happenings: [{ atMs: 9_000, happen: () => ledger.resume({ pool: POOL }) }],
    });
    expect(night.kinds.slice(0, 4)).toEqual(['reserve', 'leave', 'reclaim', 'tokens-returned']);
    expect(night.calls.map(({ job, atMs }) => [job, atMs])).toEqual([
      ['a', 9_000],
      ['b', 10_000],
    ]);
  });

  test("a stranger's reservation under the same id leaves the job to the stranger", () => {
    const ledger = poolOf(100);
    foreignHold(ledger, 30, 900_000, 'a/1/1');
    const night = playNight({ jobs: jobs(30), budget, ledger });
    expect(night.standings).toEqual({ a: 'deferred claimed-elsewhere' });
    expect(night.calls).toEqual([]);
  });

  test('a hold that was dispatched already is never taken up again', () => {
    const ledger = poolOf(100);
    const request = { id: 'a/1/1', pool: POOL, job: 'a', taker: 'us', amount: 30, leaseMs: 900_000 };
    ledger.reserve({ ...request, nowMs: WALL });
    ledger.dispatch({ id: 'a/1/1', nowMs: WALL });
    const night = playNight({ jobs: jobs(30), budget, ledger });
    expect(night.standings).toEqual({ a: 'deferred hold-lost' });
    expect(night.calls).toEqual([]);
  });

  test('a refused dispatch defers the job without a call or a checkpoint', () => {
    const ledger = poolOf(100);
    const night = playNight({
      jobs: jobs(30),
      budget,
      ledger,
      answer: (effect) => {
        if (effect.kind === 'dispatch') ledger.release({ id: effect.id });
        return 'left-to-them';
      },
    });
    expect(night.standings).toEqual({ a: 'deferred hold-lost' });
    expect(night.calls).toEqual([]);
    expect(night.writes).toEqual([]);
  });

  test.each(['reserve', 'dispatch'] as const)('nothing is dispatched where %s has no answer', (kind) => {
    const night = playNight({
      jobs: jobs(30, 30),
      budget,
      ledger: poolOf(100),
      answer: (effect) => (effect.kind === kind ? { outcome: 'unavailable' } : 'left-to-them'),
    });
    expect(night.standings).toEqual({
      a: 'deferred ledger-unavailable',
      b: 'deferred ledger-unavailable',
    });
    expect(night.calls).toEqual([]);
    expect(night.writes).toEqual([]);
  });

  test('where the clamp declines after the reservation, the hold is released and the job deferred', () => {
    const ledger = poolOf(100);
    const night = playNight({
      jobs: jobs(30),
      budget,
      ledger,
      // The ledger is slow: the night is over when it answers.
      answer: (effect, its) => {
        if (effect.kind === 'reserve') its.nowMs = 599_000;
        return 'left-to-them';
      },
    });
    expect(night.kinds).toEqual(['reserve', 'release', 'leave']);
    expect(night.standings).toEqual({ a: 'deferred out-of-time' });
    expect(ledger.pool(POOL)).toMatchObject({ balance: 100, held: 0 });
  });
});

describe('backfill', () => {
  /** The head of the queue waits for tokens that come back after 50 s. */
  function head(backfill: 'smaller' | 'none', lanes = 1) {
    const ledger = poolOf(100);
    foreignHold(ledger, 50);
    return playNight({
      jobs: jobs(80, 90, 20),
      budget,
      ledger,
      lanes,
      backfill,
      call: used(0),
      happenings: [{ atMs: 50_000, happen: () => ledger.settle({ id: 'other/1/1', actual: 0 }) }],
    });
  }

  test('smaller jobs overtake a job that waits for tokens, larger ones do not even ask', () => {
    const night = head('smaller');
    const asked = night.effects.flatMap(({ effect }) =>
      effect.kind === 'reserve' ? [effect.request.job] : [],
    );
    expect(asked.slice(0, 3)).toEqual(['a', 'c', 'a']);
    expect(night.calls[0]).toMatchObject({ job: 'c', atMs: 0 });
  });

  test('in strict order nothing overtakes', () => {
    const night = head('none');
    expect(night.calls.map(({ job, atMs }) => [job, atMs]).slice(0, 2)).toEqual([
      ['a', 50_000],
      ['b', 51_000],
    ]);
  });

  test('the bar is shared: with one lane waiting, the others ask for nothing as large', () => {
    const night = head('smaller', 3);
    const askedAtOnce = night.effects.flatMap(({ effect, atMs }) =>
      effect.kind === 'reserve' && atMs < 1_000 ? [effect.request.job] : [],
    );
    expect(askedAtOnce.filter((job) => job === 'a')).toHaveLength(1);
    expect(askedAtOnce).toContain('c');
  });

  test('the bar falls once the books move, so that the head is asked for first again', () => {
    const night = head('smaller', 3);
    const later = night.effects.flatMap(({ effect, atMs }) =>
      effect.kind === 'reserve' && atMs >= 50_000 ? [effect.request.job] : [],
    );
    expect(later[0]).toBe('a');
    expect(Object.values(night.standings)).toEqual(['done', 'done', 'done']);
  });
});
