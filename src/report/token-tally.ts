// How many tokens jobs used, counted at three significant digits: quantiles to within half a percent from
// a few thousand counters, whatever the number of jobs.

import type { UsageSeries } from './night-series.ts';

/** Bins of a tenth of the envelope up to twice the envelope, and one for all above. */
export const USAGE_BINS = 21;

export class TokenTally {
  readonly #envelope: number | null;
  readonly #counts = new Map<number, number>();
  readonly #bins: number[];
  #jobs = 0;
  #beyond = 0;
  #max = 0;
  #tokens = 0;

  /** @param envelope tokens one job reserves; null without a pool, 0 is possible */
  constructor(envelope: number | null) {
    this.#envelope = envelope;
    this.#bins = envelope === null ? [] : new Array<number>(USAGE_BINS).fill(0);
  }

  add(tokens: number): void {
    this.#jobs += 1;
    this.#max = Math.max(this.#max, tokens);
    this.#tokens += tokens;
    const key = Number(tokens.toPrecision(3));
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    if (this.#envelope === null) return;
    if (tokens > this.#envelope) this.#beyond += 1;
    const bin = tenthOf(tokens, this.#envelope);
    this.#bins[bin] = (this.#bins[bin] ?? 0) + 1;
  }

  series(): UsageSeries {
    return {
      jobs: this.#jobs,
      p50: this.#quantile(0.5),
      p95: this.#quantile(0.95),
      max: this.#jobs === 0 ? null : this.#max,
      tokens: this.#tokens,
      beyond: this.#envelope === null ? null : this.#beyond,
      bins: [...this.#bins],
    };
  }

  /** Nearest rank: the smallest count that at least a share `p` of the jobs does not exceed. */
  #quantile(p: number): number | null {
    if (this.#jobs === 0) return null;
    const rank = Math.max(1, Math.ceil(p * this.#jobs));
    let seen = 0;
    for (const [tokens, count] of [...this.#counts].sort(([a], [b]) => a - b)) {
      seen += count;
      if (seen >= rank) return Math.min(tokens, this.#max);
    }
    return this.#max;
  }
}

/** Usage of exactly the envelope belongs to the bin that ends there, since it is paid for. */
function tenthOf(tokens: number, envelope: number): number {
  if (tokens === 0) return 0;
  if (envelope === 0) return USAGE_BINS - 1;
  const bin = Math.ceil((tokens * 10) / envelope) - 1;
  return Math.min(bin, USAGE_BINS - 1);
}
