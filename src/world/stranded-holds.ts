// Holds whose worker is gone, until somebody reclaims them. Only a simulator can know them: a ledger sees a
// lease that has not ended yet.

import type { Hold } from '../ledger/ledger.ts';

export class StrandedHolds {
  readonly #amounts = new Map<string, number>();
  #tokens = 0;

  /** @param held whatever is held at an opening: an earlier night has left it behind */
  constructor(held: readonly Hold[]) {
    for (const hold of held) this.leftBehind(hold);
  }

  get tokens(): number {
    return this.#tokens;
  }

  leftBehind({ id, amount }: Hold): void {
    this.#amounts.set(id, amount);
    this.#tokens += amount;
  }

  /** @returns whether it was one of them */
  closed({ id }: Hold): boolean {
    const amount = this.#amounts.get(id);
    if (amount === undefined) return false;
    this.#amounts.delete(id);
    this.#tokens -= amount;
    return true;
  }
}
