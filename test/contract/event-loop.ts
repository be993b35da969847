// Node's event loop on a virtual clock: rounds of all timers that are due, then of the immediates that were
// waiting, with the microtasks in between; time goes on only when neither is left. Unlike fake timers that
// fire an immediate between two timers of one moment, it keeps the order that production has.

import { vi } from 'vitest';

interface Timer {
  readonly dueMs: number;
  readonly sequence: number;
  run(): void;
}

const ROUNDS_AT_MOST = 100_000;

export class EventLoop {
  nowMs = 0;
  readonly #timers = new Set<Timer>();
  #immediates: (() => void)[] = [];
  #sequence = 0;

  /** Runs until the work is done, with the global timers replaced meanwhile. @throws what the work throws, or where it waits for nothing */
  async run(work: () => Promise<void>): Promise<void> {
    const macrotask = globalThis.setImmediate;
    const microtasks = () => new Promise<void>((resolve) => macrotask(resolve));
    vi.stubGlobal('setTimeout', (run: () => void, ms: number) => this.#set(run, ms));
    vi.stubGlobal('clearTimeout', (timer: Timer) => this.#timers.delete(timer));
    vi.stubGlobal('setImmediate', (run: () => void) => this.#immediates.push(run));
    try {
      let isDone = false;
      const working = work().finally(() => {
        isDone = true;
      });
      working.catch(() => {});
      for (let rounds = 0; rounds < ROUNDS_AT_MOST; rounds += 1) {
        await microtasks();
        if (isDone) return await working;
        if (!(await this.#round(microtasks))) this.#goOn();
      }
      throw new Error(`the work goes in circles at ${this.nowMs} ms`);
    } finally {
      vi.unstubAllGlobals();
    }
  }

  #set(run: () => void, ms: number): Timer {
    this.#sequence += 1;
    const timer = { dueMs: this.nowMs + ms, sequence: this.#sequence, run };
    this.#timers.add(timer);
    return timer;
  }

  /** @returns false where nothing is left to do at this moment */
  async #round(microtasks: () => Promise<void>): Promise<boolean> {
    const due = this.#inOrder().filter(({ dueMs }) => dueMs <= this.nowMs);
    for (const timer of due) {
      if (!this.#timers.delete(timer)) continue;
      timer.run();
      await microtasks();
    }
    const immediates = this.#immediates;
    this.#immediates = [];
    for (const run of immediates) {
      run();
      await microtasks();
    }
    return due.length + immediates.length > 0;
  }

  #goOn(): void {
    const next = this.#inOrder()[0];
    if (next === undefined) throw new Error('everybody waits, and nothing is left to happen');
    this.nowMs = next.dueMs;
  }

  #inOrder(): readonly Timer[] {
    return [...this.#timers].sort((one, other) => one.dueMs - other.dueMs || one.sequence - other.sequence);
  }
}
