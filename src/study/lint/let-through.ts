// What a provider's limits let through, in lanes and in jobs. Lanes beyond that earn refusals.

import type { ProviderLimits } from '../../scenario/scenario.ts';
import type { LintInput } from './rule.ts';

const MINUTE_MS = 60_000;

export interface LetThrough {
  readonly limit: 'concurrency' | 'requests' | 'tokens';
  /** What it is set to: calls at once, requests or tokens a minute. */
  readonly setTo: number;
  /** Lanes that it keeps busy, not rounded: calls let through per time × the time of one (J. D. C. Little, 1961). */
  readonly lanes: number;
  readonly jobsPerMs: number;
}

/** One for each limit that is set, the mix of the first opening taken; none where a mean does not exist. */
export function letThrough(
  { planInput, plan }: Pick<LintInput, 'planInput' | 'plan'>,
  { concurrency, requests, tokens, counts }: ProviderLimits,
): readonly LetThrough[] {
  let jobs = 0;
  let calls = 0;
  let callsMs = 0;
  let countedTokens = 0;
  for (const [position, one] of planInput.classes.entries()) {
    const ofClass = one.count * plan.classes[position]!.expectedAttempts;
    jobs += one.count;
    calls += ofClass;
    callsMs += ofClass * one.meanAttemptMs;
    if (counts !== 'output') countedTokens += ofClass * one.meanInputTokens;
    if (counts !== 'input') countedTokens += ofClass * one.meanOutputTokens;
  }
  const meanMs = callsMs / calls;
  const all = [
    { limit: 'concurrency', setTo: concurrency, callsPerMs: (concurrency ?? 0) / meanMs },
    { limit: 'requests', setTo: requests, callsPerMs: (requests ?? 0) / MINUTE_MS },
    { limit: 'tokens', setTo: tokens, callsPerMs: ((tokens ?? 0) * calls) / countedTokens / MINUTE_MS },
  ] as const;
  return all.flatMap(({ limit, setTo, callsPerMs }) =>
    setTo === undefined || !Number.isFinite(callsPerMs * meanMs)
      ? []
      : [{ limit, setTo, lanes: callsPerMs * meanMs, jobsPerMs: (callsPerMs * jobs) / calls }],
  );
}
