// How sure a mean is. Student's t supposes that means are nearly normal; where nearly all replications agree
// on one value and a few rare ones carry the mean, it would be sure of what it has not seen. There is no
// interval then.

import type { BoundedEstimate } from './bounds.ts';
import { studentTQuantile } from './student-t.ts';

/** Values that have to differ from the most frequent one. */
export const LEAST_DIFFERING = 20;

/**
 * mean ± t(1 − α, n − 1) s ÷ √n (Student, 1908).
 *
 * @param values finite
 * @param alpha what each of the two bounds may be wrong by, above 0 and below ½
 * @returns undefined where fewer than 20 of them differ from the most frequent one
 */
export function meanBounds(values: readonly number[], alpha: number): BoundedEstimate | undefined {
  return differingFromMode(values) < LEAST_DIFFERING ? undefined : studentMeanBounds(values, alpha);
}

/** As `meanBounds`, of at least two values whatever they are. */
export function studentMeanBounds(values: readonly number[], alpha: number): BoundedEstimate {
  const { mean, standardError } = moments(values);
  const half = studentTQuantile(1 - alpha, values.length - 1) * standardError;
  return { value: mean, lower: mean - half, upper: mean + half };
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function moments(values: readonly number[]): { readonly mean: number; readonly standardError: number } {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  return { mean, standardError: Math.sqrt(squares / (values.length - 1) / values.length) };
}

function differingFromMode(values: readonly number[]): number {
  const tally = new ModeTally();
  for (const value of values) tally.add(value);
  return tally.differing;
}

/** Counts, one value after the other, how many are not the most frequent one. */
export class ModeTally {
  readonly #counts = new Map<number, number>();
  #all = 0;
  #most = 0;

  add(value: number): void {
    const count = (this.#counts.get(value) ?? 0) + 1;
    this.#counts.set(value, count);
    this.#all += 1;
    if (count > this.#most) this.#most = count;
  }

  get differing(): number {
    return this.#all - this.#most;
  }
}
