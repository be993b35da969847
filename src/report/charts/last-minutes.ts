// Chart 7: the last minutes of the night that came closest to its end, lane by lane: calls, the writes
// after them, the reserve, the kill.

import type { EdgeBar, EdgeSeries } from '../night-series.ts';
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
import { timeUnitFor } from './time-axis.ts';

interface KindLook {
  readonly kind: EdgeBar['kind'];
  /** In the small print, where there is one in the picture. */
  readonly means: string;
  readonly colour: string;
  readonly isCall: boolean;
}

const KINDS: readonly KindLook[] = [
  { kind: 'answered', means: 'Broad blue: a call that was answered', colour: COLOUR.blue, isCall: true },
  {
    kind: 'timed-out',
    means: 'Broad orange: a call that used up its grant',
    colour: COLOUR.orange,
    isCall: true,
  },
  {
    kind: 'cut-off',
    means: 'Broad red with a cross: a call that the kill cut off',
    colour: COLOUR.vermillion,
    isCall: true,
  },
  {
    kind: 'crashed',
    means: 'Broad purple with a cross: a call that went with its worker',
    colour: COLOUR.purple,
    isCall: true,
  },
  { kind: 'down', means: 'Broad grey: no worker', colour: COLOUR.axis, isCall: true },
  {
    kind: 'write',
    means: 'Narrow green: its checkpoint, from being queued to being written',
    colour: COLOUR.green,
    isCall: false,
  },
  {
    kind: 'unwritten',
    means: 'Narrow with a cross: a checkpoint that the kill found unwritten',
    colour: COLOUR.lost,
    isCall: false,
  },
  {
    kind: 'lost-write',
    means: 'Narrow purple with a cross: a checkpoint that was not taken, or went with its worker',
    colour: COLOUR.purple,
    isCall: false,
  },
];

/** Drawn with a cross at their ends. */
const LOST: readonly string[] = ['cut-off', 'crashed', 'unwritten', 'lost-write'];

export function lastMinutesChart(context: ReportContext): Chart | undefined {
  const { summary, series, figures } = context;
  const { edge } = series;
  if (edge === null || !reachesEdge(context)) return undefined;
  const night = summary.scenario.nights > 1 ? `Night ${figures.count(edge.night)}. ` : '';
  const some = edge.shownLanes.length < edge.lanes ? ' Drawn are the lanes that were at work longest.' : '';
  const seen = KINDS.filter(({ kind }) => edge.bars.some((bar) => bar.kind === kind));
  const { leftPx, texts } = rowNames(edge.shownLanes.map((lane) => `lane ${lane + 1}`));
  return chart({
    name: 'last-minutes',
    finding: lastMinutesFinding(context),
    reading: `${night}${seen.map(({ means }) => `${means}.`).join(' ')}${some}`,
    description: `The last ${figures.duration(edge.spanMs)} before the kill, on ${figures.counted(edge.lanes, 'lane')}: the last call ended ${figures.duration(edge.callMarginMs)} before the kill, the last write ${figures.duration(edge.writeMarginMs)} before it; ${figures.counted(edge.cutOff, 'call')} cut off, ${figures.counted(edge.unwritten, 'checkpoint')} unwritten. The reserve is the last ${figures.duration(summary.scenario.reserveMs)}.`,
    heightPx: edge.shownLanes.length * 26,
    leftPx,
    abovePx: 28,
    layer: layers(context, edge, texts),
  });
}

/** Did a night come so close to its end that there is something to see? */
function reachesEdge({ summary, series }: ReportContext): boolean {
  const { edge, grants } = series;
  if (edge === null || edge.bars.length === 0) return false;
  const lastMs = Math.max(edge.lastCallMs ?? 0, edge.lastWriteMs ?? 0);
  return edge.killed || lastMs > Math.max(grants.edge.fromMs, summary.scenario.windowMs / 2);
}

export function lastMinutesFinding({ summary, figures }: ReportContext): string {
  const { edge } = summary.series;
  if (edge === null) return '';
  if (edge.killed) {
    const cut = edge.cutOff > 0 ? `cuts off ${figures.counted(edge.cutOff, 'call')}` : undefined;
    const lost =
      edge.unwritten > 0 ? `finds ${figures.counted(edge.unwritten, 'checkpoint')} unwritten` : undefined;
    const losses = [cut, lost].filter((part) => part !== undefined).join(' and ');
    return losses === ''
      ? 'The kill comes before the worker has left, with no call and no write under way'
      : `The kill ${losses}`;
  }
  const written =
    edge.writeMarginMs === null
      ? 'nothing had to be written'
      : `the last checkpoint is written ${figures.duration(edge.writeMarginMs)} before the kill`;
  if ((edge.lastCallMs ?? 0) <= summary.findings.usableMs) {
    return `Every call ends before the reserve, and ${written}`;
  }
  return `The last call ends inside the reserve, ${figures.duration(edge.callMarginMs)} before the kill; ${written}`;
}

function layers({ summary, figures }: ReportContext, edge: EdgeSeries, names: readonly string[]): Layer[] {
  const { windowMs, reserveMs } = summary.scenario;
  const unit = timeUnitFor(edge.spanMs);
  const before = (ms: number): number => unit.of(ms - windowMs);
  const x = (field: string): Position =>
    position(field, [before(edge.fromMs), 0], {
      title: `${unit.name} before the kill`,
      labelExpr: 'abs(datum.value)',
    });
  const y = rowsBy('row', edge.shownLanes.length);
  const reserveFromMs = Math.max(edge.fromMs, windowMs - reserveMs);
  const rowOf = new Map(edge.shownLanes.map((lane, row) => [lane, row]));
  const bar = (isCall: boolean): Row[] =>
    edge.bars.flatMap(({ lane, fromMs, toMs, kind }): Row[] => {
      const look = KINDS.find((one) => one.kind === kind);
      if (look === undefined || look.isCall !== isCall) return [];
      return [
        { row: rowOf.get(lane) ?? 0, from: before(fromMs), to: before(toMs), kind, colour: look.colour },
      ];
    });
  const colour = { field: 'colour', type: 'nominal', scale: null } as const;
  return [
    {
      data: {
        values: [
          {
            from: before(reserveFromMs),
            to: 0,
            label: `reserve ${figures.duration(reserveMs)}, then the kill`,
          },
        ],
      },
      layer: [
        {
          mark: { type: 'rect', color: COLOUR.pale },
          encoding: { x: x('from'), x2: { field: 'to' } },
        },
        {
          mark: { type: 'rule', color: COLOUR.black, strokeDash: [4, 3] },
          encoding: { x: x('from') },
        },
        { mark: { type: 'rule', color: COLOUR.black, strokeWidth: 2 }, encoding: { x: x('to') } },
        {
          mark: { type: 'text', align: 'right', y: 0, dy: -8 },
          encoding: { x: x('to'), text: { field: 'label' } },
        },
      ],
    },
    {
      data: { values: bar(true) },
      mark: { type: 'bar', height: { band: 0.42 }, yOffset: -4, stroke: COLOUR.paper, strokeWidth: 0.8 },
      encoding: { y, x: x('from'), x2: { field: 'to' }, color: colour },
    },
    {
      data: { values: bar(false) },
      mark: { type: 'bar', height: { band: 0.2 }, yOffset: 6 },
      encoding: { y, x: x('from'), x2: { field: 'to' }, color: colour },
    },
    {
      data: {
        values: [...bar(true), ...bar(false)].filter(({ kind }) => LOST.includes(String(kind))),
      },
      mark: { type: 'point', shape: CROSS, size: 50, strokeWidth: 2, color: COLOUR.black, opacity: 1 },
      encoding: { y, x: x('to') },
    },
    {
      data: { values: names.map((name, row): Row => ({ row, name })) },
      mark: NAME_MARK,
      encoding: { y, text: { field: 'name' } },
    },
  ];
}
