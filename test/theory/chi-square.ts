// The upper tail of the chi-square distribution: how often chance alone is as far from what was expected.

import { lowerGamma } from '../../src/sim/special-functions.ts';

export function chiSquareUpperTail(statistic: number, degrees: number): number {
  return 1 - lowerGamma(degrees / 2, statistic / 2);
}
