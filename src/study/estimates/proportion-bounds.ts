// How sure a proportion is, exactly: no normal curve near 0, where it matters most.

import type { BoundedEstimate } from './bounds.ts';
import { incompleteBeta, inverseIncompleteBeta } from './incomplete-beta.ts';

/**
 * Events in n trials: the least and the greatest proportion that would not make so many, or so few, rarer
 * than α (C. J. Clopper and E. S. Pearson, 1934; as quantiles of the beta distribution).
 *
 * @param events from 0 up to n @param n from 1 @param alpha of each bound, above 0 and below 1
 */
export function proportionBounds(events: number, n: number, alpha: number): BoundedEstimate {
  return {
    value: events / n,
    lower: events === 0 ? 0 : inverseIncompleteBeta(alpha, events, n - events + 1),
    upper: events === n ? 1 : inverseIncompleteBeta(1 - alpha, events + 1, n - events),
  };
}

/**
 * The fewest trials after which so many events still show that the proportion is below `target`: the smallest
 * n with P(X ≤ events) ≤ α for X binomial(n, target).
 *
 * @param target above 0 and below 1 @param events from 0 @param alpha above 0 and below 1
 */
export function trialsToShow(target: number, events: number, alpha: number): number {
  const shows = (n: number): boolean => incompleteBeta(1 - target, n - events, events + 1) <= alpha;
  let fewer = events;
  let enough = events + 1;
  while (!shows(enough)) {
    fewer = enough;
    enough *= 2;
  }
  while (enough - fewer > 1) {
    const middle = Math.floor((fewer + enough) / 2);
    if (shows(middle)) enough = middle;
    else fewer = middle;
  }
  return enough;
}
