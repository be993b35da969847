import { describe, expect, test } from 'vitest';
import { describeProblem, InputError } from '../../src/base/errors.ts';
import { parseOverride } from '../../src/scenario/override.ts';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import { edit, files, NIGHTLY, problemsOf, read, SMALLEST, TRACE } from './nightly.ts';

const set = (...settings: string[]) => read(NIGHTLY, undefined, settings);

describe('a flag sets any key', () => {
  test('of a section, of a class by its name, of the scenario itself', () => {
    const scenario = set('budget.reserve=60s', 'jobs.summarize.count=500', 'lanes=2', 'order=shuffled');
    expect(scenario).toMatchObject({ budget: { reserveMs: 60_000 }, lanes: 2, order: 'shuffled' });
    expect(scenario.jobs[0]).toMatchObject({ count: 500, slackMs: 2_940_000 });
  });

  test('also inside a distribution, and a whole one', () => {
    const tokens = set('jobs.summarize.input.p50=4000', 'jobs.summarize.output=100 to 900').jobs[0]!.tokens;
    expect(tokens.input.quantile(0.5)).toBe(4000);
    expect(tokens.output.quantile(0.95)).toBe(900);
    expect(set('jobs.summarize.output.quantiles.95%=1500').jobs[0]!.tokens.output.quantile(0.95)).toBe(1500);
    expect(set('jobs.summarize.output.quantiles.97.5%=1500').jobs[0]!.tokens.output.quantile(0.975)).toBe(
      1500,
    );
    expect(set('store.write={ p50: 1 s, p95: 2 s }').store.write.quantile(0.95)).toBe(2000);
  });

  test('also one that the file does not have, in a section that it does not have', () => {
    expect(read(SMALLEST, undefined, ['store.writers=3']).store.writers).toBe(3);
    expect(read(SMALLEST, undefined, ['pool.tokens=10M']).pool?.capacity).toBe(10_000_000);
  });

  test('the later flag over the earlier one, and an item by its position', () => {
    expect(set('lanes=2', 'lanes=3').lanes).toBe(3);
    expect(set('jobs.1.count=7').jobs[1]!.count).toBe(7);
  });

  test('of a class whose name has dots, without mistaking it for a shorter name', () => {
    const jobs =
      '[{ class: a, count: 1, input: 1, output: 1 }, { class: a.b, count: 1, input: 1, output: 1 }]';
    const scenario = read(edit(SMALLEST, '[]', jobs), undefined, ['jobs.a.b.count=5']);
    expect(scenario.jobs.map(({ count }) => count)).toEqual([1, 5]);
  });

  test('of a variant by its name', () => {
    expect(set('compare.naive.set.lanes=1').compare[0]!.scenario.lanes).toBe(1);
    expect(set('compare.naive.set.policy.timeouts=clamp').compare[0]!.scenario.policy.timeouts).toBe('clamp');
    expect(set('compare=[]').compare).toEqual([]);
  });

  test('also for all variants, unless they set it themselves', () => {
    const { compare, policy } = set('policy.timeouts=clamp', 'policy.reclaim=charge', 'pool=none');
    expect(policy.reclaim).toBe('charge');
    expect(compare[0]!.scenario.policy).toEqual({
      timeouts: 'fixed',
      admission: 'shared-counter',
      reclaim: 'charge',
      clock: 'monotonic',
      hold: 'whole-job',
    });
    expect(compare[0]!.scenario.pool).toBeUndefined();
  });

  test('a value may hold an equals sign, and a quoted one is a text', () => {
    expect(parseOverride('seed=a=b')).toEqual({ key: 'seed', value: 'a=b', flag: '--set seed' });
    const seed = (value: string) =>
      readScenario({ name: 'x.yaml', text: SMALLEST }, files({}), {
        overrides: [{ key: 'seed', value: JSON.stringify(value), flag: '--seed' }],
      }).seed;
    for (const text of ['1e3', 'true', '{', 'a: b', '#3']) expect(seed(text)).toBe(text);
  });
});

describe('what is wrong with a flag stands at the flag', () => {
  test.each([
    [
      'budget.reserv=60s',
      '--set budget.reserv: budget has no key "reserv" (expected reserve, floor, cap, attempts). Did you mean "reserve"?',
    ],
    [
      'budgt.cap=3 s',
      '--set budgt.cap: a scenario has no key "budgt" (expected name, seed, nights, window, budget, lanes, pool, jobs, order, backfill, backoff, provider, client, store, ledger, weather, background, fleet, clock, policy, trips, lint, gate, compare). Did you mean "budget"?',
    ],
    [
      'budget.reserve=60',
      '--set budget.reserve: which unit? 60 has none (expected a duration with its unit (ms, s, min, h or d): 45 s, 50 min, 6 h, got "60")',
    ],
    [
      'budget.reserve=50 min',
      '--set budget.reserve: the reserve leaves nothing of the window (expected less than 50 min, got 50 min)',
    ],
    [
      'window.lasts=40 s',
      '--set window.lasts: budget.reserve: the reserve leaves nothing of the window (expected less than 40 s, got 45 s)',
    ],
    [
      'jobs.summarise.count=5',
      '--set jobs.summarise.count: jobs has nothing called "summarise" (expected summarize, code). Did you mean "summarize"?',
    ],
    [
      'jobs.summarize.count=-1',
      '--set jobs.summarize.count: a count cannot be negative (expected a whole number, 0 or more, got "-1")',
    ],
    [
      'jobs.summarize.count=',
      '--set jobs.summarize.count: this is the wrong kind of value (expected a whole number from 0 up to 10,000,000, got nothing)',
    ],
    [
      'jobs.summarize.input.p50=7k',
      '--set jobs.summarize.input.p50: this is above p95 (expected at most 6,000, got 7,000)',
    ],
    ['lanes.of=3', '--set lanes.of: "lanes" is a single value here, so that there is no "lanes.of"'],
    ['lanes={', '--set lanes: this is no YAML: Flow map must end with a }'],
    [
      'budget..cap=3 s',
      '--set budget..cap: "budget..cap" is no key (expected a dotted key, such as budget.reserve)',
    ],
    [
      'budget.cap.=3 s',
      '--set budget.cap.: "budget.cap." is no key (expected a dotted key, such as budget.reserve)',
    ],
    [
      '__proto__.cap=3 s',
      '--set __proto__.cap: "__proto__.cap" is no key (expected a dotted key, such as budget.reserve)',
    ],
    ['jobs.code.from.file=none.csv', '--set jobs.code.from.file: there is no file none.csv'],
    [
      'compare.naive.set={ lane: 3 }',
      '--set compare.naive.set: variant naive: a scenario has no key "lane" (expected name, seed, nights, window, budget, lanes, pool, jobs, order, backfill, backoff, provider, client, store, ledger, weather, background, fleet, clock, policy, trips, lint, gate, compare). Did you mean "lanes"?',
    ],
  ])('%s', (setting, message) => {
    expect(problemsOf(NIGHTLY, undefined, [setting]).map(describeProblem)).toEqual([message]);
  });

  test('several at once, beside what is wrong with the file', () => {
    const problems = problemsOf(edit(NIGHTLY, 'lanes: 8', 'lane: 8'), files({ 'trace.csv': TRACE }), [
      'budget.reserv=60s',
      'nights=0',
    ]);
    expect(problems.map(({ place }) => place?.flag ?? `line ${place?.line}`)).toEqual([
      'line 6',
      '--set nights',
      '--set budget.reserv',
    ]);
  });

  test.each(['budget.reserve', '=60s', ''])('%j sets nothing', (written) => {
    expect(() => parseOverride(written)).toThrow(InputError);
    expect(() => parseOverride(written)).toThrow('--set: this sets nothing');
  });
});
