// The jobs of an opening: what was carried over and what arrives, in the order in which lanes take them.

import type { JobClass, Scenario } from '../scenario/scenario.ts';
import { firstHold } from './class-envelope.ts';
import type { Draws, SampledJob } from './draws.ts';

/** A job that waits for its night, with what earlier nights made of it. */
export interface BacklogJob {
  readonly job: SampledJob;
  readonly triesEver: number;
  readonly attemptsEver: number;
}

/** @param night from 1 */
export function openBacklog(
  scenario: Scenario,
  draws: Draws,
  carriedOver: readonly BacklogJob[],
  night: number,
): readonly BacklogJob[] {
  const arrivals = scenario.jobs
    .filter(({ arrive }) => arrive === 'every-night' || night === 1)
    .flatMap((jobClass) =>
      Array.from({ length: jobClass.count }, (_, ordinal) => ({
        job: draws.job(jobClass, night, ordinal),
        triesEver: 0,
        attemptsEver: 0,
      })),
    );
  return inOrder(scenario, draws, [...carriedOver, ...arrivals]);
}

/** As listed, what was carried over comes first. The other orders are of the whole backlog. */
function inOrder(scenario: Scenario, draws: Draws, jobs: readonly BacklogJob[]): readonly BacklogJob[] {
  const envelopes = new Map<JobClass, number>(scenario.jobs.map((one) => [one, firstHold(scenario, one)]));
  switch (scenario.order) {
    case 'listed':
      return jobs;
    case 'shuffled':
      return sortedBy(jobs, ({ job }) => draws.shuffle(job));
    case 'heaviest-first':
      return sortedBy(jobs, ({ job }) => -envelopes.get(job.jobClass)!);
    case 'lightest-first':
      return sortedBy(jobs, ({ job }) => envelopes.get(job.jobClass)!);
  }
}

/** Stable: equal keys stay as they were. */
function sortedBy(jobs: readonly BacklogJob[], key: (job: BacklogJob) => number): readonly BacklogJob[] {
  return jobs
    .map((job) => ({ job, key: key(job) }))
    .sort((one, other) => one.key - other.key)
    .map(({ job }) => job);
}
