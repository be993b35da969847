// What every played run has to come to, whatever happened in it; beside what the world itself checks after
// every event.

import { invariant } from '../../src/base/errors.ts';
import { driftOf } from '../../src/world/drift-account.ts';
import type { OutcomeCounts, Played, PoolFigures } from '../../src/world/run-result.ts';

/** @throws InvariantBroken at the first thing that does not add up */
export function auditRun({ nights, total, pools, classes }: Played): void {
  for (const night of nights) {
    sums(night, `night ${night.night}`);
    const ofClasses = Object.values(night.classes);
    for (const one of ofClasses) sums(one, `a class in night ${night.night}`);
    same(
      ofClasses.reduce((sum, { jobs }) => sum + jobs, 0),
      night.jobs,
      'jobs of all classes',
    );
    const causes = Object.values(night.deferCauses).reduce((sum, count) => sum + count, 0);
    same(causes, night.deferred, 'deferred jobs by cause');
    for (const pool of Object.values(night.pools)) auditPool(pool, `night ${night.night}`);
  }
  same(
    nights.reduce((sum, { done }) => sum + done, 0),
    total.done,
    'jobs done over the nights',
  );
  same(
    Object.values(classes).reduce((sum, { done }) => sum + done, 0),
    total.done,
    'jobs done over the classes',
  );
  for (const pool of Object.values(pools)) auditWholeRun(pool);
}

function sums({ jobs, ...outcomes }: OutcomeCounts, whose: string): void {
  const { done, deferred, refused, inadmissible, failed, unknown, lostWrites } = outcomes;
  same(
    done + deferred + refused + inadmissible + failed + unknown + lostWrites,
    jobs,
    `outcomes of ${whose}`,
  );
}

function auditPool({ billed, consumed, drift, driftCauses }: PoolFigures, whose: string): void {
  same(billed - consumed, drift, `drift of ${whose}`);
  same(driftOf(driftCauses), drift, `causes of the drift of ${whose}`);
  const { overspend, lateShortfall, abandonedCalls, hiddenCalls } = driftCauses;
  for (const [cause, tokens] of Object.entries({ overspend, lateShortfall, abandonedCalls, hiddenCalls })) {
    invariant(tokens >= 0, 'this cause of drift is never below 0', () => `${cause} in ${whose}: ${tokens}`);
  }
}

function auditWholeRun(pool: PoolFigures): void {
  auditPool(pool, 'the run');
  const { chargedNotSpent, neverSettled, stillOpen } = pool.driftCauses;
  invariant(
    chargedNotSpent <= 0 && neverSettled >= 0 && stillOpen >= 0,
    'over a run these causes have their sign',
    () => JSON.stringify({ chargedNotSpent, neverSettled, stillOpen }),
  );
}

function same(one: number, other: number, what: string): void {
  invariant(one === other, 'a played run adds up', () => `${what}: ${one} and ${other}`);
}
