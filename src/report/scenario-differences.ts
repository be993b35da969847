// What a variant changes, in the words of the scenario file: the settings that people compare.

import { formatDuration, formatPercent, formatTokens } from '../base/units.ts';
import type { Envelope, Incidents, JobClass, Scenario } from '../scenario/scenario.ts';

type Setting = readonly [key: string, of: (scenario: Scenario) => string];

const SETTINGS: readonly Setting[] = [
  ['policy.timeouts', (scenario) => scenario.policy.timeouts],
  ['policy.admission', (scenario) => scenario.policy.admission],
  ['policy.reclaim', (scenario) => scenario.policy.reclaim],
  ['order', (scenario) => scenario.order],
  ['backfill', (scenario) => scenario.backfill],
  ['lanes', (scenario) => String(scenario.lanes)],
  ['nights', (scenario) => String(scenario.nights)],
  ['window.lasts', (scenario) => formatDuration(scenario.window.lastsMs)],
  ['window.every', (scenario) => formatDuration(scenario.window.everyMs)],
  ['budget.reserve', (scenario) => formatDuration(scenario.budget.reserveMs)],
  ['budget.floor', (scenario) => formatDuration(scenario.budget.floorMs)],
  ['budget.cap', (scenario) => formatDuration(scenario.budget.capMs)],
  ['budget.attempts', (scenario) => String(scenario.budget.attempts)],
  [
    'pool.tokens',
    (scenario) => (scenario.pool === undefined ? 'no pool' : formatTokens(scenario.pool.capacity)),
  ],
  ['pool.lease', (scenario) => formatDuration(scenario.pool?.leaseMs ?? 0)],
  ['policy.hold', ({ policy }) => policy.hold ?? 'whole-job'],
  ['policy.clock', ({ policy }) => policy.clock ?? 'monotonic'],
  ['store.writers', (scenario) => String(scenario.store.writers)],
  ['fleet.workers', ({ fleet }) => String(fleet?.workers ?? 1)],
  ['fleet.renewals', ({ fleet }) => String(fleet?.renewals ?? true)],
  ['fleet.crashes', ({ fleet }) => describeIncidents(fleet?.crashes)],
  ['fleet.pauses', ({ fleet }) => describeIncidents(fleet?.pauses)],
];

type JobSetting = readonly [key: string, of: (job: JobClass) => string];

const JOB_SETTINGS: readonly JobSetting[] = [
  ['count', (job) => String(job.count)],
  ['arrive', (job) => job.arrive],
  ['slack', (job) => formatDuration(job.slackMs)],
  ['attempts', (job) => String(job.attempts)],
  ['envelope', (job) => describeEnvelope(job.envelope)],
];

/** `policy.timeouts: fixed`, one for each setting that is not as in `own`. */
export function describeDifferences(own: Scenario, variant: Scenario): readonly string[] {
  const settings = SETTINGS.filter(([, of]) => of(own) !== of(variant)).map(
    ([key, of]) => `${key}: ${of(variant)}`,
  );
  const jobs = variant.jobs.flatMap((job) => {
    const before = own.jobs.find(({ name }) => name === job.name);
    if (before === undefined) return [`jobs.${job.name}: new`];
    return JOB_SETTINGS.filter(([, of]) => of(before) !== of(job)).map(
      ([key, of]) => `jobs.${job.name}.${key}: ${of(job)}`,
    );
  });
  return [...settings, ...jobs];
}

function describeIncidents(incidents: Incidents | undefined): string {
  if (incidents === undefined) return 'none';
  const { at, random } = incidents;
  const often = random === undefined ? [] : [`${formatDuration(random.betweenMs)} apart`];
  return [...often, ...(at.length === 0 ? [] : [`${at.length} at fixed times`])].join(' and ');
}

function describeEnvelope(envelope: Envelope): string {
  if (envelope.kind === 'tokens') return formatTokens(envelope.tokens);
  const { quantile, fanout, overhead } = envelope;
  return `${formatPercent(quantile)}, fanout ${fanout}, overhead ${formatTokens(overhead)}`;
}
