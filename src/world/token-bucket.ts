// What a provider lets through in a minute, as providers enforce it: a bucket that is refilled steadily and
// holds one minute's or one second's worth. Whatever comes while there is not enough in it is refused.

/** Sums of refills come out a hair below what they should be; so little of the size is let pass. */
const HAIR = 1e-9;

export interface BucketOptions {
  readonly perMinute: number;
  readonly enforced: 'minute' | 'second';
}

/**
 * Full at the beginning. Over any span of t minutes it lets through at most `rate × t` + its size, or + the
 * largest single amount where that is more: what is larger than the bucket passes when the bucket is full,
 * and leaves a debt. (That is a (σ, ρ)-bounded flow: R. L. Cruz, "A Calculus for Network Delay, Part I",
 * IEEE Transactions on Information Theory 37(1), 1991.)
 */
export class TokenBucket {
  readonly #size: number;
  readonly #perMs: number;
  #level: number;
  #atMs: number;

  constructor({ perMinute, enforced }: BucketOptions, nowMs: number) {
    this.#size = enforced === 'minute' ? perMinute : perMinute / 60;
    this.#perMs = perMinute / 60_000;
    this.#level = this.#size;
    this.#atMs = nowMs;
  }

  /** Milliseconds until so much passes, if nothing else does meanwhile; 0 where it passes now. */
  waitMs(amount: number, nowMs: number): number {
    this.#refill(nowMs);
    const missing = Math.min(amount, this.#size) - this.#level;
    return missing <= HAIR * this.#size ? 0 : missing / this.#perMs;
  }

  /** What has passed, whether or not there was enough for it; a negative amount comes back. */
  take(amount: number, nowMs: number): void {
    this.#refill(nowMs);
    this.#level -= amount;
  }

  #refill(nowMs: number): void {
    this.#level = Math.min(this.#size, this.#level + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
  }
}
