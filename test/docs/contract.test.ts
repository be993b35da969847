// What docs/contract.md shows is run as it stands: its tests under the runners that it names, in a folder where the
// package lies as a user has it, and what it shows of a failure is what the runner prints.

import { spawnSync } from 'node:child_process';
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
import { build, transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'contract.md'), 'utf8');
const ledgerFolder = join(root, 'test', 'testing', 'redis-like');
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-contract-docs-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await install();
  for (const file of readdirSync(ledgerFolder)) {
    const source = readFileSync(join(ledgerFolder, file), 'utf8');
    const { code } = transformSync(source, { loader: 'ts' });
    writeOwn(
      file.replace(/\.ts$/, '.js'),
      code.replaceAll('../../../src/core.ts', 'plimsoll').replace(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'),
    );
  }
  for (const [, name = ''] of page.matchAll(/^```js (\S+)$/gm)) writeOwn(name, block(`js ${name}`));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Plimsoll as a package, and everything that is installed here beside it. */
async function install(): Promise<void> {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'plimsoll'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')).filter((name) => !name.startsWith('.'))) {
    if (name !== 'plimsoll') symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  await build({
    entryPoints: { index: join(root, 'src', 'core.ts'), testing: join(root, 'src', 'testing', 'index.ts') },
    outdir: join(modules, 'plimsoll'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
  });
  const exported = { '.': './index.js', './testing': './testing.js' };
  const manifest = { name: 'plimsoll', type: 'module', exports: exported };
  writeFileSync(join(modules, 'plimsoll', 'package.json'), JSON.stringify(manifest));
}

function writeOwn(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

/** The block whose fence names the file, or the nth block of a language. */
function block(fence: string): string {
  const start = page.indexOf(`\n\`\`\`${fence}\n`);
  if (start < 0) throw new Error(`docs/contract.md has no block "${fence}"`);
  const from = page.indexOf('\n', start + 1) + 1;
  return page.slice(from, page.indexOf('\n```', from) + 1);
}

function run(...args: readonly string[]): { readonly status: number | null; readonly output: string } {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', CI: '', NODE_TEST_CONTEXT: undefined };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

const vitest = (...args: readonly string[]) =>
  run('node_modules/vitest/vitest.mjs', 'run', '--root', folder, 'redis-ledger.test.js', ...args);

describe('docs/contract.md', () => {
  it('shows a test of a ledger of your own, which passes', () => {
    const { status, output } = vitest();
    expect(output).toContain('1 passed');
    expect(status).toBe(0);
  });

  it('shows an operation of that ledger as it stands', () => {
    const source = readFileSync(join(ledgerFolder, 'redis-ledger.ts'), 'utf8');
    expect(source).toContain(block('ts redis-ledger.ts'));
  });

  it('shows a mistake, and what it looks like when the contract finds it', () => {
    const path = join(folder, 'redis-ledger.js');
    const sound = readFileSync(path, 'utf8');
    const [right = '', wrong = ''] = block('diff').match(/(?<=^[-+] +)\S.*$/gm) ?? [];
    const [before, after] = [right, wrong].map((line) => line.replace(/;$/, ''));
    expect(sound).toContain(before!);
    writeFileSync(path, sound.replace(before!, after!));
    const { status, output } = vitest('-t', 'what was used beyond the hold');
    writeFileSync(path, sound);
    expect(status).toBe(1);
    const printed = output.split('\n').map((line) => line.trim());
    let at = 0;
    for (const line of block('text')
      .split('\n')
      .map((one) => one.trim())) {
      at = printed.indexOf(line, at);
      expect(at, `"${line}" is printed, and in this order`).toBeGreaterThanOrEqual(0);
    }
  });

  it.each(['own-budget.test.js', 'own-ledger.test.mjs', 'own-property.test.mjs'])(
    'shows %s for node:test, which passes',
    (file) => {
      const { status, output } = run('--test', '--test-reporter=tap', file);
      expect(output).toMatch(/^# fail 0$/m);
      expect(output).not.toMatch(/^# pass 0$/m);
      expect(status).toBe(0);
    },
  );

  it('names every code that the contract asks for', () => {
    const cases = join(root, 'src', 'testing', 'contract');
    const texts = readdirSync(cases).map((file) => readFileSync(join(cases, file), 'utf8'));
    const codes = texts.flatMap((text) => [...text.matchAll(/code: '([\w-]+)'/g)].map((match) => match[1]!));
    expect(codes.length).toBeGreaterThan(5);
    for (const code of new Set(codes)) expect(page).toContain(`| \`${code}\` |`);
  });
});
