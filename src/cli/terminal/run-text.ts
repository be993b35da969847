// What `run` says to a person, the verdict first: the same verdict, figures and advice that the report gives.

import { settingsOf } from '../../report/advice.ts';
import { OUTCOMES } from '../../report/charts/outcomes.ts';
import { strandedFinding } from '../../report/charts/stranded.ts';
import { plainFigures as figures } from '../../report/figures.ts';
import type { PolicyRow } from '../../report/findings.ts';
import { distinctNames, plainName, shortName } from '../../report/names.ts';
import type { ReportContext } from '../../report/report-context.ts';
import type { ReportInput } from '../../report/report-input.ts';
import { adviceText } from '../../report/sections/advice-section.ts';
import { plimsollCommand } from '../../report/shell.ts';
import { type ReportSummary, summarize } from '../../report/summary.ts';
import type { NightResult, OutcomeCounts } from '../../world/run-result.ts';
import { bar } from './bar.ts';
import { callLines } from './call-lines.ts';
import { driftLines } from './drift-lines.ts';
import { type Column, page, paragraph, table } from './layout.ts';
import { mark, scenarioLine } from './phrases.ts';
import type { Colours } from './terminal.ts';
import { tripLines } from './trip-lines.ts';

/** Of more nights only the first and the last are shown. */
const MOST_NIGHTS = 16;
const ENDS = 6;
const MOST_CLASSES = 20;
const MOST_PAIRS = 8;

export function runText(input: ReportInput, colours: Colours): string {
  const summary = summarize(input);
  const { ok, headline } = summary.verdict;
  return page(
    colours.bold(paragraph(headline, `${mark(ok, colours)} `, '  ')),
    `${plainName(input.scenario.name)}\n${paragraph(scenarioLine(input.scenario), '  ')}`,
    checks(summary, colours),
    nights(summary, colours),
    classes(summary, colours),
    callLines(summary.run.nights, colours),
    pools(summary, colours),
    tripLines(summary.run.nights, colours),
    policies(summary, colours),
    nextSteps({ summary, series: input.series }, colours),
  );
}

/** What a good run keeps, each with what was measured. */
function checks({ verdict: { facts }, run, scenario }: ReportSummary, colours: Colours): string {
  const { total } = run;
  const finish =
    facts.slowestFinishedMs === null
      ? ''
      : `the slowest ended after ${figures.duration(facts.slowestFinishedMs)}`;
  const killed = `${figures.count(facts.killedNights)} of ${figures.counted(facts.nights, 'night')} killed`;
  const lines: (readonly [isWell: boolean, what: string, measured: string])[] = [
    [
      facts.killedNights === 0,
      'home before the kill',
      facts.killedNights === 0 ? `${finish} of ${figures.duration(facts.windowMs)}` : killed,
    ],
    [
      total.unknown + total.lostWrites === 0,
      'nothing lost',
      `${figures.counted(total.unknown, 'call')} cut off, ${figures.counted(total.lostWrites, 'answer')} lost`,
    ],
    [
      facts.pending === 0,
      'nothing left over',
      `${figures.count(facts.done)} of ${figures.counted(facts.arrived, 'job')} done, ${figures.count(facts.failed)} failed, ${figures.count(facts.pending)} left`,
    ],
  ];
  if (scenario.pool !== null) {
    const short = run.nights.filter(({ refused, inadmissible }) => refused + inadmissible > 0).length;
    lines.push([
      short === 0,
      'tokens for everyone',
      `refused or inadmissible in ${figures.count(short)} of ${figures.counted(facts.nights, 'night')}`,
    ]);
  }
  return lines
    .map(([isWell, what, measured]) =>
      paragraph(measured, `  ${mark(isWell, colours)} ${what.padEnd(22)}`, ' '.repeat(26)),
    )
    .join('\n');
}

function nights({ run }: ReportSummary, { bold, dim }: Colours): string {
  const columns: readonly Column[] = [
    { head: 'night' },
    { head: 'jobs' },
    { head: 'done' },
    { head: '', align: 'left' },
    { head: 'ended after' },
    { head: 'the others', align: 'left', wraps: true },
  ];
  const all = run.nights.map(nightRow);
  const gap = columns.map(() => '…');
  const shown = all.length <= MOST_NIGHTS ? all : [...all.slice(0, ENDS), gap, ...all.slice(-ENDS)];
  return `${bold(run.nights.length === 1 ? 'The night' : 'The nights')}\n${table(columns, shown, dim)}`;
}

function nightRow(night: NightResult): readonly string[] {
  return [
    figures.count(night.night),
    figures.count(night.jobs),
    figures.count(night.done),
    night.jobs === 0 ? '' : bar(night.done / night.jobs),
    night.finishedMs === null ? 'killed' : figures.duration(night.finishedMs),
    othersOf(night),
  ];
}

/** `312 deferred, 88 refused`. */
function othersOf(counts: OutcomeCounts): string {
  return OUTCOMES.filter(({ outcome, of }) => outcome !== 'done' && of(counts) > 0)
    .map(({ label, of }) => `${figures.count(of(counts))} ${label}`)
    .join(', ');
}

function classes({ run, scenario, findings }: ReportSummary, { bold, dim }: Colours): string | undefined {
  if (scenario.classes.length < 2) return undefined;
  const names = distinctNames(scenario.classes.map(({ name }) => name));
  const hasEnvelopes = scenario.pool !== null && scenario.policy.admission === 'envelope';
  const rows = scenario.classes.slice(0, MOST_CLASSES).map(({ name }, index) => {
    const result = run.classes[name]!;
    return [
      names.get(name)!,
      figures.count(result.done),
      figures.count(result.attempts),
      ...(hasEnvelopes
        ? [figures.tokens(result.usedTokens), figures.percent(findings.classes[index]?.unspentRatio)]
        : []),
      othersOf(result),
    ];
  });
  const columns: readonly Column[] = [
    { head: 'class', align: 'left' },
    { head: 'done' },
    { head: 'attempts' },
    ...(hasEnvelopes ? [{ head: 'tokens' }, { head: 'unspent' }] : []),
    {
      head: run.nights.length === 1 ? 'the others' : 'the others, over all nights',
      align: 'left',
      wraps: true,
    },
  ];
  const more =
    scenario.classes.length > MOST_CLASSES
      ? `\n  ${figures.count(scenario.classes.length - MOST_CLASSES)} more classes are in --json.`
      : '';
  return `${bold('The classes')}\n${table(columns, rows, dim)}${more}`;
}

function pools(summary: ReportSummary, colours: Colours): string | undefined {
  const { run, scenario } = summary;
  const figuresOf = scenario.pool === null ? undefined : run.pools[scenario.pool.name];
  if (scenario.pool === null || figuresOf === undefined) return undefined;
  const { capacity, consumed, refunded, overspent, shortfall, stranded, billed, drift, driftCauses } =
    figuresOf;
  const { refill, refillsAtMs } = scenario.pool;
  const periods = refill === 'night' ? run.nights.length : (refillsAtMs?.length ?? 1);
  const given = capacity * periods;
  const share = given === 0 ? 0 : consumed / given;
  const beside = [
    [overspent, 'beyond the envelopes'],
    [shortfall, 'settled too late to be debited'],
    [stranded, 'stranded in holds'],
  ] as const;
  const notes = beside
    .filter(([tokens]) => tokens > 0)
    .map(([tokens, what]) => `${figures.count(tokens)} ${what}`);
  return [
    colours.bold(`The pool ${shortName(scenario.pool.name)}`),
    paragraph(
      `${bar(share, 20)} ${figures.percent(share)} consumed: ${figures.count(consumed)} of ${figures.count(given)} tokens${scenario.policy.admission === 'envelope' ? `; ${figures.count(refunded)} were held and came back` : ''}`,
      '  ',
    ),
    paragraph(
      `The provider bills ${figures.count(billed)}, a difference of ${figures.difference(drift)}${notes.length > 0 ? `; ${notes.join(', ')}` : ''}.`,
      '  ',
    ),
    ...driftLines(driftCauses, colours),
    ...phantomLines(summary, colours),
  ].join('\n');
}

/** An alarm: the pool only looked used up. */
function phantomLines(summary: ReportSummary, { yellow }: Colours): readonly string[] {
  if ((summary.series.stranded?.phantomRefusals ?? 0) === 0) return [];
  return [paragraph(`${strandedFinding({ summary, figures })}.`, `  ${yellow('!')} `, '    ')];
}

function policies({ findings }: ReportSummary, { bold, dim }: Colours): string | undefined {
  if (findings.policies.length === 0) return undefined;
  const columns: readonly Column[] = [
    { head: 'variant', align: 'left' },
    { head: 'done' },
    { head: '', align: 'right' },
    { head: 'lost' },
    { head: 'left' },
    { head: 'slowest' },
  ];
  const rows = findings.policies.map((row: PolicyRow) => [
    row.name === null ? 'this scenario' : shortName(row.name),
    figures.count(row.done),
    row.name === null ? '' : figures.difference(row.doneDifference),
    figures.count(row.cutOff),
    figures.count(row.pending),
    row.slowestFinishedMs === null ? 'killed' : figures.duration(row.slowestFinishedMs),
  ]);
  const differences = findings.policies
    .filter(({ name, differences: all }) => name !== null && all.length > 0)
    .map((row) =>
      paragraph(
        `${shortName(row.name ?? '')}: ${row.differences.join(', ')}${nightByNight(row)}`,
        '  ',
        '    ',
      ),
    );
  return [
    bold('The same weather, other settings'),
    table(columns, rows, dim),
    ...differences.map((line) => dim(line)),
  ].join('\n');
}

/** Pairs of nights under the same weather, where they are few enough to be read. */
function nightByNight({ nightDifferences }: PolicyRow): string {
  if (nightDifferences.length < 2 || nightDifferences.length > MOST_PAIRS) return '';
  if (nightDifferences.every((jobs) => jobs === 0)) return '; as many done in each night';
  return `; done, night by night: ${nightDifferences.map((jobs) => figures.difference(jobs)).join(', ')}`;
}

function nextSteps(
  { summary, series }: Pick<ReportContext, 'summary' | 'series'>,
  { bold, cyan }: Colours,
): string {
  const names = distinctNames(summary.scenario.classes.map(({ name }) => name));
  const className = (name: string): string => names.get(name) ?? shortName(name);
  const steps = summary.advice.map((advice) => {
    const text = paragraph(adviceText(advice, { summary, series, figures, className }), '  - ', '    ');
    const words = settingsOf(advice).flatMap((setting) => ['--set', setting]);
    if (words.length === 0) return text;
    return `${text}\n      ${cyan(plimsollCommand('run', [...summary.rerun, ...words]))}`;
  });
  return [bold('What to do'), ...steps].join('\n');
}
