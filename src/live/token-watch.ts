// Lanes that wait for tokens to come back. This process sees its own operations at once; what others do to
// the books it learns by asking for their version now and then: one poll for all lanes.

import type { Clock } from '../base/clock.ts';
import { EnvironmentError } from '../base/errors.ts';
import { after } from './timers.ts';

export interface TokenWatchOptions {
  readonly clock: Clock;
  /** The version of the pool's chain now. May throw where the ledger cannot say. */
  readonly version: () => number;
  readonly pollMs: number;
  /** The last moment at which a call is granted: a suspension may bring it nearer. */
  readonly declinesAfterMs: () => number;
  /**
   * Jobs are claimed by other processes. Their holds may be on an earlier period's books, which no version
   * tells of, so lanes look again every `recheckMs`.
   */
  readonly hasClaimedElsewhere: () => boolean;
  readonly recheckMs: number;
}

interface Waiter {
  readonly version: number;
  readonly untilMs: number;
  readonly recheckAtMs: number;
  readonly resolve: (answer: 'moved' | 'until') => void;
  readonly reject: (error: unknown) => void;
}

export class TokenWatch {
  readonly #options: TokenWatchOptions;
  readonly #waiters = new Set<Waiter>();
  #callOff: (() => void) | undefined;

  constructor(options: TokenWatchOptions) {
    this.#options = options;
  }

  /** Answered at once where the version has moved on from `version`, else when it does, else at `untilMs`. */
  wait(version: number, untilMs: number): Promise<'moved' | 'until'> {
    const recheckAtMs = this.#options.clock.monotonicMs() + this.#options.recheckMs;
    return new Promise((resolve, reject) => {
      this.#waiters.add({ version, untilMs, recheckAtMs, resolve, reject });
      this.#look();
    });
  }

  /** The books stand at this version now. */
  seen(version: number): void {
    for (const waiter of this.#waiters) {
      if (version !== waiter.version) this.#answer(waiter, 'moved');
    }
  }

  end(): void {
    for (const waiter of this.#waiters) this.#answer(waiter, 'until');
  }

  #look(): void {
    const { clock, declinesAfterMs, hasClaimedElsewhere, pollMs } = this.#options;
    try {
      this.#readVersion();
      const nowMs = clock.monotonicMs();
      const declinesMs = declinesAfterMs();
      let nextMs = nowMs + pollMs;
      for (const waiter of this.#waiters) {
        const untilMs = Math.min(waiter.untilMs, declinesMs);
        if (nowMs >= untilMs) this.#answer(waiter, 'until');
        else if (nowMs >= waiter.recheckAtMs && hasClaimedElsewhere()) this.#answer(waiter, 'moved');
        else nextMs = Math.min(nextMs, untilMs);
      }
      this.#callOff?.();
      if (this.#waiters.size > 0) this.#callOff = after(Math.ceil(nextMs - nowMs), () => this.#look());
    } catch (error) {
      for (const waiter of this.#waiters) {
        this.#waiters.delete(waiter);
        waiter.reject(error);
      }
    }
  }

  #readVersion(): void {
    try {
      this.seen(this.#options.version());
    } catch (error) {
      // A ledger that cannot answer now may be able to at the next poll.
      if (!(error instanceof EnvironmentError)) throw error;
    }
  }

  #answer(waiter: Waiter, answer: 'moved' | 'until'): void {
    this.#waiters.delete(waiter);
    if (this.#waiters.size === 0) this.#callOff?.();
    waiter.resolve(answer);
  }
}
