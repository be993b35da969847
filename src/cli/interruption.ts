// A signal that somebody is prepared for: whoever listens ends by themself, with what there is. A second one
// ends the process at once, as the first does where nobody listens.

import type { EXIT } from './exit.ts';

type Interrupted = typeof EXIT.interrupted | typeof EXIT.terminated;

export class Interruption {
  #isListened = false;
  #code: Interrupted | undefined;

  /** From now on the first signal is only remembered. */
  listen(): void {
    this.#isListened = true;
  }

  /** Which code to end with; undefined where nobody has interrupted anything. */
  get code(): Interrupted | undefined {
    return this.#code;
  }

  /** A signal came. Will somebody end for it? */
  hear(code: Interrupted): boolean {
    if (!this.#isListened || this.#code !== undefined) return false;
    this.#code = code;
    return true;
  }
}
