// Student's t distribution, as far as intervals need it: its quantiles.

import { inverseIncompleteBeta } from './incomplete-beta.ts';

/**
 * The p-quantile, by I_x(df ÷ 2, ½) = 2 (1 − p) at x = df ÷ (df + t²) (Student, 1908; Abramowitz and
 * Stegun, 26.7.1).
 *
 * @param p above 0 and below 1 @param degreesOfFreedom from 1
 */
export function studentTQuantile(p: number, degreesOfFreedom: number): number {
  if (p < 0.5) return -studentTQuantile(1 - p, degreesOfFreedom);
  const x = inverseIncompleteBeta(2 * (1 - p), degreesOfFreedom / 2, 0.5);
  return Math.sqrt((degreesOfFreedom * (1 - x)) / x);
}
