// Every command and every program that a shipped report prints is run as it stands: the commands against
// the built command line, the programs of one report one after another, as a hand would copy them.

import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const reports = readdirSync(join(root, 'reports')).map(
  (name) => [name, readFileSync(join(root, 'reports', name, 'report.md'), 'utf8')] as const,
);
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-printed-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'plimsoll'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Fenced blocks of a language, without the indentation of the step that they stand in. */
function listings(markdown: string, language: string): readonly string[] {
  const fences = markdown.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^\\1\`\`\`$`, 'gm'));
  return [...fences].map(([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}

const commands = new Set(
  reports.flatMap(([, markdown]) => listings(markdown, 'sh').flatMap((text) => text.trim().split('\n'))),
);

describe.concurrent('a printed command runs:', () => {
  test.each([...commands])('%s', async (command) => {
    const [program, ...words] = command.split(' ');
    expect(program).toBe('plimsoll');
    const { stdout } = await run(process.execPath, [join(root, 'dist', 'cli', 'main.js'), ...words], {
      cwd: mkdtempSync(join(folder, 'command-')),
    });
    expect(stdout).not.toBe('');
  });
});

test('reports print commands of every kind: what to try, how to rehearse, how to make them again', () => {
  const kinds = new Set([...commands].map((command) => command.split(' ').slice(0, 2).join(' ')));
  expect([...kinds].sort()).toEqual(
    ['leases', 'plan', 'refusals', 'report', 'run'].map((name) => `plimsoll ${name}`),
  );
  expect([...commands].some((command) => command.includes('pool.funded=10%'))).toBe(true);
});

test.each(reports)(
  'the programs of %s run one after another, and leave books that add up',
  async (name, markdown) => {
    const program = listings(markdown, 'js');
    expect(program.length).toBeGreaterThan(0);
    const cwd = join(folder, name);
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'rollout.mjs'), program.join('\n'));
    const { stdout } = await run(process.execPath, ['rollout.mjs'], { cwd });
    expect(stdout).toBe(markdown.includes('ledger.verify()') ? '[]\n' : '');
  },
);
