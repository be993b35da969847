// A row of numbers that can be asked, in O(log n), for the first one below a limit: how a queue finds the
// first job small enough to be taken without walking past all that are not.

export class MinTree {
  readonly #leaves: number;
  /** Node i has children 2i and 2i + 1; the leaves come last. */
  readonly #nodes: Float64Array;

  constructor(values: readonly number[]) {
    let leaves = 1;
    while (leaves < values.length) leaves *= 2;
    this.#leaves = leaves;
    this.#nodes = new Float64Array(2 * leaves).fill(Number.POSITIVE_INFINITY);
    this.#nodes.set(values, leaves);
    for (let node = leaves - 1; node >= 1; node -= 1) this.#refresh(node);
  }

  set(position: number, value: number): void {
    let node = this.#leaves + position;
    this.#nodes[node] = value;
    for (node >>= 1; node >= 1; node >>= 1) this.#refresh(node);
  }

  /** +∞ where there is none. */
  get least(): number {
    return this.#at(1);
  }

  at(position: number): number {
    return this.#at(this.#leaves + position);
  }

  /** The first position whose value is strictly below the limit; undefined where there is none. */
  firstBelow(limit: number): number | undefined {
    if (!(this.#at(1) < limit)) return undefined;
    let node = 1;
    while (node < this.#leaves) node = this.#at(2 * node) < limit ? 2 * node : 2 * node + 1;
    return node - this.#leaves;
  }

  #refresh(node: number): void {
    this.#nodes[node] = Math.min(this.#at(2 * node), this.#at(2 * node + 1));
  }

  #at(node: number): number {
    return this.#nodes[node]!;
  }
}
