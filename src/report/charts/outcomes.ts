// Chart 6: what became of the jobs, night after night, and how many wait for the next one. Many nights
// are drawn in groups, each as its average night.

import type { Outcome, OutcomeCounts } from '../../world/run-result.ts';
import { roundedTo } from '../figures.ts';
import type { ReportContext } from '../report-context.ts';
import { textWidthPx } from '../text-width.ts';
import { COLOUR, LABEL_PX } from '../theme.ts';
import {
  type Chart,
  chart,
  type Layer,
  NAME_MARK,
  type Position,
  plotWidthPx,
  position,
  type Row,
  rowNames,
  rowsBy,
} from './chart.ts';
import { type NightGroup, nightGroups } from './night-groups.ts';

interface OutcomeLook {
  readonly outcome: Outcome;
  readonly of: (counts: OutcomeCounts) => number;
  readonly label: string;
  readonly colour: string;
  readonly ink: string;
}

/** In the order in which they are stacked, the best first. */
export const OUTCOMES: readonly OutcomeLook[] = [
  look('done', (counts) => counts.done, 'done', COLOUR.green, COLOUR.onLight),
  look('deferred', (counts) => counts.deferred, 'deferred', COLOUR.skyBlue, COLOUR.onLight),
  look('refused', (counts) => counts.refused, 'refused', COLOUR.orange, COLOUR.onLight),
  look('inadmissible', (counts) => counts.inadmissible, 'inadmissible', COLOUR.purple, COLOUR.onLight),
  look('failed', (counts) => counts.failed, 'failed', COLOUR.vermillion, COLOUR.onLight),
  look('unknown', (counts) => counts.unknown, 'cut off', COLOUR.lost, COLOUR.onLost),
  look('lostWrite', (counts) => counts.lostWrites, 'answer lost', COLOUR.yellow, COLOUR.onLight),
];

/** The axis goes on beyond the longest bar, so that what waits can be written after it. */
const ROOM_FOR_WAITING = 1.18;

export function outcomesChart(context: ReportContext): Chart | undefined {
  const { summary, figures } = context;
  const { nights } = summary.run;
  if (summary.verdict.facts.arrived === 0) return undefined;
  const groups = nightGroups(nights);
  const most = groups.reduce((most, { counts }) => Math.max(most, counts.jobs), 1);
  const { leftPx, texts } = rowNames(groups.map(({ label }) => label));
  const pxPerJob = plotWidthPx(leftPx) / (most * ROOM_FOR_WAITING);
  const segments = groups.flatMap((group, row) => segmentsOf(group, row, pxPerJob, context));
  const isLegendNeeded = segments.some(
    ({ named, outcome }) => named === false && !isNamed(outcome, segments),
  );
  const grouped = groups.length < nights.length;
  return chart({
    name: 'outcomes',
    finding: outcomesFinding(context),
    reading: `${grouped ? 'Bars: the average night of each group of nights' : 'Bars: the jobs of each night'}, by what became of them. On the right: jobs that wait for a later night.`,
    description: `Stacked bars: ${describeGroups(groups, context)}.`,
    heightPx: groups.length * (groups.length > 8 ? 20 : 34),
    leftPx,
    abovePx: isLegendNeeded ? 30 : 12,
    layer: [
      ...layers(segments, groups, texts, most, figures.count),
      ...(isLegendNeeded ? legendLayers(segments) : []),
    ],
  });
}

export function outcomesFinding({ summary, figures }: ReportContext): string {
  const { facts } = summary.verdict;
  const { backlog } = summary.findings;
  const last = backlog.at(-1) ?? 0;
  const first = backlog[0] ?? 0;
  const jobs = figures.counted(facts.arrived, 'job');
  if (facts.pending === 0) {
    const ended = facts.failed === 0 ? 'done' : 'done or failed for good';
    if (facts.nights === 1) return `The night ends with all ${jobs} ${ended}`;
    return facts.nightsWithPending === 0
      ? `Every night ends with all its jobs ${ended}`
      : `All ${jobs} are ${ended}, but it takes more than one night`;
  }
  if (facts.nights === 1) return `The night leaves ${figures.count(last)} of ${jobs} for later`;
  const wait = `${figures.counted(last, 'job')} ${last === 1 ? 'waits' : 'wait'} at the end`;
  const steps = backlog.slice(1).map((jobsLeft, index) => jobsLeft - (backlog[index] ?? 0));
  if (steps.every((step) => step > 0)) return `The backlog grows from night to night: ${wait}`;
  if (steps.every((step) => step <= 0) && last < first) {
    return `The backlog shrinks, but ${figures.counted(last, 'job')} still ${last === 1 ? 'waits' : 'wait'} at the end`;
  }
  if (steps.every((step) => step === 0)) return `The backlog does not shrink: ${wait}`;
  const most = backlog.reduce((a, b) => Math.max(a, b), 0);
  return `The backlog comes and goes, with ${figures.counted(most, 'job')} at the most: ${wait}`;
}

interface Segment {
  readonly row: number;
  readonly outcome: string;
  readonly start: number;
  readonly end: number;
  readonly colour: string;
  readonly ink: string;
  readonly label: string;
  readonly named: boolean;
}

function segmentsOf(group: NightGroup, row: number, pxPerJob: number, { figures }: ReportContext): Segment[] {
  let start = 0;
  return OUTCOMES.flatMap(({ of, label, colour, ink }): Segment[] => {
    const count = of(group.counts);
    if (count <= 0) return [];
    const end = roundedTo(start + count, 1);
    const room = count * pxPerJob - 8;
    const long = `${label} ${figures.count(count)}`;
    const named = textWidthPx(long, { sizePx: LABEL_PX }) <= room;
    const short = textWidthPx(figures.count(count), { sizePx: LABEL_PX }) <= room ? figures.count(count) : '';
    const segment = {
      row,
      outcome: label,
      start,
      end,
      colour,
      ink,
      label: named ? long : short,
      named,
    };
    start = end;
    return [segment];
  });
}

function isNamed(outcome: string, segments: readonly Segment[]): boolean {
  return segments.some((segment) => segment.outcome === outcome && segment.named);
}

function layers(
  segments: readonly Segment[],
  groups: readonly NightGroup[],
  names: readonly string[],
  most: number,
  count: (value: number) => string,
): Layer[] {
  const y = rowsBy('row', groups.length);
  const x = (field: string): Position =>
    position(field, [0, roundedTo(most * ROOM_FOR_WAITING, 1)], {
      title: 'jobs',
      format: ',d',
      tickMinStep: 1,
    });
  const values = segments.map(
    ({ row, outcome, start, end, colour, ink, label }): Row => ({
      row,
      outcome,
      start,
      end,
      middle: roundedTo((start + end) / 2, 2),
      colour,
      ink,
      label,
    }),
  );
  const nights = groups.map(
    ({ counts, pending }, row): Row => ({
      row,
      night: names[row] ?? '',
      end: counts.jobs,
      label: pending > 0 ? `${count(pending)} wait` : 'none wait',
    }),
  );
  return [
    {
      data: { values },
      layer: [
        {
          mark: { type: 'bar', stroke: COLOUR.paper, strokeWidth: 1.5, height: { band: 0.82 } },
          encoding: {
            y,
            x: x('start'),
            x2: { field: 'end' },
            color: { field: 'colour', type: 'nominal', scale: null },
          },
        },
        {
          mark: { type: 'text', align: 'center' },
          encoding: {
            y,
            x: x('middle'),
            text: { field: 'label' },
            color: { field: 'ink', type: 'nominal', scale: null },
          },
        },
      ],
    },
    {
      data: { values: nights },
      layer: [
        { mark: NAME_MARK, encoding: { y, text: { field: 'night' } } },
        {
          mark: { type: 'text', align: 'left', dx: 6 },
          encoding: { y, x: x('end'), text: { field: 'label' } },
        },
      ],
    },
  ];
}

const SWATCH_PX = 16;
const BETWEEN_PX = 18;

/** What the colours mean, in the order of the bars; drawn where a segment is too thin for its name. */
function legendLayers(segments: readonly Segment[]): Layer[] {
  let at = 0;
  const seen = OUTCOMES.filter(({ label }) => segments.some(({ outcome }) => outcome === label));
  return seen.flatMap(({ label, colour }): Layer[] => {
    const swatchAt = at + 5;
    const textAt = at + SWATCH_PX;
    at = Math.round(textAt + textWidthPx(label, { sizePx: LABEL_PX }) * 1.08 + BETWEEN_PX);
    const data = { values: [{ label }] };
    return [
      {
        data,
        mark: { type: 'square', filled: true, opacity: 1, size: 110, color: colour, x: swatchAt, y: -14 },
      },
      {
        data,
        mark: { type: 'text', align: 'left', x: textAt, y: -14 },
        encoding: { text: { field: 'label' } },
      },
    ];
  });
}

/** Few are told one by one, many by the first and the last. */
function describeGroups(groups: readonly NightGroup[], context: ReportContext): string {
  if (groups.length <= 6) return groups.map((group) => describeGroup(group, context)).join('; ');
  const [first, last] = [groups[0], groups.at(-1)];
  return [first, last]
    .filter((group) => group !== undefined)
    .map((group) => describeGroup(group, context))
    .join(', then in the end ');
}

function describeGroup(group: NightGroup, { figures }: ReportContext): string {
  const parts = OUTCOMES.filter(({ of }) => of(group.counts) > 0).map(
    ({ of, label }) => `${figures.count(of(group.counts))} ${label}`,
  );
  return `${group.label}: ${parts.length === 0 ? 'no jobs' : parts.join(', ')}`;
}

function look(
  outcome: Outcome,
  of: (counts: OutcomeCounts) => number,
  label: string,
  colour: string,
  ink: string,
): OutcomeLook {
  return { outcome, of, label, colour, ink };
}
