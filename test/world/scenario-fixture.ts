// A small scenario with everything constant, to be varied by the tests: what happens in it can be worked
// out by hand.

import type { JobClass, Scenario } from '../../src/scenario/scenario.ts';
import { constant } from '../../src/sim/distributions/constant.ts';

/** A provider with nothing but its latency and its share of faults. */
export const CALM = {
  limits: undefined,
  slowdown: undefined,
  outages: undefined,
  slow: undefined,
  billing: { abandoned: 'generated' },
} as const;

/** The trip conditions as they are by default. */
export const TRIPS: Scenario['trips'] = {
  windowMs: 600_000,
  leastEvents: 20,
  refusalRate: 0.05,
  unspentRatio: 0.4,
  unspentAboveExpected: 0.1,
  overspendConfidence: 0.95,
  queueAgeOfSlack: 0.5,
  onTrip: 'none',
};

export function jobClass(over: Partial<JobClass> = {}): JobClass {
  return {
    name: 'plain',
    count: 10,
    arrive: 'every-night',
    slackMs: 86_400_000,
    isSlackDeclared: false,
    attempts: 3,
    tokens: { kind: 'independent', input: constant(1_000), output: constant(100) },
    declaredOutput: undefined,
    envelope: { kind: 'tokens', tokens: 2_000 },
    ...over,
  };
}

export function scenario(over: Partial<Scenario> = {}): Scenario {
  return {
    name: 'fixture',
    seed: 'fixture',
    nights: 1,
    window: { lastsMs: 600_000, everyMs: 86_400_000 },
    budget: { reserveMs: 45_000, floorMs: 3_000, capMs: 120_000, attempts: 3 },
    lanes: 1,
    pool: undefined,
    jobs: [jobClass()],
    order: 'listed',
    backfill: 'smaller',
    backoff: { baseMs: 1_000, factor: 2, maxMs: 30_000, jitter: 'full' },
    provider: {
      latency: { kind: 'direct', call: constant(10_000) },
      hangs: 0,
      errors: 0,
      invalid: 0,
      usage: 'reported',
      ...CALM,
    },
    client: undefined,
    store: { write: constant(100), writers: 1, flushMs: 0 },
    policy: { timeouts: 'clamp', admission: 'envelope', reclaim: 'refund' },
    trips: TRIPS,
    compare: [],
    ...over,
  };
}

export function pool(over: Partial<NonNullable<Scenario['pool']>> = {}): NonNullable<Scenario['pool']> {
  return {
    name: 'free',
    quota: 1_000_000,
    capacity: 1_000_000,
    funded: 1,
    leaseMs: 900_000,
    refill: 'night',
    ...over,
  };
}
