// A Gaussian process that moves slowly around 0 and may be asked at any position, in any order: what a keyed
// draw is for one number, this is for a level that neighbours share.

import type { RandomStream } from '../base/random-streams.ts';
import { normalQuantile } from './special-functions.ts';

/** Lattice points per time constant, and time constants per stretch that is computed at once. */
const STEPS = 16;
const STRETCH = 16 * STEPS;
/** Neighbours on the lattice, and what is new from one to the next (G. E. Uhlenbeck, L. S. Ornstein, 1930). */
const KEPT = Math.exp(-1 / STEPS);
const NEW = Math.sqrt(1 - KEPT * KEPT);
/** So many stretches are remembered; a run of any length then needs a few hundred kilobytes. */
const REMEMBERED = 64;

export class SlowProcess {
  readonly #stream: RandomStream;
  readonly #purpose: number;
  readonly #step: number;
  readonly #stretches = new Map<number, Float64Array>();
  #number = -1;
  #stretch: Float64Array = new Float64Array(0);

  /**
   * At every position its value has mean 0 and variance 1; between two positions the correlation is
   * exp(−distance ÷ timeConstant), to within a thousandth.
   *
   * @param purpose as for the stream's uniforms; nobody else draws for it
   * @param timeConstant above 0, in the unit of the positions
   */
  constructor(stream: RandomStream, purpose: number, timeConstant: number) {
    this.#stream = stream;
    this.#purpose = purpose;
    this.#step = timeConstant / STEPS;
  }

  /** A pure function of the position. @param position from 0 to less than 2³² × 16 time constants */
  at(position: number): number {
    const place = position / this.#step;
    const number = Math.floor(place / STRETCH);
    if (number !== this.#number) this.#turnTo(number);
    const within = place - number * STRETCH;
    // A rounding may put the quotient on the very end.
    const before = Math.min(Math.floor(within), STRETCH - 1);
    const share = within - before;
    const rest = 1 - share;
    const between = rest * this.#stretch[before]! + share * this.#stretch[before + 1]!;
    // The straight line between two neighbours varies less than they do.
    return between / Math.sqrt(rest * rest + share * share + 2 * rest * share * KEPT);
  }

  #turnTo(number: number): void {
    this.#number = number;
    let stretch = this.#stretches.get(number);
    if (stretch === undefined) {
      stretch = this.#compute(number);
      if (this.#stretches.size >= REMEMBERED) this.#stretches.clear();
      this.#stretches.set(number, stretch);
    }
    this.#stretch = stretch;
  }

  /**
   * Begins one stretch earlier, out of nothing but that stretch's first draw. By the time it is here it has
   * forgotten that (16 time constants leave 10⁻⁷), so that neighbouring stretches meet although neither
   * has to know the other, nor anybody what came before.
   */
  #compute(number: number): Float64Array {
    const stretch = new Float64Array(STRETCH + 1);
    let value = this.#normal(number, 0);
    for (let step = 1; step < STRETCH; step += 1) value = KEPT * value + NEW * this.#normal(number, step);
    for (let step = 0; step < STRETCH; step += 1) {
      value = KEPT * value + NEW * this.#normal(number + 1, step);
      stretch[step] = value;
    }
    stretch[STRETCH] = KEPT * value + NEW * this.#normal(number + 2, 0);
    return stretch;
  }

  #normal(stretch: number, step: number): number {
    return normalQuantile(this.#stream.uniform(this.#purpose, stretch, step));
  }
}
