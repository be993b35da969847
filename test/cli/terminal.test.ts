import { closeSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bar } from '../../src/cli/terminal/bar.ts';
import { paragraph, table } from '../../src/cli/terminal/layout.ts';
import { emptyFolder, plimsoll, start } from './command-line.ts';
import { SCENARIO } from './scenario-text.ts';

const ESCAPE = '\u001b';

describe('in a terminal', () => {
  test('a summary fits 80 columns and has no colours in a pipe, whatever else says that it may', async () => {
    const cwd = emptyFolder();
    const long = `the-class-that-nobody-could-find-a-short-name-for-${'x'.repeat(150)}`;
    writeFileSync(join(cwd, 'two.yaml'), SCENARIO.replace('class: short', `class: ${long}`));
    const words = ['two.yaml', '--set', `jobs.${long}.count=1000000`, '--nights', '1'];
    const [planned, played, coloured, bare] = await Promise.all([
      plimsoll(['plan', ...words], { cwd, env: { CI: '1' } }),
      plimsoll(['run', ...words.with(2, `jobs.${long}.count=12345`)], { cwd, env: { CI: '1' } }),
      plimsoll(['plan', 'two.yaml'], { cwd, env: { FORCE_COLOR: '1' } }),
      plimsoll(['plan', 'two.yaml'], { cwd, env: { FORCE_COLOR: '1', NO_COLOR: '1' } }),
    ]);
    for (const { code, stdout, stderr } of [planned, played]) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).not.toContain(ESCAPE);
      // Commands to copy stand on one line, however long it is.
      const lines = stdout.split('\n').filter((line) => !line.startsWith('      plimsoll '));
      for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
    }
    expect(coloured.stdout).toContain(ESCAPE);
    expect(bare.stdout).not.toContain(ESCAPE);
  });

  test('a bar is full or empty only where the share is exactly that', () => {
    expect([0, 0.001, 0.5, 0.999, 1].map((share) => bar(share, 4))).toEqual([
      '░░░░',
      '█░░░',
      '██░░',
      '███░',
      '████',
    ]);
  });

  test('a paragraph is broken at its spaces, and the lines after the first hang', () => {
    expect(paragraph(`${'word '.repeat(20)}end`, '- ', '  ')).toBe(
      `- ${'word '.repeat(15).trimEnd()}\n  ${'word '.repeat(5)}end`,
    );
  });

  test('a table cuts its names rather than its figures, and breaks its list after commas', () => {
    const drawn = table(
      [{ head: 'name', align: 'left' }, { head: 'jobs' }, { head: 'others', align: 'left', wraps: true }],
      [['n'.repeat(30), '1,000', Array.from({ length: 12 }, (_, index) => `${index} deferred`).join(', ')]],
      (text) => text,
    );
    const lines = drawn.split('\n');
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(lines.slice(1, -1).every((line) => line.endsWith('deferred,'))).toBe(true);
    expect(drawn).toContain('1,000');
  });
});

describe('as a process', () => {
  test('a reader that has read enough ends it quietly', async () => {
    const child = start(['schema', 'run']);
    child.stdout!.destroy();
    let stderr = '';
    child.stderr!.on('data', (text) => {
      stderr += text;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, stderr]).toEqual([0, '']);
  });

  test.skipIf(process.platform !== 'linux')('an answer that finds the disk full exits 5', async () => {
    const full = openSync('/dev/full', 'w');
    const { code, stderr } = await plimsoll(['plan', 'three-classes'], { stdout: full });
    closeSync(full);
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/^error: standard output cannot be written: the disk is full/),
    ]);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s exits %i and leaves nothing half-written', async (signal, exitCode) => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, 'two.yaml'), SCENARIO);
    const words = [
      'run',
      'two.yaml',
      '--nights',
      '9000',
      '--trace',
      'trace.jsonl',
      '--ledger',
      'sqlite:books.sqlite3',
    ];
    const child = start(words, { cwd });
    const ended = new Promise((resolve) => child.on('close', (code) => resolve(code)));
    // It is at work once there is something half-written.
    while (!readdirSync(cwd).some((name) => name.endsWith('.part')))
      await new Promise((next) => setTimeout(next, 20));
    child.kill(signal);
    expect(await ended).toBe(exitCode);
    expect(readdirSync(cwd)).toEqual(['two.yaml']);
  });
});
