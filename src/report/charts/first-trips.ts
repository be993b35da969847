// Which trip condition trips first, over replications: left, in how many of them each tripped and in how many
// it was the first; right, when it did so for the first time.

import type { TripStudy } from '../../study/report-studies.ts';
import { TRIP_SIGNALS, type TripSignal } from '../../worker/trip-settings.ts';
import { roundedTo } from '../figures.ts';
import type { ReportContext } from '../report-context.ts';
import { COLOUR } from '../theme.ts';
import {
  type Chart,
  CROSS,
  chart,
  type Layer,
  NAME_MARK,
  type Position,
  position,
  type Row,
  rowNames,
  rowsBy,
} from './chart.ts';
import { SIGNAL_NAMES } from './trips.ts';

/** The picture's width is shared between two panels, in parts of it; where nothing trips, there is only one. */
const PEAKS_TO = 0.46;
const TIMES_FROM = 0.56;
const ROW_PX = 52;
/** So that a circle at 0 does not touch the names. */
const PEAKS_FROM = 0.02;
/** Of the left panel: twice the threshold, where it is cut off. */
const MOST_SHARE = 2;

export function firstTripsChart(context: ReportContext): Chart | undefined {
  const trips = context.summary.studies?.trips ?? null;
  if (trips === null) return undefined;
  const signals = watchedSignals(context, trips);
  if (signals.length === 0) return undefined;
  const { figures, summary } = context;
  const { leftPx, texts } = rowNames(signals.map((signal) => SIGNAL_NAMES[signal]));
  return chart({
    name: 'first-trips',
    finding: firstTripsFinding(context),
    reading:
      trips.tripped === 0
        ? 'How close each replication came to a threshold (dashed); the larger a circle, the more of them.'
        : 'Left: how close each replication came to a threshold (dashed); red crosses: above it, cut off at twice. Right: when a signal first tripped, in its night; circle: half of them by then; line: nine in ten.',
    description: `Of ${figures.counted(trips.replications, 'replication')}: ${signals.map((signal) => signalText(signal, trips, context)).join('; ')}. The window is ${figures.duration(summary.scenario.windowMs)}.`,
    heightPx: signals.length * ROW_PX,
    leftPx,
    abovePx: 26,
    belowPx: 12,
    layer: layers(signals, texts, trips, context),
  });
}

/** Those of the shown night, and whatever tripped in another replication. */
function watchedSignals({ summary }: ReportContext, { signals }: TripStudy): readonly TripSignal[] {
  const shown = new Set(summary.series.signals?.lines.map(({ signal }) => signal));
  return TRIP_SIGNALS.filter((signal) => shown.has(signal) || signals[signal].replications > 0);
}

export function firstTripsFinding({ summary, figures }: ReportContext): string {
  const trips = summary.studies?.trips ?? null;
  if (trips === null) return '';
  const all = figures.counted(trips.replications, 'replication');
  if (trips.tripped === 0) return `No condition trips in any of ${all}`;
  const first = TRIP_SIGNALS.reduce((most, signal) =>
    trips.signals[signal].first > trips.signals[most].first ? signal : most,
  );
  const { first: count, atMs, replications } = trips.signals[first];
  const head = `The ${SIGNAL_NAMES[first]} trips first in ${figures.count(count)} of ${all}`;
  if (atMs === null) return head;
  return replications === 1
    ? `${head}, ${figures.duration(atMs.p50)} after the opening`
    : `${head}, typically ${figures.duration(atMs.p50)} after the opening`;
}

function signalText(signal: TripSignal, { signals }: TripStudy, { figures }: ReportContext): string {
  const { replications, first, night, atMs } = signals[signal];
  if (atMs === null || night === null) return `${SIGNAL_NAMES[signal]} never tripped`;
  const nights = nightsText(night, figures.count);
  return `${SIGNAL_NAMES[signal]} tripped in ${figures.count(replications)}, first in ${figures.count(first)}, in ${nights} after ${figures.duration(atMs.p50)} (${figures.duration(atMs.p5)} to ${figures.duration(atMs.p95)})`;
}

function layers(
  signals: readonly TripSignal[],
  names: readonly string[],
  trips: TripStudy,
  context: ReportContext,
): Layer[] {
  const y = rowsBy('row', signals.length);
  const circles = signals.flatMap((signal, row): Row[] =>
    trips.peaks[signal].map((peak) => ({
      row,
      at: placeOf(peak.share, trips),
      count: peak.replications,
      above: peak.share > 1,
    })),
  );
  const size = {
    field: 'count',
    type: 'quantitative' as const,
    scale: { domain: [1, Math.max(2, trips.replications)], range: [36, 160] },
    legend: null,
  };
  return [
    ...frameLayers(trips, context.figures.count),
    ...[false, true].map(
      (above): Layer => ({
        data: { values: circles.filter((one) => one.above === above) },
        mark: {
          type: 'point',
          yOffset: 8,
          strokeWidth: 2,
          opacity: 0.85,
          ...(above ? { shape: CROSS, color: COLOUR.vermillion } : { color: COLOUR.blue }),
        },
        encoding: { y, x: share('at'), size },
      }),
    ),
    {
      data: {
        values: signals.map((signal, row): Row => ({ row, label: countText(trips, signal, context) })),
      },
      mark: { type: 'text', align: 'left', x: 2, dy: -13, fontSize: 11 },
      encoding: { y, text: { field: 'label' } },
    },
    ...timeLayers(signals, trips, y, context),
    {
      data: { values: names.map((name, row): Row => ({ row, name })) },
      mark: { ...NAME_MARK, dy: 8 },
      encoding: { y, text: { field: 'name' } },
    },
  ];
}

/** Of a share of the threshold, in the left panel. */
function placeOf(share: number, trips: TripStudy): number {
  return roundedTo(PEAKS_FROM + (share / MOST_SHARE) * (leftEnd(trips) - 2 * PEAKS_FROM), 4);
}

function leftEnd({ tripped }: TripStudy): number {
  return tripped === 0 ? 1 : PEAKS_TO;
}

function countText({ signals }: TripStudy, signal: TripSignal, { figures }: ReportContext): string {
  const { replications, first } = signals[signal];
  return replications === 0
    ? 'never trips'
    : `trips in ${figures.count(replications)}, first in ${figures.count(first)}`;
}

function timeLayers(
  signals: readonly TripSignal[],
  trips: TripStudy,
  y: ReturnType<typeof rowsBy>,
  { summary, figures }: ReportContext,
): Layer[] {
  const { windowMs, nights } = summary.scenario;
  const time = (ms: number): number =>
    roundedTo(TIMES_FROM + Math.min(1, ms / windowMs) * (1 - TIMES_FROM), 4);
  const values = signals.flatMap((signal, row): Row[] => {
    const { atMs, night } = trips.signals[signal];
    if (atMs === null || night === null) return [];
    const which = nights === 1 ? '' : `, ${nightsText(night, figures.count)}`;
    const label = `half within ${figures.duration(atMs.p50)}${which}`;
    return [
      { row, from: time(atMs.p5), middle: time(atMs.p50), to: time(atMs.p95), left: TIMES_FROM, label },
    ];
  });
  return [
    {
      data: { values },
      layer: [
        {
          mark: { type: 'rule', strokeWidth: 3, yOffset: 8, color: COLOUR.blue },
          encoding: { y, x: share('from'), x2: { field: 'to' } },
        },
        {
          mark: { type: 'point', filled: true, size: 80, yOffset: 8, color: COLOUR.blue, opacity: 1 },
          encoding: { y, x: share('middle') },
        },
        {
          mark: { type: 'text', align: 'left', dx: 2, dy: -13, fontSize: 11 },
          encoding: { y, x: share('left'), text: { field: 'label' } },
        },
      ],
    },
  ];
}

function nightsText(
  { min, max }: { readonly min: number; readonly max: number },
  count: (value: number) => string,
): string {
  return min === max ? `night ${count(min)}` : `nights ${count(min)} to ${count(max)}`;
}

/** Heads of both panels, where each begins and ends, and the threshold. */
function frameLayers(trips: TripStudy, count: (value: number) => string): Layer[] {
  const hasTimes = trips.tripped > 0;
  const heads: Row[] = [
    { at: 0, label: `${count(trips.replications)} replications` },
    { at: placeOf(1, trips), label: 'threshold' },
    ...(hasTimes ? [{ at: TIMES_FROM, label: 'opening' }] : []),
  ];
  const ends = [0, leftEnd(trips), ...(hasTimes ? [TIMES_FROM, 1] : [])];
  return [
    {
      data: { values: heads },
      mark: { type: 'text', align: 'left', y: -10, fontWeight: 'bold' },
      encoding: { x: share('at'), text: { field: 'label' } },
    },
    {
      data: { values: hasTimes ? [{ at: 1, label: 'kill' }] : [] },
      mark: { type: 'text', align: 'right', y: -10, fontWeight: 'bold' },
      encoding: { x: share('at'), text: { field: 'label' } },
    },
    {
      data: { values: [{ at: placeOf(1, trips) }] },
      mark: { type: 'rule', color: COLOUR.black, strokeDash: [4, 3] },
      encoding: { x: share('at') },
    },
    {
      data: { values: ends.map((at) => ({ at })) },
      mark: { type: 'rule', color: COLOUR.axis },
      encoding: { x: share('at') },
    },
  ];
}

/** Both panels lie on one axis, from 0 to 1, which is not drawn. */
function share(field: string): Position {
  return position(field, [0, 1], null);
}
