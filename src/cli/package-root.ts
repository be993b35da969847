// Where the package lies, whether it runs from a clone or from an installed tarball: what ships with it is
// found from here and nowhere else.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The path of a file or folder that ships with the package: `scenarios`, `schema`. */
export function shippedPath(name: string): string {
  // From dist/cli as from src/cli.
  return fileURLToPath(new URL(`../../${name}`, import.meta.url));
}

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(shippedPath('package.json'), 'utf8')) as { version: string };
  return version;
}
