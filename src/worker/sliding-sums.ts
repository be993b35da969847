// Sums over the events of the last so many milliseconds, kept as events come and go: what the trip
// conditions' rates are made of. Constant time per event, memory for those inside the window alone.

export class SlidingSums {
  readonly #windowMs: number;
  readonly #times: number[] = [];
  /** Each event's values, one event after the other. */
  readonly #values: number[] = [];
  readonly #sums: number[];
  /** Events before this one have left the window. */
  #head = 0;

  /** @param windowMs above 0; an event exactly so old has left @param width how many values an event has */
  constructor(windowMs: number, width: number) {
    this.#windowMs = windowMs;
    this.#sums = new Array<number>(width).fill(0);
  }

  /** @param atMs not before that of any earlier call */
  add(atMs: number, ...values: readonly number[]): void {
    this.forget(atMs);
    this.#times.push(atMs);
    for (const [index, value] of values.entries()) {
      this.#values.push(value);
      this.#sums[index]! += value;
    }
  }

  /** How many events are inside. */
  get count(): number {
    return this.#times.length - this.#head;
  }

  /** The sum of one of the values over the events inside. @param index from 0 */
  sum(index: number): number {
    return this.#sums[index]!;
  }

  /** Time has passed. @param nowMs not before that of any earlier call */
  forget(nowMs: number): void {
    const width = this.#sums.length;
    while (this.#head < this.#times.length && this.#times[this.#head]! <= nowMs - this.#windowMs) {
      for (let index = 0; index < width; index += 1) {
        this.#sums[index]! -= this.#values[this.#head * width + index]!;
      }
      this.#head += 1;
    }
    // Cut off now and then, so that each event is moved about once in all.
    if (this.#head > 64 && 2 * this.#head > this.#times.length) {
      this.#times.splice(0, this.#head);
      this.#values.splice(0, this.#head * width);
      this.#head = 0;
    }
  }
}
