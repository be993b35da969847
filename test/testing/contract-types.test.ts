// The types of what is exported, held by the compiler: the file beside this one compiles, and each of its lines
// that is marked as an error is one.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const source = readFileSync(join(import.meta.dirname, 'contract-types.test-d.ts'), 'utf8');
const marks = source.match(/^\/\/ @ts-expect-error .*$/gm) ?? [];
let folder: string;

beforeAll(() => {
  mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true });
  folder = mkdtempSync(join(root, 'node_modules', '.cache', 'plimsoll-types-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The compiler's errors, one a line. */
function errorsIn(name: string, text: string): readonly string[] {
  const absolute = text
    .replaceAll("'../../src/", `'${root}/src/`)
    .replaceAll("'./", `'${import.meta.dirname}/`);
  writeFileSync(join(folder, `${name}.ts`), absolute);
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { rewriteRelativeImportExtensions: false },
    files: [`${name}.ts`],
    include: [],
  };
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(config));
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  try {
    execFileSync(process.execPath, [compiler, '-p', join(folder, `${name}.json`)], { stdio: 'pipe' });
    return [];
  } catch (error) {
    const output = String((error as { readonly stdout: Buffer }).stdout);
    return output.split('\n').filter((line) => line.includes(`${name}.ts`) && line.includes('error TS'));
  }
}

it('what is exported has the types that it promises', () => {
  expect(errorsIn('promised', source)).toEqual([]);
});

it('each line that is marked as an error is one', () => {
  expect(marks.length).toBeGreaterThan(5);
  const unmarked = source.replace(/^\/\/ @ts-expect-error .*$/gm, '// unmarked');
  expect(errorsIn('unmarked', unmarked)).toHaveLength(marks.length);
});
