// Holds whose lease has ended and that nobody has closed yet: what a ledger can know of its stranded tokens,
// and what a reclaimer has still to sweep up. Told by the clock that nobody sets.

import type { WallMs } from '../base/clock.ts';
import type { Hold } from '../ledger/ledger.ts';
import type { Engine, Scheduled } from '../sim/engine.ts';

export interface ExpiredHoldsSetup {
  readonly engine: Engine;
  wallMs(): WallMs;
  /** So many tokens from now on. */
  changed(tokens: number): void;
}

interface OpenHold {
  readonly amount: number;
  /** Undefined once its lease has ended. */
  ends: Scheduled | undefined;
}

export class ExpiredHolds {
  readonly #setup: ExpiredHoldsSetup;
  readonly #open = new Map<string, OpenHold>();
  #tokens = 0;

  constructor(setup: ExpiredHoldsSetup) {
    this.#setup = setup;
  }

  get tokens(): number {
    return this.#tokens;
  }

  /** Those that earlier nights have left open. They are not told one by one. */
  leftBehind(holds: readonly Hold[]): void {
    for (const hold of holds) this.#track(hold);
  }

  /** It was granted, renewed or extended. */
  held(hold: Hold): void {
    const before = this.#tokens;
    this.#forget(hold.id);
    this.#track(hold);
    this.#tell(before);
  }

  /** They were settled, released or reclaimed. */
  closed(holds: readonly Hold[]): void {
    const before = this.#tokens;
    for (const { id } of holds) this.#forget(id);
    this.#tell(before);
  }

  #track({ id, amount, leaseExpiresAtMs }: Hold): void {
    const { engine, wallMs } = this.#setup;
    const leftMs = leaseExpiresAtMs - wallMs();
    const open: OpenHold = { amount, ends: undefined };
    this.#open.set(id, open);
    if (leftMs < 0) this.#tokens += amount;
    else {
      open.ends = engine.schedule(leftMs, () => {
        open.ends = undefined;
        this.#tokens += amount;
        this.#tell(this.#tokens - amount);
      });
    }
  }

  #forget(id: string): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    if (open.ends === undefined) this.#tokens -= open.amount;
    else this.#setup.engine.cancel(open.ends);
  }

  #tell(before: number): void {
    if (this.#tokens !== before) this.#setup.changed(this.#tokens);
  }
}
