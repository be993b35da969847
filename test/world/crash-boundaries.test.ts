// A worker that crashes at any moment at all: before, during and after every single thing it does. Whenever
// that is, its jobs are done exactly once or are pending, and the books account for every token.

import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { constant, fleet, jobClass, once, played, pool, scenario, told } from './fleet-fixture.ts';

/** Everything takes a while, so that there is a moment in the middle of everything. */
function night(over: Partial<Scenario> = {}): Scenario {
  return scenario({
    nights: 2,
    window: { lastsMs: 200_000, everyMs: 86_400_000 },
    budget: { reserveMs: 10_000, floorMs: 1_000, capMs: 30_000, attempts: 2 },
    lanes: 2,
    pool: pool({ capacity: 5_000, quota: 5_000, leaseMs: 9_000 }),
    jobs: [jobClass({ count: 3, attempts: 2, arrive: 'first-night' })],
    store: { write: constant(1_700), writers: 1, flushMs: 1_000 },
    ledger: { latency: constant(130), contention: 0, outages: undefined },
    ...over,
  });
}

/** Every moment at which something happens where nothing goes wrong, and the middle between any two. */
function moments(calm: Scenario): readonly number[] {
  const times = played(calm)
    .events.filter((event) => event.night === 1 && event.atMs < 90_000)
    .map(({ atMs }) => atMs);
  // Operations that move no books (dispatch, renew) leave no event: their moments are found by a fine grid.
  const grid = Array.from({ length: 80 }, (_, i) => i * 195);
  const all = [...new Set([...times, ...grid])].sort((one, other) => one - other);
  return all.flatMap((atMs, i) => [atMs, (atMs + (all[i + 1] ?? atMs + 1_000)) / 2]);
}

function checked(one: Scenario, crashMs: number): void {
  const { result, events } = played({
    ...one,
    fleet: fleet({ ...one.fleet, crashes: once(crashMs, 5_000) }),
  });
  const done = told(events, 'written').filter(({ status }) => status === 'done');
  const jobs = done.map(({ job }) => job);
  expect(new Set(jobs).size, `written once, crash at ${crashMs}`).toBe(jobs.length);
  const outcomes = told(events, 'outcome').filter(({ outcome }) => outcome === 'done');
  expect(outcomes.map(({ job }) => job).sort(), `crash at ${crashMs}`).toEqual([...jobs].sort());
  // The first night or the one after: none is lost, none is left.
  expect(jobs.length, `crash at ${crashMs}`).toBe(3);
  for (const { pools, jobs: count, ...counts } of result.nights) {
    const { done: d, deferred, refused, inadmissible, failed, unknown, lostWrites } = counts;
    expect(d + deferred + refused + inadmissible + failed + unknown + lostWrites).toBe(count);
    const { billed, consumed, drift, driftCauses } = pools.free!;
    expect(billed - consumed, `crash at ${crashMs}`).toBe(drift);
    expect(Object.values(driftCauses).reduce((sum, tokens) => sum + tokens, 0)).toBe(drift);
  }
  expect(result.nights[0]).toMatchObject({ duplicated: 0 });
  expect(result.pools.free, `crash at ${crashMs}`).toMatchObject({ held: 0, stranded: 0 });
}

describe('a crash, whenever it comes,', () => {
  it('leaves every job done once and every token accounted for, beside another worker', () => {
    const one = night({ fleet: fleet({ workers: 2 }) });
    const all = moments(one);
    expect(all.length).toBeGreaterThan(150);
    for (const crashMs of all) checked(one, crashMs);
  });

  it('leaves every job done once and every token accounted for, with nobody beside it', () => {
    const one = night();
    for (const crashMs of moments(one)) checked(one, crashMs);
  });

  it('does so too where holds are per attempt and calls fail', () => {
    const provider = { ...scenario().provider, errors: 0.5 };
    const policy = { ...scenario().policy, hold: 'per-attempt' } as const;
    const jobs = [jobClass({ count: 3, attempts: 9, arrive: 'first-night' })];
    const one = night({ provider, policy, jobs, fleet: fleet({ workers: 2 }) });
    for (const crashMs of moments(one)) checked(one, crashMs);
  });
});
