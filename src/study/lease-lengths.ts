// What a lease's length costs: a short one runs out under living workers, and the work is done twice; a long
// one keeps the tokens of dead ones from everybody else.

import type { Scenario } from '../scenario/scenario.ts';
import { playByNight } from '../world/play.ts';
import type { Played } from '../world/run-result.ts';
import { StrandedWatch } from './stranded-time.ts';

export interface LeaseLength {
  readonly leaseMs: number;
  /** Jobs taken up while another worker was still at work on them; mean of a replication. */
  readonly duplicatedJobs: number;
  /** Tokens × the minutes that they were stranded; mean of a replication. */
  readonly strandedTokenMinutes: number;
  /** Refusals while more than 20 % of the pool was stranded; mean of a replication. */
  readonly phantomRefusals: number;
  /** Mean of a replication. */
  readonly done: number;
}

/**
 * The scenario under each length, each time with the same draws. Stops after every night that is
 * played.
 *
 * @param replications from 1
 * @returns in the order asked for; none where the scenario has no pool
 */
export function* studyLeaseLengths(
  scenario: Scenario,
  lengthsMs: readonly number[],
  replications: number,
): Generator<void, readonly LeaseLength[]> {
  const { pool } = scenario;
  if (pool === undefined) return [];
  const found: LeaseLength[] = [];
  for (const leaseMs of lengthsMs) {
    // One object for all replications: what is worked out of a scenario before it is played is kept by it.
    const alone = { ...scenario, pool: { ...pool, leaseMs }, compare: [] };
    const sums = { duplicatedJobs: 0, strandedTokenMinutes: 0, phantomRefusals: 0, done: 0 };
    for (let replication = 0; replication < replications; replication += 1) {
      const watch = new StrandedWatch(pool.capacity);
      const nights = playByNight(alone, { replication, observe: (event) => watch.hear(event) });
      let next = nights.next();
      for (; next.done !== true; next = nights.next()) yield;
      const { tokenMinutes, phantomRefusals } = watch.result();
      sums.duplicatedJobs += duplicatedIn(next.value);
      sums.strandedTokenMinutes += tokenMinutes;
      sums.phantomRefusals += phantomRefusals;
      sums.done += next.value.total.done;
    }
    found.push({
      leaseMs,
      duplicatedJobs: sums.duplicatedJobs / replications,
      strandedTokenMinutes: sums.strandedTokenMinutes / replications,
      phantomRefusals: sums.phantomRefusals / replications,
      done: sums.done / replications,
    });
  }
  return found;
}

/** Over all nights. */
export function duplicatedIn({ nights }: Played): number {
  return nights.reduce((sum, { duplicated }) => sum + duplicated, 0);
}
