import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MemoryLedger, type QueueTrips, runQueue, type Trip } from '../../src/index.ts';
import { jobs, night, played, sleep, type TestJob } from './live-night.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const many = (count: number) =>
  jobs(...Array.from({ length: count }, (_, i) => `${i % 2 === 0 ? 'a' : 'b'}${i}`));

/** One lane, ten seconds a job, so that job n is taken up 10 s × n after the beginning. */
async function run(trips: QueueTrips<TestJob>, over: object = {}, actual = 1_000) {
  const { options } = night({
    jobs: many(30),
    trips,
    call: async () => {
      await sleep(10_000);
      return { outcome: 'ok', usage: { input: actual, output: 0 } };
    },
    ...over,
  });
  return played(runQueue(options));
}

describe('a queue that is too old', () => {
  const slack = { classes: { job: { slackMs: 60_000 } } };

  test('is shed after half of its slack: four were taken up by then, the rest is for another night', async () => {
    const told: Trip[] = [];
    const result = await run({
      ...slack,
      onTrip: (trip) => {
        told.push(trip);
        return undefined;
      },
    });
    expect(result.done).toHaveLength(4);
    expect(new Set(result.deferred.map(({ cause }) => cause))).toEqual(new Set(['shed']));
    expect(result.deferred).toHaveLength(26);
    expect(told).toMatchObject([{ signal: 'queue-age', class: 'job', atMs: 40_000, threshold: 0.5 }]);
  });

  test('goes on where the callback says so', async () => {
    const result = await run({ ...slack, onTrip: () => 'none' });
    expect(result.done).toHaveLength(30);
  });

  test('is of one class: the others go on', async () => {
    const result = await run({ class: (job) => job.id[0]!, classes: { a: { slackMs: 60_000 } } });
    expect(result.done.filter(({ id }) => id.startsWith('b'))).toHaveLength(15);
    expect(result.deferred.every(({ id, cause }) => id.startsWith('a') && cause === 'shed')).toBe(true);
    expect(result.deferred).toHaveLength(13);
  });

  test('is no reason where no slack was declared', async () => {
    expect((await run({})).done).toHaveLength(30);
  });
});

describe('a night off track', () => {
  const poolOf = (capacity: number) => {
    const ledger = new MemoryLedger();
    ledger.openPool({ pool: 'free', capacity });
    return { ledger, pool: 'free', envelope: () => 1_000, input: () => 0 };
  };

  test('is told: every envelope overspent, an alert at the first and a trip at the twentieth', async () => {
    const told: [string, string, number][] = [];
    const onTrip = ({ level, signal, atMs }: Trip) => {
      told.push([level, signal, atMs]);
      return undefined;
    };
    const result = await run({ onTrip }, poolOf(1_000_000), 1_001);
    expect(told).toEqual([
      ['alert', 'overspend', 10_000],
      ['trip', 'overspend', 200_000],
    ]);
    expect(result.done).toHaveLength(30);
  });

  test('is stopped where the callback says so, whatever the signal', async () => {
    const onTrip = ({ level }: Trip) => (level === 'trip' ? 'shed' : 'none');
    const result = await run({ onTrip }, poolOf(1_000_000), 1_001);
    expect([result.done.length, result.deferred.length]).toEqual([20, 10]);
    expect(result.deferred[0]).toMatchObject({ id: 'a20', cause: 'shed' });
  });

  test('is seen by refusals too', async () => {
    const told: unknown[] = [];
    const onTrip = (trip: Trip) => {
      told.push([trip.signal, trip.pool, trip.figure]);
      return undefined;
    };
    // 12 are done with a thousand each; the others find nothing left.
    const result = await run({ onTrip }, poolOf(12_000));
    expect([result.done.length, result.refused.length]).toEqual([12, 18]);
    expect(told).toEqual([['refusal-rate', 'free', 0.4]]);
  });
});
