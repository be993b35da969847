// How many jobs a night can carry, by each thing that may run out: lanes, tokens, writers. The smallest is
// the one worth paying for.

import type { CapacityBound } from './night-plan.ts';

export interface CapacityInput {
  readonly classes: readonly CapacityClass[];
  readonly lanes: number;
  readonly windowMs: number;
  readonly reserveMs: number;
  /** Tokens that a night may use; null without a pool. */
  readonly tokensPerNight: number | null;
  readonly writers: number;
  readonly meanWriteMs: number;
}

interface CapacityClass {
  readonly count: number;
  /** How long one job keeps a lane, on average: attempts, pauses, its write. */
  readonly meanJobMs: number | null;
  /** What one job takes out of the pool, on average; null where the mean does not exist. */
  readonly meanConsumedTokens: number | null;
}

/**
 * The bounds side by side, each for jobs in the proportions of `classes`:
 * - lanes: `lanes × (window − reserve) / mean time of a job on a lane`;
 * - pool: `tokens per night / mean tokens of a job`, all attempts together;
 * - writers: `writers × window / mean write`.
 *
 * Each is the utilisation law with its server busy all the time (P. J. Denning, J. P. Buzen, "The
 * Operational Analysis of Queueing Network Models", Computing Surveys 10(3), 1978): a mean over many nights
 * that no night is sure to reach, since it leaves out waiting, the last jobs' idle lanes and the tokens held
 * in envelopes.
 */
export function capacityBounds(input: CapacityInput): readonly CapacityBound[] {
  const { lanes, windowMs, reserveMs, writers } = input;
  return [
    bound('lanes', lanes * Math.max(0, windowMs - reserveMs), mean(input.classes, 'meanJobMs')),
    bound('pool', input.tokensPerNight, mean(input.classes, 'meanConsumedTokens')),
    bound('writers', writers * windowMs, input.meanWriteMs),
  ];
}

/** The smallest bound; undefined where none limits. The first of equal ones. */
export function smallestBound(
  bounds: readonly CapacityBound[],
): (CapacityBound & { readonly jobsPerNight: number }) | undefined {
  let smallest: (CapacityBound & { readonly jobsPerNight: number }) | undefined;
  for (const { name, jobsPerNight } of bounds) {
    if (jobsPerNight === null) continue;
    if (smallest === undefined || jobsPerNight < smallest.jobsPerNight) smallest = { name, jobsPerNight };
  }
  return smallest;
}

function bound(name: CapacityBound['name'], available: number | null, perJob: number | null): CapacityBound {
  const isLimited = available !== null && perJob !== null && perJob > 0;
  return { name, jobsPerNight: isLimited ? available / perJob : null };
}

/** Weighted by count; null where there are no jobs, or a mean does not exist. */
function mean(classes: readonly CapacityClass[], field: 'meanJobMs' | 'meanConsumedTokens'): number | null {
  let jobs = 0;
  let sum = 0;
  for (const one of classes) {
    if (one.count === 0) continue;
    const value = one[field];
    if (value === null) return null;
    jobs += one.count;
    sum += one.count * value;
  }
  return jobs === 0 ? null : sum / jobs;
}
