import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function bundle(entry: string) {
  return build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'esm',
    logLevel: 'silent',
  });
}

test('core bundles for a browser, with nothing of Node in it', async () => {
  const { metafile, outputFiles } = await bundle('src/core.ts');
  const inputs = Object.keys(metafile.inputs);
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  expect(imports.filter(({ external, path }) => external === true || path.startsWith('node:'))).toEqual([]);
  expect(inputs.filter((path) => /^src\/(live|stores|cli)\//.test(path))).toEqual([]);
  expect(inputs.filter((path) => path.startsWith('node_modules/'))).toEqual([
    'node_modules/fastest-levenshtein/esm/mod.js',
  ]);
  const [output] = outputFiles;
  expect(output?.text).not.toMatch(/\bprocess\.|\bBuffer\b|\brequire\(|\bsetTimeout\(/);
});

test('the bundled core runs', async () => {
  const { outputFiles } = await bundle('src/core.ts');
  const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString('base64')}`;
  const core: typeof import('../../src/core.ts') = await import(url);
  const ledger = new core.MemoryLedger();
  ledger.openPool({ pool: 'free', capacity: 10 });
  expect(ledger.pool('free')?.balance).toBe(10);
  expect(new core.Budget({ deadlineMs: 100_000 }).callTimeout(0)).toBe(55_000);
});

test('the Node entry does not bundle for a browser, so that the first test can fail', async () => {
  await expect(bundle('src/index.ts')).rejects.toThrow(/node:/);
});
