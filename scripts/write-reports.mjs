// Writes reports/<scenario>/ from every shipped scenario, after a build. A test regenerates and compares them.

import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const names = readdirSync(new URL('../scenarios/', import.meta.url))
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.slice(0, -'.yaml'.length));

for (const name of names) {
  const args = ['dist/cli/main.js', 'report', name, '--out', `reports/${name}`, '--format', 'md,svg'];
  execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}
