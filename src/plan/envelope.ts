// How many tokens one job sets aside before it is dispatched, and how many such jobs a pool carries at once.

export interface EnvelopeInput {
  /** Input tokens of one attempt at the chosen quantile. */
  readonly qInput: number;
  /** Output tokens of one attempt at the chosen quantile. */
  readonly qOutput: number;
  /** Prompts paid for: one per attempt, since a retry spends its prompt again, unless told otherwise. */
  readonly fanout: number;
  readonly attempts: number;
  readonly overhead: number;
}

/** `ceil(qInput × fanout) + ceil(qOutput × attempts) + overhead` tokens. */
export function envelopeTokens({ qInput, qOutput, fanout, attempts, overhead }: EnvelopeInput): number {
  return wholeTokens(qInput * fanout) + wholeTokens(qOutput * attempts) + overhead;
}

/**
 * `floor((balance + held) / envelope)`: the jobs of one size that can be under way at once. At the opening
 * nothing is held, and it is the number of jobs admitted before any of them settles.
 *
 * @returns null for an envelope of 0, which nothing limits
 */
export function inFlightCeiling(balancePlusHeld: number, envelope: number): number | null {
  return envelope === 0 ? null : Math.floor(balancePlusHeld / envelope);
}

/** Tokens of the pool for each job, if all were alike; null where there are no jobs. */
export function meanShare(poolTokens: number, jobs: number): number | null {
  return jobs === 0 ? null : poolTokens / jobs;
}

/**
 * Refunded ÷ held that envelope and attempts make by construction: `1 − E[used] / envelope`, and 0 where a
 * job uses more than its envelope on average. What single jobs use above their envelope is not a refund, so
 * the ratio that is seen lies above this by the mean overspend ÷ envelope.
 *
 * @returns null for an envelope of 0, of which nothing can be left over
 */
export function expectedUnspentRatio(meanUsedTokens: number, envelope: number): number | null {
  return envelope === 0 ? null : Math.max(0, 1 - meanUsedTokens / envelope);
}

/** Up to the next whole token, but 6,000 × 1.1 is 6,600, though it is a hair more in double precision. */
function wholeTokens(amount: number): number {
  const nearest = Math.round(amount);
  return Math.abs(amount - nearest) <= 4 * Number.EPSILON * nearest ? nearest : Math.ceil(amount);
}
