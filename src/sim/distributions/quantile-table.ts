// A distribution given by some of its quantiles: what is left of a trace when the trace cannot be shipped.

import type { Distribution } from '../distribution.ts';
import { logOnePlus } from '../special-functions.ts';
import { requireNonNegative, requireThat } from './parameters.ts';

/** One stated quantile. */
export interface QuantilePoint {
  /** From 0 to 1, both included. */
  readonly p: number;
  /** Finite, from 0. */
  readonly x: number;
}

/**
 * Between two points ln x is linear in p; where the lower one is at x = 0, x itself is. Every point comes
 * back to the last bit.
 *
 * @param points in any order; 0 and 1 are among the p, none twice, and x never falls as p grows
 */
export function quantileTable(points: readonly QuantilePoint[]): Distribution {
  const table = [...points].sort((one, other) => one.p - other.p);
  checkTable(table);
  const segments = table.slice(1).map((upper, i) => new Segment(table[i]!, upper));
  const mean = sum(segments, (segment) => segment.integral(segment.upper.x));
  const highest = table.at(-1)!;
  return {
    quantile: (p) => {
      for (const segment of segments) if (p <= segment.upper.p) return segment.at(p);
      return highest.x;
    },
    mean: () => mean,
    cdf: (x) => {
      if (x >= highest.x) return 1;
      // The last segment that begins at or below x: past a flat piece, whose whole mass lies at x.
      const segment = segments.findLast(({ lower }) => lower.x <= x);
      return segment === undefined ? 0 : segment.share(x);
    },
    partialMean: (x) => (x >= highest.x ? mean : sum(segments, (segment) => segment.integral(x))),
    describe: () => `quantiles ${table.map(({ p, x }) => `p${percent(p)} ${x}`).join(', ')}`,
  };
}

/** The piece between two neighbouring points. */
class Segment {
  readonly lower: QuantilePoint;
  readonly upper: QuantilePoint;
  readonly #shape: 'flat' | 'linear' | 'logarithmic';
  /** ln(upper.x / lower.x), also where they are close. */
  readonly #logRatio: number;

  constructor(lower: QuantilePoint, upper: QuantilePoint) {
    this.lower = lower;
    this.upper = upper;
    this.#shape = lower.x === upper.x ? 'flat' : lower.x === 0 ? 'linear' : 'logarithmic';
    this.#logRatio = logOnePlus((upper.x - lower.x) / lower.x);
  }

  /** The quantile at `p`, from lower.p to upper.p. */
  at(p: number): number {
    const { lower, upper } = this;
    if (p <= lower.p || this.#shape === 'flat') return lower.x;
    if (p >= upper.p) return upper.x;
    const share = (p - lower.p) / (upper.p - lower.p);
    const x = this.#shape === 'linear' ? share * upper.x : lower.x * Math.exp(share * this.#logRatio);
    return Math.min(x, upper.x);
  }

  /** The p of `x`, from lower.x up to but not including upper.x. */
  share(x: number): number {
    const { lower, upper } = this;
    const share =
      this.#shape === 'linear' ? x / upper.x : logOnePlus((x - lower.x) / lower.x) / this.#logRatio;
    return lower.p + share * (upper.p - lower.p);
  }

  /** ∫ x dp over the part of the segment whose values are at most `x`. */
  integral(x: number): number {
    const { lower, upper } = this;
    if (x < lower.x) return 0;
    const width = upper.p - lower.p;
    const end = Math.min(x, upper.x);
    switch (this.#shape) {
      case 'flat':
        return width * lower.x;
      case 'linear':
        return (width * (end * end)) / (2 * upper.x);
      case 'logarithmic':
        return (width * (end - lower.x)) / this.#logRatio;
    }
  }
}

function checkTable(table: readonly QuantilePoint[]): void {
  requireThat(
    table.length >= 2,
    'a quantile table is too short',
    'at least the quantiles at 0 and 1',
    `${table.length}`,
  );
  requireThat(
    table[0]!.p === 0,
    'a quantile table has no minimum',
    'a quantile at 0',
    `the lowest at ${table[0]!.p}`,
  );
  requireThat(
    table.at(-1)!.p === 1,
    'a quantile table has no maximum',
    'a quantile at 1',
    `the highest at ${table.at(-1)!.p}`,
  );
  table.forEach(({ p, x }, i) => {
    requireThat(
      p >= 0 && p <= 1,
      'a quantile is asked where there is none',
      'a p between 0 and 1',
      String(p),
    );
    requireNonNegative(`the quantile at ${p}`, x);
    const before = table[i - 1];
    if (before === undefined) return;
    requireThat(p > before.p, `the quantile at ${p} is given twice`, 'each p once', `${before.x} and ${x}`);
    requireThat(
      x >= before.x,
      `the quantile at ${p} is below the one at ${before.p}`,
      `at least ${before.x}`,
      `${x}`,
    );
  });
}

function sum(segments: readonly Segment[], value: (segment: Segment) => number): number {
  return segments.reduce((total, segment) => total + value(segment), 0);
}

/** 0.999 as `99.9`, whatever 100 × 0.999 rounds to. */
function percent(p: number): string {
  return String(Number((p * 100).toPrecision(12)));
}
