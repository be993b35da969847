// Rules about leases: a hold whose lease runs out under a living worker is given away twice.

import { formatCount, formatDuration } from '../../base/units.ts';
import { longestBackoffsMs } from '../../budget/backoff.ts';
import type { PlanInput } from '../../plan/plan-night.ts';
import type { Scenario, ScenarioPool } from '../../scenario/scenario.ts';
import type { Rules } from './rule.ts';

export const LEASE_RULES = {
  'lease-below-job': {
    why: 'Renewals keep a lease alive only while the worker can renew; a lease that outlives the slowest jobs needs none.',
    find: ({ scenario, planInput, jobRuntimeMs }) => {
      const pool = leasedPool(scenario);
      const runtimeMs = pool === undefined ? undefined : jobRuntimeMs();
      if (pool === undefined || runtimeMs === undefined) return [];
      const retryMs = longestAttemptMs(scenario, planInput) + longestBackoffsMs(2, scenario.backoff);
      const needMs = runtimeMs + retryMs;
      if (needMs <= pool.leaseMs) return [];
      const message = `jobs keep their hold for ${formatDuration(runtimeMs)} at p99, one retry more is ${formatDuration(needMs)}, and the lease ends after ${formatDuration(pool.leaseMs)}`;
      return [
        { path: ['pool', 'lease'], message, figure: { measured: needMs, limit: pool.leaseMs, unit: 'ms' } },
      ];
    },
  },
  'lease-below-attempts': {
    why: 'If every attempt hangs, the job outlives its lease, and somebody else may be given its tokens.',
    find: ({ scenario, planInput }) => {
      const pool = leasedPool(scenario);
      if (pool === undefined) return [];
      const attemptMs = longestAttemptMs(scenario, planInput);
      const attempts = Math.max(0, ...scenario.jobs.map((one) => (one.count === 0 ? 0 : one.attempts)));
      const longestMs = attemptMs * attempts;
      if (longestMs <= pool.leaseMs) return [];
      const message = `${attempts === 1 ? 'one attempt' : `${formatCount(attempts)} attempts`} of up to ${formatDuration(attemptMs)} ${attempts === 1 ? 'takes' : 'take'} ${formatDuration(longestMs)}, and the lease ends after ${formatDuration(pool.leaseMs)}`;
      return [
        {
          path: ['pool', 'lease'],
          message,
          figure: { measured: longestMs, limit: pool.leaseMs, unit: 'ms' },
        },
      ];
    },
  },
} as const satisfies Rules;

/** The cap, or longer where the worker waits for a client that it gives no signal. */
function longestAttemptMs({ budget }: Scenario, { client }: PlanInput): number {
  if (client === null || client.signal !== 'none') return budget.capMs;
  const { attempts, timeoutMs, longestPausesMs } = client;
  return Math.max(budget.capMs, attempts * Math.min(timeoutMs, budget.capMs) + longestPausesMs);
}

/** The pool, where jobs hold leases on it. */
function leasedPool({ pool, policy }: Scenario): ScenarioPool | undefined {
  return policy.admission === 'envelope' ? pool : undefined;
}
