// The recorder on a few events written by hand, so that each series is counted on fingers.

import { describe, expect, test } from 'vitest';
import type { RowDelta } from '../../src/ledger/ledger.ts';
import { NightRecorder } from '../../src/report/night-recorder.ts';
import type { NightSeries } from '../../src/report/night-series.ts';
import type { WorldEvent } from '../../src/world/world-event.ts';
import { planOf, scenarioOf, type Toy } from './toy-nights.ts';

/** 1,000 s, of which 100 s reserve; cap 120 s. */
const TOY: Toy = {
  windowMs: 1_000_000,
  reserveMs: 100_000,
  capMs: 120_000,
  capacity: 1_000,
  classes: [
    { name: 'a', count: 1, envelope: 100, tokens: [10, 20] },
    { name: 'b', count: 1, envelope: 300, tokens: [10, 20] },
  ],
};

function recorded(events: readonly WorldEvent[], toy: Toy = TOY): NightSeries {
  const recorder = new NightRecorder(scenarioOf(toy), planOf(toy));
  for (const event of events) recorder.record(event);
  return recorder.series();
}

function opened(night: number): WorldEvent {
  return { type: 'opened', night, atMs: 0, jobs: 2, carriedOver: 0 };
}

function granted(atMs: number, timeoutMs: number, night = 1): WorldEvent {
  return { type: 'granted', night, atMs, timeoutMs, job: 'j', lane: 0, attempt: 1 };
}

function books(night: number, atMs: number, period: number, moved: Partial<RowDelta>): WorldEvent {
  const none = { capacity: 0, balance: 0, held: 0, consumed: 0, refunded: 0, overspent: 0, shortfall: 0 };
  return {
    type: 'books',
    night,
    atMs,
    operation: 'test',
    delta: [{ pool: 'free', period, ...none, ...moved }],
  };
}

function refill(night: number): WorldEvent {
  return books(night, 0, night, { capacity: 1_000, balance: 1_000 });
}

function attempt(job: string, tokens: number, night = 1): WorldEvent {
  return {
    type: 'attempt',
    night,
    atMs: 10,
    lane: 0,
    billed: tokens,
    job,
    attempt: 1,
    remainingMs: 1,
    grantedMs: 1,
    elapsedMs: 1,
    outcome: 'ok',
    tokens,
  };
}

function outcome(job: string, className: string, night = 1): WorldEvent {
  return { type: 'outcome', night, atMs: 1_000_000, job, class: className, outcome: 'done' };
}

function reserved(
  job: string,
  atMs: number,
  answer: 'granted' | 'insufficient' | 'exceeds-capacity' | 'paused',
  returnable = false,
  night = 1,
): WorldEvent {
  return { type: 'reserved', night, atMs, job, id: `${job}/1`, amount: 1, outcome: answer, returnable };
}

describe('grants', () => {
  test('are told apart by the cap, the reserve and the kill', () => {
    const { grants } = recorded([
      opened(1),
      granted(0, 120_000),
      granted(780_000, 120_000),
      granted(850_000, 50_000),
      granted(850_000, 120_000),
      granted(950_000, 120_000),
    ]);
    expect(grants).toMatchObject({ full: 4, shrunk: 1, intoReserve: 2, pastKill: 1, shortestMs: 50_000 });
  });

  test('of one moment become one slot with its longest grant and their number', () => {
    const { grants } = recorded([opened(1), granted(900_000, 30_000), granted(900_100, 40_000)]);
    expect(grants.edge.slots).toEqual([{ atMs: 900_100, timeoutMs: 40_000, count: 2 }]);
  });

  test('before the last minutes are in the view of the window alone', () => {
    const { grants } = recorded([opened(1), granted(0, 120_000)]);
    expect(grants.edge).toEqual({ fromMs: 340_000, slots: [], declinedSlots: [] });
    expect(grants.window.slots).toEqual([{ atMs: 0, timeoutMs: 120_000, count: 1 }]);
  });

  test('of a thousand nights take no more room than those of one', () => {
    const events = Array.from({ length: 20_000 }, (_, index) => granted(index * 49, 1_000 + index, index));
    const { grants } = recorded(events);
    expect(grants.window.slots.length).toBeLessThanOrEqual(60);
    expect(grants.shrunk).toBe(20_000);
  });

  test('that were declined are counted, with the moment of the first', () => {
    const declined = (atMs: number): WorldEvent => ({ type: 'declined', night: 1, atMs, lane: 0 });
    const { grants } = recorded([opened(1), declined(899_000), declined(899_500)]);
    expect(grants.declined).toBe(2);
    expect(grants.edge.declinedSlots).toEqual([{ atMs: 899_000, count: 2 }]);
  });
});

describe('the pool', () => {
  test('is the sum of its deltas, and of each moment the tightest is kept', () => {
    const { pool } = recorded([
      opened(1),
      refill(1),
      books(1, 100_000, 1, { balance: -400, held: 400 }),
      books(1, 100_001, 1, { balance: 300, held: -400, consumed: 100 }),
    ]);
    expect(pool).toMatchObject({
      night: 1,
      capacity: 1_000,
      leastFree: 600,
      leastFreeAtMs: 100_000,
      mostHeld: 400,
    });
    expect(pool?.steps).toEqual([
      { atMs: 0, free: 1_000, held: 0, consumed: 0 },
      { atMs: 100_000, free: 600, held: 400, consumed: 0 },
      { atMs: 100_001, free: 900, held: 0, consumed: 100 },
    ]);
  });

  test('passes over the rows of other pools and of nights gone by', () => {
    const foreign = books(2, 5, 2, { pool: 'else', balance: -1, held: 1 });
    const { pool } = recorded([
      opened(1),
      refill(1),
      opened(2),
      refill(2),
      books(2, 5, 1, { balance: 7 }),
      foreign,
    ]);
    expect(pool).toMatchObject({ capacity: 1_000, leastFree: 1_000 });
  });

  test('that was refilled a moment before its night opened starts full', () => {
    const { pool } = recorded([refill(1), opened(1), books(1, 1, 1, { balance: -1_000, held: 1_000 })]);
    expect(pool).toMatchObject({ night: 1, capacity: 1_000, leastFree: 0 });
  });

  test('that is never refilled goes on where the night before left it', () => {
    const { pool } = recorded(
      [
        opened(1),
        books(1, 0, 0, { capacity: 1_000, balance: 1_000 }),
        books(1, 9, 0, { balance: -800, consumed: 800 }),
        opened(2),
        books(2, 9, 0, { balance: -100, consumed: 100 }),
      ],
      { ...TOY, refill: 'never' },
    );
    expect(pool).toMatchObject({ night: 2, leastFree: 100, consumed: 900 });
    expect(pool?.steps[0]).toEqual({ atMs: 0, free: 200, held: 0, consumed: 800 });
  });

  test('of all nights is shown on the one with the most refusals', () => {
    const { pool } = recorded([
      opened(1),
      refill(1),
      books(1, 1, 1, { balance: -1_000, consumed: 1_000 }),
      opened(2),
      refill(2),
      reserved('x', 3, 'insufficient', false, 2),
      opened(3),
      refill(3),
    ]);
    expect(pool).toMatchObject({ night: 2, refused: 1, refusals: [{ atMs: 3, count: 1 }] });
  });

  test('tells asks that wait from asks that are refused, and from envelopes larger than itself', () => {
    const { pool } = recorded([
      opened(1),
      refill(1),
      reserved('x', 1, 'insufficient', true),
      reserved('x', 2, 'insufficient'),
      reserved('x', 3, 'exceeds-capacity'),
      reserved('x', 4, 'paused'),
    ]);
    expect(pool).toMatchObject({ waits: 1, refused: 1 });
  });

  test('that does not exist has no series', () => {
    const series = recorded([opened(1)], { ...TOY, capacity: undefined });
    expect(series.pool).toBeNull();
    expect(series.classes[0]).toMatchObject({ admittedFirstNight: null, usage: { beyond: null, bins: [] } });
  });
});

describe('usage', () => {
  test('adds all attempts of a job in a night, and starts anew the next night', () => {
    const { classes } = recorded([
      opened(1),
      attempt('x', 40),
      attempt('x', 50),
      outcome('x', 'a'),
      opened(2),
      attempt('x', 30, 2),
      outcome('x', 'a', 2),
    ]);
    expect(classes[0]?.usage).toMatchObject({ jobs: 2, p50: 30, p95: 90, max: 90, tokens: 120, beyond: 0 });
  });

  test('of exactly the envelope is paid for; one token more is beyond', () => {
    const { classes } = recorded([
      opened(1),
      attempt('x', 100),
      outcome('x', 'a'),
      attempt('y', 101),
      outcome('y', 'a'),
    ]);
    expect(classes[0]?.usage.beyond).toBe(1);
    expect(classes[0]?.usage.bins[9]).toBe(1);
    expect(classes[0]?.usage.bins[10]).toBe(1);
  });

  test('far beyond the envelope falls into the last bin', () => {
    const { classes } = recorded([opened(1), attempt('x', 5_000), outcome('x', 'a')]);
    expect(classes[0]?.usage.bins.at(-1)).toBe(1);
  });

  test('of a job without an attempt is not counted', () => {
    const { classes } = recorded([opened(1), outcome('x', 'a')]);
    expect(classes[0]?.usage).toMatchObject({ jobs: 0, p50: null, p95: null, max: null });
  });

  test('quantiles are nearest ranks, to three digits', () => {
    const events = Array.from({ length: 1_000 }, (_, index) => [
      attempt(`${index}`, 10_000 + index),
      outcome(`${index}`, 'a'),
    ]).flat();
    const { usage } = recorded([opened(1), ...events]).classes[0]!;
    expect(usage.p50).toBeCloseTo(10_499, -2);
    expect(usage.p95).toBeCloseTo(10_949, -2);
    expect(usage.max).toBe(10_999);
  });
});

test('jobs let in are counted once, by class, on the first night only', () => {
  const call = (job: string, night: number): WorldEvent =>
    ({ ...granted(1, 120_000, night), job }) as WorldEvent;
  const { classes } = recorded([
    opened(1),
    refill(1),
    call('x', 1),
    call('x', 1),
    reserved('y', 2, 'insufficient'),
    outcome('x', 'a'),
    outcome('y', 'b'),
    opened(2),
    call('y', 2),
    outcome('y', 'b', 2),
  ]);
  expect(classes.map(({ admittedFirstNight }) => admittedFirstNight)).toEqual([1, 0]);
});

test('a shared counter has no books: it is drawn from what its calls were billed', () => {
  const scenario = scenarioOf(TOY);
  const counted = { ...scenario, policy: { ...scenario.policy, admission: 'shared-counter' as const } };
  const recorder = new NightRecorder(counted, planOf(TOY));
  const refused: WorldEvent = {
    type: 'outcome',
    night: 1,
    atMs: 20,
    job: 'y',
    class: 'b',
    outcome: 'refused',
  };
  for (const event of [opened(1), attempt('x', 700), attempt('y', 300), outcome('x', 'a'), refused]) {
    recorder.record(event);
  }
  const { pool } = recorder.series();
  expect(pool).toMatchObject({ capacity: 1_000, leastFree: 0, consumed: 1_000, refused: 1, mostHeld: 0 });
});

test('checkpoints are timed from the queue to the disk, and the kill leaves some unwritten', () => {
  const write = (type: 'write-queued' | 'written', job: string, atMs: number): WorldEvent => ({
    type,
    night: 1,
    atMs,
    job,
    status: 'done',
  });
  const { writes } = recorded([
    opened(1),
    write('write-queued', 'x', 10),
    write('write-queued', 'y', 20),
    write('written', 'x', 35),
    write('write-queued', 'z', 40),
    write('written', 'y', 41),
  ]);
  expect(writes).toEqual({ peak: 2, peakNight: 1, peakAtMs: 20, longestMs: 25, unwritten: 1 });
});
