// Gates whose limit is the truth: what passes or fails there does so by luck, and luck is paid for. A thousand
// seeded gates each; the truth is theory's.

import { describe, expect, test } from 'vitest';
import { RandomRoot } from '../../../src/base/random-streams.ts';
import { normalQuantile } from '../../../src/sim/special-functions.ts';
import { plannedLooks } from '../../../src/study/estimates/looks.ts';
import { judge, type Verdict } from '../../../src/study/gate/judge.ts';

const GATES = 1_000;
const ALPHA = 0.05;
const root = new RandomRoot('honest looks');

type Limit = Parameters<typeof judge>[0];

/** The share of gates with each verdict, looked at as planned. */
function shares(
  name: string,
  limit: Limit,
  draw: (uniform: number) => number,
  { budget, first }: { readonly budget: number; readonly first?: number },
): Record<Verdict, number> {
  const counts = { pass: 0, fail: 0, inconclusive: 0 };
  for (let gate = 0; gate < GATES; gate += 1) {
    const stream = root.stream(gate, name);
    const values: number[] = [];
    let verdict: Verdict = 'inconclusive';
    for (const look of plannedLooks(ALPHA, budget, first)) {
      while (values.length < look.replications) values.push(draw(stream.uniform(0, values.length)));
      verdict = judge(limit, values, look.alpha).verdict;
      if (verdict !== 'inconclusive') break;
    }
    counts[verdict] += 1;
  }
  return {
    pass: counts.pass / GATES,
    fail: counts.fail / GATES,
    inconclusive: counts.inconclusive / GATES,
  };
}

describe('a gate whose limit is the true value passes by luck, and fails by luck, in at most 6.5 %', () => {
  test('where it is a probability', () => {
    const limit: Limit = { metric: 'lostWrites', statistic: 'probability', comparison: '<', limit: 0.05 };
    const { pass, fail } = shares('probability', limit, (u) => (u < 0.05 ? 1 : 0), { budget: 3_200 });
    expect(pass).toBeLessThanOrEqual(0.065);
    expect(fail).toBeLessThanOrEqual(0.065);
    expect(pass + fail).toBeGreaterThan(0);
  });

  test('where it is a mean', () => {
    const limit: Limit = { metric: 'done', statistic: 'mean', comparison: '>=', limit: 1_400 };
    const draw = (u: number) => 1_400 + 60 * normalQuantile(u);
    const { pass, fail } = shares('mean', limit, draw, { budget: 3_200 });
    expect(pass).toBeLessThanOrEqual(0.065);
    expect(fail).toBeLessThanOrEqual(0.065);
    expect(pass + fail).toBeGreaterThan(0);
  });

  test('where it is a quantile', () => {
    // Exponential with mean 1: the 95 % quantile is −ln 0.05.
    const limit: Limit = {
      metric: 'finishedMs',
      statistic: { p: 0.95 },
      comparison: '<',
      limit: -Math.log(0.05),
    };
    const { pass, fail } = shares('quantile', limit, (u) => -Math.log(u), { budget: 1_600 });
    expect(pass).toBeLessThanOrEqual(0.065);
    expect(fail).toBeLessThanOrEqual(0.065);
    expect(pass + fail).toBeGreaterThan(0);
  });
});

test('looks that nobody pays for would pass a sixth of those gates and more', () => {
  const limit: Limit = { metric: 'done', statistic: 'mean', comparison: '>=', limit: 0 };
  let passed = 0;
  for (let gate = 0; gate < 200; gate += 1) {
    const stream = root.stream(gate, 'naive');
    const values: number[] = [];
    for (let verdict: Verdict = 'inconclusive'; values.length < 2_000 && verdict !== 'pass'; ) {
      for (let more = 0; more < 100; more += 1) values.push(normalQuantile(stream.uniform(0, values.length)));
      verdict = judge(limit, values, ALPHA).verdict;
      if (verdict === 'pass') passed += 1;
    }
  }
  expect(passed / 200).toBeGreaterThan(0.14);
});

test('a mean of 0.05 lost writes does not pass for 0.01, though most first looks show none', () => {
  const limit: Limit = { metric: 'lostWrites', statistic: 'mean', comparison: '<', limit: 0.01 };
  /** Poisson with mean 0.05, by its inverse CDF. */
  const draw = (u: number): number => {
    let count = 0;
    for (let term = Math.exp(-0.05), cdf = term; u > cdf; cdf += term) {
      count += 1;
      term *= 0.05 / count;
    }
    return count;
  };
  const ofTen = Array.from({ length: GATES }, (_, start) => {
    const stream = root.stream(start, 'starts');
    return Array.from({ length: 10 }, (_, draws) => draw(stream.uniform(0, draws))).every((one) => one === 0);
  });
  // e^(−0.5) = 61 %.
  expect(ofTen.filter(Boolean).length / GATES).toBeCloseTo(0.61, 1);
  const { pass, fail } = shares('rare', limit, draw, { budget: 2_560, first: 10 });
  expect(pass).toBeLessThanOrEqual(0.05);
  expect(fail).toBeGreaterThan(0.5);
});
