// Chart 3: how many jobs the opening balance admits at once, class by class and in queue order, beside how
// many came in over the first night, since refunds make room.

import type { ReportContext } from '../report-context.ts';
import { COLOUR } from '../theme.ts';
import {
  type Chart,
  chart,
  type Layer,
  NAME_MARK,
  type Position,
  position,
  type Row,
  rowNames,
  rowsBy,
} from './chart.ts';

const MOST_CLASSES = 12;
/** A bar that would dwarf the jobs that there are is drawn torn off. */
const MOST_TIMES = 2.5;

interface AdmittedRow {
  readonly label: string;
  readonly jobs: number;
  readonly atOnce: number;
  readonly played: number | null;
}

export function admittedChart(context: ReportContext): Chart | undefined {
  const { summary, figures } = context;
  const { mix } = summary.plan;
  const rows = admittedRows(context);
  if (mix === null || rows.length === 0) return undefined;
  const kept = [...rows].sort((a, b) => b.jobs - a.jobs).slice(0, MOST_CLASSES);
  const shown = rows.filter((row) => kept.includes(row));
  const some = shown.length < rows.length ? ' Drawn are the classes with the most jobs.' : '';
  const drawn = [mixRow(context), ...shown];
  const { leftPx, texts } = rowNames(drawn.map(({ label }) => label));
  return chart({
    name: 'admitted',
    finding: admittedFinding(context),
    reading: `Broad bars: envelopes that fit into the full pool at once, if the class had it alone. Narrow bars: jobs let in over the first night. Ticks: jobs waiting at its opening.${some}`,
    description: `Jobs admitted: ${shown.map((row) => `${row.label} ${figures.count(row.atOnce)} at once, ${figures.count(row.played)} over the first night, of ${figures.count(row.jobs)}`).join('; ')}.`,
    heightPx: drawn.length * 42,
    leftPx,
    abovePx: 10,
    layer: layers(drawn, texts, context),
  });
}

export function admittedFinding(context: ReportContext): string {
  const { figures } = context;
  const { atOnce, jobs, played } = mixRow(context);
  if (atOnce >= jobs) return `The pool holds every job's envelope at once: ${figures.counted(jobs, 'job')}`;
  const first = `At once the pool holds envelopes for ${figures.count(atOnce)} of ${figures.counted(jobs, 'job')}`;
  if (played === null) return first;
  if (played > atOnce) return `${first}; refunds let ${figures.count(played)} in over the first night`;
  if (played === atOnce) return `${first}, and no more came in over the first night`;
  return `${first}; only ${figures.count(played)} came in over the first night`;
}

/** Classes with jobs at the first opening, in the scenario's order; empty without a pool. */
function admittedRows({ summary, className }: ReportContext): readonly AdmittedRow[] {
  return summary.plan.classes.flatMap(({ name, count, admitted }) => {
    if (admitted === null || count === 0) return [];
    const played = summary.series.classes.find((series) => series.name === name)?.admittedFirstNight ?? null;
    return [{ label: className(name), jobs: count, atOnce: admitted, played }];
  });
}

function mixRow({ summary }: ReportContext): AdmittedRow {
  const { mix } = summary.plan;
  return {
    label: 'all, in queue order',
    jobs: mix?.jobs ?? 0,
    atOnce: mix?.admitted ?? 0,
    played: summary.findings.admittedFirstNight,
  };
}

function layers(rows: readonly AdmittedRow[], names: readonly string[], { figures }: ReportContext): Layer[] {
  const mostJobs = rows.reduce((most, { jobs, played }) => Math.max(most, jobs, played ?? 0), 1);
  const mostAtOnce = rows.reduce((most, { atOnce }) => Math.max(most, atOnce), 0);
  const end = Math.min(Math.max(mostJobs, mostAtOnce), mostJobs * MOST_TIMES) * 1.03;
  const values = rows.map((row, index): Row => {
    const torn = row.atOnce > end;
    const played = row.played === null ? '' : `, ${figures.count(row.played)} let in`;
    return {
      row: index,
      name: names[index] ?? row.label,
      jobs: row.jobs,
      atOnce: torn ? end : row.atOnce,
      played: row.played ?? 0,
      label: `${figures.count(row.atOnce)} at once${torn ? ' ►' : ''}${played}, of ${figures.count(row.jobs)}`,
    };
  });
  const y = rowsBy('row', rows.length);
  const x = (field: string): Position =>
    position(field, [0, end], { title: 'jobs', format: ',d', tickMinStep: 1 });
  return [
    {
      data: { values },
      layer: [
        {
          mark: { type: 'bar', color: COLOUR.skyBlue, height: { band: 0.5 }, yOffset: 8 },
          encoding: { y, x: x('atOnce') },
        },
        {
          mark: { type: 'bar', color: COLOUR.blue, height: { band: 0.2 }, yOffset: 8 },
          encoding: { y, x: x('played') },
        },
        {
          mark: { type: 'tick', color: COLOUR.black, thickness: 3, height: { band: 0.5 }, yOffset: 8 },
          encoding: { y, x: x('jobs') },
        },
        {
          mark: { type: 'text', align: 'left', x: 2, dy: -12, fontSize: 11 },
          encoding: { y, text: { field: 'label' } },
        },
        { mark: { ...NAME_MARK, dy: 8 }, encoding: { y, text: { field: 'name' } } },
      ],
    },
  ];
}
