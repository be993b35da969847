// What a variant changes, in the words of the scenario file: the settings that people compare.

import { formatCount, formatDuration, formatPercent, formatTokens } from '../base/units.ts';
import type { Incidents, JobClass, Scenario } from '../scenario/scenario.ts';
import type { Distribution } from '../sim/distribution.ts';

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
  ['window.grace', (scenario) => formatDuration(scenario.window.graceMs ?? 0)],
  ['window.zone', (scenario) => scenario.calendar?.zone ?? ''],
  ['window.from', (scenario) => scenario.calendar?.nights[0]?.date ?? ''],
  ['nights of another length', unusualNights],
  ['window.every', (scenario) => formatDuration(scenario.window.everyMs)],
  ['budget.reserve', (scenario) => formatDuration(scenario.budget.reserveMs)],
  ['budget.floor', (scenario) => formatDuration(scenario.budget.floorMs)],
  ['budget.cap', (scenario) => formatDuration(scenario.budget.capMs)],
  ['budget.attempts', (scenario) => String(scenario.budget.attempts)],
  ['pool.refill', (scenario) => scenario.pool?.refill ?? 'night'],
  [
    'pool.tokens',
    (scenario) => (scenario.pool === undefined ? 'no pool' : formatTokens(scenario.pool.capacity)),
  ],
  ['pool.lease', (scenario) => formatDuration(scenario.pool?.leaseMs ?? 0)],
  ['policy.hold', ({ policy }) => policy.hold ?? 'whole-job'],
  ['policy.clock', ({ policy }) => policy.clock ?? 'monotonic'],
  ['store.writers', (scenario) => String(scenario.store.writers)],
  ['store.write', ({ store }) => inMs(store.write)],
  ['store.flush', ({ store }) => formatDuration(store.flushMs)],
  ['store.contention', ({ store }) => formatPercent(store.contention ?? 0)],
  ['store.outages', ({ store }) => describeIncidents(store.outages)],
  ['store.full', ({ store }) => describeIncidents(store.full)],
  ['ledger.latency', ({ ledger }) => (ledger === undefined ? 'none' : inMs(ledger.latency))],
  ['ledger.contention', ({ ledger }) => formatPercent(ledger?.contention ?? 0)],
  ['ledger.outages', ({ ledger }) => describeIncidents(ledger?.outages)],
  ['backoff.base', ({ backoff }) => formatDuration(backoff.baseMs)],
  ['backoff.factor', ({ backoff }) => String(backoff.factor)],
  ['backoff.max', ({ backoff }) => formatDuration(backoff.maxMs)],
  ['backoff.jitter', ({ backoff }) => backoff.jitter],
  ['client', ({ client }) => describeClient(client)],
  ['provider.latency', ({ provider }) => describeLatency(provider.latency)],
  ['provider.hangs', ({ provider }) => formatPercent(provider.hangs)],
  ['provider.errors', ({ provider }) => formatPercent(provider.errors)],
  ['provider.invalid', ({ provider }) => formatPercent(provider.invalid)],
  ['provider.usage', ({ provider }) => provider.usage],
  ['provider.limits', ({ provider }) => describeLimits(provider.limits)],
  ['provider.limits.retryAfter', ({ provider }) => String(provider.limits?.retryAfter ?? true)],
  ['provider.slowdown', ({ provider }) => describeSlowdown(provider.slowdown)],
  ['provider.outages', ({ provider }) => describeIncidents(provider.outages)],
  ['provider.slow', ({ provider }) => describeIncidents(provider.slow)],
  ['provider.billing.abandoned', ({ provider }) => provider.billing.abandoned],
  ['clock.steps', ({ clock }) => times(clock?.steps.length)],
  ['clock.suspensions', ({ clock }) => times(clock?.suspensions.length)],
  ['clock.suspension', ({ clock }) => clock?.suspension ?? 'shorten'],
  ['weather', ({ weather }) => describeWeather(weather)],
  ['trips.onTrip', ({ trips }) => trips.onTrip],
  ['fleet.workers', ({ fleet }) => String(fleet?.workers ?? 1)],
  ['fleet.renewals', ({ fleet }) => String(fleet?.renewals ?? true)],
  ['fleet.crashes', ({ fleet }) => describeIncidents(fleet?.crashes)],
  ['fleet.zombies', ({ fleet }) => describeIncidents(fleet?.zombies)],
  ['fleet.pauses', ({ fleet }) => describeIncidents(fleet?.pauses)],
];

type JobSetting = readonly [key: string, of: (job: JobClass, scenario: Scenario) => string];

const JOB_SETTINGS: readonly JobSetting[] = [
  ['count', (job) => (job.arrivals === undefined ? String(job.count) : 'as they come')],
  ['arrive', (job) => describeArrivals(job)],
  ['slack', (job) => formatDuration(job.slackMs)],
  ['input', (job) => job.tokens.input.describe()],
  ['output', (job) => job.tokens.output.describe()],
  // Those that a class has from its scenario are told there.
  [
    'attempts',
    ({ attempts }, { budget }) => (attempts === budget.attempts ? 'as the budget' : String(attempts)),
  ],
  ['envelope', describeEnvelope],
];

/** `policy.timeouts: fixed`, one for each setting that is not as in `own`. */
export function describeDifferences(own: Scenario, variant: Scenario): readonly string[] {
  const settings = SETTINGS.filter(([, of]) => of(own) !== of(variant)).map(
    ([key, of]) => `${key}: ${of(variant)}`,
  );
  const jobs = variant.jobs.flatMap((job) => {
    const before = own.jobs.find(({ name }) => name === job.name);
    if (before === undefined) return [`jobs.${job.name}: new`];
    return JOB_SETTINGS.filter(([, of]) => of(before, own) !== of(job, variant)).map(
      ([key, of]) => `jobs.${job.name}.${key}: ${of(job, variant)}`,
    );
  });
  return [...settings, ...jobs];
}

function describeIncidents(incidents: Incidents | undefined): string {
  if (incidents === undefined) return 'none';
  const { at, random } = incidents;
  const often =
    random === undefined
      ? []
      : [`about every ${formatDuration(random.betweenMs)}, lasting ${inMs(random.lasts)}`];
  return [...often, ...(at.length === 0 ? [] : [`${at.length} at fixed times`])].join(' and ');
}

function describeWeather(weather: Scenario['weather']): string {
  if (weather === undefined) return 'none';
  const { latency, output, store } = weather;
  const parts = [
    latency && `latency ${formatPercent(latency.strength)} over ${formatDuration(latency.lastsMs)}`,
    output && `output ${formatPercent(output.strength)} over ${formatCount(output.lastsJobs)} jobs`,
    store && `store ${formatPercent(store.strength)} over ${formatDuration(store.lastsMs)}`,
  ];
  return parts.filter((part) => part !== undefined).join(', ') || 'none';
}

/** Prompts paid for are told where they are not one for each attempt. */
function describeEnvelope({ envelope, attempts }: JobClass): string {
  if (envelope.kind === 'tokens') return formatTokens(envelope.tokens);
  const { quantile, fanout, overhead } = envelope;
  const prompts = fanout === attempts ? '' : `, fanout ${fanout}`;
  const more = overhead === 0 ? '' : `, overhead ${formatTokens(overhead)}`;
  return `${formatPercent(quantile)}${prompts}${more}`;
}

/** Durations are drawn in milliseconds. */
function inMs(distribution: Distribution): string {
  return `${distribution.describe()} ms`;
}

function times(count = 0): string {
  return count === 1 ? '1 time' : `${formatCount(count)} times`;
}

function describeClient(client: Scenario['client']): string {
  if (client === undefined) return 'none';
  const deaf = client.honoursSignal ? '' : ', deaf to the signal';
  const early = client.timerEndsAtHeaders ? ', timed to the first token only' : '';
  return `${client.attempts} attempts of ${formatDuration(client.timeoutMs)}${deaf}${early}`;
}

function describeLatency(latency: Scenario['provider']['latency']): string {
  switch (latency.kind) {
    case 'by-token':
      return `first token ${inMs(latency.firstToken)}, each further one ${inMs(latency.perToken)}`;
    case 'direct':
      return inMs(latency.call);
    case 'whole-grant':
      return 'the whole grant';
  }
}

function describeLimits(limits: Scenario['provider']['limits']): string {
  if (limits === undefined) return 'none';
  const { requests, tokens, counts, charge, enforced, concurrency } = limits;
  const parts = [
    requests === undefined ? '' : `${formatCount(requests)} requests a minute`,
    tokens === undefined
      ? ''
      : `${formatTokens(tokens)} ${counts === 'both' ? '' : `${counts} `}tokens a minute (${charge === 'declared' ? 'as declared' : 'as used'})`,
    concurrency === undefined ? '' : `${formatCount(concurrency)} calls at once`,
    enforced === 'second' ? 'enforced by the second' : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function describeSlowdown(slowdown: Scenario['provider']['slowdown']): string {
  return slowdown === undefined ? 'none' : `× ${slowdown.factor} for each call beyond ${slowdown.from}`;
}

/** More are as good as all. */
const MOST_DATES = 4;

/** Those that a change of clocks makes shorter or longer. */
function unusualNights({ calendar, window }: Scenario): string {
  if (calendar === undefined) return '';
  const unusual = calendar.nights.filter(({ lastsMs }) => lastsMs !== window.lastsMs);
  const named = unusual
    .slice(0, MOST_DATES)
    .map(({ date, lastsMs }) => `${date} (${formatDuration(lastsMs)})`);
  if (unusual.length > MOST_DATES) named.push('…');
  return named.length === 0 ? 'none' : named.join(' ');
}

function describeArrivals({ arrive, arrivals }: JobClass): string {
  if (arrivals === undefined) return arrive;
  return arrivals.kind === 'process' ? `gaps ${arrivals.gaps.describe()}` : 'by a file';
}
