// The trip conditions over the night that was furthest off track: each signal as a share of what it may not
// exceed, so that four figures of different kinds have one line to stay below.

import type { TripSignal } from '../../worker/trip-settings.ts';
import { roundedTo } from '../figures.ts';
import { shortName } from '../names.ts';
import type { SignalLine } from '../night-series.ts';
import type { ReportContext } from '../report-context.ts';
import { SIGNAL_SLOTS } from '../signal-tally.ts';
import { COLOUR } from '../theme.ts';
import {
  type Chart,
  CROSS,
  chart,
  type Layer,
  NAME_MARK,
  plotWidthPx,
  position,
  type Row,
  rowNames,
} from './chart.ts';
import { type TimeUnit, timeUnitFor } from './time-axis.ts';

export const SIGNAL_NAMES: Readonly<Record<TripSignal, string>> = {
  'refusal-rate': 'refusal rate',
  'unspent-ratio': 'unspent ratio',
  overspend: 'overspend',
  'queue-age': 'queue age',
};

/** Lines are cut off at so many times their threshold. */
const MOST_SHARE = 2;
/** Of a row, what a signal at twice its threshold takes. */
const FULL = 0.62;
const ROW_PX = 56;

export function tripsChart(context: ReportContext): Chart | undefined {
  const { series, summary, figures } = context;
  const signals = series.signals;
  if (signals === null) return undefined;
  const { lines, night } = signals;
  const { leftPx, texts } = rowNames(lines.map(({ signal }) => SIGNAL_NAMES[signal]));
  const time = timeUnitFor(summary.scenario.windowMs);
  const hasTripped = summary.run.nights.some(({ trips }) => trips.length > 0);
  const many =
    summary.scenario.nights > 1
      ? `Night ${figures.count(night)}, the one that was furthest ${hasTripped ? 'off track' : 'from safe'}. `
      : '';
  const marks = hasTripped
    ? ' Red above it, cut off at twice the threshold; a cross where it first tripped.'
    : '';
  return chart({
    name: 'trips',
    finding: tripsFinding(context),
    reading: `${many}Each signal over the night; dashed: the threshold that it must stay below.${marks}`,
    description: `${many}${lines.map((line) => lineText(line, context)).join('; ')}.`,
    heightPx: lines.length * ROW_PX,
    leftPx,
    abovePx: 10,
    layer: layers(lines, texts, time, context, plotWidthPx(leftPx)),
  });
}

export function tripsFinding({ summary, figures, className }: ReportContext): string {
  for (const { night, trips } of summary.run.nights) {
    const [first] = trips;
    if (first === undefined) continue;
    const whose = first.class === null ? shortName(first.pool ?? '') : className(first.class);
    const when = summary.scenario.nights > 1 ? ` of night ${figures.count(night)}` : '';
    return `The ${SIGNAL_NAMES[first.signal]} of ${whose} trips first, ${figures.duration(first.atMs)} into the window${when}: ${figures.percent(first.figure)}, above ${figures.percent(first.threshold)}`;
  }
  return 'No trip condition trips: every signal stays below its threshold';
}

function lineText(
  { signal, figure, threshold }: Pick<SignalLine, 'signal' | 'figure' | 'threshold'>,
  { figures }: ReportContext,
): string {
  const what = SIGNAL_NAMES[signal];
  return figure === null
    ? `${what}: too few events to say`
    : `${what}: at most ${figures.percent(figure)}, trips above ${figures.percent(threshold)}`;
}

function layers(
  lines: readonly SignalLine[],
  names: readonly string[],
  time: TimeUnit,
  context: ReportContext,
  widthPx: number,
): Layer[] {
  const { summary, series } = context;
  const base = (row: number): number => lines.length - 1 - row;
  const heightOf = (row: number, share: number): number =>
    roundedTo(base(row) + (Math.min(share, MOST_SHARE) / MOST_SHARE) * FULL, 3);
  const x = position('at', [0, time.of(summary.scenario.windowMs)], {
    title: `${time.name} into the window`,
  });
  const y = position('y', [0, lines.length], null);
  const points = lines.flatMap((line, row): Row[] =>
    line.points.map(({ atMs, share }) => ({
      at: time.of(atMs),
      y: heightOf(row, share),
      base: base(row),
      above: share > 1,
    })),
  );
  const rows = lines.map(
    (line, row): Row => ({
      name: names[row] ?? '',
      label: lineText(line, context).replace(/^[^:]*: /, ''),
      y: base(row) + 0.28,
      top: base(row) + 0.82,
      threshold: heightOf(row, 1),
      base: base(row),
    }),
  );
  const tonight = summary.run.nights.find(({ night }) => night === series.signals?.night);
  const crosses = lines.flatMap((line, row): Row[] => {
    const trip = tonight?.trips.find(({ signal }) => signal === line.signal);
    return trip === undefined ? [] : [{ at: time.of(trip.atMs), y: heightOf(row, 1) }];
  });
  const level = (field: string) => position(field, [0, lines.length], null);
  return [
    {
      data: { values: points },
      mark: { type: 'rule', strokeWidth: (widthPx / SIGNAL_SLOTS) * 0.85 },
      encoding: {
        x,
        y,
        y2: { field: 'base' },
        color: {
          condition: { test: 'datum.above', value: COLOUR.vermillion },
          value: COLOUR.skyBlue,
        },
      },
    },
    {
      data: { values: rows },
      layer: [
        { mark: { type: 'rule', color: COLOUR.axis }, encoding: { y: level('base') } },
        {
          mark: { type: 'rule', color: COLOUR.black, strokeDash: [4, 3] },
          encoding: { y: level('threshold') },
        },
        { mark: { ...NAME_MARK }, encoding: { y, text: { field: 'name' } } },
        {
          mark: { type: 'text', align: 'left', x: 2, fontSize: 11 },
          encoding: { y: level('top'), text: { field: 'label' } },
        },
      ],
    },
    {
      data: { values: crosses },
      mark: { type: 'point', shape: CROSS, size: 90, stroke: COLOUR.black, strokeWidth: 2 },
      encoding: { x, y },
    },
  ];
}
