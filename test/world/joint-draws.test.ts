// Tokens that have to do with each other: long inputs with long outputs, and turns of a session that send what
// was said before.

import { describe, expect, it } from 'vitest';
import { RandomRoot } from '../../src/base/random-streams.ts';
import type { JobClass, Scenario } from '../../src/scenario/scenario.ts';
import { integerQuantile } from '../../src/sim/distribution.ts';
import { Draws, type SampledJob } from '../../src/world/draws.ts';
import { edit, NIGHTLY, read } from '../scenario/nightly.ts';
import { spearman } from '../sim/spearman.ts';

const JOBS = 20_000;

function summarize(keys: string, rest = ''): { readonly scenario: Scenario; readonly jobClass: JobClass } {
  const text = edit(NIGHTLY, '    attempts: 2\n', `    attempts: 2\n${keys}`);
  const scenario = read(`${edit(text, 'count: 1200', `count: ${JOBS}`)}${rest}`);
  return { scenario, jobClass: scenario.jobs[0]! };
}

function drawn(scenario: Scenario, jobClass: JobClass, attempt = 1) {
  const draws = new Draws(new RandomRoot(scenario.seed), 0, scenario);
  return Array.from({ length: JOBS }, (_, ordinal) => {
    const job = draws.job(jobClass, 1, ordinal);
    return [job.inputTokens, draws.outputTokens(job, attempt)] as const;
  });
}

function quantileOf(values: readonly number[], p: number): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(p * values.length) - 1]!;
}

const WEATHER = 'weather: { output: { strength: 30%, lasts: 50 jobs } }\n';

describe('a class with a correlation', () => {
  it.each([
    [0.4, ''],
    [-0.6, ''],
    [0.4, WEATHER],
    [0.8, WEATHER],
  ])('of %d has it within 0.02 over 20,000 jobs, at every attempt %s', (wanted, weather) => {
    const { scenario, jobClass } = summarize(`    correlation: ${wanted}\n`, weather);
    for (const attempt of [1, 2]) {
      const pairs = drawn(scenario, jobClass, attempt);
      expect(Math.abs(spearman(pairs) - wanted)).toBeLessThan(0.02);
    }
  });

  it('keeps the inputs that it had without, and the quantiles of its outputs', () => {
    const plain = summarize('');
    const joint = summarize('    correlation: 0.7\n');
    const [without, pairs] = [plain, joint].map(({ scenario, jobClass }) => drawn(scenario, jobClass));
    expect(pairs!.map(([input]) => input)).toEqual(without!.map(([input]) => input));
    const outputs = pairs!.map(([, output]) => output);
    expect(Math.abs(quantileOf(outputs, 0.5) / 400 - 1)).toBeLessThan(0.03);
    expect(Math.abs(quantileOf(outputs, 0.95) / 1_000 - 1)).toBeLessThan(0.03);
    expect(Math.max(...outputs)).toBeLessThanOrEqual(2_000);
  });

  it('has it in the calls that a client makes by itself, too', () => {
    const { scenario, jobClass } = summarize('    correlation: 0.7\n');
    const draws = new Draws(new RandomRoot(scenario.seed), 0, scenario);
    const pairs = Array.from({ length: JOBS }, (_, ordinal) => {
      const job = draws.job(jobClass, 1, ordinal);
      return [job.inputTokens, draws.ofCall(2).outputTokens(job, 1)] as const;
    });
    expect(Math.abs(spearman(pairs) - 0.7)).toBeLessThan(0.02);
  });
});

describe('a class in sessions', () => {
  const { scenario, jobClass } = summarize('    sessions: { length: 4 }\n');
  const plain = summarize('');
  const draws = new Draws(new RandomRoot(scenario.seed), 0, scenario);
  const own = new Draws(new RandomRoot(scenario.seed), 0, plain.scenario);
  const job = (ordinal: number): SampledJob => draws.job(jobClass, 1, ordinal);

  it('sends with each turn what was said before it, and begins anew with each session', () => {
    for (let ordinal = 0; ordinal < 400; ordinal += 1) {
      const { inputTokens } = own.job(plain.jobClass, 1, ordinal);
      const before = ordinal % 4 === 0 ? undefined : job(ordinal - 1);
      const said = before === undefined ? 0 : before.inputTokens + draws.outputTokens(before, 1);
      expect(job(ordinal).inputTokens).toBe(said + inputTokens);
    }
  });

  it('sends the same whoever is asked for first, at any opening', () => {
    const fresh = new Draws(new RandomRoot(scenario.seed), 0, scenario);
    for (const [night, ordinal] of [
      [2, 7],
      [1, 399],
      [1, 3],
      [2, 0],
      [1, 401],
    ] as const) {
      expect(fresh.job(jobClass, night, ordinal)).toEqual(draws.job(jobClass, night, ordinal));
    }
    expect(draws.job(jobClass, 2, 7).inputTokens).not.toBe(draws.job(jobClass, 1, 7).inputTokens);
  });

  it('grows no further than its context', () => {
    const bounded = summarize('    sessions: { length: 40, context: 9000 }\n');
    const inputs = drawn(bounded.scenario, bounded.jobClass).map(([input]) => input);
    expect(Math.max(...inputs)).toBe(9_000);
    expect(bounded.jobClass.tokens.input.quantile(1)).toBe(9_000);
  });

  it('has sessions as long as its lengths say', () => {
    const varied = summarize('    sessions: { length: { uniform: { min: 1, max: 3 } } }\n');
    const inputs = drawn(varied.scenario, varied.jobClass).map(([input]) => input);
    const starts = inputs.filter((input, ordinal) => {
      const alone = own.job(plain.jobClass, 1, ordinal).inputTokens;
      return input === alone;
    });
    expect(Math.abs(JOBS / starts.length - 2)).toBeLessThan(0.05);
  });

  it('reserves by what its jobs send: the quantiles of the class are those of its turns', () => {
    const inputs = Array.from({ length: JOBS }, (_, ordinal) => job(ordinal).inputTokens);
    for (const p of [0.25, 0.5, 0.95]) {
      const stated = integerQuantile(jobClass.tokens.input, p);
      expect(Math.abs(quantileOf(inputs, p) / stated - 1), `at ${p}`).toBeLessThan(0.03);
    }
    const mean = inputs.reduce((sum, input) => sum + input, 0) / JOBS;
    expect(Math.abs(mean / jobClass.tokens.input.mean() - 1)).toBeLessThan(0.02);
  });
});
