import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkReportFolder, defaultReportFolder } from '../../src/cli/report-folder.ts';
import { TraceFile } from '../../src/cli/trace-file.ts';
import { Unfinished } from '../../src/cli/unfinished.ts';
import { emptyFolder, plimsoll } from './command-line.ts';
import { SCENARIO } from './scenario-text.ts';

describe('report', () => {
  test('writes the whole report, the same bytes again in place of the former one, and says where', async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, 'two.yaml'), SCENARIO);
    const first = await plimsoll(['report', 'two.yaml'], { cwd });
    expect([first.code, first.stderr]).toEqual([0, '']);
    const folder = join(cwd, 'plimsoll-report', 'two-classes');
    const before = contents(folder);
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining(['report.md', 'report.html', 'summary.json', 'charts/outcomes.svg']),
    );
    expect(first.stdout).toMatch(
      new RegExp(
        `The report lies in plimsoll-report/two-classes/report\\.md \\(${Object.keys(before).length} files\\)\\.\n$`,
      ),
    );
    expect(first.stdout).toMatch(/^[✓✗] /);
    expect(before['report.md']).toContain(headline(first.stdout));

    writeFileSync(join(folder, 'charts', 'old.svg'), 'of a former version');
    const second = await plimsoll(['report', 'two.yaml', '--out', 'plimsoll-report/two-classes/'], { cwd });
    expect(second.code).toBe(0);
    expect(contents(folder)).toEqual(before);
    expect(readdirSync(join(cwd, 'plimsoll-report'))).toEqual(['two-classes']);
  });

  test('never replaces a folder that holds anything else', () => {
    const folder = emptyFolder();
    expect(() => checkReportFolder(folder)).not.toThrow();
    expect(() => checkReportFolder(join(folder, 'new'))).not.toThrow();
    writeFileSync(join(folder, 'report.md'), '');
    mkdirSync(join(folder, 'charts'));
    writeFileSync(join(folder, 'charts', 'a.svg'), '');
    expect(() => checkReportFolder(folder)).not.toThrow();
    writeFileSync(join(folder, 'charts', 'notes.txt'), '');
    expect(() => checkReportFolder(folder)).toThrow(/charts.notes\.txt, which is no part of a report/);
    writeFileSync(join(folder, 'notes.txt'), '');
    expect(() => checkReportFolder(folder)).toThrow(/holds notes\.txt, which is no part of a report/);
  });

  test.each([
    ['nightly', 'nightly'],
    ['../../etc', 'etc'],
    ['a/b c', 'a-b-c'],
    ['..', 'scenario'],
    ['夜間', '夜間'],
  ])('a scenario called %j lies in plimsoll-report/%s', (name, folder) => {
    expect(defaultReportFolder(name)).toBe(join('plimsoll-report', folder));
  });
});

test('init copies a scenario with its schema, which then validates and plans; it overwrites nothing', async () => {
  const cwd = emptyFolder();
  const [list, copy] = [
    await plimsoll(['init'], { cwd }),
    await plimsoll(['init', 'three-classes'], { cwd }),
  ];
  expect([list.code, copy.code]).toEqual([0, 0]);
  for (const name of ['six-hour-loop', 'head-of-line', 'three-classes', 'nightly-free-pool']) {
    expect(list.stdout).toMatch(new RegExp(`^ {2}${name}\n {4}\\S`, 'm'));
  }
  const text = readFileSync(join(cwd, 'three-classes.yaml'), 'utf8');
  const schema = /^# yaml-language-server: \$schema=(.*)\n/.exec(text)?.[1] ?? '';
  expect(JSON.parse(readFileSync(schema, 'utf8'))).toMatchObject({ title: 'Plimsoll scenario' });
  expect(text.match(/yaml-language-server/g)).toHaveLength(1);

  writeFileSync(join(cwd, 'three-classes.yaml'), `${text}# mine\n`);
  const [valid, planned, again] = await Promise.all([
    plimsoll(['validate', 'three-classes.yaml'], { cwd }),
    plimsoll(['plan', 'three-classes.yaml'], { cwd }),
    plimsoll(['init', 'three-classes'], { cwd }),
  ]);
  expect([valid.code, valid.stdout]).toEqual([0, expect.stringMatching(/^✓ three-classes\.yaml: ok, /)]);
  expect(planned.stdout).toContain('180,000');
  expect([again.code, again.stderr]).toEqual([
    2,
    expect.stringMatching(/three-classes\.yaml: this file exists/),
  ]);
  expect(readFileSync(join(cwd, 'three-classes.yaml'), 'utf8')).toMatch(/# mine\n$/);
});

test('every scenario that ships is copied whole: it needs no file beside it', async () => {
  const cwd = emptyFolder();
  const names = ['six-hour-loop', 'head-of-line', 'three-classes', 'nightly-free-pool'];
  await Promise.all(names.map((name) => plimsoll(['init', name], { cwd })));
  const { code, stderr } = await plimsoll(['validate', ...names.map((name) => `${name}.yaml`)], { cwd });
  expect([code, stderr]).toEqual([0, '']);
});

describe('a trace', () => {
  const event = { night: 1, atMs: 1, type: 'finished' } as const;

  test('has its name only when it is finished, and the former one until then', () => {
    const file = join(emptyFolder(), 'trace.jsonl');
    writeFileSync(file, 'former\n');
    const unfinished = new Unfinished();
    const trace = new TraceFile(file, unfinished);
    for (let count = 0; count < 5000; count += 1) trace.write(event);
    expect(readFileSync(file, 'utf8')).toBe('former\n');
    trace.finish();
    expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(event)}\n`.repeat(5000));
    unfinished.removeAll();
    expect(readdirSync(dirname(file))).toEqual(['trace.jsonl']);
  });

  test('leaves nothing where the process ends early', () => {
    const folder = emptyFolder();
    const unfinished = new Unfinished();
    new TraceFile(join(folder, 'trace.jsonl'), unfinished).write(event);
    unfinished.removeAll();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('through a link replaces what the link leads to, and a device is written to as it is', () => {
    const folder = emptyFolder();
    const target = join(folder, 'target.jsonl');
    writeFileSync(target, '');
    symlinkSync(target, join(folder, 'link.jsonl'));
    const trace = new TraceFile(join(folder, 'link.jsonl'), new Unfinished());
    trace.write(event);
    trace.finish();
    expect(readFileSync(target, 'utf8')).toBe(`${JSON.stringify(event)}\n`);
    const nowhere = new TraceFile('/dev/null', new Unfinished());
    nowhere.write(event);
    nowhere.finish();
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});

/** By name, with `/` between folders. */
function contents(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );
}

/** The verdict of a summary, on one line. */
function headline(stdout: string): string {
  return stdout
    .split('\n\n', 1)[0]!
    .replace(/^[✓✗] /, '')
    .replace(/\s+/g, ' ');
}
