import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Engine } from '../../src/sim/engine.ts';
import { ComingJobs } from '../../src/world/coming-jobs.ts';

const times = fc.double({ min: 1e-6, max: 3_600_000, noNaN: true });

function comingAt(atMs: readonly number[], { workers = 1, untilMs = 4_000_000 } = {}) {
  const engine = new Engine();
  const arrived: string[] = [];
  const jobs = atMs.map((one, i) => ({ jobId: String(i), atMs: one }));
  const coming = new ComingJobs({
    engine,
    jobs,
    untilMs,
    workers,
    arrived: (jobId) => arrived.push(jobId),
  });
  coming.open();
  return { engine, coming, arrived };
}

describe('a lane that sleeps until the next job comes', () => {
  test('for any moments, is awake within a microsecond of it, though sums of times are rounded', () => {
    fc.assert(
      fc.property(times, times, times, (one, other, later) => {
        const [asksMs = 0, comesMs = 0] = [one, other].toSorted((a, b) => a - b);
        fc.pre(asksMs < comesMs);
        const { engine, coming, arrived } = comingAt([comesMs, comesMs + later]);
        let awakeMs = Number.NaN;
        const sleep = (): void => {
          if (arrived.length > 0) awakeMs = engine.now;
          else engine.schedule(coming.sleepMs(0) ?? Number.NaN, sleep);
        };
        engine.scheduleAt(asksMs, sleep);
        engine.run();
        expect(awakeMs).toBeGreaterThanOrEqual(comesMs);
        expect(awakeMs - comesMs).toBeLessThanOrEqual(0.001);
      }),
      // Here now + (then − now) is less than then.
      { examples: [[2.7710015211717582, 44.75394559127697, 1_000]] },
    );
  });

  test('is not woken for a job that another lane of its worker waits for', () => {
    const { coming } = comingAt([100, 200, 300]);
    expect([0, 0, 0, 0].map((process) => coming.sleepMs(process))).toEqual([100, 200, 300, 300]);
    // Another process, after a crash, begins anew.
    expect(coming.sleepMs(1)).toBe(100);
  });

  test('is woken for every job, and each minute, where other workers may take it or give one back', () => {
    const { engine, coming } = comingAt([100, 200_000], { workers: 2 });
    expect([coming.sleepMs(0), coming.sleepMs(0)]).toEqual([100, 100]);
    engine.run(150);
    expect(coming.sleepMs(1)).toBe(60_000);
  });

  test('waits for nobody who comes when nothing is taken up any more', () => {
    const { coming } = comingAt([100, 200], { untilMs: 150 });
    expect([coming.sleepMs(0), coming.sleepMs(0), coming.nextInMs]).toEqual([100, 100, 100]);
    expect(comingAt([200], { untilMs: 150 }).coming.sleepMs(0)).toBeUndefined();
  });
});
