// A small file that an answer goes into besides the terminal. It is written beside its place and then takes its
// name, so that nobody reads half of it; a place that cannot be meant is refused before anything is played.

import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { InputError } from '../base/errors.ts';
import { withFile } from './file-failure.ts';
import type { Unfinished } from './unfinished.ts';

/** @throws InputError where there is no file of this name, and none can be made */
export function checkResultFile(flag: string, path: string): void {
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  if (path !== '' && path !== '-' && !isFolder) return;
  const message = 'this needs a file of its own';
  throw new InputError({ code: 'no-file', message, place: { flag }, got: JSON.stringify(path) });
}

/** @throws EnvironmentError where it cannot be written */
export function writeResultFile(path: string, text: string, unfinished: Unfinished): void {
  withFile(path, 'written', () => {
    if (existsSync(path) && !statSync(path).isFile()) {
      writeFileSync(path, text);
      return;
    }
    const part = `${path}.${process.pid}.part`;
    unfinished.add(part);
    writeFileSync(part, text);
    renameSync(part, path);
    unfinished.keep(part);
  });
}
