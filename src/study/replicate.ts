// Plays a scenario many times over, each time with other draws of the same seed, one after the other, and
// keeps of each only its record: memory grows with the records, not with what was played.

import type { Scenario } from '../scenario/scenario.ts';
import { type NightPlayed, playByNight } from '../world/play.ts';
import { pairedDifferences } from './paired-differences.ts';
import { type ReplicatedRun, summarizeReplications } from './replicated-run.ts';
import { type ReplicationRecord, recordOf } from './replication-record.ts';

/** What the caller answers after every night. */
export type Stop = 'stop' | undefined;

export interface ReplicationPlayed extends NightPlayed {
  /** From 0. */
  readonly replication: number;
}

export interface ReplicateOptions {
  /** One-sided, of each bound, from ½ and below 1. Default: 0.95. */
  readonly confidence?: number;
  /** Asked after each replication: is that enough? */
  readonly isEnough?: (record: ReplicationRecord) => boolean;
}

/**
 * Replications 0 to n − 1 of the scenario and of its variants, which see the same draws. Replication 0 is
 * what `play` plays. Stops after every night, so that the caller may look up, and answer `stop`: the result then
 * is that of the replications before, as if no more had been asked for. The first is played to its end.
 *
 * @param replications a whole number from 1, at most so many
 */
export function* replicate(
  scenario: Scenario,
  replications: number,
  { confidence = 0.95, isEnough = () => false }: ReplicateOptions = {},
): Generator<ReplicationPlayed, ReplicatedRun, Stop> {
  const own: ReplicationRecord[] = [];
  const compared = new Map<string, ReplicationRecord[]>(scenario.compare.map(({ name }) => [name, []]));
  play: for (let replication = 0; replication < replications; replication += 1) {
    const nights = playByNight(scenario, { replication });
    let next = nights.next();
    for (; next.done !== true; next = nights.next()) {
      const answer = yield { replication, ...next.value };
      if (answer === 'stop' && own.length > 0) break play;
    }
    const record = recordOf(replication, next.value);
    own.push(record);
    for (const [name, records] of compared) records.push(recordOf(replication, next.value.compare[name]!));
    if (isEnough(record)) break;
  }
  return {
    scenario: scenario.name,
    seed: scenario.seed,
    replications: own.length,
    confidence,
    ...summarizeReplications(own, confidence),
    compare: Object.fromEntries(
      [...compared].map(([name, all]) => [
        name,
        {
          ...summarizeReplications(all, confidence),
          paired: pairedDifferences(own, all, 1 - confidence),
        },
      ]),
    ),
  };
}
