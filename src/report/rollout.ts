// The way from a small part of the quota to the whole of it, in this scenario's own numbers: at each step,
// what the pool is funded with, what fits at once and about how many jobs it carries.

import type { ReportInput } from './report-input.ts';

export interface RolloutStep {
  /** From 1, on which it is taken; the number under which the pool is refilled. */
  readonly night: number;
  /** Part of the quota, above 0 up to 1. */
  readonly funded: number;
  readonly capacity: number;
  /** Jobs of the class with the largest envelope that fit at once. */
  readonly largestAtOnce: number | null;
  /** Jobs a night that the tokens carry on average, in the scenario's mix; null where no mean exists. */
  readonly jobsPerNight: number | null;
  readonly set: string;
}

/** A quarter is a good first look at the tail; a tenth costs little if all is wrong. */
const PARTS = [0.1, 0.25, 0.5, 1] as const;

/** From the smallest part that can pay for one job of every class; empty without a pool or without jobs. */
export function rolloutOf({ scenario, plan }: ReportInput): readonly RolloutStep[] {
  const { pool } = scenario;
  const { envelopeTokens } = plan.numbers;
  if (pool === undefined || envelopeTokens === null || plan.worstCase.items === 0) return [];
  const poolBound = plan.bounds.find(({ name }) => name === 'pool')?.jobsPerNight ?? null;
  return PARTS.map((funded) => ({ funded, capacity: Math.floor(pool.quota * funded) }))
    .filter(({ capacity }) => capacity >= envelopeTokens && capacity > 0)
    .map(({ funded, capacity }, index) => ({
      night: index + 1,
      funded,
      capacity,
      largestAtOnce: envelopeTokens === 0 ? null : Math.floor(capacity / envelopeTokens),
      jobsPerNight: poolBound === null ? null : (poolBound * capacity) / pool.capacity,
      set: `pool.funded=${funded * 100}%`,
    }));
}
