// Rules about how much is under way at once: lanes that nothing ever keeps busy, and retries that multiply.

import { formatCount } from '../../base/units.ts';
import type { ProviderLimits } from '../../scenario/scenario.ts';
import { lanesOf } from './all-lanes.ts';
import type { LintInput, Rules } from './rule.ts';

const MINUTE_MS = 60_000;

export const PARALLEL_RULES = {
  'lanes-over-ceiling': {
    why: 'Lanes beyond the in-flight ceiling only wait for tokens; they cost connections and hide the real limit.',
    find: ({ scenario, plan }) => {
      if (scenario.pool === undefined || scenario.policy.admission !== 'envelope') return [];
      const lanes = lanesOf(scenario);
      const ceilings = plan.classes.flatMap(({ count, maxInFlight }) =>
        count === 0 || maxInFlight === null ? [] : [maxInFlight],
      );
      const ceiling = Math.max(...ceilings);
      if (ceilings.length === 0 || lanes <= ceiling) return [];
      const message = `of ${formatCount(lanes)} lanes at most ${formatCount(ceiling)} are busy at once, even with the smallest envelopes: the pool holds no more`;
      return [{ path: ['lanes'], message, figure: { measured: lanes, limit: ceiling, unit: 'count' } }];
    },
  },
  'lanes-over-limits': {
    why: 'What the provider lets through is shared by all lanes: the others earn refusals, and use up attempts.',
    find: (input) => {
      const { limits } = input.scenario.provider;
      if (limits === undefined) return [];
      const lanes = lanesOf(input.scenario);
      const [busiest] = busyLanes(input, limits).toSorted((one, other) => one.lanes - other.lanes);
      if (busiest === undefined || lanes <= busiest.lanes) return [];
      const message = `of ${formatCount(lanes)} lanes the provider keeps ${formatCount(busiest.lanes)} busy: ${busiest.limit}`;
      const figure = { measured: lanes, limit: busiest.lanes, unit: 'count' } as const;
      return [{ path: ['lanes'], message, figure }];
    },
  },
  'retries-multiplied': {
    why: 'Two layers of retries multiply: an outage is met with many times the calls, and most of them nobody sees.',
    find: ({ plan: { retries } }) => {
      if (retries === null || retries.clientAttempts === 1) return [];
      const { workerAttempts, clientAttempts } = retries;
      const calls = workerAttempts * clientAttempts;
      const message = `${formatCount(workerAttempts)} attempts of the worker times ${formatCount(clientAttempts)} of the client are up to ${formatCount(calls)} calls for one job`;
      const figure = { measured: calls, limit: workerAttempts, unit: 'count' } as const;
      return [{ path: ['client', 'attempts'], message, figure }];
    },
  },
} as const satisfies Rules;

/** Lanes that each limit keeps busy: calls let through per time × the time of one (J. D. C. Little, 1961). */
function busyLanes(
  { planInput, plan }: LintInput,
  { concurrency, requests, tokens, counts }: ProviderLimits,
): readonly { readonly lanes: number; readonly limit: string }[] {
  let calls = 0;
  let callsMs = 0;
  let countedTokens = 0;
  for (const [position, one] of planInput.classes.entries()) {
    const ofClass = one.count * plan.classes[position]!.expectedAttempts;
    calls += ofClass;
    callsMs += ofClass * one.meanAttemptMs;
    if (counts !== 'output') countedTokens += ofClass * one.meanInputTokens;
    if (counts !== 'input') countedTokens += ofClass * one.meanOutputTokens;
  }
  const meanMs = callsMs / calls;
  const meanTokens = countedTokens / calls;
  const all = [
    { lanes: concurrency, limit: `${formatLimit(concurrency)} calls at once` },
    {
      lanes: requests === undefined ? undefined : (requests * meanMs) / MINUTE_MS,
      limit: `${formatLimit(requests)} requests a minute`,
    },
    {
      lanes: tokens === undefined ? undefined : (tokens * meanMs) / meanTokens / MINUTE_MS,
      limit: `${formatLimit(tokens)} tokens a minute`,
    },
  ];
  return all.flatMap(({ lanes, limit }) =>
    lanes === undefined || !Number.isFinite(lanes) ? [] : [{ lanes: Math.ceil(lanes), limit }],
  );
}

function formatLimit(limit: number | undefined): string {
  return limit === undefined ? '' : formatCount(limit);
}
