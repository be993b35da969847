import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/errors.ts';
import { readLocatedScenario } from '../../../src/scenario/read-scenario.ts';
import type { ScenarioCheck } from '../../../src/study/gate/check-result.ts';
import { checkSchema } from '../../../src/study/gate/check-schema.ts';
import { openGate } from '../../../src/study/gate/gate.ts';
import type { Stop } from '../../../src/study/replicate.ts';
import { edit, files } from '../../scenario/nightly.ts';

/** Twenty jobs of ten seconds on one lane; of each call one in ten ends in an error, and nothing is tried again. */
const CHANCY = `window: { lasts: 10 min }
budget: { reserve: 30 s, floor: 1 s, cap: 60 s, attempts: 1 }
jobs: [{ class: plain, count: 20, input: 100, output: 50 }]
provider: { latency: 10 s, errors: 10% }
gate:
`;
const CERTAIN = edit(CHANCY, ', errors: 10%', '');

function opened(
  text: string,
  limits: readonly string[],
  options: Partial<Parameters<typeof openGate>[1]> = {},
) {
  const gate = limits.map((limit) => `  - ${limit}\n`).join('');
  const located = readLocatedScenario({ name: 'night.yaml', text: text + (gate || '  []\n') }, files({}));
  return openGate(located, { confidence: 0.95, budget: 400, ...options });
}

/** Plays it, and stops it before a replication where one is named. */
function checked(gate: ReturnType<typeof openGate>, stopIn = Number.POSITIVE_INFINITY) {
  const nights = gate.play();
  let played = 0;
  let answer: Stop;
  for (;;) {
    const next = nights.next(answer);
    if (next.done === true) return { check: next.value, played };
    played = next.value.replication + 1;
    answer = next.value.replication >= stopIn ? 'stop' : undefined;
  }
}

function problemsOf(...given: Parameters<typeof opened>): readonly string[] {
  try {
    opened(...given);
  } catch (error) {
    if (error instanceof InputError) return error.message.split('\n');
    throw error;
  }
  return [];
}

const verdicts = ({ limits }: ScenarioCheck) => limits.map(({ verdict }) => verdict);

describe('a gate', () => {
  test('plays until every limit is decided, and no further', () => {
    const { check, played } = checked(opened(CHANCY, ['{ metric: done, p50: ">= 10" }']));
    expect(played).toBe(100);
    expect(check).toMatchObject({ verdict: 'pass', replications: 100 });
    expect(check.limits[0]).toMatchObject({ verdict: 'pass', replications: 100, method: 'order-statistics' });
    expect(check.limits[0]!.alpha).toBeCloseTo(0.025, 12);
  });

  test('looks again only after twice as many, with less to spend, and ends undecided with its budget', () => {
    // Two jobs of twenty fail on average: the limit is the truth.
    const near = '{ metric: deferred, mean: "< 2" }';
    const { check, played } = checked(opened(CHANCY, [near], { budget: 300 }));
    expect(check.limits[0]).toMatchObject({
      verdict: 'inconclusive',
      replications: 200,
      method: 'student-t',
    });
    expect(check.limits[0]!.alpha).toBeCloseTo(0.05 / 6, 12);
    expect([played, check.verdict]).toEqual([200, 'inconclusive']);
  });

  test('keeps a verdict that it has come to while others are still open', () => {
    const limits = ['{ metric: deferred, mean: "< 2" }', '{ metric: done, p50: ">= 20" }'];
    const { check } = checked(opened(CHANCY, limits));
    expect(verdicts(check)).toEqual(['inconclusive', 'fail']);
    expect(check.limits.map(({ replications }) => replications)).toEqual([400, 100]);
    expect(check.verdict).toBe('fail');
  });

  test('compares exactly what is the same in every replication, after the first', () => {
    const limits = ['{ metric: done, mean: ">= 20" }', '{ metric: lostWrites, probability: "< 0.0001%" }'];
    const { check, played } = checked(opened(CERTAIN, limits));
    expect(played).toBe(1);
    expect(check.limits.map(({ verdict, method, value }) => [verdict, method, value])).toEqual([
      ['pass', 'exact', 20],
      ['pass', 'exact', 0],
    ]);
    expect(checked(opened(CERTAIN, ['{ metric: done, mean: "> 20" }'])).check.verdict).toBe('fail');
  });

  test('fails on a metric without a single sample', () => {
    // Nobody asks for tokens: there are no jobs.
    const empty = edit(CHANCY, 'count: 20', 'count: 0').replace('gate:', 'pool: { tokens: 10k }\ngate:');
    const { check } = checked(opened(empty, ['{ metric: refusalRate, mean: "< 5%" }']));
    expect(check.limits[0]).toMatchObject({ verdict: 'fail', method: 'no-data', value: null, count: 0 });
  });

  test('holds the plan to a value or a comparison without playing anything', () => {
    const limits = ['{ plan: worstCase.fits, is: false }', '{ plan: worst case.elapsedMs, is: "> 19 min" }'];
    const { check, played } = checked(opened(CHANCY, limits));
    // 20 × 60 s = 20 min on one lane, in a window of ten.
    expect([verdicts(check), played]).toEqual([['pass', 'pass'], 0]);
    const wrong = ['{ plan: worstCase.fits, is: true }', '{ plan: classes.plain.count, is: 21 }'];
    expect(verdicts(checked(opened(CHANCY, wrong)).check)).toEqual(['fail', 'fail']);
    expect(checked(opened(CHANCY, ['{ plan: meanShare, is: "> 1" }'])).check.limits[0]).toMatchObject({
      verdict: 'fail',
      method: 'no-data',
    });
  });

  test('that is stopped answers what its last look said, as if no more had been asked for', () => {
    const limits = ['{ metric: deferred, mean: "< 2" }', '{ metric: done, p50: ">= 10" }'];
    const stopped = checked(opened(CHANCY, limits), 150).check;
    expect(stopped).toEqual(checked(opened(CHANCY, limits, { budget: 100 })).check);
    expect(stopped.series[0]!.values).toHaveLength(100);
  });

  test('that is stopped before its first look has decided nothing', () => {
    const { check } = checked(opened(CHANCY, ['{ metric: done, p50: ">= 10" }']), 30);
    expect(check).toMatchObject({ verdict: 'inconclusive', replications: 0 });
    expect(check.limits[0]).toMatchObject({ verdict: 'inconclusive', value: null });
  });

  test('answers what its schema says, with the values of every replication once', () => {
    const limits = ['{ metric: finishedMs, p95: "< 9 min" }', '{ metric: finishedMs, p50: "< 9 min" }'];
    const { check } = checked(opened(CHANCY, [...limits, '{ plan: worstCase.fits, is: false }']));
    expect(check.series.map(({ metric, values }) => [metric, values.length])).toEqual([['finishedMs', 100]]);
    const result = { verdict: check.verdict, confidence: 0.95, budget: 400, scenarios: [check] };
    expect(checkSchema.safeParse(JSON.parse(JSON.stringify(result))).error).toBeUndefined();
  });
});

describe('before anything is played', () => {
  test('a limit that the budget cannot show is refused, with how many would do', () => {
    const rare = '{ metric: lostWrites, probability: "< 0.1%" }';
    const [problem] = problemsOf(CHANCY, [rare]);
    expect(problem).toContain('night.yaml:6:');
    expect(problem).toContain('400 replications at most cannot show this (expected --replications 12800');
    expect(problemsOf(CHANCY, [rare], { budget: 12_799 })).toHaveLength(1);
    expect(problemsOf(CHANCY, [rare], { budget: 12_800 })).toEqual([]);
  });

  test('the number that is named for a small budget is the smallest that does', () => {
    const p95 = '{ metric: finishedMs, p95: "< 9 min" }';
    // One look may spend 2.5 %: 0.95^72 = 0.0249, 0.95^71 = 0.0262.
    expect(problemsOf(CHANCY, [p95], { budget: 71 }).join()).toContain('--replications 72');
    expect(problemsOf(CHANCY, [p95], { budget: 72 })).toEqual([]);
  });

  test('a field that the plan has not is refused with the nearest that it has', () => {
    const [problem] = problemsOf(CHANCY, ['{ plan: worstCase.fit, is: false }']);
    expect(problem).toMatch(
      /^night\.yaml:6:13: worstCase of the plan has no "fit".*Did you mean "worstCase.fits"\?$/,
    );
    expect(problemsOf(CHANCY, ['{ plan: worstCase, is: false }'])[0]).toContain('more than one figure');
    expect(problemsOf(CHANCY, ['{ plan: worstCase.fits, is: "< 3" }'])[0]).toContain('true or false');
    expect(problemsOf(CHANCY, ['{ plan: worstCase.elapsedMs, is: "< 3" }'])[0]).toContain('which unit?');
  });

  test('a scenario without limits is refused, and so is all that is wrong at once', () => {
    expect(problemsOf(CHANCY, [])[0]).toContain('there is no limit to be held to');
    const two = ['{ plan: nothing, is: 1 }', '{ metric: failed, probability: "< 0.1%" }'];
    expect(problemsOf(CHANCY, two)).toHaveLength(2);
  });
});
