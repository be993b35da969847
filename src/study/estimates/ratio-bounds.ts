// How sure a rate per job or per night is: a ratio of two sums over replications, of which both are chance.
// The trial is the replication, since jobs of one night share its weather.

import type { Estimate } from './bounds.ts';
import { LEAST_DIFFERING, ModeTally } from './mean-bounds.ts';
import { studentTQuantile } from './student-t.ts';

/** One replication's share of the two sums. */
export interface RatioPart {
  readonly numerator: number;
  readonly denominator: number;
}

/**
 * R = Σ y ÷ Σ x, ± t(1 − α, n − 1) s ÷ (x̄ √n), s² the variance of y − R x (W. G. Cochran, Sampling
 * Techniques, 1977, §6.3 and §6.4). The bounds hold asymptotically.
 *
 * @param alpha of each bound, above 0 and below ½
 * @returns undefined where Σ x is 0; without bounds where fewer than 20 replications differ from the most
 *   frequent y − R x
 */
export function ratioBounds(parts: readonly RatioPart[], alpha: number): Estimate | undefined {
  const n = parts.length;
  const denominator = parts.reduce((sum, part) => sum + part.denominator, 0);
  if (denominator === 0) return undefined;
  const value = parts.reduce((sum, part) => sum + part.numerator, 0) / denominator;
  const tally = new ModeTally();
  let squares = 0;
  for (const part of parts) {
    const residual = part.numerator - value * part.denominator;
    tally.add(residual);
    squares += residual * residual;
  }
  if (tally.differing < LEAST_DIFFERING) return { value, lower: null, upper: null };
  const standardError = Math.sqrt(squares / (n - 1) / n) / (denominator / n);
  const half = studentTQuantile(1 - alpha, n - 1) * standardError;
  return { value, lower: value - half, upper: value + half };
}
