// Every rule of the linter: a scenario that it finds something in, one that it does not, and its line in the
// documentation.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LINT_RULES, type LintRule } from '../../../src/scenario/lint-rules.ts';
import { parseOverride } from '../../../src/scenario/override.ts';
import { readLocatedScenario } from '../../../src/scenario/read-scenario.ts';
import { lint } from '../../../src/study/lint/lint.ts';
import { files } from '../../scenario/nightly.ts';

/** Nothing in it is to be found fault with. */
const SOUND = `name: sound
window: { lasts: 8 h }
budget: { reserve: 45 s, floor: 3 s, cap: 60 s, attempts: 2 }
lanes: 4
pool: { tokens: 10M, lease: 15 min }
jobs:
  - class: a
    count: 20
    slack: 36 h
    input: { p50: 1000, p95: 2000, max: 4000 }
    output: { p50: 100, p95: 400, max: 1000 }
provider: { latency: { p50: 5 s, p95: 12 s } }
store: { write: { p50: 20 ms, p95: 200 ms }, flush: 1 s }
trips: { queueAge: 20% }
lint: { replications: 5 }
`;

const TRACE = ['In,Out', ...Array.from({ length: 299 }, (_, row) => `${row},1`)].join('\n');
const io = files({ 'short.csv': TRACE, 'long.csv': `${TRACE}\n1,1` });

function lintOf(text: string, settings: readonly string[] = []) {
  const overrides = settings.map(parseOverride);
  return lint(readLocatedScenario({ name: 'sound.yaml', text }, io, { overrides }));
}

/** What has to be set over the sound scenario for a rule to find something, and the figure that it finds. */
const TRIGGERS: Readonly<Record<LintRule, readonly [settings: string, measured: number | null]>> = {
  // 3,000 jobs × (2 × 60 s + 1 s) / 4 lanes and three quarters of one job more.
  'worst-case-over-window': ['jobs.a.count=3000', (3000 * 121_000 + 3 * 121_000) / 4],
  // Four writes of 20 s on one writer, and a second for the flush.
  'short-reserve': ['store.write=20 s', 81_000],
  'floor-above-latency': ['budget.floor=6 s', expect.closeTo(0.6338, 3)],
  'sub-second-calls': ['provider.latency=0.9 s', 1],
  'interactive-calls': ['jobs.a.answerWithin=1.9 s', 1_900],
  'short-slack': ['jobs.a.slack=59 min', 59 * 60_000],
  'must-finish-tonight': ['jobs.a.mustFinishTonight=true', null],
  'deadline-per-job': ['window.deadlinePerJob=true', null],
  'not-idempotent': ['jobs.a.idempotent=false', null],
  // Calls of 59 s and writes of 0.1 s, one after the other; one retry more is 60 s and a pause of 1 s.
  'lease-below-job': ['provider.latency=59 s|store.write=100 ms|lanes=1|pool.lease=120 s', 59_100 + 61_000],
  'lease-below-attempts': ['pool.lease=119 s', 120_000],
  'envelope-over-capacity': ['jobs.a.envelope={ tokens: 10_000_001 }', 10_000_001],
  'few-samples': ['jobs.a.samples=299', 299],
  'tail-beyond-context': ['provider.context=1000|jobs.a.input=1001|jobs.a.output=1000', 1_001],
  'lanes-over-limits': ['provider.limits={ concurrency: 3 }', 4],
  'retries-multiplied': ['client={ attempts: 3, timeout: 20 s }', 2 * 3],
  'lanes-over-ceiling': ['lanes=5|pool.tokens=4999|jobs.a.envelope={ tokens: 1000 }', 5],
  'shared-without-guarantees': ['pool.teams=2', 2],
  'no-usage-source': ['provider.usage=none', null],
  'ephemeral-ledger': ['ledger.file=/tmp/plimsoll.db', null],
  // A job uses 1,100 of 2,200.
  'trip-always': [
    'trips.unspentAbove=0%|jobs.a.input=1000|jobs.a.output=100|jobs.a.envelope={ tokens: 2200 }',
    expect.closeTo(0.5, 5),
  ],
  'trip-never': ['trips.refusalRate=100%', 1],
};

describe('the rules', () => {
  test('find nothing in a sound scenario', () => {
    expect(lintOf(SOUND)).toEqual({ scenario: 'sound', replications: 5, findings: [], ignored: [] });
  });

  test.each(LINT_RULES)('%s is found where it is due, with its place and its figure', (rule) => {
    const [settings, measured] = TRIGGERS[rule];
    const found = lintOf(SOUND, settings.split('|')).findings.filter((finding) => finding.rule === rule);
    expect(found).toHaveLength(1);
    expect(found[0]!.figure?.measured ?? null).toEqual(measured);
    expect(found[0]!.place.flag ?? found[0]!.place.line).toBeDefined();
  });
});

describe('just inside its limit', () => {
  const INSIDE: Readonly<Partial<Record<LintRule, string>>> = {
    'short-reserve': 'store.write=11 s',
    'interactive-calls': 'jobs.a.answerWithin=2 s',
    'short-slack': 'jobs.a.slack=1 h',
    'lease-below-attempts': 'pool.lease=120 s',
    'lease-below-job': 'provider.latency=59 s|store.write=100 ms|lanes=1|pool.lease=120.1 s',
    'envelope-over-capacity': 'jobs.a.envelope={ tokens: 10M }',
    'few-samples': 'jobs.a.samples=300',
    'tail-beyond-context': 'provider.context=1001|jobs.a.input=1001|jobs.a.output=1000',
    'lanes-over-ceiling': 'lanes=4|pool.tokens=4999|jobs.a.envelope={ tokens: 1000 }',
    'ephemeral-ledger': 'ledger.file=/var/lib/plimsoll.db',
    'lanes-over-limits': 'provider.limits={ concurrency: 4, requests: 60, tokens: 400k }',
    'retries-multiplied': 'client={ attempts: 1 }',
    'trip-always': 'trips.unspentAbove=1%',
    'trip-never': 'trips.refusalRate=99%',
  };

  test.each(Object.entries(INSIDE))('%s is silent', (rule, settings) => {
    const { findings } = lintOf(SOUND, settings.split('|'));
    expect(findings.filter((finding) => finding.rule === rule)).toEqual([]);
  });
});

describe('lanes under a limit', () => {
  // Calls take 10 s each and 1,100 tokens.
  const constant = ['provider.latency=10 s', 'jobs.a.input=1000', 'jobs.a.output=100'];
  const limited = (limits: string, ...more: string[]) =>
    lintOf(SOUND, [...constant, `provider.limits=${limits}`, ...more]).findings.map(({ rule, figure }) => [
      rule,
      figure?.limit,
    ]);

  test('are kept busy by so many requests a minute', () => {
    expect(limited('{ requests: 24 }')).toEqual([]);
    expect(limited('{ requests: 18 }')).toEqual([['lanes-over-limits', 3]]);
  });

  test('are kept busy by so many tokens a minute, of those that count', () => {
    expect(limited('{ tokens: 26_400 }')).toEqual([]);
    expect(limited('{ tokens: 13_200 }')).toEqual([['lanes-over-limits', 2]]);
    expect(limited('{ tokens: 1_200, counts: output }')).toEqual([['lanes-over-limits', 2]]);
    expect(limited('{ tokens: 24_000, counts: input }')).toEqual([]);
  });

  test('are those of the whole fleet', () => {
    expect(limited('{ concurrency: 4 }', 'fleet={ workers: 2 }')).toEqual([['lanes-over-limits', 4]]);
  });
});

describe('a trip condition', () => {
  const found = (...settings: string[]) =>
    lintOf(SOUND, settings).findings.map(({ rule, place, figure }) => [rule, place.flag, figure?.measured]);

  test('on refusals trips always where the pool carries too few of each night', () => {
    // 20 jobs of 1,100 tokens arrive, and 11,000 carry ten of them.
    const settings = [
      'pool.tokens=11_000',
      'lanes=1',
      'jobs.a.input=1000',
      'jobs.a.output=100',
      'jobs.a.envelope={ tokens: 1100 }',
      'trips.refusalRate=49%',
    ];
    expect(found(...settings)).toEqual([['trip-always', '--set trips.refusalRate', 0.5]]);
    expect(found(...settings, 'trips.refusalRate=50%')).toEqual([]);
  });

  test('never trips beyond what there is', () => {
    expect(found('trips.unspent=100%')).toEqual([['trip-never', '--set trips.unspent', 1]]);
    expect(found('trips.unspentAbove=99%')[0]?.slice(0, 2)).toEqual([
      'trip-never',
      '--set trips.unspentAbove',
    ]);
    expect(found('trips.confidence=100%')).toEqual([['trip-never', '--set trips.confidence', 1]]);
    expect(found('trips.queueAge=23%')).toEqual([
      ['trip-never', '--set trips.queueAge', expect.closeTo(0.23 * 36 * 3_600_000)],
    ]);
  });
});

describe('a finding', () => {
  test('stands at the line of its value', () => {
    const { findings } = lintOf(SOUND.replace('lease: 15 min', 'lease: 90 s'));
    expect(findings.map(({ rule, place }) => [rule, place])).toEqual([
      ['lease-below-attempts', { file: 'sound.yaml', line: 5, column: 29 }],
    ]);
  });

  test('about a default stands at the nearest map around it', () => {
    const text = SOUND.replace('reserve: 45 s, ', '').replace(
      'write: { p50: 20 ms, p95: 200 ms }',
      'write: 20 s',
    );
    expect(lintOf(text).findings.map(({ rule, place }) => [rule, place.line])).toEqual([
      ['short-reserve', 3],
    ]);
  });

  test('of a file’s rows counts them', () => {
    const from = (file: string) =>
      SOUND.replace(
        / {4}input: .*\n {4}output: .*\n/,
        `    from: { file: ${file}, input: In, output: Out }\n`,
      );
    expect(lintOf(from('short.csv')).findings.map(({ rule }) => rule)).toEqual(['few-samples']);
    expect(lintOf(from('long.csv')).findings).toEqual([]);
  });

  test('that is accepted is told beside, with its justification', () => {
    const text = SOUND.replace(
      'replications: 5',
      'replications: 5, ignore: [{ rule: shared-without-guarantees, because: one budget }, { rule: short-slack, because: old }]',
    ).replace('lease: 15 min', 'lease: 15 min, teams: 3');
    const { findings, ignored } = lintOf(text);
    expect(findings).toEqual([]);
    expect(ignored.map(({ rule, because, findings: found }) => [rule, because, found.length])).toEqual([
      ['shared-without-guarantees', 'one budget', 1],
      ['short-slack', 'old', 0],
    ]);
  });

  test('needs no pool where it is not about one', () => {
    expect(lintOf(SOUND, ['pool=none']).findings).toEqual([]);
  });

  test('of a temporary folder knows the usual ones', () => {
    const places = [
      '/tmp/a.db',
      '/var/tmp/a.db',
      '/dev/shm/a.db',
      'C:\\Users\\a\\AppData\\Local\\Temp\\a.db',
      '$TMPDIR/a.db',
    ];
    for (const file of places) {
      const { findings } = lintOf(SOUND, [`ledger.file=${JSON.stringify(file)}`]);
      expect(
        findings.map(({ rule }) => rule),
        file,
      ).toEqual(['ephemeral-ledger']);
    }
    expect(lintOf(SOUND, ['ledger.disk=ephemeral']).findings).toHaveLength(1);
    for (const file of ['/srv/tmpl/a.db', 'data/attempts.db', '/home/tmp.db']) {
      expect(lintOf(SOUND, [`ledger.file=${JSON.stringify(file)}`]).findings, file).toEqual([]);
    }
  });
});

test('docs/lint.md has a line of why for every rule, word for word, and for nothing else', () => {
  const page = readFileSync(new URL('../../../docs/lint.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| .+ \| (.+) \|$/gm)].map(([, rule, why]) => [rule, why]);
  const known = LINT_RULES.map((rule) => {
    const [settings] = TRIGGERS[rule];
    const { findings } = lintOf(SOUND, settings.split('|'));
    return [rule, findings.find((finding) => finding.rule === rule)?.why];
  });
  expect(rows).toEqual(known);
});
