// Every event of a run in a file, as JSON Lines or in another format. The text gathers in a file beside the one
// that was named and takes its name at the end, so that nobody ever reads half a trace.

import { closeSync, existsSync, openSync, realpathSync, renameSync, statSync, writeSync } from 'node:fs';
import { InputError } from '../base/errors.ts';
import type { WorldEvent } from '../world/world-event.ts';
import type { Flag } from './command.ts';
import { withFile } from './file-failure.ts';
import { roundTimes } from './microseconds.ts';
import type { Unfinished } from './unfinished.ts';

export const traceFlag: Flag = {
  kind: 'text',
  value: 'FILE',
  describe: 'write every event as JSON Lines, one audit record for each attempt',
};

/** The text of a trace: what it begins with, each event, what it ends with. */
export interface TraceFormat {
  open(): string;
  event(event: WorldEvent): string;
  close(): string;
}

export const jsonLines: TraceFormat = {
  open: () => '',
  event: (event) => `${JSON.stringify(roundTimes(event))}\n`,
  close: () => '',
};

/** Characters that gather before they are written. */
const CHUNK = 1 << 16;

export class TraceFile {
  readonly #shown: string;
  readonly #unfinished: Unfinished;
  /** Where the lines go, and the name that they get; a pipe or a device has no other name. */
  readonly #path: string;
  readonly #finalPath: string;
  readonly #descriptor: number;
  readonly #format: TraceFormat;
  #pending: string;

  /** @throws InputError where the name cannot be meant; EnvironmentError where it cannot be written */
  constructor(path: string, unfinished: Unfinished, format = jsonLines) {
    this.#shown = path;
    this.#format = format;
    this.#pending = format.open();
    this.#unfinished = unfinished;
    if (path === '' || path === '-' || isFolder(path)) {
      const message = 'the trace needs a file of its own';
      throw new InputError({
        code: 'no-file',
        message,
        place: { flag: '--trace' },
        got: JSON.stringify(path),
      });
    }
    const isStream = existsSync(path) && !statSync(path).isFile();
    this.#finalPath = isStream || !existsSync(path) ? path : realpathSync(path);
    this.#path = isStream ? path : `${this.#finalPath}.${process.pid}.part`;
    this.#descriptor = this.#guard(() => openSync(this.#path, 'w'));
    if (!isStream) this.#unfinished.add(this.#path);
  }

  write(event: WorldEvent): void {
    this.#pending += this.#format.event(event);
    if (this.#pending.length >= CHUNK) this.#flush();
  }

  finish(): void {
    this.#pending += this.#format.close();
    this.#flush();
    this.#guard(() => {
      closeSync(this.#descriptor);
      if (this.#path !== this.#finalPath) renameSync(this.#path, this.#finalPath);
    });
    this.#unfinished.keep(this.#path);
  }

  #flush(): void {
    const bytes = Buffer.from(this.#pending);
    this.#pending = '';
    this.#guard(() => {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(this.#descriptor, bytes, written);
      }
    });
  }

  #guard<Result>(action: () => Result): Result {
    return withFile(this.#shown, 'written', action);
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
