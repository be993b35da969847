// Starts one of the plain Node programs beside it, which use the built package: Node 20 does not load
// TypeScript.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Child {
  readonly process: ChildProcess;
  /** Whole lines that it has written so far. */
  readonly lines: readonly string[];
  /** Resolves once that many lines are there, rejects if it ends before. */
  reads(count: number): Promise<void>;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
}

const SCRIPTS = {
  spend: new URL('./children/spend.mjs', import.meta.url),
  lock: new URL('./children/lock.mjs', import.meta.url),
};

export function startChild(script: keyof typeof SCRIPTS, ...parameters: string[]): Child {
  if (!existsSync(fileURLToPath(new URL('../../dist/stores/sqlite-ledger.js', import.meta.url)))) {
    throw new Error('this test runs the built package: npm run build');
  }
  const child = spawn(process.execPath, [fileURLToPath(SCRIPTS[script]), ...parameters], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const { count, resolve } of waiting) if (lines.length >= count) resolve();
  });
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  return {
    process: child,
    lines,
    ended,
    reads: (count) =>
      new Promise((resolve, reject) => {
        if (lines.length >= count) return resolve();
        waiting.push({ count, resolve });
        void ended.then((how) => reject(new Error(`child ended (${how}) after ${lines.length} lines`)));
      }),
  };
}
