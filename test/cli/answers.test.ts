// What the commands answer: the field notes' figures from the scenarios that ship, JSON that is nothing but
// JSON, and the same bytes from the same seed, whoever keeps the books.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { NightPlan } from '../../src/plan/night-plan.ts';
import type { RunResult } from '../../src/world/run-result.ts';
import { emptyFolder, plimsoll } from './command-line.ts';
import { SCENARIO } from './scenario-text.ts';

async function json<Result>(...words: string[]): Promise<Result> {
  const { code, stdout, stderr } = await plimsoll([...words, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Result;
}

describe('the field notes, from the scenarios that ship', () => {
  test('six-hour-loop: 60 rows × 3 attempts × 120 s are 21,600,000 ms, far beyond the window', async () => {
    const { worstCase, classes } = await json<NightPlan>('plan', 'six-hour-loop');
    expect(worstCase).toMatchObject({
      items: 60,
      attempts: 3,
      capMs: 120_000,
      sequentialMs: 21_600_000,
      fits: false,
    });
    expect(classes.map(({ envelope, admitted, maxInFlight }) => [envelope, admitted, maxInFlight])).toEqual([
      [null, null, null],
    ]);
  });

  test('three-classes: envelopes of 14,000, 40,000 and 180,000 admit 714, 250 and 55', async () => {
    const { classes } = await json<NightPlan>('plan', 'three-classes');
    const rows = classes.map(({ name, envelope, admitted, maxInFlight }) => [
      name,
      envelope,
      admitted,
      maxInFlight,
    ]);
    expect(rows).toEqual([
      ['summarize', 14_000, 714, 714],
      ['extract-json', 40_000, 250, 250],
      ['agent-loop', 180_000, 55, 55],
    ]);
  });

  test('head-of-line: under the shared counter job 167 is dispatched and fails at the wall, and nobody else is done', async () => {
    const cwd = emptyFolder();
    const words = [
      'run',
      'head-of-line',
      '--set',
      'policy.admission=shared-counter',
      '--trace',
      't.jsonl',
      '--json',
    ];
    const { stdout } = await plimsoll(words, { cwd });
    const { classes, total } = JSON.parse(stdout) as RunResult;
    expect([classes.heavy!.done, classes.light!.done, total.done]).toEqual([166, 0, 166]);
    expect(total.refused).toBe(2000 - 166);
    const attempts = attemptsIn(join(cwd, 't.jsonl'));
    expect(attempts).toHaveLength(167);
    expect(attempts.at(-1)).toMatchObject({ job: 'heavy:1:166' });
  });

  test('head-of-line: under envelopes job 167 is refused before it is dispatched', async () => {
    const cwd = emptyFolder();
    const words = [
      'run',
      'head-of-line',
      '--set',
      'policy.admission=envelope',
      '--trace',
      't.jsonl',
      '--json',
    ];
    const { stdout } = await plimsoll(words, { cwd });
    const { classes } = JSON.parse(stdout) as RunResult;
    expect([classes.heavy!.done, classes.heavy!.refused]).toEqual([166, 34]);
    const events = eventsIn(join(cwd, 't.jsonl')).filter(({ job }) => job === 'heavy:1:166');
    expect(events.map(({ type, outcome }) => [type, outcome])).toEqual([
      ['reserved', 'insufficient'],
      ['outcome', 'refused'],
    ]);
  });
});

test('the same seed gives the same bytes, in memory and in SQLite, and another seed does not', async () => {
  const cwd = emptyFolder();
  const file = { file: 'nightly.yaml', text: SCENARIO.replace('perToken: 10 ms', 'perToken: 5 ms to 30 ms') };
  writeFileSync(join(cwd, file.file), file.text);
  const play = async (name: string, ...more: string[]) => {
    const words = ['run', file.file, '--json', '--trace', `${name}.jsonl`, ...more];
    const { code, stdout } = await plimsoll(words, { cwd });
    expect(code).toBe(0);
    return [stdout, readFileSync(join(cwd, `${name}.jsonl`), 'utf8')];
  };
  const [memory, again, temporary, named, other] = await Promise.all([
    play('memory'),
    play('again'),
    play('temporary', '--ledger', 'sqlite'),
    play('named', '--ledger', 'sqlite:books.sqlite3'),
    play('other', '--seed', '1e3'),
  ]);
  expect(again).toEqual(memory);
  expect(temporary).toEqual(memory);
  expect(named).toEqual(memory);
  expect(other![1]).not.toBe(memory![1]);
  expect(JSON.parse(other![0]!)).toMatchObject({ seed: '1e3' });

  expect(existsSync(join(cwd, 'books.sqlite3'))).toBe(true);
  const used = await plimsoll(['run', file.file, '--ledger', 'sqlite:books.sqlite3'], { cwd });
  expect(used.code).toBe(2);
  expect(used.stderr).toMatch(
    /--ledger sqlite:books\.sqlite3: this ledger keeps books already \(pool free\).*another file/,
  );
  expect(
    readdirSync(cwd)
      .filter((name) => !name.endsWith('.jsonl'))
      .sort(),
  ).toEqual(['books.sqlite3', 'nightly.yaml']);
});

test('a trace has one audit record for each attempt, and no time finer than a microsecond', async () => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'two.yaml'), SCENARIO.replace('perToken: 10 ms', 'perToken: 5 ms to 30 ms'));
  const { stdout } = await plimsoll(['run', 'two.yaml', '--json', '--trace', 'sub.jsonl'], { cwd });
  const { total } = JSON.parse(stdout) as RunResult;
  const attempts = attemptsIn(join(cwd, 'sub.jsonl'));
  expect(attempts).toHaveLength(total.attempts);
  for (const attempt of attempts) {
    expect(Object.keys(attempt)).toEqual(
      expect.arrayContaining([
        'job',
        'night',
        'attempt',
        'remainingMs',
        'grantedMs',
        'elapsedMs',
        'outcome',
        'tokens',
      ]),
    );
  }
  expect(readFileSync(join(cwd, 'sub.jsonl'), 'utf8') + stdout).not.toMatch(/Ms": ?-?\d+\.\d{4,}/);
});

test('--set, repeated, and --nights lay their values over the file', async () => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'two.yaml'), SCENARIO);
  const words = [
    '--set',
    'jobs.short.count=7',
    'two.yaml',
    '--set',
    'budget.cap=30s',
    '--nights',
    '1',
    '--json',
  ];
  const [planned, played] = await Promise.all([
    plimsoll(['plan', ...words], { cwd }),
    plimsoll(['run', ...words], { cwd }),
  ]);
  const { worstCase } = JSON.parse(planned.stdout) as NightPlan;
  expect([worstCase.items, worstCase.capMs]).toEqual([17, 30_000]);
  const { nights, compare } = JSON.parse(played.stdout) as RunResult;
  expect([nights.length, nights[0]?.jobs, compare.naive?.nights.length]).toEqual([1, 17, 1]);
});

test('no jobs, one job, 10,000 lanes, a window of 1 ms and 400 nights are answered', async () => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'two.yaml'), SCENARIO);
  const edges: readonly (readonly string[])[] = [
    ['--set', 'jobs=[]'],
    ['--set', 'jobs.short.count=1', '--set', 'jobs.long.count=0'],
    ['--set', 'lanes=10000', '--set', 'jobs.short.count=20000', '--set', 'pool.tokens=1G', '--nights', '1'],
    ['--set', 'window.lasts=1ms', '--set', 'budget.reserve=0s'],
    ['--nights', '400'],
  ];
  const results = await Promise.all(
    edges.map(async (words) => {
      const { code, stdout } = await plimsoll(['run', 'two.yaml', '--json', ...words], { cwd });
      expect({ words, code }).toEqual({ words, code: 0 });
      return JSON.parse(stdout) as RunResult;
    }),
  );
  for (const { nights } of results) {
    for (const { jobs, done, deferred, refused, inadmissible, failed, unknown, lostWrites } of nights) {
      expect(done + deferred + refused + inadmissible + failed + unknown + lostWrites).toBe(jobs);
    }
  }
  expect(results.map(({ nights }) => nights[0]?.jobs)).toEqual([0, 1, 20_010, 30, 30]);
  expect(results[4]?.nights).toHaveLength(400);
  const texts = await Promise.all(edges.map((words) => plimsoll(['plan', 'two.yaml', ...words], { cwd })));
  expect(texts.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
});

type Event = Readonly<Record<string, unknown>>;

function eventsIn(file: string): readonly Event[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Event);
}

function attemptsIn(file: string): readonly Event[] {
  return eventsIn(file).filter(({ type }) => type === 'attempt');
}
