import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/errors.ts';
import { againstBaseline, readBaseline } from '../../../src/study/gate/baseline.ts';
import type { ScenarioCheck, Series } from '../../../src/study/gate/check-result.ts';

type Values = Series['values'];

const checkOf = (values: Values, over: Partial<ScenarioCheck> = {}, metric: Series['metric'] = 'done') =>
  ({
    scenario: 'night',
    seed: '1',
    keyScheme: 1,
    verdict: 'pass',
    replications: values.length,
    limits: [],
    baseline: null,
    series: [{ metric, over: 'worst', pool: null, values }],
    ...over,
  }) satisfies ScenarioCheck;

function compared(now: ScenarioCheck, old: ScenarioCheck, margin = 0.01) {
  const baseline = readBaseline(JSON.stringify({ scenarios: [old] }), 'old.json');
  const { verdict, baseline: all } = againstBaseline(now, baseline, { margin, confidence: 0.95 });
  return { ...all![0]!, overall: verdict };
}

const varied = (n: number, of: (index: number) => number) =>
  Array.from({ length: n }, (_, index) => of(index));
const hundred = varied(100, (index) => 1_000 + (index % 50));

describe('against the baseline', () => {
  test('the same figures in every replication pass', () => {
    expect(compared(checkOf(hundred), checkOf(hundred))).toMatchObject({
      verdict: 'pass',
      method: 'exact',
      worseBy: 0,
      count: 100,
    });
  });

  test('a mean that is worse by more than the margin fails, and one that is better passes', () => {
    const fewer = hundred.map((value, index) => value - 20 - (index % 5));
    const more = hundred.map((value, index) => value + 20 + (index % 5));
    // 20 to 24 fewer: 22 ± t s ÷ 10, of a mean of 1,024.5, of which 1 % is 10.2.
    expect(compared(checkOf(fewer), checkOf(hundred))).toMatchObject({
      verdict: 'fail',
      overall: 'fail',
      method: 'student-t',
      worseBy: 22,
      baseline: 1024.5,
    });
    expect(compared(checkOf(more), checkOf(hundred))).toMatchObject({ verdict: 'pass', worseBy: -22 });
    expect(compared(checkOf(fewer), checkOf(hundred), 0.05).verdict).toBe('pass');
  });

  test('what is worse depends on the metric', () => {
    const later = hundred.map((value, index) => value + 20 + (index % 5));
    const old = checkOf(hundred, {}, 'finishedMs');
    expect(compared(checkOf(later, {}, 'finishedMs'), old).verdict).toBe('fail');
  });

  test('an interval over the margin decides nothing', () => {
    const noisy = hundred.map((value, index) => value - 10 + (index % 2 === 0 ? 200 : -200) - (index % 7));
    expect(compared(checkOf(noisy), checkOf(hundred))).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('neither'),
    });
  });

  test('where few replications differ it counts how often one is worse', () => {
    const none = varied(400, () => 0);
    const losing = varied(400, (index) => (index % 25 === 0 ? 1 : 0));
    const [old, now] = [checkOf(none, {}, 'lostWrites'), checkOf(losing, {}, 'lostWrites')];
    // 16 of 400: 4 %, at least 2 % even at the third look.
    expect(compared(now, old)).toMatchObject({ verdict: 'fail', method: 'clopper-pearson' });
    expect(compared(old, now)).toMatchObject({ verdict: 'inconclusive', method: 'clopper-pearson' });
  });

  test('never again is no difference, and never at last is worse', () => {
    const never = varied(100, (index) => index);
    const half: Values = never.map((value) => (value % 2 === 0 ? 'never' : value));
    expect(compared(checkOf(half, {}, 'finishedMs'), checkOf(half, {}, 'finishedMs')).verdict).toBe('pass');
    expect(compared(checkOf(half, {}, 'finishedMs'), checkOf(never, {}, 'finishedMs')).verdict).toBe('fail');
  });

  test.each([
    ['another key scheme', { keyScheme: 2 }, 'key scheme 2'],
    ['another seed', { seed: '2' }, 'another seed'],
    ['another scenario', { scenario: 'other' }, 'no scenario of this name'],
    ['another figure', { series: [] }, 'no such figure'],
  ])('%s is inconclusive, whatever the figures', (_what, over, reason) => {
    const { verdict, overall, ...rest } = compared(checkOf(hundred), checkOf(hundred, over));
    expect([verdict, overall]).toEqual(['inconclusive', 'inconclusive']);
    expect(rest.reason).toContain(reason);
  });

  test('no replication that both have is no data, and fails', () => {
    const none: Values = hundred.map(() => null);
    expect(compared(checkOf(none), checkOf(hundred))).toMatchObject({ verdict: 'fail', method: 'no-data' });
  });

  test.each(['{', '[]', '{"scenarios":[{}]}'])('%s is no baseline', (text) => {
    expect(() => readBaseline(text, 'old.json')).toThrow(InputError);
  });
});
