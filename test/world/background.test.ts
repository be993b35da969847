// Others on the same quota: they call whatever the batch does, they meet the limits that it uses up, and what
// is left of the quota is theirs.

import { describe, expect, it } from 'vitest';
import type { Background, Scenario } from '../../src/scenario/scenario.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { exponential } from '../../src/sim/distributions/exponential.ts';
import { Intensity } from '../../src/sim/intensity.ts';
import { play } from '../../src/world/play.ts';
import { edit, NIGHTLY, problemsOf, read } from '../scenario/nightly.ts';
import { CALM, jobClass, pool, scenario } from './scenario-fixture.ts';

const DAY_MS = 86_400_000;
const others: Background = {
  arrivals: { kind: 'moments', atMs: [1_000, 2_000, 3_000, 700_000, DAY_MS + 1_500, 2 * DAY_MS - 1] },
  input: constant(300),
  output: constant(200),
  declaredOutput: undefined,
  timeoutMs: 60_000,
};
/** The batch: ten calls of 1,100 tokens, one after another, ten seconds each. */
const base = scenario({ nights: 2, pool: pool({ quota: 20_000, capacity: 15_000, funded: 0.75 }) });
const night = (one: Scenario, which = 0) => play(one).nights[which]!;

const LIMITS = {
  requests: undefined,
  tokens: undefined,
  counts: 'both',
  charge: 'use',
  enforced: 'minute',
  concurrency: undefined,
  retryAfter: false,
} as const;
const limited = (limits: Partial<NonNullable<Scenario['provider']['limits']>>) => ({
  ...base.provider,
  ...CALM,
  limits: { ...LIMITS, ...limits },
});

describe('others on the same quota', () => {
  it('are not there where nothing is said of them', () => {
    expect(night(base)).not.toHaveProperty('background');
  });

  it('use by night what their calls are billed, and by day what is left of their list', () => {
    const one = { ...base, background: others };
    const billed = 10 * 1_100;
    expect(night(one).background).toEqual({
      calls: 3,
      refused: 0,
      tokens: 3 * 500,
      tokensAfter: 500,
      quotaLeft: 20_000 - billed - 4 * 500,
    });
    expect(night(one, 1).background).toMatchObject({ calls: 1, tokens: 500, tokensAfter: 500 });
  });

  it('tell where a batch leaves them too little', () => {
    const daytime = { ...others, input: constant(5_000) };
    expect(night({ ...base, background: daytime }).background!.quotaLeft).toBeLessThan(0);
    const less = { ...base, background: daytime, pool: pool({ quota: 40_000, capacity: 15_000 }) };
    expect(night(less).background!.quotaLeft).toBeGreaterThan(0);
    expect(night({ ...base, background: others, pool: undefined }).background!.quotaLeft).toBeNull();
  });

  it('take nothing of the pool, and change nothing for a batch whose provider has room for all', () => {
    const { background: _, ...beside } = night({ ...base, background: others });
    expect(beside).toEqual(night(base));
  });

  it('are refused by limits that the batch has used up, and the batch by what they use', () => {
    const alone = limited({ concurrency: 1 });
    // One of the batch's calls is always under way.
    expect(night({ ...base, provider: alone, background: others }).background).toMatchObject({
      calls: 3,
      refused: 3,
      tokens: 0,
    });
    const crowd = { ...others, arrivals: { kind: 'moments', atMs: [0, 0, 0, 0, 0] } } as const;
    const narrow = limited({ requests: 5 });
    expect(night({ ...base, provider: narrow, background: crowd }).rateLimited).toBeGreaterThan(
      night({ ...base, provider: narrow }).rateLimited,
    );
  });

  it('make room for each other when their calls have ended', () => {
    const provider = limited({ concurrency: 2 });
    const calling = (...atMs: number[]) => ({ ...others, arrivals: { kind: 'moments', atMs } }) as const;
    const refused = (...atMs: number[]) =>
      night({ ...base, provider, background: calling(...atMs) }).background!.refused;
    // Each takes ten seconds, beside the one of the batch.
    expect(refused(1_000, 5_000)).toBe(1);
    expect(refused(1_000, 11_500, 25_000)).toBe(0);
  });

  it('are among the calls under way, so that the batch is slower beside them', () => {
    const provider = { ...base.provider, ...CALM, slowdown: { from: 1, factor: 2 } };
    const slower = night({ ...base, provider, background: others }).finishedMs!;
    expect(slower).toBeGreaterThan(night({ ...base, provider }).finishedMs!);
  });

  it('make the same calls whatever the batch does', () => {
    const arrivals = {
      kind: 'process',
      gaps: exponential({ mean: 20_000 }),
      intensity: new Intensity([{ fromMs: 0, rate: 1 }], 2 * DAY_MS),
    } as const;
    const busy = { ...others, arrivals, input: exponential({ mean: 300 }) };
    // Over a night and the day after it, because a night ends when its batch does.
    const used = (one: Scenario) => {
      const { tokens, tokensAfter } = night({ ...one, background: busy }).background!;
      return tokens + tokensAfter;
    };
    expect(used(base)).toBeGreaterThan(1_000_000);
    expect(used({ ...base, lanes: 5 })).toBe(used(base));
    expect(used({ ...base, jobs: [jobClass({ count: 40 })] })).toBe(used(base));
    expect(used({ ...base, seed: 'another' })).not.toBe(used(base));
  });
});

describe('other traffic in a scenario', () => {
  const CALLS = 'background: { arrive: { poisson: 90 per minute }, input: 300, output: 50 to 400 }\n';

  it('is read, and goes on until there would be another opening', () => {
    const one = read(`${edit(NIGHTLY, 'nights: 3', 'nights: 1')}${CALLS}`);
    expect(one.background).toMatchObject({ timeoutMs: 60_000, declaredOutput: undefined });
    const { arrivals } = one.background!;
    if (arrivals.kind !== 'process') throw new Error('they come by a process');
    expect(arrivals.intensity.whenCame(arrivals.intensity.total)).toBe(50 * 60_000 + DAY_MS);
    expect(read(`${NIGHTLY}${CALLS}`, undefined, ['background=none']).background).toBeUndefined();
  });

  it.each([
    ['arrive: every-night', 'background.arrive: others come one by one, at whatever hour'],
    ['arrive: { poisson: 0 per hour }', 'background.arrive.poisson: at this rate nobody ever comes'],
    ['arrive: { poisson: 9 per hour }, timeout: 0 s', 'background.timeout: this is too little'],
    ['arrive: { poisson: 9 per hour }, retries: 3', 'background has no key "retries"'],
  ])('%s is refused', (keys, message) => {
    const text = `${NIGHTLY}background: { ${keys}, input: 300, output: 200 }\n`;
    expect(problemsOf(text).map((problem) => problem.message)).toEqual([message]);
  });
});
