// The jobs of an opening: what was carried over and what arrives, in the order in which lanes take them.

import type { JobClass, Scenario } from '../scenario/scenario.ts';
import type { ArrivalSchedule } from './arrival-schedule.ts';
import { firstHold } from './class-envelope.ts';
import type { Draws, SampledJob } from './draws.ts';

/** A job that waits for its night, with what earlier nights made of it. */
export interface BacklogJob {
  readonly job: SampledJob;
  readonly triesEver: number;
  readonly attemptsEver: number;
  /** From tonight's opening, above 0; absent where it is there as the window opens. */
  readonly arrivesAtMs?: number;
}

/** @param night from 1 @param schedule absent: no jobs come by themselves */
export function openBacklog(
  scenario: Scenario,
  draws: Draws,
  carriedOver: readonly BacklogJob[],
  night: number,
  schedule?: ArrivalSchedule,
): readonly BacklogJob[] {
  const arrivals = scenario.jobs.flatMap((jobClass) => {
    const times = schedule?.inNight(jobClass.name, night);
    return Array.from({ length: times?.length ?? countAt(jobClass, night) }, (_, ordinal): BacklogJob => {
      const job = { job: draws.job(jobClass, night, ordinal), triesEver: 0, attemptsEver: 0 };
      const arrivesAtMs = times?.[ordinal] ?? 0;
      return arrivesAtMs > 0 ? { ...job, arrivesAtMs } : job;
    });
  });
  return inOrder(scenario, draws, [...carriedOver, ...arrivals]);
}

/** Jobs that are there as the window opens, and were not the night before. */
function countAt({ count, arrive, volume }: JobClass, night: number): number {
  if (arrive === 'first-night' && night > 1) return 0;
  return Math.round(count * (volume?.[night - 1] ?? 1));
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
