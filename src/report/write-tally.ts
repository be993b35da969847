// The queue of checkpoints: how long it grew, how long a write took, what the kill found unwritten.

import type { WriteSeries } from './night-series.ts';

export class WriteTally {
  /** Tonight's writes that are under way: when the job's oldest one was queued, and how many it has. */
  readonly #open = new Map<string, { readonly sinceMs: number; readonly count: number }>();
  #waiting = 0;
  #peak = 0;
  #peakNight = 0;
  #peakAtMs = 0;
  #longestMs: number | null = null;
  #unwritten = 0;

  opened(): void {
    this.#unwritten += this.#waiting;
    this.#waiting = 0;
    this.#open.clear();
  }

  queued(job: string, night: number, atMs: number): void {
    const open = this.#open.get(job);
    this.#open.set(job, { sinceMs: open?.sinceMs ?? atMs, count: (open?.count ?? 0) + 1 });
    this.#waiting += 1;
    if (this.#waiting <= this.#peak) return;
    this.#peak = this.#waiting;
    this.#peakNight = night;
    this.#peakAtMs = atMs;
  }

  written(job: string, atMs: number): void {
    const open = this.#open.get(job);
    if (open !== undefined) this.#longestMs = Math.max(this.#longestMs ?? 0, atMs - open.sinceMs);
    this.dropped(job);
  }

  /** It will never be written: the store did not take it, or it went with its worker. */
  dropped(job: string): void {
    const open = this.#open.get(job);
    if (open === undefined) return;
    this.#waiting -= 1;
    if (open.count > 1) this.#open.set(job, { ...open, count: open.count - 1 });
    else this.#open.delete(job);
  }

  series(): WriteSeries {
    return {
      peak: this.#peak,
      peakNight: this.#peakNight,
      peakAtMs: this.#peakAtMs,
      longestMs: this.#longestMs,
      unwritten: this.#unwritten + this.#waiting,
    };
  }
}
