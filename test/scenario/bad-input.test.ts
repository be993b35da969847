// Everything that people get wrong in a scenario file: each is told with its place, what was expected, what
// was there, and the right name where the wrong one looks like it.

import { describe, expect, test } from 'vitest';
import { describeProblem } from '../../src/base/errors.ts';
import { edit, files, NIGHTLY, problemsOf, SMALLEST, TRACE } from './nightly.ts';

/** `line code «what stands there»`, and the suggestion where there is one. */
function told(text: string): string[] {
  return problemsOf(text).map(({ place, code, nearest }) => {
    const from = text.split('\n')[place!.line! - 1]!.slice(place!.column! - 1);
    const there = /^("[^"]*"|[[{]?[^,:}\]]*)/.exec(from)![0].trim();
    return `${place!.line} ${code} «${there}»${nearest === undefined ? '' : ` → ${nearest}`}`;
  });
}

describe('one thing wrong with the nightly scenario', () => {
  test.each([
    // YAML
    ['attempts: 3 }', 'attempts: 3', '6 yaml «lanes»'],
    ['nights: 3', 'nights: >= 5', '3 yaml «>= 5»'],
    ['nights: 3', 'nights: 3\nnights: 4', '4 duplicate-key «nights»'],
    ['reserve: 45 s,', 'reserve: 45 s, reserve: 50 s,', '5 duplicate-key «reserve»'],
    ['nights: 3', 'nights: *some', '3 alias «*some»'],
    ['nights: 3', '__proto__: 3', '3 unknown-key «__proto__»'],
    ['nights: 3', '? [a]\n: 3', '3 wrong-type «[a»'],
    // keys
    ['lanes: 8', 'lane: 8', '6 unknown-key «lane» → lanes'],
    ['reserve: 45 s', 'reserv: 45 s', '5 unknown-key «reserv» → reserve'],
    ['order: listed', 'constructor: 3', '19 unknown-key «constructor»'],
    ['    count: 300', '    cuont: 300', '15 missing-key «class» | 16 unknown-key «cuont» → count'],
    ['window: { lasts: 50 min, every: 24 h }', 'window: { every: 24 h }', '4 missing-key «{ every»'],
    ['  latency:', '  latence:', '22 missing-key «latence» | 22 unknown-key «latence» → latency'],
    ['    count: 300\n', '', '15 missing-key «class»'],
    // units
    ['lasts: 50 min', 'lasts: 50 m', '4 ambiguous-unit «50 m»'],
    ['lasts: 50 min', 'lasts: 50', '4 missing-unit «50»'],
    ['lasts: 50 min', 'lasts: 50 minutes', '4 wrong-unit «50 minutes» → 50 min'],
    ['lasts: 50 min', 'lasts: 10M', '4 wrong-unit «10M»'],
    ['tokens: 10M', 'tokens: 10m', '7 wrong-unit «10m» → 10M'],
    ['tokens: 10M', 'tokens: 45 s', '7 wrong-unit «45 s»'],
    ['hangs: 0.5%', 'hangs: 0.005', '23 missing-unit «0.005» → 0.5%'],
    ['funded: 100%', 'funded: 1', '7 missing-unit «1» → 100%'],
    // values
    ['count: 1200', 'count: -1', '10 out-of-range «-1»'],
    ['count: 1200', 'count: 1.5', '10 not-whole «1.5»'],
    ['count: 1200', 'count:', '10 wrong-type «count»'],
    ['count: 1200', 'count: [1]', '10 wrong-type «[1»'],
    ['count: 1200', 'count: true', '10 wrong-type «true»'],
    ['lanes: 8', 'lanes: 0', '6 out-of-range «0»'],
    ['lanes: 8', 'lanes: 1000000', '6 out-of-range «1000000»'],
    ['nights: 3', 'nights: 0', '3 out-of-range «0»'],
    ['funded: 100%', 'funded: 0%', '7 out-of-range «0%»'],
    ['funded: 100%', 'funded: 120%', '7 out-of-range «120%»'],
    ['writers: 1', 'writers: 0', '26 out-of-range «0»'],
    ['order: listed', 'order: listed\ntrips: { window: 0 s }', '20 out-of-range «0 s»'],
    ['order: listed', 'order: listed\ntrips: { least: 0 }', '20 out-of-range «0»'],
    ['order: listed', 'order: listed\ntrips: { refusalRate: 0.05 }', '20 missing-unit «0.05» → 5%'],
    ['order: listed', 'order: listed\ntrips: { queueAge: 0% }', '20 out-of-range «0%»'],
    ['order: listed', 'order: listed\ntrips: { onTrips: shed }', '20 unknown-key «onTrips» → onTrip'],
    ['factor: 2', 'factor: 0.5', '20 out-of-range «0.5»'],
    ['quantile: 95%', 'quantile: 0%', '14 out-of-range «0%»'],
    ['quantile: 95%', 'quantile: 100.1%', '14 out-of-range «100.1%»'],
    ['lease: 15 min', 'lease: 0 s', '7 out-of-range «0 s»'],
    ['name: free', 'name: ""', '7 bad-name «""»'],
    ['seed: "2026-11"', 'seed: ""', '2 empty «""»'],
    ['order: listed', 'order: heavyest-first', '19 unknown-word «heavyest-first» → heaviest-first'],
    ['jitter: full', 'jitter: half', '20 unknown-word «half»'],
    [
      'pool: { name: free, tokens: 10M, funded: 100%, lease: 15 min, refill: night }',
      'pool: free',
      '7 unknown-word «free»',
    ],
    ['budget: { reserve: 45 s, floor: 3 s, cap: 120 s, attempts: 3 }', 'budget: 45 s', '5 wrong-type «45 s»'],
    [
      'policy: { timeouts: clamp, admission: envelope, reclaim: refund }',
      'policy: [clamp]',
      '27 wrong-type «[clamp»',
    ],
    // keys that disagree
    ['floor: 3 s', 'floor: 121 s', '5 contradiction «121 s»'],
    ['reserve: 45 s', 'reserve: 50 min', '5 contradiction «50 min»'],
    ['every: 24 h', 'every: 49 min', '4 contradiction «50 min»'],
    ['every: 24 h', 'every: 9999 d', '3 contradiction «3»'],
    ['hangs: 0.5%', 'hangs: 98%', '23 contradiction «98%»'],
    ['class: code', 'class: summarize', '15 duplicate-name «summarize»'],
    [
      'attempts: 2',
      'from: { file: trace.csv, input: ContextTokens, output: GeneratedTokens }',
      '13 contradiction «{ file»',
    ],
    // distributions
    ['p50: 3000', 'p50: 6001', '11 contradiction «6001»'],
    ['p50: 3000', 'p50: 3 s', '11 wrong-unit «3 s»'],
    ['p50: 3000', 'p50: 0', '11 out-of-range «0»'],
    ['p50: 3000, ', '', '11 missing-key «{ p95»'],
    ['max: 8000', 'maxx: 8000', '11 unknown-key «maxx» → max'],
    ['max: 8000', 'max: 8000, min: 9000', '11 contradiction «9000»'],
    ['max: 8000', 'truncate: true', '11 contradiction «true»'],
    ['p50: 0.9 s', 'p50: 0.9', '22 missing-unit «0.9»'],
    ['p50: 11 ms', 'p50: 11M', '22 wrong-unit «11M»'],
    ['perToken:', 'perTokn:', '22 missing-key «{ firstToken» | 22 unknown-key «perTokn» → perToken'],
    ['{ p50: 20 ms, p95: 200 ms }', 'whole-grant', '26 wrong-unit «whole-grant»'],
    ['{ p50: 20 ms, p95: 200 ms }', '20', '26 missing-unit «20»'],
    ['{ p50: 20 ms, p95: 200 ms }', '{}', '26 wrong-type «{»'],
    ['{ p50: 20 ms, p95: 200 ms }', '20 ms to 10 ms', '26 contradiction «20 ms to 10 ms»'],
    ['{ p50: 20 ms, p95: 200 ms }', '20 to 200 ms', '26 missing-unit «20 to 200 ms»'],
    ['{ p50: 20 ms, p95: 200 ms }', '{ gama: { shape: 2, mean: 3 s } }', '26 unknown-key «gama» → gamma'],
    ['{ p50: 20 ms, p95: 200 ms }', '{ gamma: { shape: 2 } }', '26 contradiction «{ shape»'],
    ['{ p50: 20 ms, p95: 200 ms }', '{ gamma: { shape: 0, mean: 3 s } }', '26 out-of-range «0»'],
    ['{ p50: 20 ms, p95: 200 ms }', '{ uniform: { min: 3 s, max: 2 s } }', '26 contradiction «3 s»'],
    ['{ p50: 20 ms, p95: 200 ms }', '{ pareto: { min: 1 s, alpha: 0.05 } }', '26 out-of-range «{ pareto»'],
    [
      '{ p50: 20 ms, p95: 200 ms }',
      '{ mixture: [{ weight: 0, of: 1 s }, { weight: 0%, of: 2 s }] }',
      '26 contradiction «[{ weight»',
    ],
    ['{ p50: 20 ms, p95: 200 ms }', '{ mixture: [] }', '26 contradiction «[»'],
    [
      '{ p50: 20 ms, p95: 200 ms }',
      '{ mixture: [{ weight: 1, of: { p50: 2 s, p95: 1 s } }] }',
      '26 contradiction «2 s»',
    ],
    ['{ p50: 20 ms, p95: 200 ms }', '{ mixture: [{ weight: few, of: 1 s }] }', '26 wrong-type «few»'],
    ['{ p50: 20 ms, p95: 200 ms }', '{ file: trace.csv, column: Time }', '26 missing-key «{ file»'],
    ['{ p50: 20 ms, p95: 200 ms }', '{ file: trace.csv, column: Time, unit: m }', '26 unknown-word «m»'],
    ['95%: 1000', '95%: 399', '12 contradiction «399»'],
    ['0%: 1, ', '', '12 missing-key «{ 50%»'],
    [', 100%: 2000', '', '12 missing-key «{ 0%»'],
    ['95%: 1000', '0.95: 1000', '12 missing-unit «0.95» → 95%'],
    ['95%: 1000', '105%: 1000', '12 out-of-range «105%»'],
    ['95%: 1000', '50.0%: 1000', '12 duplicate-key «50.0%»'],
    // files
    ['trace.csv', 'trac.csv', '18 missing-file «trac.csv»'],
    ['ContextTokens', 'ContextToken', '18 unknown-column «ContextToken» → ContextTokens'],
    // variants
    ['policy.timeouts:', 'policy.timeout:', '29 unknown-key «policy.timeout» → timeouts'],
    ['fixed,', 'fixd,', '29 unknown-word «policy.timeouts» → fixed'],
    ['policy.timeouts: fixed', 'jobs.sumarize.count: 3', '29 unknown-name «jobs.sumarize.count» → summarize'],
    ['policy.timeouts: fixed', 'lanes.of: 3', '29 unknown-key «lanes.of»'],
    ['policy.timeouts: fixed', 'compare: []', '29 unknown-key «compare»'],
    ['policy.timeouts: fixed', 'budget.reserve: 50 min', '29 contradiction «budget.reserve»'],
    [
      'policy.timeouts: fixed',
      'jobs.summarize.input.p50: 7000',
      '29 contradiction «jobs.summarize.input.p50»',
    ],
    ['  - { name: naive,', '  - { name: naive, set: {} }\n  - { name: naive,', '30 duplicate-name «naive»'],
    ['  - { name: naive,', '  - { name: a b,', '29 bad-name «a b»'],
    ['  - { name: naive,', '  - { nam: naive,', '29 missing-key «{ nam» | 29 unknown-key «nam» → name'],
  ])('%j → %j', (piece, replacement, expected) => {
    const text = edit(NIGHTLY, piece, replacement);
    expect(told(text).join(' | ')).toBe(expected);
  });
});

test.each([
  ['', '1 empty-file «»'],
  ['# nothing yet\n', '1 empty-file «# nothing yet»'],
  ['- 1\n', '1 wrong-type «- 1»'],
  ['just words\n', '1 wrong-type «just words»'],
  ['{}', '1 missing-key «{» | 1 missing-key «{» | 1 missing-key «{»'],
  ['a: 1\n---\nb: 2\n', '2 yaml «---»'],
  ['window:\n\tlasts: 1 s\n', '2 yaml «lasts»'],
  ['window: lasts: 50 min\n', '1 yaml «lasts»'],
  ['&x [*x]\n', '1 wrong-type «[*x» | 1 alias «*x»'],
])('the file %j is told as %s', (text, expected) => {
  expect(told(text).join(' | ')).toBe(expected);
});

test('the nights of a run take less time than time is kept for', () => {
  expect(told(`${SMALLEST}nights: 10_000\n`.replace('50 min', '50 min, every: 2 d'))).toEqual([
    '4 contradiction «10_000»',
  ]);
  expect(() => problemsOf(`${SMALLEST}nights: 10_000\n`)).toThrow('accepted');
});

test('what contradicts a default stands at the key that is written down', () => {
  expect(told(edit(SMALLEST, '50 min', '45 s'))).toEqual(['1 contradiction «45 s»']);
  expect(told(`${SMALLEST}budget: { cap: 2 s }\n`)).toEqual(['4 contradiction «2 s»']);
});

test('a comparison that is not in quotes is told how to write it', () => {
  const [problem, ...others] = problemsOf(edit(NIGHTLY, 'p50: 3000', 'p50: >= 3000'));
  expect(others).toEqual([]);
  expect(describeProblem(problem!)).toBe(
    'nightly.yaml:11:20: a value that starts with ">" must stand in quotes (expected ">= 3000")',
  );
});

test('an envelope at 100 % of a distribution without an end asks for a max', () => {
  const job =
    '[{ class: a, count: 1, input: { p50: 10, p95: 20 }, output: 5, envelope: { quantile: 100% } }]';
  const text = `${edit(SMALLEST, '[]', job)}pool: { tokens: 10M }\n`;
  expect(told(text)).toEqual(['2 contradiction «{ quantile»']);
  expect(problemsOf(text)[0]!.got).toBe('an infinite one');
  expect(() => problemsOf(edit(text, 'p95: 20', 'p95: 20, max: 30'))).toThrow('accepted');
});

test('several mistakes are told at once, in the order of the file, each in full', () => {
  let text = edit(NIGHTLY, 'lasts: 50 min', 'lasts: 50 m');
  text = edit(text, 'floor: 3 s', 'floor: 5 min');
  text = edit(text, 'lanes: 8', 'lane: 8');
  text = edit(text, 'p50: 3000', 'p50: 9000');
  text = edit(text, 'trace.csv', 'traces.csv');
  text = edit(text, 'p95: 3 s', 'p99: 3 s');
  text = edit(text, 'policy.admission: shared-counter', 'policy.admision: shared-counter');
  expect(problemsOf(text, files({})).map(describeProblem)).toEqual([
    'nightly.yaml:4:18: window.lasts: "m" could be minutes or milliseconds: write min or ms (expected a duration with its unit (ms, s, min, h or d): 45 s, 50 min, 6 h, got "50 m")',
    'nightly.yaml:5:33: budget.floor: no call is ever granted: the floor is above the cap (expected at most 2 min, got 5 min)',
    'nightly.yaml:6:1: a scenario has no key "lane" (expected name, seed, nights, window, budget, lanes, pool, jobs, order, backfill, backoff, provider, client, store, ledger, weather, background, fleet, clock, policy, trips, lint, gate, compare). Did you mean "lanes"?',
    'nightly.yaml:11:20: jobs.summarize.input.p50: this is above p95 (expected at most 6,000, got 9,000)',
    'nightly.yaml:18:19: there is no file traces.csv',
    'nightly.yaml:22:26: provider.latency.firstToken lacks the key "p95" (expected a duration above 0 s, such as 45 s or 50 min)',
    'nightly.yaml:22:40: provider.latency.firstToken has no key "p99" (expected p50, p95, min, max, truncate). Did you mean "p95"?',
    'nightly.yaml:29:51: variant naive: policy has no key "admision" (expected timeouts, admission, reclaim, clock, hold). Did you mean "admission"?',
  ]);
});

test('a key that is there twice hides nothing else', () => {
  expect(told(edit(NIGHTLY, 'nights: 3', 'nights: 3\nnights: 0\nlane: 8'))).toEqual([
    '4 duplicate-key «nights»',
    '4 out-of-range «0»',
    '5 unknown-key «lane» → lanes',
  ]);
});

test('a value that is broken is not also found to contradict the default that stands in for it', () => {
  expect(told(edit(NIGHTLY, 'floor: 3 s, cap: 120 s', 'floor: 121 s, cap: 130'))).toEqual([
    '5 missing-unit «130»',
  ]);
});

test('what is wrong with the scenario is not said again of each of its variants', () => {
  const text = edit(NIGHTLY, 'p50: 3000', 'p50: 9000');
  expect(told(text)).toEqual(['11 contradiction «9000»']);
});

test('an error of the file system other than a missing file is told in its own words', () => {
  const io = {
    readText: () => {
      throw new Error('EACCES: permission denied');
    },
  };
  expect(problemsOf(NIGHTLY, io).map(describeProblem)).toEqual([
    'nightly.yaml:18:19: trace.csv cannot be read: EACCES: permission denied',
  ]);
});

test('the files of these tests are right where nothing was changed', () => {
  expect(() => problemsOf(NIGHTLY, files({ 'trace.csv': TRACE }))).toThrow('accepted');
});
