// What a lease's length costs: a short one runs out under living workers, and the work is done twice; a long
// one keeps the tokens of dead ones from everybody else.

import type { Scenario } from '../scenario/scenario.ts';
import { play } from '../world/play.ts';
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
 * The scenario under each length, each time with the same draws.
 *
 * @param replications from 1
 * @returns in the order asked for; none where the scenario has no pool
 */
export function leaseLengths(
  scenario: Scenario,
  lengthsMs: readonly number[],
  replications: number,
): readonly LeaseLength[] {
  const { pool } = scenario;
  if (pool === undefined) return [];
  return lengthsMs.map((leaseMs) => {
    const sums = { duplicatedJobs: 0, strandedTokenMinutes: 0, phantomRefusals: 0, done: 0 };
    for (let replication = 0; replication < replications; replication += 1) {
      const watch = new StrandedWatch(pool.capacity);
      const { nights, total } = play(
        { ...scenario, pool: { ...pool, leaseMs }, compare: [] },
        { replication, observe: (event) => watch.hear(event) },
      );
      const { tokenMinutes, phantoms } = watch.result();
      sums.duplicatedJobs += nights.reduce((sum, { duplicated }) => sum + duplicated, 0);
      sums.strandedTokenMinutes += tokenMinutes;
      sums.phantomRefusals += phantoms.reduce((sum, { refusals }) => sum + refusals, 0);
      sums.done += total.done;
    }
    return {
      leaseMs,
      duplicatedJobs: sums.duplicatedJobs / replications,
      strandedTokenMinutes: sums.strandedTokenMinutes / replications,
      phantomRefusals: sums.phantomRefusals / replications,
      done: sums.done / replications,
    };
  });
}
