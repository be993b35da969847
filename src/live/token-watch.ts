// Lanes that wait for tokens to come back. This process sees its own operations at once; what others do to
// the books it learns by asking for their version now and then: one poll for all lanes. They wait in line.

import type { Clock } from '../base/clock.ts';
import { EnvironmentError } from '../base/errors.ts';
import { type InLine, TokenLine } from '../worker/token-line.ts';
import { after } from './timers.ts';

export interface TokenWatchOptions {
  readonly clock: Clock;
  /** The version of the pool's chain now. May throw or reject where the ledger cannot say. */
  readonly version: () => number | Promise<number>;
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

interface Waiter extends InLine {
  readonly untilMs: number;
  readonly recheckAtMs: number;
  readonly answer: (answer: 'moved' | 'until') => void;
  readonly reject: (error: unknown) => void;
}

export class TokenWatch {
  readonly #options: TokenWatchOptions;
  readonly #line = new TokenLine<Waiter>();
  #callOff: (() => void) | undefined;
  /** The ledger was asked, and its answer is on its way. */
  #isAsking = false;

  constructor(options: TokenWatchOptions) {
    this.#options = options;
  }

  /**
   * Answered at once where the version has moved on from `version`; else once it has and it is this lane's
   * turn to ask; else at `untilMs`.
   *
   * @param lane its process
   */
  wait(lane: object, version: number, untilMs: number): Promise<'moved' | 'until'> {
    this.seen(version);
    const recheckAtMs = this.#options.clock.monotonicMs() + this.#options.recheckMs;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        lane,
        version,
        untilMs,
        recheckAtMs,
        letGo: () => waiter.answer('moved'),
        answer: (answer) => {
          if (this.#line.size === 0) this.#callOff?.();
          resolve(answer);
        },
        reject,
      };
      this.#readVersion();
      if (this.#line.version === version) {
        this.#line.join(waiter);
        this.#look();
      } else {
        resolve('moved');
      }
    });
  }

  /** The books have come to this version. */
  seen(version: number): void {
    this.#line.moved(version);
  }

  /** The lane's call goes out, or it has ended: whoever is next in line may ask. */
  passedOn(lane: object): void {
    this.#line.passedOn(lane);
  }

  end(): void {
    for (const waiter of this.#line.clear()) waiter.answer('until');
  }

  #look(): void {
    const { clock, declinesAfterMs, hasClaimedElsewhere, pollMs } = this.#options;
    try {
      this.#readVersion();
      const nowMs = clock.monotonicMs();
      const declinesMs = declinesAfterMs();
      let nextMs = nowMs + pollMs;
      for (const waiter of this.#line.everybody()) {
        const untilMs = Math.min(waiter.untilMs, declinesMs);
        if (nowMs >= untilMs) this.#takeOut(waiter, 'until');
        else if (nowMs >= waiter.recheckAtMs && hasClaimedElsewhere()) this.#takeOut(waiter, 'moved');
        else nextMs = Math.min(nextMs, untilMs);
      }
      this.#callOff?.();
      if (this.#line.size > 0) this.#callOff = after(Math.ceil(nextMs - nowMs), () => this.#look());
    } catch (error) {
      this.#reject(error);
    }
  }

  #reject(error: unknown): void {
    for (const waiter of this.#line.clear()) waiter.reject(error);
  }

  #takeOut(waiter: Waiter, answer: 'moved' | 'until'): void {
    this.#line.leave(waiter);
    waiter.answer(answer);
  }

  /** An answer that has to travel is heard of when it comes. */
  #readVersion(): void {
    if (this.#isAsking) return;
    try {
      const version = this.#options.version();
      if (typeof version === 'number') this.seen(version);
      else this.#hear(version).catch((error: unknown) => this.#reject(error));
    } catch (error) {
      passOver(error);
    }
  }

  async #hear(version: Promise<number>): Promise<void> {
    this.#isAsking = true;
    try {
      this.seen(await version);
    } catch (error) {
      passOver(error);
    } finally {
      this.#isAsking = false;
    }
  }
}

/** A ledger that cannot answer now may be able to at the next poll. */
function passOver(error: unknown): void {
  if (!(error instanceof EnvironmentError)) throw error;
}
