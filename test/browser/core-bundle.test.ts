import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const bundling = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  metafile: true,
  platform: 'browser',
  format: 'esm',
  logLevel: 'silent',
} as const;

async function bundle(entry: string) {
  return build({ ...bundling, entryPoints: [entry] });
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

test('scenarios, nights, plans and reports bundle for a browser too, with nothing of Node in them', async () => {
  const entry = ['scenario/read-scenario', 'world/play', 'world/plan-input', 'report/render-report']
    .map((file) => `export * from './src/${file}.ts';`)
    .join('\n');
  const { metafile } = await build({
    ...bundling,
    stdin: { contents: entry, resolveDir: root, loader: 'ts' },
  });
  const outside = Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
    imports
      .filter(({ external, path }) => external === true || path.startsWith('node:'))
      .map(({ path }) => `${file}: ${path}`),
  );
  expect(outside).toEqual([]);
  expect(Object.keys(metafile.inputs).filter((path) => /^src\/(live|stores|cli)\//.test(path))).toEqual([]);
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
