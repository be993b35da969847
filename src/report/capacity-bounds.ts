// What an average night could carry by each thing that may run out: the planner's bounds, and beside them what
// the provider's rate limits let through.

import type { CapacityBound, NightPlan } from '../plan/night-plan.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { letThrough } from '../study/lint/let-through.ts';
import { planInput } from '../world/plan-input.ts';
import { roundedTo } from './figures.ts';

export type BoundName = CapacityBound['name'] | 'provider';

interface Bound {
  readonly name: BoundName;
  readonly jobsPerNight: number;
}

export interface CapacityFacts {
  /** Of what is limited. */
  readonly bounds: readonly Bound[];
  /** The smallest; null where nothing limits, or there are no jobs. */
  readonly binding: BoundName | null;
  readonly smallest: number | null;
  /** Of the jobs that arrive at each later opening, so many are carried on average; all of them or fewer. */
  readonly carriedLater: number;
  readonly backlogGrows: boolean;
  /** Lanes that the provider's limits keep busy, over all workers; null without limits. */
  readonly providerLanes: number | null;
}

export function capacityFacts(scenario: Scenario, plan: NightPlan): CapacityFacts {
  const { limits } = scenario.provider;
  const [tightest] =
    limits === undefined || plan.worstCase.items === 0
      ? []
      : letThrough({ planInput: planInput(scenario), plan }, limits).toSorted((a, b) => a.lanes - b.lanes);
  const usableMs = plan.worstCase.windowMs - plan.worstCase.reserveMs;
  const provider = tightest === undefined ? null : roundedTo(tightest.jobsPerMs * usableMs, 1);
  const bounds = [
    ...plan.bounds.flatMap(({ name, jobsPerNight }) =>
      jobsPerNight === null ? [] : [{ name, jobsPerNight }],
    ),
    ...(provider === null ? [] : [{ name: 'provider' as const, jobsPerNight: provider }]),
  ];
  const smallest = bounds.reduce<Bound | undefined>(
    (least, one) => (least === undefined || one.jobsPerNight < least.jobsPerNight ? one : least),
    undefined,
  );
  const { arrivalsPerNight } = plan;
  const byPlan = arrivalsPerNight - plan.backlogPerNight;
  const carriedLater = Math.min(byPlan, provider ?? byPlan);
  return {
    bounds,
    binding: smallest?.name ?? null,
    smallest: smallest?.jobsPerNight ?? null,
    carriedLater: roundedTo(carriedLater, 1),
    backlogGrows: carriedLater < arrivalsPerNight,
    providerLanes: tightest === undefined ? null : Math.ceil(tightest.lanes),
  };
}
