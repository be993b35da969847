// Runs the built command line as a user does: another process, its own folder, nothing shared but the disk.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Where stdout goes, if not back to the test. */
  readonly stdout?: number;
}

export function start(words: readonly string[], { cwd, env, stdout }: Surroundings = {}): ChildProcess {
  if (!existsSync(MAIN))
    throw new Error('dist/cli/main.js is missing: npm run build comes before these tests');
  const { FORCE_COLOR: _force, NO_COLOR: _none, ...inherited } = process.env;
  return spawn(process.execPath, [MAIN, ...words], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...inherited, ...env },
    stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
  });
}

/** `plimsoll <words…>`, to its end. */
export function plimsoll(words: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  const child = start(words, surroundings);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** An empty folder that is gone after the test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
