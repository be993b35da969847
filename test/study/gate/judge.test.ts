import { describe, expect, test } from 'vitest';
import { judge, judgeConstant } from '../../../src/study/gate/judge.ts';

type Limit = Parameters<typeof judge>[0];

const limitOn = (over: Partial<Limit>): Limit => ({
  metric: 'done',
  statistic: 'mean',
  comparison: '>=',
  limit: 10,
  ...over,
});
const repeated = (n: number, value: number) => Array.from({ length: n }, () => value);
const counting = (n: number, from = 0) => Array.from({ length: n }, (_, index) => from + index);

describe('a limit', () => {
  test('without samples fails', () => {
    for (const statistic of ['mean', 'probability', { p: 0.95 }] as const) {
      const none = judge(limitOn({ statistic }), [], 0.05);
      expect(none).toEqual({ verdict: 'fail', value: null, lower: null, upper: null, method: 'no-data' });
    }
  });

  test('on a mean is decided by the bound on its side, and open between the two', () => {
    const values = counting(40, 80);
    // Mean 99.5, s = 11.69, t(0.95, 39) = 1.685: ± 3.11.
    const { value, lower, upper } = judge(limitOn({ limit: 0 }), values, 0.05);
    expect([value, lower!.toFixed(2), upper!.toFixed(2)]).toEqual([99.5, '96.39', '102.61']);
    const verdicts = [96, 97, 102, 103].map((limit) => judge(limitOn({ limit }), values, 0.05).verdict);
    expect(verdicts).toEqual(['pass', 'inconclusive', 'inconclusive', 'fail']);
    const upwards = [96, 97, 102, 103].map(
      (limit) => judge(limitOn({ comparison: '<', limit }), values, 0.05).verdict,
    );
    expect(upwards).toEqual(['fail', 'inconclusive', 'inconclusive', 'pass']);
  });

  test('on the mean of a count that is nearly always 0 can fail, but never pass', () => {
    const lost = limitOn({ metric: 'lostWrites', comparison: '<', limit: 0.01 });
    const quiet = judge(lost, repeated(100_000, 0), 0.05);
    expect(quiet).toMatchObject({
      verdict: 'inconclusive',
      method: 'probability-of-any',
      value: 0,
      lower: 0,
    });
    const loud = judge(lost, [...repeated(90, 0), ...repeated(10, 3)], 0.05);
    expect(loud).toMatchObject({ verdict: 'fail', value: 0.1, method: 'probability-of-any' });
    // Of the other direction nothing is known: the values above 0 may be any.
    expect(judge({ ...lost, comparison: '>' }, repeated(1_000, 0), 0.05).verdict).toBe('inconclusive');
  });

  test('on the mean of a ratio can pass on it, since no ratio is above 1', () => {
    const refused = limitOn({ metric: 'refusalRate', comparison: '<', limit: 0.05 });
    // 1 − 0.05^(1/59) is a hair below 5 %, 1 − 0.05^(1/58) above.
    expect(judge(refused, repeated(59, 0), 0.05).verdict).toBe('pass');
    expect(judge(refused, repeated(58, 0), 0.05).verdict).toBe('inconclusive');
  });

  test('on a mean fails where a single night never finished', () => {
    const late = limitOn({ metric: 'finishedMs', comparison: '<', limit: 1e9 });
    const values = [...counting(200), Number.POSITIVE_INFINITY];
    expect(judge(late, values, 0.05)).toMatchObject({
      verdict: 'fail',
      value: Number.POSITIVE_INFINITY,
      method: 'exact',
    });
  });

  test('on a probability counts the replications in which anything happened', () => {
    const rare = limitOn({ metric: 'lostWrites', statistic: 'probability', comparison: '<', limit: 0.01 });
    expect(judge(rare, repeated(299, 0), 0.05).verdict).toBe('pass');
    expect(judge(rare, repeated(298, 0), 0.05).verdict).toBe('inconclusive');
    const seven = judge(rare, [...repeated(293, 0), 1, 2, 3, 4, 5, 6, 7], 0.05);
    expect(seven).toMatchObject({ verdict: 'fail', value: 7 / 300, method: 'clopper-pearson' });
  });

  test('on the probability of finishedMs counts nights that never finish', () => {
    const killed = limitOn({ metric: 'finishedMs', statistic: 'probability', comparison: '<', limit: 0.5 });
    const values = [...counting(90, 1), ...repeated(10, Number.POSITIVE_INFINITY)];
    expect(judge(killed, values, 0.05)).toMatchObject({ verdict: 'pass', value: 0.1 });
  });

  test('on a quantile takes the ranks that the number supports, and none where it supports none', () => {
    const p95 = limitOn({ metric: 'finishedMs', statistic: { p: 0.95 }, comparison: '<', limit: 1_000 });
    // 0.95^59 = 0.0485 and 0.95^58 = 0.0510.
    expect(judge(p95, counting(58), 0.05)).toMatchObject({ verdict: 'inconclusive', upper: null });
    expect(judge(p95, counting(59), 0.05)).toMatchObject({ verdict: 'pass', upper: 58 });
    const never = [...counting(58), Number.POSITIVE_INFINITY];
    expect(judge(p95, never, 0.05)).toMatchObject({
      verdict: 'inconclusive',
      upper: Number.POSITIVE_INFINITY,
    });
  });

  test('on what is the same in every replication is compared exactly', () => {
    expect(judgeConstant(limitOn({ limit: 10 }), 10)).toMatchObject({ verdict: 'pass', method: 'exact' });
    expect(judgeConstant(limitOn({ comparison: '>', limit: 10 }), 10).verdict).toBe('fail');
    const any = limitOn({ metric: 'lostWrites', statistic: 'probability', comparison: '<', limit: 0.01 });
    expect(judgeConstant(any, 0)).toMatchObject({ verdict: 'pass', value: 0 });
    expect(judgeConstant(any, 3)).toMatchObject({ verdict: 'fail', value: 1 });
  });
});
