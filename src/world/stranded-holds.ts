// Holds whose worker is gone, until somebody reclaims them. Only a simulator can know them: a ledger sees a
// lease that has not ended yet.

import type { Hold, Ledger } from '../ledger/ledger.ts';
import type { BooksWatch } from './books-watch.ts';

export class StrandedHolds {
  readonly #amounts = new Map<string, number>();
  #tokens = 0;

  /** Whatever is held at an opening was left behind by an earlier night. */
  constructor(books: { readonly ledger: Ledger; readonly watch: BooksWatch } | undefined) {
    if (books === undefined || books.watch.openCount === 0) return;
    for (const hold of books.ledger.holds({ state: 'held' })) this.leftBehind(hold);
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
