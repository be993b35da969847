// What chance decides about a job is decided by what it is for: whatever else changes in a scenario, on
// whichever night a job's turn comes, it draws the same tokens and the same latency.

import { describe, expect, it } from 'vitest';
import { RandomRoot } from '../../src/base/random-streams.ts';
import type { JobClass, Scenario } from '../../src/scenario/scenario.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { empirical } from '../../src/sim/distributions/empirical.ts';
import { exponential } from '../../src/sim/distributions/exponential.ts';
import { uniform } from '../../src/sim/distributions/uniform.ts';
import { Draws } from '../../src/world/draws.ts';
import { play } from '../../src/world/play.ts';
import { CALM, jobClass, pool, scenario } from './scenario-fixture.ts';

const chancy = jobClass({
  count: 40,
  tokens: {
    kind: 'independent',
    input: uniform({ min: 500, max: 5_000 }),
    output: uniform({ min: 10, max: 900 }),
  },
  envelope: { kind: 'tokens', tokens: 12_000 },
});

/** So long a window that some jobs are done in the first night, and few enough that others are not. */
function weather(over: Partial<Scenario> = {}): Scenario {
  return scenario({
    nights: 4,
    lanes: 3,
    jobs: [{ ...chancy, arrive: 'first-night' }],
    pool: pool({ capacity: 120_000, quota: 120_000 }),
    provider: {
      latency: {
        kind: 'by-token',
        firstToken: exponential({ mean: 2_000 }),
        perToken: uniform({ min: 5, max: 60 }),
      },
      hangs: 0.02,
      errors: 0.1,
      invalid: 0.2,
      usage: 'reported',
      ...CALM,
    },
    store: { write: exponential({ mean: 300 }), writers: 1, flushMs: 0 },
    ...over,
  });
}

interface Drawn {
  readonly outcome: string;
  readonly elapsedMs: number;
  readonly tokens: number;
  readonly night: number;
}

/** By job and attempt: what the provider played, as far as the attempt was neither cut off nor hit a wall. */
function attemptsOf(played: Scenario): ReadonlyMap<string, Drawn> {
  const drawn = new Map<string, Drawn>();
  play(played, {
    observe: (event) => {
      if (event.type !== 'attempt' || ['timed-out', 'rejected'].includes(event.outcome)) return;
      const { job, attempt, outcome, elapsedMs, tokens, night } = event;
      drawn.set(`${job}#${attempt}`, { outcome, elapsedMs, tokens, night });
    },
  });
  return drawn;
}

/** By job and the last attempt before it: how long each checkpoint was being written. */
function writesOf(played: Scenario): ReadonlyMap<string, string> {
  const attempts = new Map<string, number>();
  const startedMs = new Map<string, number>();
  const writes = new Map<string, string>();
  play(played, {
    observe: (event) => {
      if (event.type === 'attempt') attempts.set(event.job, event.attempt);
      if (event.type === 'write-started') startedMs.set(event.job, event.atMs);
      if (event.type !== 'written') return;
      const tookMs = event.atMs - startedMs.get(event.job)!;
      writes.set(`${event.job}#${attempts.get(event.job)}`, tookMs.toFixed(3));
    },
  });
  return writes;
}

/** The draws that both have made, without the night on which they did. */
function shared(one: ReadonlyMap<string, Drawn>, other: ReadonlyMap<string, Drawn>) {
  const keys = [...one.keys()].filter((key) => other.has(key));
  const bare = (drawn: ReadonlyMap<string, Drawn>) =>
    keys.map((key) => {
      const { outcome, elapsedMs, tokens } = drawn.get(key)!;
      // Times are differences of two readings of one clock.
      return { key, outcome, elapsedMs: elapsedMs.toFixed(3), tokens };
    });
  const elsewhen = keys.filter((key) => one.get(key)!.night !== other.get(key)!.night);
  return { one: bare(one), other: bare(other), elsewhen };
}

describe('under the same weather', () => {
  const base = weather();
  const reference = attemptsOf(base);
  const variants: Record<string, Scenario> = {
    'a longer reserve': { ...base, budget: { ...base.budget, reserveMs: 480_000 } },
    'another floor': { ...base, budget: { ...base.budget, floorMs: 30_000 } },
    'one lane': { ...base, lanes: 1 },
    'a smaller pool': { ...base, pool: pool({ capacity: 40_000, quota: 40_000 }) },
    'no pool': { ...base, pool: undefined },
    'another order': { ...base, order: 'shuffled' },
    'other envelopes': {
      ...base,
      jobs: [{ ...chancy, arrive: 'first-night', envelope: { kind: 'tokens', tokens: 25_000 } }],
    },
    'fixed timeouts': { ...base, policy: { ...base.policy, timeouts: 'fixed' } },
    'the shared counter': { ...base, policy: { ...base.policy, admission: 'shared-counter' } },
    'a slower store': { ...base, store: { write: constant(20_000), writers: 1, flushMs: 0 } },
  };

  it.each(Object.keys(variants))('%s changes no job’s tokens, latency or faults', (name) => {
    const { one, other } = shared(reference, attemptsOf(variants[name]!));
    expect(one.length).toBeGreaterThan(20);
    expect(other).toEqual(one);
  });

  it('jobs that were carried over draw what they would have drawn on an earlier night', () => {
    for (const name of ['a longer reserve', 'one lane', 'a smaller pool']) {
      const { elsewhen } = shared(reference, attemptsOf(variants[name]!));
      expect([name, elsewhen.length > 5]).toEqual([name, true]);
    }
  });

  it('a job that had to wait for tokens is written down as fast as one that had not', () => {
    const free = writesOf({ ...base, pool: undefined });
    const waited = writesOf({ ...base, pool: pool({ capacity: 40_000, quota: 40_000 }) });
    const keys = [...free.keys()].filter((key) => waited.has(key));
    expect(keys.length).toBeGreaterThan(20);
    expect(keys.map((key) => [key, waited.get(key)])).toEqual(keys.map((key) => [key, free.get(key)]));
  });

  it('another seed changes them', () => {
    const { one, other } = shared(reference, attemptsOf({ ...base, seed: 'another' }));
    const same = one.filter((drawn, i) => drawn.tokens > 0 && drawn.tokens === other[i]!.tokens);
    expect(one.length).toBeGreaterThan(20);
    expect(same.length).toBeLessThan(one.length / 10);
  });

  it('another class beside it changes nothing for a class', () => {
    const beside = [jobClass({ name: 'beside', count: 3 }), ...base.jobs];
    const { one, other } = shared(reference, attemptsOf({ ...base, jobs: beside }));
    expect(one.length).toBeGreaterThan(20);
    expect(other).toEqual(one);
  });
});

describe('a job’s draws', () => {
  const drawsOf = (seed: string, jobs: readonly JobClass[]) =>
    new Draws(new RandomRoot(seed), 0, scenario({ seed, jobs }));

  it('are its own at each attempt', () => {
    const draws = drawsOf('a', [chancy]);
    const job = draws.job(chancy, 1, 0);
    const outputs = [1, 2, 3, 4, 5].map((attempt) => draws.outputTokens(job, attempt));
    expect(new Set(outputs).size).toBe(5);
    const firstTokens = [1, 2, 3].map((n) => draws.firstTokenMs(job, n, exponential({ mean: 1_000 })));
    expect(new Set(firstTokens).size).toBe(3);
  });

  it('do not depend on when they are asked for, or how often', () => {
    const draws = drawsOf('a', [chancy]);
    const forwards = [0, 1, 2].map((ordinal) => draws.outputTokens(draws.job(chancy, 2, ordinal), 1));
    const backwards = [2, 1, 0].map((ordinal) => draws.outputTokens(draws.job(chancy, 2, ordinal), 1));
    expect(backwards.reverse()).toEqual(forwards);
  });

  it('differ from job to job, and from one arrival night to the next', () => {
    const draws = drawsOf('a', [chancy]);
    const inputs = [1, 2].flatMap((night) =>
      [0, 1, 2].map((ordinal) => draws.job(chancy, night, ordinal).inputTokens),
    );
    expect(new Set(inputs).size).toBe(6);
  });

  it('keep their purposes apart', () => {
    const draws = drawsOf('a', [chancy]);
    const job = draws.job(chancy, 1, 0);
    const unit = uniform({ min: 0, max: 1 });
    const uniforms = [
      draws.fault(job, 1),
      draws.backoff(job, 1),
      draws.shuffle(job),
      draws.writeMs(job, 1, unit),
      draws.callMs(job, 1, unit),
      draws.firstTokenMs(job, 1, unit),
      draws.perTokenMs(job, 1, unit),
    ];
    expect(new Set(uniforms).size).toBe(uniforms.length);
  });

  it('take rows of a file as pairs at the first attempt, and retries from its whole output column', () => {
    const rows = Array.from({ length: 200 }, (_, i) => [i + 1, 10_000 + i + 1] as const);
    const paired = jobClass({
      tokens: {
        kind: 'pairs',
        input: empirical(rows.map(([input]) => input)),
        output: empirical(rows.map(([, output]) => output)),
        rows,
      },
    });
    const draws = drawsOf('pairs', [paired]);
    const jobs = Array.from({ length: 100 }, (_, ordinal) => draws.job(paired, 1, ordinal));
    const outputs = (attempt: number) => jobs.map((job) => draws.outputTokens(job, attempt));
    expect(outputs(1)).toEqual(jobs.map((job) => 10_000 + job.inputTokens));
    const retried = outputs(2);
    expect(retried.filter((output, i) => output === outputs(1)[i]).length).toBeLessThan(10);
    for (const output of retried) expect(rows.map((row) => row[1])).toContain(output);
  });
});
