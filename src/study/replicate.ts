// Plays a scenario many times over, each time with other draws of the same seed, one after the other, and
// keeps of each only its record: memory grows with the records, not with what was played.

import type { Scenario } from '../scenario/scenario.ts';
import { type NightPlayed, playByNight } from '../world/play.ts';
import { pairedDifferences } from './paired-differences.ts';
import { type ReplicatedRun, summarizeReplications } from './replicated-run.ts';
import { type ReplicationRecord, recordOf } from './replication-record.ts';

export interface ReplicationPlayed extends NightPlayed {
  /** From 0. */
  readonly replication: number;
}

/**
 * Replications 0 to n − 1 of the scenario and of its variants, which see the same draws. Replication 0 is
 * what `play` plays. Stops after every night, so that the caller may look up.
 *
 * @param replications a whole number from 1
 */
export function* replicate(
  scenario: Scenario,
  replications: number,
): Generator<ReplicationPlayed, ReplicatedRun> {
  const own: ReplicationRecord[] = [];
  const compared = new Map<string, ReplicationRecord[]>(scenario.compare.map(({ name }) => [name, []]));
  for (let replication = 0; replication < replications; replication += 1) {
    const nights = playByNight(scenario, { replication });
    let next = nights.next();
    for (; next.done !== true; next = nights.next()) yield { replication, ...next.value };
    own.push(recordOf(replication, next.value));
    for (const [name, records] of compared) records.push(recordOf(replication, next.value.compare[name]!));
  }
  return {
    scenario: scenario.name,
    seed: scenario.seed,
    replications,
    ...summarizeReplications(own),
    compare: Object.fromEntries(
      [...compared].map(([name, all]) => [
        name,
        { ...summarizeReplications(all), paired: pairedDifferences(own, all) },
      ]),
    ),
  };
}
