// Which calls a provider lets through, by requests, tokens and calls under way, and what it tells those it
// refuses. It knows of a call what a provider knows: its input and the output it declares at once, its real
// output when it has ended.

import type { ProviderLimits } from '../scenario/scenario.ts';
import { TokenBucket } from './token-bucket.ts';

export interface LimitedCall {
  readonly inputTokens: number;
  /** The most output that it declares. */
  readonly declaredTokens: number;
}

export type Admittance =
  | { readonly isLetIn: true }
  /** `Retry-After`; undefined where the provider does not say. */
  | { readonly isLetIn: false; readonly retryAfterMs: number | undefined };

export class RateLimiter {
  readonly #limits: ProviderLimits;
  readonly #requests: TokenBucket | undefined;
  readonly #tokens: TokenBucket | undefined;
  #underWay = 0;

  /** Every bucket is full at the beginning. */
  constructor(limits: ProviderLimits, nowMs: number) {
    const { requests, tokens, enforced } = limits;
    this.#limits = limits;
    this.#requests =
      requests === undefined ? undefined : new TokenBucket({ perMinute: requests, enforced }, nowMs);
    this.#tokens = tokens === undefined ? undefined : new TokenBucket({ perMinute: tokens, enforced }, nowMs);
  }

  /** A call that is let in is under way, and charged. A refusal changes nothing. */
  ask(call: LimitedCall, nowMs: number): Admittance {
    const { concurrency, retryAfter } = this.#limits;
    const tokens = this.#chargedAtOnce(call);
    let waitMs = Math.max(this.#requests?.waitMs(1, nowMs) ?? 0, this.#tokens?.waitMs(tokens, nowMs) ?? 0);
    // Nobody knows when a call will end: the least that the header can say.
    if (concurrency !== undefined && this.#underWay >= concurrency) waitMs = Math.max(waitMs, 1);
    if (waitMs > 0) return { isLetIn: false, retryAfterMs: retryAfter ? wholeSeconds(waitMs) : undefined };
    this.#underWay += 1;
    this.#requests?.take(1, nowMs);
    this.#tokens?.take(tokens, nowMs);
    return { isLetIn: true };
  }

  /** A call that was let in has ended, by its answer or because it was given up. */
  ended(call: LimitedCall, outputTokens: number, nowMs: number): void {
    this.#underWay -= 1;
    const { counts, charge } = this.#limits;
    if (counts === 'input') return;
    this.#tokens?.take(outputTokens - (charge === 'declared' ? call.declaredTokens : 0), nowMs);
  }

  #chargedAtOnce({ inputTokens, declaredTokens }: LimitedCall): number {
    const { counts, charge } = this.#limits;
    return (
      (counts === 'output' ? 0 : inputTokens) + (counts === 'input' || charge === 'use' ? 0 : declaredTokens)
    );
  }
}

/** The header is in whole seconds (RFC 9110, section 10.2.3). */
function wholeSeconds(ms: number): number {
  return Math.ceil(ms / 1000) * 1000;
}
