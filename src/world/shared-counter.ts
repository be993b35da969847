// The other policy that Plimsoll replaces: one counter of tokens, looked at before a call and debited after
// it. Nothing is set aside, so the call that needs more than is left fails in mid-flight.

export class SharedCounter {
  readonly #capacity: number;
  #left: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#left = capacity;
  }

  get capacity(): number {
    return this.#capacity;
  }

  get left(): number {
    return this.#left;
  }

  /** A call may go out while anything is left at all. */
  get isOpen(): boolean {
    return this.#left > 0;
  }

  /** Full again. */
  refill(): void {
    this.#left = this.#capacity;
  }

  /** @returns what could be taken; less than `tokens` where the call hits the wall, and the counter is empty then */
  debit(tokens: number): number {
    const taken = Math.min(tokens, this.#left);
    this.#left -= taken;
    return taken;
  }
}
