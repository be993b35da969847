// Whole nights against a provider that limits, slows down, fails for a while, or hides behind a client that
// retries by itself. Everything is constant, and worked out by hand.

import { describe, expect, it } from 'vitest';
import { RandomRoot } from '../../src/base/random-streams.ts';
import { planNight } from '../../src/plan/plan-night.ts';
import type { ProviderLimits, RetryingClient, Scenario } from '../../src/scenario/scenario.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { p50p95 } from '../../src/sim/distributions/log-normal.ts';
import { Draws } from '../../src/world/draws.ts';
import { planInput } from '../../src/world/plan-input.ts';
import { play } from '../../src/world/play.ts';
import { ProviderIncidentTimes } from '../../src/world/provider-incidents.ts';
import type { WorldEvent } from '../../src/world/world-event.ts';
import { jobClass, pool, scenario } from './scenario-fixture.ts';

const NO_LIMITS: ProviderLimits = {
  requests: undefined,
  tokens: undefined,
  counts: 'both',
  charge: 'use',
  enforced: 'minute',
  concurrency: undefined,
  retryAfter: true,
};
const CLIENT: RetryingClient = {
  attempts: 3,
  timeoutMs: 120_000,
  honoursSignal: true,
  timerEndsAtHeaders: true,
  backoff: { baseMs: 500, factor: 2, maxMs: 8_000, jitter: 'none' },
};
const noJitter: Pick<Scenario, 'backoff'> = { backoff: { ...scenario().backoff, jitter: 'none' } };
const provider = (over: Partial<Scenario['provider']>): Pick<Scenario, 'provider'> => ({
  provider: { ...scenario().provider, ...over },
});
const count = (jobs: number, over: Parameters<typeof jobClass>[0] = {}): Pick<Scenario, 'jobs'> => ({
  jobs: [jobClass({ count: jobs, ...over })],
});
const fixed: Pick<Scenario, 'policy'> = { policy: { ...scenario().policy, timeouts: 'fixed' } };

function played(over: Partial<Scenario>) {
  const events: WorldEvent[] = [];
  const result = play(scenario(over), { observe: (event) => events.push(event) });
  const grantedAt = events.flatMap((event) => (event.type === 'granted' ? [event.atMs] : []));
  const attempts = events.flatMap((event) => (event.type === 'attempt' ? [event] : []));
  return { result, night: result.nights[0]!, events, grantedAt, attempts };
}

describe('where every call hangs, for one job of three attempts', () => {
  const hanging = (over: Partial<Scenario>) => ({
    ...provider({ hangs: 1 }),
    ...count(1),
    ...noJitter,
    window: { lastsMs: 2_000_000, everyMs: 86_400_000 },
    client: CLIENT,
    ...over,
  });
  const planned = (over: Partial<Scenario>) => planNight(planInput(scenario(hanging(over)))).retries!;
  /** Calls of both layers, and from the opening until the last of them ended. */
  const came = (over: Partial<Scenario>) => {
    const { night, attempts } = played(hanging(over));
    return { calls: night.attempts + night.hiddenCalls, jobMs: attempts.at(-1)!.atMs };
  };
  const noPauses = { baseMs: 0, factor: 1, maxMs: 0, jitter: 'none' } as const;

  it('fixed timeouts, handed to a client of three, make nine calls and 1,080 s plus backoffs', () => {
    const withoutPauses = { ...fixed, backoff: noPauses, client: { ...CLIENT, backoff: noPauses } };
    expect(came(withoutPauses)).toEqual({ calls: 9, jobMs: 1_080_000 });
    expect(planned(withoutPauses)).toMatchObject({
      withoutSignal: { calls: 9, jobMs: 1_080_000 },
      signal: 'none',
    });
    // Three times 0.5 + 1 s in the client, and 1 + 2 s in the worker.
    expect(came(fixed)).toEqual({ calls: 9, jobMs: 1_087_500 });
    expect(planned(fixed).withoutSignal).toEqual({ calls: 9, jobMs: 1_087_500 });
  });

  it('the clamp’s signal makes three calls and 360 s plus backoffs', () => {
    expect(came({})).toEqual({ calls: 3, jobMs: 363_000 });
    expect(planned({})).toMatchObject({ withSignal: { calls: 3, jobMs: 363_000 }, signal: 'honoured' });
  });

  it('a client that does not listen makes nine calls in the time of three', () => {
    const client = { ...CLIENT, honoursSignal: false };
    // The last one's client goes on for two calls more, and the worker stays for none of it: its exit ends them.
    const { night, attempts } = played(hanging({ client }));
    expect(attempts.at(-1)!.atMs).toBe(363_000);
    expect(night.attempts + night.hiddenCalls).toBe(9 - 2);
    expect(planned({ client })).toMatchObject({ withoutSignal: { calls: 9 }, signal: 'ignored' });
  });

  it('a lease shorter than what the client takes is renewed meanwhile', () => {
    const short = pool({ leaseMs: 200_000 });
    const { night } = played(hanging({ ...fixed, pool: short }));
    expect(night).toMatchObject({ deferCauses: { 'attempts-used-up': 1 }, unsettled: 0 });
    expect(night.pools.free).toMatchObject({ consumed: 2_000, overspent: 1_000, shortfall: 0 });
  });

  it('what the client hides is on the bill, and is a cause of its own', () => {
    // An envelope that holds what the worker settles: 3 × 1,000. Billed are nine inputs.
    const jobs = count(1, { envelope: { kind: 'tokens', tokens: 5_000 } });
    const { night } = played(hanging({ ...fixed, ...jobs, pool: pool() }));
    expect(night.pools.free).toMatchObject({ billed: 9_000, consumed: 3_000, drift: 6_000 });
    expect(night.pools.free!.driftCauses).toMatchObject({
      hiddenCalls: 6_000,
      abandonedCalls: 0,
      estimatedUsage: 0,
    });
  });
});

describe('an abandoned call', () => {
  // 5 s to the first token and 100 tokens at 1 s each, cut at 45 s: 40 tokens.
  const cut = {
    ...provider({ latency: { kind: 'by-token', firstToken: constant(5_000), perToken: constant(1_000) } }),
    ...count(1, { attempts: 1 }),
    budget: { ...scenario().budget, capMs: 45_000 },
    pool: pool(),
  };

  it('bills what it generated, which the worker does not know', () => {
    const { pools } = played(cut).night;
    expect(pools.free).toMatchObject({ billed: 1_040, consumed: 1_000, drift: 40 });
    expect(pools.free!.driftCauses).toMatchObject({ abandonedCalls: 40 });
  });

  it('bills its input alone where that is how it is billed', () => {
    const input = { ...cut, provider: { ...cut.provider, billing: { abandoned: 'input' } as const } };
    expect(played(input).night.pools.free).toMatchObject({ billed: 1_000, consumed: 1_000, drift: 0 });
  });
});

describe('a refusal', () => {
  it('of ten minutes with five left: nothing more is sent, all is deferred, and no error is counted', () => {
    // A thousand tokens a minute, and one call of 255 s that puts out 10,000: ten minutes of debt.
    const { night, grantedAt, attempts } = played({
      ...provider({
        latency: { kind: 'direct', call: constant(255_000) },
        limits: { ...NO_LIMITS, tokens: 1_000 },
      }),
      ...count(20, {
        tokens: { kind: 'independent', input: constant(1_000), output: constant(10_000) },
        envelope: { kind: 'tokens', tokens: 40_000 },
      }),
      budget: { ...scenario().budget, capMs: 300_000 },
      pool: pool(),
    });
    expect(attempts.map(({ atMs, outcome }) => [atMs, outcome])).toEqual([
      [255_000, 'ok'],
      [255_100, 'rate-limited'],
    ]);
    expect(grantedAt).toEqual([0, 255_100]);
    expect(night).toMatchObject({
      done: 1,
      deferred: 19,
      deferCauses: { 'out-of-time': 1, 'not-reached': 18 },
      attempts: 2,
      rateLimited: 1,
      errors: 0,
      timeouts: 0,
      unsettled: 0,
      // What is left is not waited for.
      finishedMs: 255_200,
    });
    expect(night.pools.free).toMatchObject({ consumed: 11_000, billed: 11_000, held: 0 });
  });

  it('that says how long closes the gate for every lane', () => {
    // Two requests a minute and four lanes: two get in, two are told 30 s. Those that were done at 10 s wait too.
    const { grantedAt } = played({
      ...provider({ limits: { ...NO_LIMITS, requests: 2 } }),
      ...count(8),
      lanes: 4,
    });
    expect(grantedAt.filter((atMs) => atMs < 30_000)).toEqual([0, 0, 0, 0]);
    expect(grantedAt.filter((atMs) => atMs >= 30_000)[0]).toBe(30_000);
  });

  it('that does not say is met with the worker’s own backoff', () => {
    const limits = { ...NO_LIMITS, requests: 2, retryAfter: false };
    const { attempts, night } = played({ ...provider({ limits }), ...noJitter, ...count(4), lanes: 4 });
    // 1 s and 2 s of pause, and then its attempts are used up.
    const refused = attempts.filter(({ outcome }) => outcome === 'rate-limited').map(({ atMs }) => atMs);
    expect(refused).toEqual([0, 0, 1_000, 1_000, 3_000, 3_000]);
    expect(night).toMatchObject({
      done: 2,
      deferCauses: { 'attempts-used-up': 2 },
      rateLimited: 6,
      errors: 0,
    });
  });

  it('is hidden by a client that waits for it, and costs the lane its time', () => {
    // One request a minute: the second is told 60 s, which is what clients obey, and then gets in.
    const { night, attempts } = played({
      ...provider({ limits: { ...NO_LIMITS, requests: 1 } }),
      ...count(2),
      lanes: 2,
      client: CLIENT,
    });
    expect(night).toMatchObject({ done: 2, attempts: 2, rateLimited: 0, hiddenCalls: 1 });
    expect(attempts.map(({ elapsedMs }) => elapsedMs)).toEqual([10_000, 70_000]);
  });

  it('by calls at once leaves as many under way as it lets in', () => {
    const limits = { ...NO_LIMITS, concurrency: 3 };
    const { attempts, night } = played({ ...provider({ limits }), ...count(12), lanes: 8 });
    const served = attempts.filter(({ outcome }) => outcome === 'ok');
    const begunAt = served.map(({ atMs, elapsedMs }) => atMs - elapsedMs);
    const underWayAt = (nowMs: number) =>
      served.filter(({ atMs }, call) => begunAt[call]! <= nowMs && nowMs < atMs).length;
    const most = Math.max(...begunAt.map(underWayAt));
    expect(most).toBe(3);
    expect(night.rateLimited).toBeGreaterThan(0);
  });

  it('by the second spaces the calls that get in', () => {
    // 30 a minute, by the second: one in 2 s, however many lanes there are.
    const limits = { ...NO_LIMITS, requests: 30, enforced: 'second' as const };
    const { attempts } = played({ ...provider({ limits }), ...count(40), lanes: 8 });
    const starts = attempts
      .filter(({ outcome }) => outcome === 'ok')
      .map(({ atMs, elapsedMs }) => atMs - elapsedMs)
      .toSorted((one, other) => one - other);
    expect(starts.length).toBeGreaterThan(20);
    const gaps = starts.slice(1).map((atMs, before) => atMs - starts[before]!);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2_000 - 1e-6);
  });
});

describe('a provider that slows down', () => {
  it('multiplies the latency of each call beyond what it serves at full speed', () => {
    const slowdown = { from: 2, factor: 1.5 };
    const { attempts } = played({ ...provider({ slowdown }), ...count(4), lanes: 4 });
    expect(attempts.map(({ elapsedMs }) => elapsedMs)).toEqual([10_000, 10_000, 15_000, 22_500]);
  });

  it('is slow for the calls that begin in a slow period', () => {
    const slow = { at: [{ night: 1, fromMs: 0, lastsMs: 15_000 }], random: undefined, factor: 3 };
    const { attempts } = played({ ...provider({ slow }), ...count(3) });
    expect(attempts.map(({ elapsedMs }) => elapsedMs)).toEqual([30_000, 10_000, 10_000]);
  });
});

describe('an outage', () => {
  it('breaks off what is under way, answers errors until its end, and comes on its own night', () => {
    const outages = { at: [{ night: 1, fromMs: 4_000, lastsMs: 20_000 }], random: undefined };
    const { result, attempts } = played({ ...provider({ outages }), ...noJitter, ...count(2), nights: 2 });
    // Broken off at 4 s, again from 5 s: an error at 15 s; from 17 s: an error at 27 s, although it is over by then.
    // The other job begins at 27.1 s.
    const first = attempts.filter(({ night }) => night === 1);
    expect(first.map(({ atMs, outcome }) => [atMs, outcome])).toEqual([
      [4_000, 'server-error'],
      [15_000, 'server-error'],
      [27_000, 'server-error'],
      [37_100, 'ok'],
    ]);
    expect(result.nights[0]).toMatchObject({ errors: 3, done: 1, deferCauses: { 'attempts-used-up': 1 } });
    expect(result.nights[1]).toMatchObject({ errors: 0, done: 3 });
  });

  it('that lasts into the next night is there at its opening', () => {
    const outages = { at: [{ night: 1, fromMs: 590_000, lastsMs: 86_400_000 }], random: undefined };
    const { result } = played({ ...provider({ outages }), ...noJitter, ...count(1), nights: 2 });
    // It ends 590 s after the second opening; the error comes as late as an answer would.
    expect(result.nights[0]).toMatchObject({ errors: 0, done: 1 });
    expect(result.nights[1]).toMatchObject({ errors: 3, done: 0 });
  });
});

describe('outages at random', () => {
  const HOUR = 3_600_000;
  const published = scenario({
    nights: 4_000,
    window: { lastsMs: 24 * HOUR, everyMs: 24 * HOUR },
    ...provider({
      outages: {
        at: [],
        random: { betweenMs: 5.4 * 24 * HOUR, lasts: p50p95({ p50: 1.24 * HOUR, p95: 6.2 * HOUR }) },
      },
    }),
  });
  const root = new RandomRoot('outages');
  const times = (one: Scenario, replication = 0) =>
    new ProviderIncidentTimes(one, new Draws(root, replication, one));

  it('come as often and last as long as they are said to', () => {
    const told = times(published);
    let begun = 0;
    let downMs = 0;
    for (let night = 1; night <= published.nights; night += 1) {
      for (const { fromMs, toMs } of told.inNight(night).outages) {
        if (fromMs > 0) begun += 1;
        downMs += Math.min(toMs, 24 * HOUR) - fromMs;
      }
    }
    // A cycle is 5.4 days and 2 hours; of some 730 of them the mean lies within three standard errors.
    const cycles = (published.nights * 24) / (5.4 * 24 + 2);
    expect(Math.abs(begun - cycles)).toBeLessThan(3 * Math.sqrt(cycles));
    expect(Math.abs(downMs / HOUR / cycles - 2)).toBeLessThan((3 * 2.5) / Math.sqrt(cycles));
  });

  it('are under way at the first opening as often as at any other', () => {
    const replications = 20_000;
    let down = 0;
    for (let replication = 0; replication < replications; replication += 1) {
      const [first] = times(published, replication).inNight(1).outages;
      if (first?.fromMs === 0) down += 1;
    }
    const expected = 2 / (5.4 * 24 + 2);
    const error = Math.sqrt((expected * (1 - expected)) / replications);
    expect(Math.abs(down / replications - expected)).toBeLessThan(3 * error);
  });

  it('are the same for a variant with another window', () => {
    const shorter = { ...published, window: { lastsMs: 12 * HOUR, everyMs: 24 * HOUR } };
    const [all, half] = [times(published), times(shorter)];
    for (let night = 1; night <= 100; night += 1) {
      const before = all.inNight(night).outages.filter(({ fromMs }) => fromMs < 12 * HOUR);
      expect(half.inNight(night).outages).toEqual(before);
    }
  });
});
