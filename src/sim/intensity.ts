// How fast something comes, as a step function of time, and its integral read backwards: at which moment so
// much has come. What turns a steady stream of arrivals into one that follows the hours and the days.

import { invariant } from '../base/errors.ts';

export interface IntensityStep {
  /** Milliseconds; the step lasts until the next one begins. */
  readonly fromMs: number;
  /** Per millisecond, from 0. */
  readonly rate: number;
}

export class Intensity {
  readonly #fromMs: Float64Array;
  readonly #rates: Float64Array;
  /** What has come before each step, and at last before the end. */
  readonly #before: Float64Array;
  readonly #endMs: number;

  /** @param steps at least one, in order of time @param endMs nothing comes from then on */
  constructor(steps: readonly IntensityStep[], endMs: number) {
    this.#fromMs = Float64Array.from(steps, ({ fromMs }) => fromMs);
    this.#rates = Float64Array.from(steps, ({ rate }) => rate);
    this.#before = new Float64Array(steps.length + 1);
    this.#endMs = endMs;
    for (const [position, { fromMs, rate }] of steps.entries()) {
      const lastsMs = (steps[position + 1]?.fromMs ?? endMs) - fromMs;
      invariant(lastsMs >= 0 && rate >= 0, 'steps rise in time, and none takes back', () => `${fromMs}`);
      this.#before[position + 1] = this.#before[position]! + rate * lastsMs;
    }
  }

  /** All that ever comes. */
  get total(): number {
    return this.#before[this.#rates.length]!;
  }

  /**
   * The first moment by which so much has come.
   *
   * @param amount from 0; of nothing it is the beginning
   * @returns undefined where so much never comes
   */
  whenCame(amount: number): number | undefined {
    if (!(amount <= this.total)) return undefined;
    if (amount <= 0) return this.#fromMs[0]!;
    let step = 0;
    let beyond = this.#rates.length;
    while (beyond - step > 1) {
      const middle = (step + beyond) >>> 1;
      if (this.#before[middle]! < amount) step = middle;
      else beyond = middle;
    }
    const atMs = this.#fromMs[step]! + (amount - this.#before[step]!) / this.#rates[step]!;
    return Math.min(atMs, this.#endMs);
  }
}
