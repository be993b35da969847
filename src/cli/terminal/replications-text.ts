// What `run --replications` says to a person: where the worst nights lie, and which condition trips first.

import { plainFigures as figures } from '../../report/figures.ts';
import { plainName, shortName } from '../../report/names.ts';
import { plimsollCommand } from '../../report/shell.ts';
import { METRICS, type Metric } from '../../study/metrics.ts';
import type { PairedDifferences } from '../../study/paired-differences.ts';
import type { MetricSummary, ReplicatedRun, ReplicatedScenario } from '../../study/replicated-run.ts';
import type { Spread } from '../../study/spread.ts';
import { TRIP_SIGNALS } from '../../worker/trip-settings.ts';
import { sameAgain } from '../replicating.ts';
import type { GivenScenario } from '../scenario-flags.ts';
import { intervalsText } from './intervals-text.ts';
import { type Column, page, paragraph, table } from './layout.ts';
import { METRIC_WORDS } from './metric-words.ts';
import { mark, scenarioLine } from './phrases.ts';
import type { Colours } from './terminal.ts';
import { SIGNAL_WORDS } from './trip-lines.ts';

export function replicationsText(
  { scenario, rerun }: Pick<GivenScenario, 'scenario' | 'rerun'>,
  run: ReplicatedRun,
  colours: Colours,
): string {
  const isWell = run.killed === 0 && run.metrics.lostWrites.nonZero + run.metrics.unknown.nonZero === 0;
  return page(
    colours.bold(paragraph(headline(run), `${mark(isWell, colours)} `, '  ')),
    `${plainName(scenario.name)}\n${paragraph(scenarioLine(scenario), '  ')}`,
    metrics(run, scenario.nights, colours),
    intervalsText(run, colours),
    trips(run, colours),
    variants(run, colours),
    nextStep(run, rerun, colours),
    `${colours.bold('The same again')}\n      ${colours.cyan(plimsollCommand('run', sameAgain(rerun, run)))}`,
  );
}

function headline({ replications, killed, metrics }: ReplicatedRun): string {
  const all = figures.counted(replications, 'replication');
  const end = killed === 0 ? 'the kill ended no night' : `the kill ended a night in ${figures.count(killed)}`;
  const lost = metrics.lostWrites.nonZero;
  return `${all}: ${end}, and ${lost === 0 ? 'no answer was lost' : `answers were lost in ${figures.count(lost)}`}.`;
}

function metrics(run: ReplicatedRun, nights: number, { bold, dim }: Colours): string {
  const columns: readonly Column[] = [
    { head: '', align: 'left' },
    ...['min', 'p5', 'p50', 'p95', 'max', 'worst in'].map((head) => ({ head })),
  ];
  const rows = METRICS.filter((name) => isWorthARow(name, run.metrics[name])).map((name) => {
    const one = run.metrics[name];
    const { min, p5, p50, p95, max, worstIn } = one;
    const print = (value: number | null) => printed(name, value);
    return [METRIC_WORDS[name], ...[min, p5, p50, p95, max].map(print), figures.count(worstIn?.replication)];
  });
  const title =
    nights === 1
      ? 'The night, over all replications'
      : `The worst of the ${figures.count(nights)} nights, over all replications`;
  return `${bold(title)}\n${table(columns, rows, dim)}`;
}

/** What never happened is left out. */
function isWorthARow(name: Metric, { count, nonZero }: MetricSummary): boolean {
  return count > 0 && (nonZero > 0 || name === 'done');
}

function printed(name: Metric, value: number | null): string {
  if (name === 'finishedMs') return value === null ? 'killed' : figures.duration(value);
  return name === 'refusalRate' ? figures.percent(value) : figures.count(value);
}

function trips({ replications, tripped, signals }: ReplicatedRun, { bold, dim }: Colours): string {
  if (tripped === 0) return `${bold('Trip conditions')}\n  None tripped in any replication.`;
  const columns: readonly Column[] = [
    { head: 'signal', align: 'left' },
    { head: 'tripped in' },
    { head: 'first in' },
    { head: 'night' },
    { head: 'after (p5, p50, p95)', align: 'left' },
  ];
  const rows = TRIP_SIGNALS.map((signal) => {
    const one = signals[signal];
    const { night, atMs } = one;
    return [
      SIGNAL_WORDS[signal],
      `${figures.count(one.replications)} of ${figures.count(replications)}`,
      figures.count(one.first),
      nightsOf(night),
      atMs === null ? '' : [atMs.p5, atMs.p50, atMs.p95].map((ms) => figures.duration(ms)).join(', '),
    ];
  });
  return `${bold('Trip conditions')}\n${table(columns, rows, dim)}`;
}

function nightsOf(night: Spread | null): string {
  if (night === null) return '';
  const { min, max } = night;
  return min === max ? figures.count(min) : `${figures.count(min)} to ${figures.count(max)}`;
}

function variants({ compare, ...own }: ReplicatedRun, { bold, dim }: Colours): string | undefined {
  const entries = Object.entries(compare);
  if (entries.length === 0) return undefined;
  const columns: readonly Column[] = [
    { head: 'variant', align: 'left' },
    ...['done p5', 'p50', 'p95', 'lost in', 'killed in', 'tripped in'].map((head) => ({ head })),
  ];
  const rows = [
    ['this scenario', own] as const,
    ...entries.map(([name, of]) => [shortName(name), of] as const),
  ];
  return [
    `${bold('The same weather, other settings')}\n${table(
      columns,
      rows.map(([name, of]) => variantRow(name, of)),
      dim,
    )}`,
    pairs(compare, { bold, dim }),
  ].join('\n\n');
}

/** In the order of the metrics; those that a reader of the table above asks for next. */
const PAIRED: readonly Metric[] = ['done', 'refused', 'unknown', 'lostWrites', 'duplicated', 'drift'];

/** A variant less the scenario, replication by replication; differences that are always 0 are left out. */
function pairs(compare: ReplicatedRun['compare'], { bold, dim }: Pick<Colours, 'bold' | 'dim'>): string {
  const columns: readonly Column[] = [
    { head: 'variant', align: 'left' },
    { head: '', align: 'left' },
    ...['mean', 'p5', 'p50', 'p95', 'better in', 'worse in'].map((head) => ({ head })),
  ];
  const rows = Object.entries(compare).flatMap(([name, { paired }]) => {
    const shown = PAIRED.filter((metric) => paired[metric].better + paired[metric].worse > 0);
    if (shown.length === 0) return [[shortName(name), 'no difference', '', '', '', '', '', '']];
    return shown.map((metric, index) => [
      index === 0 ? shortName(name) : '',
      METRIC_WORDS[metric],
      ...pairCells(paired[metric]),
    ]);
  });
  return `${bold('Differences from this scenario, each replication under the same weather')}\n${table(columns, rows, dim)}`;
}

function pairCells({ mean, spread, better, worse }: PairedDifferences[Metric]): readonly string[] {
  const signed = (value: number | undefined) =>
    value === undefined ? '–' : figures.difference(Math.round(value));
  return [
    signed(mean ?? undefined),
    signed(spread?.p5),
    signed(spread?.p50),
    signed(spread?.p95),
    figures.count(better),
    figures.count(worse),
  ];
}

function variantRow(name: string, { metrics: of, killed, tripped }: ReplicatedScenario): readonly string[] {
  const { p5, p50, p95 } = of.done;
  return [
    name,
    ...[p5, p50, p95, of.lostWrites.nonZero, killed, tripped].map((value) => figures.count(value)),
  ];
}

function nextStep(run: ReplicatedRun, rerun: readonly string[], { bold, cyan }: Colours): string | undefined {
  const { worstIn } = run.metrics.done;
  if (worstIn === null) return undefined;
  const which = ['--replication', String(worstIn.replication), '--night', String(worstIn.night)];
  return `${bold('The night in which the least was done, again')}\n      ${cyan(plimsollCommand('replay-night', [...rerun, ...which]))}`;
}
