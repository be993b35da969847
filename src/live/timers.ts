// Waiting on real timers, so that every wait can be called off: a run that ends must leave no timer behind,
// or the process would not exit.

/** The longest that the platform's timers take, about 25 days; anything longer would fire at once. */
const LONGEST_TIMER_MS = 0x7fffffff;

/**
 * Runs `then` after `ms`, from 0 to ∞.
 *
 * @returns calls it off; harmless once it has run
 */
export function after(ms: number, then: () => void): () => void {
  let restMs = ms;
  let timer: NodeJS.Timeout;
  const wait = () => {
    const sliceMs = Math.min(restMs, LONGEST_TIMER_MS);
    restMs -= sliceMs;
    timer = setTimeout(restMs > 0 ? wait : then, sliceMs);
  };
  wait();
  return () => clearTimeout(timer);
}

/**
 * The event loop's next round. Lanes that never wait for anything would otherwise keep every timer from
 * firing, and with it the end of every grant.
 */
export function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Pauses that can all be ended at once. */
export class Pauses {
  readonly #endings = new Set<() => void>();
  #isEnded = false;

  /** Resolves after `ms`, never earlier, unless the pauses are ended: then at once. */
  pause(ms: number): Promise<void> {
    if (this.#isEnded) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        callOff();
        this.#endings.delete(end);
        resolve();
      };
      // The platform cuts off fractions of a millisecond.
      const callOff = after(Math.ceil(ms), end);
      this.#endings.add(end);
    });
  }

  /** Ends the pauses under way and all to come. */
  end(): void {
    this.#isEnded = true;
    for (const end of [...this.#endings]) end();
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }
}
