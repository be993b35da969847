// How the report was made: what was assumed, and the command that makes it again to the byte.

import type { ScenarioPool } from '../../scenario/scenario.ts';
import { type Block, blocks, bullets, heading, listing, paragraph, table } from '../document.ts';
import { plainName } from '../names.ts';
import type { ReportContext } from '../report-context.ts';
import { plimsollCommand } from '../shell.ts';

const MOST_CLASSES = 25;

export function methodSection(context: ReportContext): readonly Block[] {
  const { summary } = context;
  return blocks(
    heading(2, 'How this was made'),
    paragraph(
      `One run of the scenario with the seed ${plainName(summary.scenario.seed)}. Another seed is other weather: a single run shows what can happen, not how often.`,
    ),
    listing('sh', [plimsollCommand('report', [...summary.rerun, ...studyWords(context)])]),
    paragraph(
      `The same version, scenario and seed give the same files, byte for byte. Is it the same scenario? Compare ${summary.sources.length === 1 ? 'its hash' : 'the hashes of its files'} (sha256sum prints them); what was set over it stands in the command.`,
    ),
    table(
      [
        { head: 'file', align: 'left' },
        { head: 'SHA-256', align: 'left' },
      ],
      summary.sources.map(({ name, sha256 }) => [plainName(name), sha256]),
    ),
    paragraph('It was assumed:'),
    bullets(assumptions(context)),
    classTable(context),
    warnings(context),
    paragraph(
      'Every figure above is in summary.json under its name; the charts are Vega-Lite specs with their data, beside the pictures.',
    ),
  );
}

function studyWords({ summary }: ReportContext): readonly string[] {
  const asked = summary.studies?.asked ?? null;
  return asked === null ? [] : ['--replications', String(asked)];
}

function assumptions(context: ReportContext): readonly string[] {
  const { summary, figures } = context;
  const { scenario } = summary;
  const { pool, policy } = scenario;
  const faults = [
    scenario.hangs > 0 ? `${figures.percent(scenario.hangs)} of calls never answer` : undefined,
    scenario.errors > 0 ? `${figures.percent(scenario.errors)} end in a server error` : undefined,
    scenario.invalid > 0 ? `${figures.percent(scenario.invalid)} give an unusable answer` : undefined,
  ].filter((fault) => fault !== undefined);
  return [
    `Window: ${figures.duration(scenario.windowMs)}, ${opening(context)}; ${lanesText(context)}; queue order ${ORDER_WORDS[scenario.order]}.`,
    `Budget: cap ${figures.duration(scenario.capMs)}, floor ${figures.duration(scenario.floorMs)}, reserve ${figures.duration(scenario.reserveMs)}; timeouts ${policy.timeouts === 'clamp' ? 'are clamped to the time left' : 'are fixed at the cap'}.`,
    ...(pool === null
      ? []
      : [
          `Pool: ${figures.tokens(pool.capacity)} of a quota of ${figures.tokens(pool.quota)} tokens, ${REFILL_WORDS[pool.refill]}, leases of ${figures.duration(pool.leaseMs)}; admission by ${policy.admission === 'envelope' ? 'envelope' : 'a shared counter'}.`,
        ]),
    `Provider: ${faults.length === 0 ? 'every call is answered' : faults.join(', ')}${limitsText(context)}.`,
    ...clientText(context),
    `Checkpoint store: ${figures.counted(scenario.writers, 'write')} at a time; writing out the rest before the exit takes ${figures.duration(scenario.flushMs)}.`,
    ...(scenario.troubles.length === 0 ? [] : [`Played as well: ${scenario.troubles.join(', ')}.`]),
  ];
}

const ORDER_WORDS: Readonly<Record<ReportContext['summary']['scenario']['order'], string>> = {
  listed: 'as listed',
  shuffled: 'shuffled',
  'heaviest-first': 'heaviest first',
  'lightest-first': 'lightest first',
};

function opening({ summary, figures }: ReportContext): string {
  const { calendar, scenario } = summary;
  if (calendar !== undefined) return `opening once a day by the clock in ${calendar.zone}`;
  return `opening every ${figures.duration(scenario.everyMs)}`;
}

const ARRIVE_WORDS: Readonly<
  Record<ReportContext['summary']['scenario']['classes'][number]['arrive'], string>
> = {
  'every-night': 'every night',
  'first-night': 'first night only',
  'one-by-one': 'one by one, so many a night on average',
  'by-trace': 'at the moments of a file',
};

const REFILL_WORDS: Readonly<Record<ScenarioPool['refill'], string>> = {
  night: 'refilled every night',
  day: 'refilled every day',
  month: 'refilled every month',
  never: 'never refilled',
};

function lanesText({ summary, figures }: ReportContext): string {
  const { lanes, workers } = summary.scenario;
  const each = figures.counted(lanes, 'lane');
  return workers === 1 ? each : `${figures.counted(workers, 'worker')} with ${each} each`;
}

function limitsText({ summary, figures }: ReportContext): string {
  const { limits } = summary.scenario;
  if (limits === null) return '';
  const { requests, tokens, concurrency } = limits;
  const parts = [
    requests === undefined ? '' : `${figures.count(requests)} requests a minute`,
    tokens === undefined ? '' : `${figures.tokens(tokens)} tokens a minute`,
    concurrency === undefined ? '' : `${figures.counted(concurrency, 'call')} at once`,
  ].filter((part) => part !== '');
  const said = limits.retryAfter ? 'says' : 'does not say';
  return `; it lets through ${parts.join(', ')}, and ${said} how long to stay away`;
}

function clientText({ summary, figures }: ReportContext): readonly string[] {
  const { client } = summary.scenario;
  if (client === null) return [];
  return [
    `Client under the worker: up to ${figures.counted(client.attempts, 'call')} for each attempt, ${figures.duration(client.timeoutMs)} each at most.`,
  ];
}

function classTable({ summary, figures, className }: ReportContext): readonly Block[] | undefined {
  const { classes } = summary.scenario;
  if (classes.length === 0) return undefined;
  return blocks(
    table(
      [
        { head: 'class', align: 'left' },
        { head: 'jobs' },
        { head: 'arrive', align: 'left' },
        { head: 'input tokens', align: 'left' },
        { head: 'output tokens', align: 'left' },
      ],
      classes
        .slice(0, MOST_CLASSES)
        .map(({ name, count, arrive, input, output }) => [
          className(name),
          figures.count(count),
          ARRIVE_WORDS[arrive],
          plainName(input),
          plainName(output),
        ]),
    ),
    classes.length > MOST_CLASSES ? paragraph('The other classes are in summary.json.') : undefined,
  );
}

function warnings({ summary }: ReportContext): readonly Block[] | undefined {
  const { warnings } = summary.plan;
  if (warnings.length === 0) return undefined;
  return blocks(paragraph('The planner warns:'), bullets(warnings.map(plainName)));
}
