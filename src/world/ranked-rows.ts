// Rows of a file in the order of their outputs, so that weather can lift or lower what is drawn from them and
// every row still comes up as often as any other.

import { pulled } from '../sim/copula.ts';

export type Row = readonly [input: number, output: number];

export class RankedRows {
  readonly #byOutput: readonly Row[];
  /** By the row's place in the file. */
  readonly #rank: Uint32Array;

  /** @param rows at least one */
  constructor(rows: readonly Row[]) {
    const order = rows.map((_, place) => place).sort((one, other) => rows[one]![1] - rows[other]![1]);
    this.#byOutput = order.map((place) => rows[place]!);
    this.#rank = new Uint32Array(rows.length);
    order.forEach((place, rank) => {
      this.#rank[place] = rank;
    });
  }

  /**
   * The row that the uniform picks, unless it is pulled up or down from there.
   *
   * @param uniform as it picks a row of the file as it is @param own @param pull as for `pulled`
   */
  at(uniform: number, own: number, pull: number): Row {
    const count = this.#byOutput.length;
    const place = Math.min(count - 1, Math.floor(uniform * count));
    const ranked = (this.#rank[place]! + (uniform * count - place)) / count;
    return this.#byOutput[Math.min(count - 1, Math.floor(pulled(ranked, own, pull) * count))]!;
  }
}
