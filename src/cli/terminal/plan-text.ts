// What `plan` says to a person: the worst case, the envelopes, what the pool admits, the three numbers and
// what limits the night.

import type { NightPlan, PlannedClass } from '../../plan/night-plan.ts';
import { plainFigures as figures } from '../../report/figures.ts';
import { distinctNames, plainName } from '../../report/names.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { bar } from './bar.ts';
import { type Column, page, paragraph, table } from './layout.ts';
import { mark, scenarioLine } from './phrases.ts';
import type { Colours } from './terminal.ts';

export function planText(scenario: Scenario, plan: NightPlan, colours: Colours): string {
  return page(
    `${colours.bold(plainName(scenario.name))}\n${paragraph(scenarioLine(scenario), '  ')}`,
    worstCase(plan, colours),
    retries(plan, colours),
    jobs(plan, colours),
    envelopes(plan, colours),
    numbers(plan, colours),
    bounds(plan, colours),
    warnings(plan, colours),
  );
}

function worstCase({ worstCase: worst }: NightPlan, colours: Colours): string {
  const { bold } = colours;
  const lanes = worst.lanes === 1 ? 'One lane' : `${figures.count(worst.lanes)} lanes`;
  const usable = figures.duration(worst.windowMs - worst.reserveMs);
  const verdict = `${lanes}, with the longest backoffs: ${figures.duration(worst.elapsedMs)}, ${
    worst.fits ? 'inside' : 'beyond'
  } the ${usable} of window before the reserve`;
  return [
    bold('Worst case: every attempt uses its whole cap'),
    paragraph(
      `One lane, no backoff: ${figures.counted(worst.items, 'job')} × up to ${figures.counted(worst.attempts, 'attempt')} × ${figures.duration(worst.capMs)} = ${figures.duration(worst.sequentialMs)}`,
      '    ',
    ),
    paragraph(verdict, `  ${mark(worst.fits, colours)} `, '    '),
  ].join('\n');
}

const SIGNAL = {
  honoured: 'Played is the first: the client ends when the grant does.',
  ignored:
    'Played are the calls of the second in the time of the first: the client does not listen to the signal.',
  none: 'Played is the second: with fixed timeouts, the client is handed no signal.',
};

function retries({ retries: layers }: NightPlan, { bold, dim }: Colours): string | undefined {
  if (layers === null) return undefined;
  const { workerAttempts, clientAttempts, callMs, withSignal, withoutSignal } = layers;
  const rows = [
    ['the grant as a signal', figures.count(withSignal.calls), figures.duration(withSignal.jobMs)],
    ['the grant as a timeout', figures.count(withoutSignal.calls), figures.duration(withoutSignal.jobMs)],
  ];
  const stalls = layers.timerEndsAtHeaders
    ? ' Its timer stops at the first token: without a signal, a call that stalls after it ends at the kill.'
    : '';
  return [
    bold('Retries of both layers: one job of which every call hangs'),
    paragraph(
      `${figures.counted(workerAttempts, 'attempt')} of the worker × up to ${figures.counted(clientAttempts, 'call')} of the client, each given up after ${figures.duration(callMs)}`,
      '    ',
    ),
    table(
      [{ head: 'the client is handed', align: 'left' }, { head: 'calls' }, { head: 'at most' }],
      rows,
      dim,
    ),
    paragraph(`${SIGNAL[layers.signal]}${stalls}`, '  '),
  ].join('\n');
}

function jobs({ classes }: NightPlan, { bold, dim }: Colours): string | undefined {
  if (classes.length === 0) return undefined;
  const names = distinctNames(classes.map(({ name }) => name));
  const rows = classes.map((one) => [
    names.get(one.name)!,
    figures.count(one.count),
    figures.count(one.attempts),
    figures.count(one.p95InputTokens),
    figures.count(one.p95OutputTokens),
    figures.duration(one.meanJobMs),
    figures.duration(one.slackMs),
  ]);
  const heads = ['jobs', 'attempts', 'p95 in', 'p95 out', 'mean job', 'slack'];
  return `${bold('Jobs of one opening')}\n${table([{ head: 'class', align: 'left' }, ...heads.map((head) => ({ head }))], rows, dim)}`;
}

function envelopes({ classes, mix, meanShare, numbers: { poolTokens } }: NightPlan, colours: Colours) {
  if (poolTokens === null || mix === null || classes.length === 0) return undefined;
  const { bold, dim } = colours;
  const names = distinctNames(classes.map(({ name }) => name));
  const heads = ['envelope', 'admitted', 'in flight', 'mean use', 'unspent'];
  const rows = classes.map((one: PlannedClass) => [
    names.get(one.name)!,
    figures.count(one.envelope),
    figures.count(one.admitted),
    figures.count(one.maxInFlight),
    figures.count(whole(one.meanUsedTokens)),
    figures.percent(one.expectedUnspentRatio),
  ]);
  return [
    bold(`Envelopes, against a pool of ${figures.count(poolTokens)} tokens`),
    table([{ head: 'class', align: 'left' }, ...heads.map((head) => ({ head }))], rows, dim),
    paragraph(
      `Of the mix, ${figures.count(mix.admitted)} of ${figures.counted(mix.jobs, 'job')} are admitted before any settles; they reserve ${figures.count(mix.reservedTokens)} tokens. The mean share is ${figures.count(whole(meanShare))} tokens a job.`,
      '  ',
    ),
    paragraph(
      dim(
        'admitted: jobs of that class alone; in flight: at most so many at once; unspent: what comes back, by construction.',
      ),
      '  ',
    ),
  ].join('\n');
}

function numbers({ numbers: three }: NightPlan, colours: Colours): string {
  const { poolTokens, envelopeTokens, envelopeClass, deadlineSlackMs, nextOpeningMs } = three;
  const pool = poolTokens === null ? 'none: tokens are not limited' : `${figures.count(poolTokens)} tokens`;
  const envelope =
    envelopeTokens === null
      ? '–'
      : `${figures.count(envelopeTokens)} tokens (${plainName(envelopeClass ?? '')})`;
  const who = `A job that is ${poolTokens === null ? 'left over' : 'refused'} tonight`;
  const room = three.roomForAnotherTry
    ? `${who} has room for another try: the next opening is ${figures.duration(nextOpeningMs)} later, before its slack ends.`
    : `${who} has no room for another try: the next opening is ${figures.duration(nextOpeningMs)} later, after its slack has ended.`;
  return [
    colours.bold('Three numbers to know by heart'),
    `    token pool        ${pool}`,
    `    largest envelope  ${envelope}`,
    `    deadline slack    ${figures.duration(deadlineSlackMs)}`,
    paragraph(room, `  ${mark(three.roomForAnotherTry, colours)} `, '    '),
  ].join('\n');
}

const PARTS = { lanes: 'lanes and time', pool: 'token pool', writers: 'checkpoint store' };

function bounds({ bounds: all, binding, worstCase: { items } }: NightPlan, { bold, dim }: Colours): string {
  const rows = all.map(({ name, jobsPerNight }) => [
    PARTS[name],
    jobsPerNight === null ? 'no limit' : figures.count(Math.floor(jobsPerNight)),
    jobsPerNight === null || items === 0 ? '' : bar(Math.min(1, jobsPerNight / items), 20),
    name === binding ? 'the first to bind' : '',
  ]);
  const columns: readonly Column[] = [
    { head: 'limited by', align: 'left' },
    { head: 'jobs' },
    { head: `of the opening's ${figures.count(items)}`, align: 'left' },
    { head: '', align: 'left' },
  ];
  return `${bold('Jobs that one night carries, on average')}\n${table(columns, rows, dim)}`;
}

function whole(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}

function warnings(plan: NightPlan, { bold, yellow }: Colours): string | undefined {
  if (plan.warnings.length === 0) return undefined;
  const all = plan.warnings.map((warning) => paragraph(plainName(warning), `  ${yellow('!')} `, '    '));
  return [bold('Warnings'), ...all].join('\n');
}
