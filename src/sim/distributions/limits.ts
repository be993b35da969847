// Limits on a distribution. Real caps clip: what would be more is the cap, and stated quantiles below it
// stay true. Truncating conditions instead: what would be more never was.

import type { Distribution } from '../distribution.ts';
import { requireThat } from './parameters.ts';

/** Both are included; one may be left out. */
export interface Limits {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** The mass beyond a limit lies at the limit. @param limits min ≤ max */
export function clipped(base: Distribution, limits: Limits): Distribution {
  const { min, max } = checkLimits(limits);
  const clip = (x: number): number => Math.max(min, Math.min(max, x));
  /** E[clip(X); X ≤ x] for x from min up to but not including max. */
  const partBelow = (x: number): number =>
    min === Number.NEGATIVE_INFINITY
      ? base.partialMean(x)
      : min * base.cdf(min) + (base.partialMean(x) - base.partialMean(min));
  const mean = max === Number.POSITIVE_INFINITY ? partBelow(max) : partBelow(max) + max * (1 - base.cdf(max));
  return {
    quantile: (p) => clip(base.quantile(p)),
    mean: () => mean,
    cdf: (x) => (x < min ? 0 : x >= max ? 1 : base.cdf(x)),
    partialMean: (x) => (x < min ? 0 : x >= max ? mean : partBelow(x)),
    describe: () => `${base.describe()}${describeLimits(limits)}`,
  };
}

/**
 * The distribution given that it lies inside the limits.
 *
 * @param limits min ≤ max
 * @throws InputError where the base never lies inside them
 */
export function truncated(base: Distribution, limits: Limits): Distribution {
  const { min, max } = checkLimits(limits);
  // What lies just below min is cut off, min itself is not; an atom at min makes the difference.
  const outside = justBelow(min);
  const low = min === Number.NEGATIVE_INFINITY ? 0 : base.cdf(outside);
  const high = max === Number.POSITIVE_INFINITY ? 1 : base.cdf(max);
  const mass = high - low;
  requireThat(
    mass > 0,
    `truncating leaves nothing of ${base.describe()}`,
    'limits that it can fall between',
    `${min} to ${max}`,
  );
  const meanOutside = low === 0 ? 0 : base.partialMean(outside);
  const partialMean = (x: number): number =>
    x < min ? 0 : (base.partialMean(Math.min(x, max)) - meanOutside) / mass;
  // The smallest p of the base that belongs to a value inside; asked at `low` itself it answers one below.
  const lowest = low === 0 ? 0 : low * (1 + Number.EPSILON);
  return {
    quantile: (p) => {
      const x = base.quantile(p === 1 ? high : Math.max(lowest, low + p * mass));
      return Math.max(min, Math.min(max, x));
    },
    mean: () => partialMean(max),
    cdf: (x) => (x < min ? 0 : x >= max ? 1 : (base.cdf(x) - low) / mass),
    partialMean,
    describe: () => `${base.describe()}${describeLimits(limits)}, truncated`,
  };
}

function checkLimits({ min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Limits): {
  min: number;
  max: number;
} {
  requireThat(min <= max, 'min is above max', `min at most ${max}`, String(min));
  return { min, max };
}

function describeLimits({ min, max }: Limits): string {
  return `${min === undefined ? '' : `, min ${min}`}${max === undefined ? '' : `, max ${max}`}`;
}

/** The next double below x; values are never negative, so that below 0 any negative number will do. */
function justBelow(x: number): number {
  return x > 0 ? x * (1 - Number.EPSILON / 2) : -1;
}
