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

test('the bundled scenarios know the time zones', async () => {
  const { outputFiles } = await build({
    ...bundling,
    stdin: { contents: `export * from './src/scenario/read-scenario.ts';`, resolveDir: root, loader: 'ts' },
  });
  const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString('base64')}`;
  const { readScenario }: typeof import('../../src/scenario/read-scenario.ts') = await import(url);
  const text = `
window: { opens: "01:30", closes: "03:30", zone: Europe/Berlin, from: 2026-03-29 }
jobs: []
provider: { latency: 1 s }
`;
  const { calendar } = readScenario({ name: 'night.yaml', text }, { readText: () => '' });
  expect(calendar?.nights[0]?.lastsMs).toBe(3_600_000);
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
