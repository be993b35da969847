// What comes out the same in every replication, by construction and not by luck: there is nothing in the
// scenario that chance could touch. That a hundred replications agree is no such thing.

import type { Metric } from '../../scenario/gate-metrics.ts';
import type { JobClass, Scenario } from '../../scenario/scenario.ts';
import type { Distribution } from '../../sim/distribution.ts';
import type { NightResult } from '../../world/run-result.ts';

/** Keys that are looked into here. Whatever else a scenario has may be left to chance. */
const KNOWN: ReadonlySet<string> = new Set<keyof Scenario>([
  'name',
  'seed',
  'nights',
  'window',
  'budget',
  'lanes',
  'pool',
  'jobs',
  'order',
  'backfill',
  'backoff',
  'provider',
  'client',
  'store',
  'ledger',
  // Weather pulls at draws from distributions, and a constant is pulled nowhere.
  'weather',
  'fleet',
  'clock',
  'policy',
  'trips',
  'compare',
]);
const KNOWN_OF_JOBS: ReadonlySet<string> = new Set<keyof JobClass>([
  'name',
  'count',
  'arrive',
  'slackMs',
  'isSlackDeclared',
  'attempts',
  'tokens',
  'declaredOutput',
  'envelope',
]);

/** May all be the same in every replication, unless a retry draws its pause? */
export function isFreeOfChance(scenario: Scenario): boolean {
  const { order, provider, compare: _variants, ...rest } = scenario;
  const { hangs, errors, invalid } = provider;
  return (
    order !== 'shuffled' &&
    hangs + errors + invalid === 0 &&
    hasOnly(scenario, KNOWN) &&
    scenario.jobs.every((one) => hasOnly(one, KNOWN_OF_JOBS)) &&
    !mayVary([rest, provider])
  );
}

/**
 * Is this metric the same in every replication?
 *
 * @param first the nights of any one replication: where nothing failed in it, no pause was drawn
 */
export function isConstant(metric: Metric, scenario: Scenario, first: readonly NightResult[]): boolean {
  return neverHappens(metric, scenario) || (isFreeOfChance(scenario) && drawsNoPause(scenario, first));
}

function neverHappens(metric: Metric, { provider, client, pool }: Scenario): boolean {
  switch (metric) {
    case 'refused':
    case 'inadmissible':
      return pool === undefined;
    case 'errors':
      return provider.errors === 0 && provider.outages === undefined;
    case 'invalid':
      return provider.invalid === 0;
    case 'rateLimited':
      return provider.limits === undefined;
    case 'hiddenCalls':
      return client === undefined;
    default:
      return false;
  }
}

function drawsNoPause({ backoff, client }: Scenario, nights: readonly NightResult[]): boolean {
  const jitters = [backoff, client?.backoff].some((one) => one?.jitter === 'full');
  const failed = ({ timeouts, errors, invalid, rateLimited, hiddenCalls }: NightResult): number =>
    timeouts + errors + invalid + rateLimited + hiddenCalls;
  return !jitters || nights.every((night) => failed(night) === 0);
}

function hasOnly(value: object, known: ReadonlySet<string>): boolean {
  return Object.entries(value).every(([key, part]) => part === undefined || known.has(key));
}

/** Is there a distribution of more than one value in it, or a process of random periods? */
function mayVary(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isDistribution(value)) return value.quantile(0) !== value.quantile(1);
  if ('random' in value && value.random !== undefined) return true;
  return Object.values(value).some(mayVary);
}

function isDistribution(value: object): value is Distribution {
  return 'quantile' in value && typeof value.quantile === 'function';
}
