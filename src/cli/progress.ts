// How far something is that takes a while: a bar, how fast it goes, how long it may still take. Only on a
// terminal, and never in anything that is kept.

import { formatCount, formatDuration } from '../base/units.ts';
import { bar } from './terminal/bar.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Between two lines: more often nobody can read. */
const EVERY_MS = 100;

export class Progress {
  readonly #terminal: Terminal;
  readonly #startMs: number;
  #shownMs = Number.NEGATIVE_INFINITY;

  constructor(terminal: Terminal, nowMs: number = performance.now()) {
    this.#terminal = terminal;
    this.#startMs = nowMs;
  }

  /** @param done replications that are over @param of how many it may become @param detail comes last */
  show(done: number, of: number, detail: string, nowMs: number = performance.now()): void {
    if (nowMs - this.#shownMs < EVERY_MS) return;
    this.#shownMs = nowMs;
    this.#terminal.progress(progressLine({ done, of, detail, elapsedMs: nowMs - this.#startMs }));
  }

  clear(): void {
    this.#terminal.progress('');
  }
}

/** @param state.of from 1 */
function progressLine(state: {
  readonly done: number;
  readonly of: number;
  readonly detail: string;
  readonly elapsedMs: number;
}): string {
  const { done, of, detail, elapsedMs } = state;
  const counted = `${bar(done / of)} ${formatCount(done)} of ${formatCount(of)} replications`;
  if (done === 0 || elapsedMs <= 0) return `${counted}, ${detail}`;
  const perMs = done / elapsedMs;
  const left = formatDuration(Math.round((of - done) / perMs / 1000) * 1000);
  return `${counted}, ${Number((perMs * 1000).toPrecision(3))}/s, ${left} left, ${detail}`;
}
