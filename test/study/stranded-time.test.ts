// Tokens that nobody can use, over time: heard from events told by hand, and in a night with one crash.

import { describe, expect, it } from 'vitest';
import { constant } from '../../src/sim/distributions/constant.ts';
import { studyLeaseLengths } from '../../src/study/lease-lengths.ts';
import { StrandedWatch, strandedTime } from '../../src/study/stranded-time.ts';
import type { WorldEvent } from '../../src/world/world-event.ts';
import { jobClass, pool, scenario } from '../world/scenario-fixture.ts';
import { toTheEnd } from './to-the-end.ts';

type Told = Partial<WorldEvent> & { readonly type: WorldEvent['type'] };

function heard(...events: readonly (readonly [night: number, atMs: number, event: Told])[]) {
  const watch = new StrandedWatch(1_000);
  for (const [night, atMs, event] of events) watch.hear({ night, atMs, ...event } as WorldEvent);
  return watch.result();
}

const opened: Told = { type: 'opened' };
const killed: Told = { type: 'killed' };
const stranded = (tokens: number): Told => ({ type: 'stranded', tokens });
const expired = (tokens: number): Told => ({ type: 'expired-unreclaimed', tokens });
const refused: Told = { type: 'reserved', outcome: 'insufficient' };

describe('stranded tokens', () => {
  it('count for as long as a window is open', () => {
    const { steps, tokenMinutes } = heard(
      [1, 0, opened],
      [1, 60_000, stranded(300)],
      [1, 180_000, stranded(100)],
      [1, 240_000, killed],
      [2, 0, opened],
      [2, 0, stranded(100)],
      [2, 30_000, stranded(0)],
      [2, 600_000, killed],
    );
    expect(tokenMinutes).toBe(300 * 2 + 100 * 1 + 100 * 0.5);
    expect(steps.map(({ night, atMs, tokens }) => [night, atMs, tokens])).toEqual([
      [1, 60_000, 300],
      [1, 180_000, 100],
      [2, 0, 100],
      [2, 30_000, 0],
    ]);
  });

  it('that have expired are told beside them, and both at once where both move at once', () => {
    const { steps, tokenMinutes } = heard(
      [1, 0, opened],
      [1, 10, stranded(300)],
      [1, 20, expired(500)],
      [1, 30, stranded(0)],
      [1, 30, expired(200)],
      [1, 40, killed],
    );
    expect(steps.map(({ atMs, tokens, expiredTokens }) => [atMs, tokens, expiredTokens])).toEqual([
      [10, 300, 0],
      [20, 300, 500],
      [30, 0, 200],
    ]);
    expect(tokenMinutes).toBeCloseTo((300 * 20) / 60_000);
  });

  it('make a refusal a phantom above a fifth of the pool, and not at it', () => {
    const { phantoms } = heard(
      [1, 0, opened],
      [1, 10, refused],
      [1, 20, stranded(200)],
      [1, 30, refused],
      [1, 40, stranded(201)],
      [1, 50, refused],
      [1, 60, stranded(400)],
      [1, 70, refused],
      [1, 80, stranded(0)],
      [1, 90, refused],
      [1, 100, killed],
    );
    expect(phantoms).toEqual([
      { night: 1, fromMs: 50, toMs: 70, refusals: 2, strandedTokens: 400, strandedShare: 0.4 },
    ]);
  });
});

/** One lane, calls of 100 s; the worker dies after 150 s and is back a second later. Nobody renews what it held. */
const crashed = scenario({
  pool: pool({ capacity: 5_000, quota: 5_000, leaseMs: 120_000 }),
  jobs: [jobClass({ count: 3 })],
  window: { ...scenario().window, lastsMs: 900_000 },
  provider: { ...scenario().provider, latency: { kind: 'direct', call: constant(100_000) } },
  fleet: {
    workers: 1,
    crashes: { at: [{ night: 1, worker: 1, fromMs: 150_000, lastsMs: 1_000 }], random: undefined },
    pauses: undefined,
    zombies: undefined,
    renewals: true,
  },
});

describe('a crash', () => {
  it('strands what its worker held until the lease has ended and somebody reclaims it', () => {
    const { steps, tokenMinutes } = strandedTime(crashed, 0);
    const [left, ended, back] = steps;
    expect(left).toEqual({ night: 1, atMs: 150_000, tokens: 2_000, expiredTokens: 0 });
    // Taken at 100.1 s and renewed at 140.1 s, for 120 s each time; then whoever looks next may close it.
    expect(ended).toEqual({ night: 1, atMs: 260_100, tokens: 2_000, expiredTokens: 2_000 });
    expect(back).toMatchObject({ tokens: 0, expiredTokens: 0 });
    expect(back!.atMs).toBeGreaterThan(260_100);
    expect(tokenMinutes).toBeCloseTo((2_000 * (back!.atMs - 150_000)) / 60_000);
  });

  it('strands the more the longer the lease is', () => {
    const lengths = toTheEnd(studyLeaseLengths(crashed, [60_000, 120_000, 400_000], 2));
    const minutes = lengths.map(({ strandedTokenMinutes }) => strandedTokenMinutes);
    expect(minutes).toEqual(minutes.toSorted((one, other) => one - other));
    expect(minutes[0]).toBeGreaterThan(0);
    expect(minutes[2]).toBeGreaterThan(minutes[0]!);
    expect(toTheEnd(studyLeaseLengths(scenario(), [1_000], 1))).toEqual([]);
  });
});
