import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { emptyFolder, plimsoll } from './command-line.ts';
import { SCENARIO } from './scenario-text.ts';

const STACK = /\n\s+at .*[:(]\S+:\d+:\d+|node:internal|Node\.js v/;

describe('a scenario that is wrong', () => {
  const CLASS = '{ class: a, count: 1, input: 10, output: 10 }';
  const base = (over: string): string =>
    `window: { lasts: 10 min }\njobs: [${CLASS}]\nprovider: { latency: 5 s }\n${over}\n`;
  const fromFile = (file: string): string =>
    `window: { lasts: 10 min }\nprovider: { latency: 5 s }\njobs:\n  - class: a\n    count: 1\n    from: { file: ${file}, input: In, output: Out }\n`;

  /** What is wrong, and what stderr has to say about it. */
  const WRONG: Readonly<Record<string, readonly [text: string | Uint8Array, says: readonly RegExp[]]>> = {
    'yaml.yaml': ['window: { lasts: 10 min\njobs: ]\n', [/^error: yaml\.yaml:\d+:\d+: this is no YAML/m]],
    'duplicate.yaml': [base('lanes: 1\nlanes: 2'), [/^error: duplicate\.yaml:5:1: .*lanes/m]],
    'unknown.yaml': [base('lannes: 2'), [/^error: unknown\.yaml:4:1: .*"lannes".* Did you mean "lanes"\?/m]],
    'inside.yaml': [
      base('store: { write: { p50: 1 s, p59: 2 s } }'),
      [/^error: inside\.yaml:4:\d+: .*"p59".* Did you mean "p5\d"\?/m],
    ],
    'unit.yaml': [base('budget: { reserve: 45 m }'), [/^error: unit\.yaml:4:20: .*minutes or milliseconds/m]],
    'quantiles.yaml': [
      base('store: { write: { p50: 2 s, p95: 1 s } }'),
      [/^error: quantiles\.yaml:4:\d+: .*p95/m],
    ],
    'floor.yaml': [base('budget: { floor: 3 min }'), [/^error: floor\.yaml:4:18: .*floor is above the cap/m]],
    'reserve.yaml': [
      base('budget: { reserve: 10 min }'),
      [
        /^error: reserve\.yaml:4:20: .*leaves nothing of the window \(expected less than 10 min, got 10 min\)/m,
      ],
    ],
    'count.yaml': [
      base('').replace('count: 1', 'count: -1'),
      [/^error: count\.yaml:2:\d+: jobs\.a\.count: .*negative.*got "-1"/m],
    ],
    'empty.yaml': ['', [/^error: empty\.yaml:1:1: this file holds no scenario/m]],
    'binary.yaml': [new Uint8Array([0xff, 0xfe, 0x00]), [/^error: binary\.yaml: this is no UTF-8 text/m]],
    'no-csv.yaml': [fromFile('none.csv'), [/^error: no-csv\.yaml:6:\d+: .*there is no file none\.csv/m]],
    'empty-csv.yaml': [fromFile('empty.csv'), [/^error: empty-csv\.yaml:6:\d+: .*empty\.csv is empty/m]],
    'column.yaml': [
      fromFile('column.csv'),
      [/^error: column\.yaml:6:\d+: .*no column "In".* Did you mean "Inn"\?/m],
    ],
    'cell.yaml': [fromFile('cell.csv'), [/^error: cell\.csv:4711: .*"Out".*got "many"/m]],
    'zone.yaml': [
      base('').replace(
        'lasts: 10 min',
        'opens: "01:30", lasts: 10 min, from: 2026-03-27, zone: Europe/Berln',
      ),
      [/^error: zone\.yaml:1:\d+: .*no time zone "Europe\/Berln".* Did you mean "Europe\/Berlin"\?/m],
    ],
    'profile.yaml': [
      base('')
        .replace('lasts: 10 min', 'opens: "01:30", lasts: 10 min, from: 2026-03-27')
        .replace('count: 1', 'arrive: { poisson: 9 per hour, profile: { "08:00": 0 } }'),
      [/^error: profile\.yaml:2:\d+: jobs\.a\.arrive\.profile: the weights of the day sum to nothing/m],
    ],
    'several.yaml': [
      base('lannes: 2\nbudget: { reserve: 45, cap: 1 kg }'),
      [/several\.yaml:4:1: /, /several\.yaml:5:20: .*which unit/, /several\.yaml:5:29: /],
    ],
  };
  const CSV: Readonly<Record<string, string>> = {
    'empty.csv': '',
    'column.csv': 'Inn,Out\n1,2\n',
    'cell.csv': `In,Out\n${Array.from({ length: 6000 }, (_, row) => `${row},${row + 2 === 4711 ? 'many' : row}\n`).join('')}`,
  };

  test('is told with its place and the fix, without a stack, and the good file beside it is ok', async () => {
    const cwd = emptyFolder();
    for (const [name, text] of Object.entries(CSV)) writeFileSync(join(cwd, name), text);
    for (const [name, [text]] of Object.entries(WRONG)) writeFileSync(join(cwd, name), text);
    writeFileSync(join(cwd, 'good.yaml'), SCENARIO);
    const { code, stdout, stderr } = await plimsoll(['validate', 'good.yaml', ...Object.keys(WRONG)], {
      cwd,
    });
    expect(code).toBe(2);
    expect(stdout).toBe('✓ good.yaml: ok, 30 jobs in 2 classes, 1 variant\n');
    for (const [, says] of Object.values(WRONG)) for (const line of says) expect(stderr).toMatch(line);
    for (const name of Object.keys(WRONG)) expect(stderr).toContain(name === 'cell.yaml' ? 'cell.csv' : name);
    expect(stderr).not.toMatch(STACK);
  });

  test('leaves nothing behind when it should have been played', async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, 'wrong.yaml'), WRONG['reserve.yaml']![0]);
    const words = ['report', 'wrong.yaml', '--trace', 'trace.jsonl', '--ledger', 'sqlite:ledger.sqlite3'];
    const { code, stdout, stderr } = await plimsoll(words, { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: wrong\.yaml:4:20: /);
    expect(readdirSync(cwd)).toEqual(['wrong.yaml']);
  });
});

interface Case {
  readonly words: readonly string[];
  readonly says: RegExp;
}

/** Each in a folder of its own that holds a scenario and a folder, at the same time. */
async function expectRefused(code: number, cases: readonly Case[]): Promise<void> {
  const check = async ({ words, says }: Case): Promise<void> => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, 'two.yaml'), SCENARIO);
    mkdirSync(join(cwd, 'folder'));
    const ended = await plimsoll(words, { cwd });
    expect({ words, code: ended.code, stdout: ended.stdout }).toEqual({ words, code, stdout: '' });
    expect(ended.stderr).toMatch(says);
    expect(ended.stderr).not.toMatch(STACK);
    expect(readdirSync(cwd).sort()).toEqual(['folder', 'two.yaml']);
  };
  await Promise.all(cases.map(check));
}

describe('a command line that is wrong exits 2, says what was meant and leaves nothing behind', () => {
  test('a misspelt command, flag, scenario or key', async () => {
    await expectRefused(2, [
      { words: ['rum', 'two.yaml'], says: /^error: there is no command "rum".* Did you mean "run"\?\n$/ },
      { words: ['run', 'two.yaml', '--sed=1'], says: /^error: --sed: .* Did you mean "--se[td]"\?\n$/ },
      { words: ['run', 'three-clases'], says: /"three-clases" ships.* Did you mean "three-classes"\?\n$/ },
      {
        words: ['run', 'tow2.yaml'],
        says: /^error: tow2\.yaml: there is no such file\. Did you mean "two\.yaml"\?/,
      },
      {
        words: ['run', 'two.yaml', '--set', 'budget.reserv=60s', '--set', 'jobs.shrt.count=1'],
        says: /jobs\.shrt\.count: .* Did you mean "short"\?\nerror: --set budget\.reserv: .* Did you mean "reserve"\?\n$/,
      },
    ]);
  });

  test('a place that cannot be meant', async () => {
    await expectRefused(2, [
      {
        words: ['plan', './nowhere/two.yaml'],
        says: /^error: \.\/nowhere\/two\.yaml: there is no such file/,
      },
      { words: ['plan', './folder'], says: /^error: \.\/folder: this is a folder; name a scenario file/ },
      { words: ['run', 'two.yaml', '--trace', 'folder'], says: /^error: --trace: the trace needs a file/ },
      {
        words: ['report', 'two.yaml', '--out', '.'],
        says: /^error: --out: .* the one you are in; name a folder/,
      },
      {
        words: ['report', 'two.yaml', '--out', 'two.yaml'],
        says: /^error: --out: this is a file; name a folder/,
      },
    ]);
  });

  test('a value that cannot be meant, and no command at all', async () => {
    await expectRefused(2, [
      { words: ['plan', 'two.yaml', '--nights', '-1'], says: /^error: --nights: a count cannot be negative/ },
      {
        words: ['run', 'two.yaml', '--ledger', 'sqlit'],
        says: /^error: --ledger: .* Did you mean "sqlite"\?/,
      },
      { words: [], says: /^plimsoll <command>/ },
    ]);
  });
});

// The proc file system refuses root as well.
test.skipIf(process.platform !== 'linux')(
  'an environment that fails exits 5, names the path and the fix, and leaves nothing behind',
  async () => {
    await expectRefused(5, [
      {
        words: ['report', 'two.yaml', '--out', '/proc/x'],
        says: /^error: \/proc\/x cannot be written: .*; name /,
      },
      {
        words: ['run', 'two.yaml', '--trace', '/proc/x'],
        says: /^error: \/proc\/x cannot be written: .*; name /,
      },
      {
        words: ['run', 'two.yaml', '--ledger', 'sqlite:/proc/x'],
        says: /^error: ledger file "\/proc\/x" .*; name /,
      },
      {
        words: ['run', 'two.yaml', '--ledger', 'sqlite:two.yaml'],
        says: /^error: "two\.yaml" is no SQLite database.*; name /,
      },
      {
        words: ['init', 'three-classes', '--out', 'two.yaml/x'],
        says: /^error: two\.yaml\/x cannot be written: .*not a folder/,
      },
    ]);
  },
);
