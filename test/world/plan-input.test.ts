import { describe, expect, it } from 'vitest';
import { planNight } from '../../src/plan/plan-night.ts';
import type { JobClass, Scenario } from '../../src/scenario/scenario.ts';
import type { Distribution } from '../../src/sim/distribution.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { exponential } from '../../src/sim/distributions/exponential.ts';
import { logNormal } from '../../src/sim/distributions/log-normal.ts';
import { uniform } from '../../src/sim/distributions/uniform.ts';
import { expectCall, meanUpTo } from '../../src/world/call-expectation.ts';
import { planInput } from '../../src/world/plan-input.ts';
import { CALM, TRIPS } from './scenario-fixture.ts';

const jobClass: JobClass = {
  name: 'plain',
  count: 100,
  arrive: 'every-night',
  slackMs: 2_955_000,
  isSlackDeclared: false,
  attempts: 3,
  tokens: { kind: 'independent', input: constant(1_000), output: constant(500) },
  declaredOutput: undefined,
  envelope: { kind: 'quantile', quantile: 0.95, fanout: 3, overhead: 7 },
};

const scenario: Scenario = {
  name: 'plain',
  seed: 'plain',
  nights: 2,
  window: { lastsMs: 3_000_000, everyMs: 86_400_000 },
  budget: { reserveMs: 45_000, floorMs: 3_000, capMs: 60_000, attempts: 3 },
  lanes: 4,
  pool: {
    name: 'free',
    quota: 20_000_000,
    capacity: 10_000_000,
    funded: 0.5,
    leaseMs: 900_000,
    refill: 'night',
  },
  jobs: [jobClass],
  order: 'listed',
  backfill: 'smaller',
  backoff: { baseMs: 1_000, factor: 2, maxMs: 30_000, jitter: 'full' },
  provider: {
    latency: { kind: 'by-token', firstToken: constant(2_000), perToken: constant(20) },
    hangs: 0,
    errors: 0,
    invalid: 0,
    usage: 'reported',
    ...CALM,
  },
  client: undefined,
  store: { write: constant(40), writers: 2, flushMs: 0 },
  policy: { timeouts: 'clamp', admission: 'envelope', reclaim: 'refund' },
  trips: TRIPS,
  compare: [],
};

const withProvider = (provider: Partial<Scenario['provider']>): Scenario => ({
  ...scenario,
  provider: { ...scenario.provider, ...provider },
});
const classOf = (change: Scenario) => planInput(change).classes[0]!;

describe('a scenario in plain numbers', () => {
  it('without faults is hand arithmetic', () => {
    expect(planInput(scenario)).toEqual({
      scenario: 'plain',
      nights: 2,
      windowMs: 3_000_000,
      everyMs: 86_400_000,
      reserveMs: 45_000,
      floorMs: 3_000,
      capMs: 60_000,
      lanes: 4,
      pool: { capacityTokens: 10_000_000, refilled: 'night' },
      classes: [
        {
          name: 'plain',
          count: 100,
          arrivesEveryNight: true,
          slackMs: 2_955_000,
          attempts: 3,
          longestBackoffsMs: 3_000,
          meanPausesMs: 0,
          envelopeTokens: 3 * 1_000 + 3 * 500 + 7,
          meanInputTokens: 1_000,
          meanOutputTokens: 500,
          p95InputTokens: 1_000,
          p95OutputTokens: 500,
          successRatio: 1,
          timeoutRatio: 0,
          meanAttemptMs: 12_000,
          meanAttemptTokens: 1_500,
        },
      ],
      order: 'listed',
      backfill: 'smaller',
      writers: 2,
      meanWriteMs: 40,
      client: null,
    });
  });

  it('with hangs, errors and invalid answers weighs each by what it takes and costs', () => {
    const { successRatio, timeoutRatio, meanAttemptMs, meanAttemptTokens, meanPausesMs } = classOf(
      withProvider({ hangs: 0.1, errors: 0.2, invalid: 0.3 }),
    );
    expect(successRatio).toBeCloseTo(0.4, 12);
    expect(timeoutRatio).toBeCloseTo(0.1, 12);
    // A hang takes the cap, an error ends after the first token, the rest answers after 12 s.
    expect(meanAttemptMs).toBeCloseTo(0.1 * 60_000 + 0.2 * 2_000 + 0.7 * 12_000, 9);
    // A hang costs its input, an error nothing, the rest everything.
    expect(meanAttemptTokens).toBeCloseTo(0.1 * 1_000 + 0.7 * 1_500, 9);
    // Half of 1 s if the first attempt fails, half of 2 s if the second does too.
    expect(meanPausesMs).toBeCloseTo(0.6 * 500 + 0.36 * 1_000, 9);
  });

  it('takes the longest pauses where there is no jitter', () => {
    const strict = withProvider({ invalid: 0.5 });
    const { meanPausesMs } = classOf({ ...strict, backoff: { ...strict.backoff, jitter: 'none' } });
    expect(meanPausesMs).toBeCloseTo(0.5 * 1_000 + 0.25 * 2_000, 9);
  });

  it('counts an answer exactly at the cap as in time, and one a moment later as a timeout', () => {
    const slow = (firstMs: number) =>
      classOf(
        withProvider({
          latency: { kind: 'by-token', firstToken: constant(firstMs), perToken: constant(20) },
        }),
      );
    expect(slow(50_000)).toMatchObject({ successRatio: 1, timeoutRatio: 0, meanAttemptTokens: 1_500 });
    expect(slow(50_001)).toMatchObject({ successRatio: 0, timeoutRatio: 1, meanAttemptTokens: 1_000 });
    expect(slow(50_001).meanAttemptMs).toBeCloseTo(60_000, 6);
  });

  it('knows a server error that comes after the cap as a timeout', () => {
    const latency = { kind: 'by-token', firstToken: constant(70_000), perToken: constant(0) } as const;
    expect(classOf(withProvider({ latency, errors: 1 }))).toMatchObject({
      successRatio: 0,
      timeoutRatio: 1,
      meanAttemptMs: 60_000,
    });
  });

  it('knows a call that uses its whole grant, and then succeeds', () => {
    const whole = classOf(withProvider({ latency: { kind: 'whole-grant' } }));
    expect(whole).toMatchObject({
      successRatio: 1,
      timeoutRatio: 0,
      meanAttemptMs: 60_000,
      meanAttemptTokens: 1_500,
    });
  });

  it('is what the planner reads: a night of it, planned', () => {
    const plan = planNight(planInput(scenario));
    expect(plan.worstCase).toMatchObject({ items: 100, attempts: 3, sequentialMs: 18_000_000 });
    expect(plan.bounds).toEqual([
      { name: 'lanes', jobsPerNight: (4 * 2_955_000) / 12_040 },
      { name: 'pool', jobsPerNight: 10_000_000 / 1_500 },
      { name: 'writers', jobsPerNight: (2 * 3_000_000) / 40 },
    ]);
  });
});

describe('one call against the cap', () => {
  const cap = 60_000;

  it('described directly is exact', () => {
    const call = exponential({ mean: 30_000 });
    const expected = expectCall({ kind: 'direct', call }, constant(500), cap);
    const late = Math.exp(-2);
    expect(expected.lateRatio).toBeCloseTo(late, 12);
    expect(expected.meanMs).toBeCloseTo(30_000 * (1 - late), 6);
    expect(expected.meanOutputInTime).toBeCloseTo(500 * (1 - late), 9);
  });

  it('by token, with only the first token uncertain, is exact', () => {
    const latency = {
      kind: 'by-token',
      firstToken: exponential({ mean: 20_000 }),
      perToken: constant(40),
    } as const;
    const expected = expectCall(latency, constant(500), cap);
    const late = Math.exp(-2);
    expect(expected.lateRatio).toBeCloseTo(late, 12);
    expect(expected.meanMs).toBeCloseTo(20_000 + 20_000 * (1 - late), 6);
    expect(expected.meanOutputInTime).toBeCloseTo(500 * (1 - late), 9);
  });

  it('by token, is within two thousandths of a case that has a closed form', () => {
    // The product of two log-normal quantities is log-normal.
    const output = logNormal({ mu: Math.log(500), sigma: 0.8 });
    const perToken = logNormal({ mu: Math.log(40), sigma: 0.6 });
    const product = logNormal({ mu: Math.log(20_000), sigma: 1 });
    const latency = { kind: 'by-token', firstToken: constant(2_000), perToken } as const;
    const expected = expectCall(latency, output, cap);
    expect(Math.abs(expected.lateRatio - (1 - product.cdf(cap - 2_000)))).toBeLessThan(0.001);
    const exact = 2_000 + meanUpTo(product, cap - 2_000);
    expect(Math.abs(expected.meanMs / exact - 1)).toBeLessThan(0.002);
  });

  it('far below the cap has the exact mean: first token + output × per token', () => {
    const firstToken = uniform({ min: 0, max: 3_000 });
    const output = uniform({ min: 100, max: 300 });
    const perToken = uniform({ min: 5, max: 25 });
    const expected = expectCall({ kind: 'by-token', firstToken, perToken }, output, cap);
    expect(expected).toMatchObject({ lateRatio: 0, meanOutputInTime: 200 });
    expect(expected.meanMs).toBeCloseTo(1_500 + 200 * 15, 6);
  });

  it('with a mean that does not exist still takes no longer than the cap', () => {
    const heavy: Distribution = {
      quantile: (p) => 100 / (1 - p),
      mean: () => Number.POSITIVE_INFINITY,
      cdf: (x) => (x < 100 ? 0 : 1 - 100 / x),
      partialMean: (x) => (x < 100 ? 0 : 100 * Math.log(x / 100)),
      describe: () => 'Pareto with α = 1',
    };
    const expected = expectCall(
      { kind: 'by-token', firstToken: constant(0), perToken: constant(10) },
      heavy,
      cap,
    );
    expect(expected.meanMs).toBeGreaterThan(1_000);
    expect(expected.meanMs).toBeLessThan(cap);
    expect(expected.lateRatio).toBeCloseTo(100 / 6_000, 2);
  });
});
