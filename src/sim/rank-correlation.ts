// Spearman's rank correlation of two things that are drawn through a Gaussian copula: what it comes to, and
// which correlation of the normals brings about the one that is wanted.

import { type Distribution, integerQuantile } from './distribution.ts';
import { normalCdf, normalQuantile } from './special-functions.ts';

/** Equal shares of each draw over which is summed; the answer is then right to about a thousandth. */
const SHARES = 200;
/** The second one's ranks are looked up, because some quantiles are dear. */
const LOOKED_UP = 4096;
const CLOSE_ENOUGH = 1e-4;
const MOST_STEPS = 40;

/** A wanted correlation, brought about; or the most, in its direction, that there can be. */
export type Coupling =
  | { readonly isReached: true; readonly normals: number }
  | { readonly isReached: false; readonly most: number };

/** The rank correlation of two distributions' draws, rounded to whole numbers, as a function of their normals'. */
export class RankCorrelation {
  readonly #first: readonly { readonly normal: number; readonly rank: number }[];
  readonly #second: Float64Array;
  readonly #spread: number;

  constructor(first: Distribution, second: Distribution) {
    this.#first = uniforms(SHARES).map((u) => ({ normal: normalQuantile(u), rank: middleRank(first, u) }));
    this.#second = Float64Array.from(uniforms(LOOKED_UP), (u) => middleRank(second, u));
    const ranks = this.#first.map(({ rank }) => rank);
    this.#spread = Math.sqrt(meanSquare(ranks) * meanSquare(this.#second));
  }

  /** @param normals correlation of the two normals, from −1 to 1, both included. 0 where one of the two is constant */
  of(normals: number): number {
    if (this.#spread < 1e-9) return 0;
    const rest = Math.sqrt(Math.max(0, 1 - normals * normals));
    let sum = 0;
    for (const { normal, rank } of this.#first) {
      let ranks = 0;
      for (const other of this.#first) {
        const u = normalCdf(normals * normal + rest * other.normal);
        ranks += this.#second[Math.min(LOOKED_UP - 1, Math.floor(u * LOOKED_UP))]!;
      }
      sum += rank * ranks;
    }
    return sum / (SHARES * SHARES * this.#spread);
  }

  /**
   * For continuous draws 2 sin(π · wanted ÷ 6) (K. Pearson, 1907). Ties count by their average ranks, so
   * that more is needed where there are many, and with enough of them some correlations are out of reach.
   *
   * @param wanted from −1 to 1
   */
  reaching(wanted: number): Coupling {
    if (wanted === 0) return { isReached: true, normals: 0 };
    const end = wanted < 0 ? -1 : 1;
    const size = wanted * end;
    const most = this.of(end) * end;
    if (size > most + CLOSE_ENOUGH) return { isReached: false, most: most * end };
    let below = { normals: 0, gap: -size };
    let above = { normals: 1, gap: Math.max(0, most - size) };
    // Nearly a straight line, which regula falsi follows in a few steps.
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const normals = below.normals - (below.gap * (above.normals - below.normals)) / (above.gap - below.gap);
      const gap = this.of(normals * end) * end - size;
      if (gap < CLOSE_ENOUGH && gap > -CLOSE_ENOUGH) return { isReached: true, normals: normals * end };
      if (gap < 0) below = { normals, gap };
      else above = { normals, gap };
    }
    return { isReached: true, normals: above.normals * end };
  }
}

function uniforms(count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => (i + 0.5) / count);
}

/** Where the whole number that is drawn lies among all draws, from −½ to ½: the middle of those that are equal to it. */
function middleRank(distribution: Distribution, uniform: number): number {
  const drawn = integerQuantile(distribution, uniform);
  return (distribution.cdf(drawn + 0.5) + distribution.cdf(drawn - 0.5)) / 2 - 0.5;
}

function meanSquare(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += values[i]! * values[i]!;
  return sum / values.length;
}
