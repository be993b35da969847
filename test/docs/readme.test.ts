// What the README shows is run as it stands, against the built package in an empty folder.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-readme-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'plimsoll'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function block(language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readme);
  if (found === null) throw new Error(`README.md has no block of ${language}`);
  return found[1]!;
}

test('the example runs, and a second time in the same night too', () => {
  writeFileSync(join(folder, 'night.mjs'), block('js'));
  const run = () => execFileSync(process.execPath, ['night.mjs'], { cwd: folder, encoding: 'utf8' });
  const first = run();
  expect(first).toContain('0 done RAIN');
  expect(first).toContain('4 done, 0 for another night, 4 calls');
  expect(run()).toContain('4 done, 0 for another night, 4 calls');
});

test('every plimsoll command that is shown runs, in its order', () => {
  const commands = readme
    .split('\n')
    .filter((line) => line.startsWith('npx plimsoll '))
    .map((line) => line.replace(/#.*$/, '').trim().split(/\s+/).slice(2));
  expect(commands.map(([name]) => name)).toEqual(['init', 'plan', 'run', 'report']);
  for (const words of commands) {
    const args = [join(root, 'dist', 'cli', 'main.js'), ...words];
    expect(() => execFileSync(process.execPath, args, { cwd: folder, stdio: 'pipe' })).not.toThrow();
  }
});
