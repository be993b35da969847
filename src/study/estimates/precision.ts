// How many replications a mean needs to be as precise as asked for: found while they are played. A first
// crossing may be luck, so it has to last.

import { LEAST_DIFFERING, ModeTally } from './mean-bounds.ts';
import { studentTQuantile } from './student-t.ts';

/** Replications that a crossing has to last, up to 100 of them; beyond, so many percent. */
const LOOK_AHEAD = 5;

/**
 * Stops at the first n at which the half-width of the mean's interval is at most `precision` of the mean, if
 * it stays so for another max(5, 5 n ÷ 100) replications (K. Hoad, S. Robinson and R. Davies, Automated
 * selection of the number of replications for a discrete-event simulation, J. Oper. Res. Soc. 61, 2010, with
 * their kLimit of 5). Never where the mean is 0 or infinite, nor where it has no interval.
 */
export class PrecisionWatch {
  readonly #precision: number;
  readonly #alpha: number;
  readonly #modes = new ModeTally();
  #n = 0;
  #mean = 0;
  #squares = 0;
  /** The n at which the precision was reached, and kept ever since. */
  #reachedAt: number | undefined;

  /** @param precision half-width ÷ mean, above 0 @param alpha of each bound, above 0 and below ½ */
  constructor(precision: number, alpha: number) {
    this.#precision = precision;
    this.#alpha = alpha;
  }

  /** The next replication's value. By the recurrence of B. P. Welford, 1962. */
  add(value: number): void {
    this.#n += 1;
    this.#modes.add(value);
    const off = value - this.#mean;
    this.#mean += off / this.#n;
    this.#squares += off * (value - this.#mean);
    if (!this.#isPrecise()) this.#reachedAt = undefined;
    else this.#reachedAt ??= this.#n;
  }

  get isReached(): boolean {
    if (this.#reachedAt === undefined) return false;
    const ahead = this.#reachedAt <= 100 ? LOOK_AHEAD : Math.floor((LOOK_AHEAD * this.#reachedAt) / 100);
    return this.#n >= this.#reachedAt + ahead;
  }

  #isPrecise(): boolean {
    if (this.#modes.differing < LEAST_DIFFERING) return false;
    const n = this.#n;
    const half = studentTQuantile(1 - this.#alpha, n - 1) * Math.sqrt(this.#squares / (n - 1) / n);
    return half <= this.#precision * Math.abs(this.#mean) && this.#mean !== 0;
  }
}
