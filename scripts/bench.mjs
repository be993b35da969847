// Bundles the benchmarks and runs them on plain Node, so that no loader is measured with them.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const outfile = fileURLToPath(new URL('../node_modules/.cache/bench.mjs', import.meta.url));
await build({
  entryPoints: [fileURLToPath(new URL('../bench/main.ts', import.meta.url))],
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  outfile,
  logLevel: 'error',
});
execFileSync(process.execPath, ['--expose-gc', outfile], { stdio: 'inherit' });
