// Watches the lanes of a fuzzed night that wait for tokens: that something can come, that they are woken when
// the books move and not before, and that a reclaimer looks after what others have left behind.

import { invariant } from '../../src/base/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Effect } from '../../src/worker/effects.ts';

type TokensReturned = Extract<Effect<unknown>, { readonly kind: 'tokens-returned' }>;

export class WaitAuditor {
  readonly #ledger: Ledger;
  readonly #pool: string;
  /** When each version of the books came to be. */
  readonly #moves: { readonly version: number; readonly atMs: number }[] = [];

  constructor(ledger: Ledger, pool: string) {
    this.#ledger = ledger;
    this.#pool = pool;
  }

  /** After anything was done to the ledger. */
  moved(atMs: number): void {
    const version = this.#ledger.pool(this.#pool)?.version ?? 0;
    if (version !== this.#moves.at(-1)?.version) this.#moves.push({ version, atMs });
  }

  asked({ version }: TokensReturned): void {
    let view = this.#ledger.pool(this.#pool)!;
    if (view.version !== version) return;
    let canMove = view.held > 0 || view.paused;
    while (view.parent !== undefined) {
      view = this.#ledger.pool(view.parent)!;
      canMove ||= view.held > 0 || view.paused;
    }
    invariant(canMove, 'no lane waits for tokens that cannot come', () => `at version ${version}`);
  }

  /** @param untilMs @param askedMs @param answeredMs on one clock */
  answered(
    { version }: TokensReturned,
    answer: 'moved' | 'until',
    { untilMs, askedMs, answeredMs }: Record<'untilMs' | 'askedMs' | 'answeredMs', number>,
  ): void {
    const movedMs = this.#moves.find((move) => move.version > version)?.atMs ?? Number.POSITIVE_INFINITY;
    const dueMs = Math.max(askedMs, Math.min(movedMs, untilMs));
    const facts = () =>
      `${answer} at ${answeredMs}, asked at ${askedMs}, moved at ${movedMs}, until ${untilMs}`;
    invariant(answeredMs === dueMs, 'a wait ends when the books move, or the time is up', facts);
    invariant(
      answer === 'until' || movedMs <= answeredMs,
      'nobody is told of tokens that have not moved',
      facts,
    );
  }
}
