// Tokens that nobody can use, over the night in which they hurt most: in holds of workers that are gone, and in
// holds that have expired and wait to be reclaimed; with an alarm where asks are turned away meanwhile.

import type { StrandedPoint, StrandedSeries } from '../night-series.ts';
import type { ReportContext } from '../report-context.ts';
import { COLOUR } from '../theme.ts';
import {
  AXIS_LEFT_PX,
  type Chart,
  CROSS,
  chart,
  type Layer,
  type Position,
  position,
  type Row,
  upright,
} from './chart.ts';
import { type TimeUnit, timeUnitFor } from './time-axis.ts';

export function strandedChart(context: ReportContext): Chart | undefined {
  const { series, summary, figures } = context;
  const { stranded } = series;
  if (stranded === null) return undefined;
  const which = summary.scenario.nights > 1 ? `Night ${figures.count(stranded.night)}. ` : '';
  const alarms = stranded.phantoms.length > 0 ? ' Red, between crosses: asks are turned away meanwhile.' : '';
  return chart({
    name: 'stranded',
    finding: strandedFinding(context),
    reading: `${which}Orange: tokens in holds of workers that are gone. Thin line: in holds whose lease has ended, until somebody reclaims them. Dashed: ${figures.percent(stranded.alarmShare)} of the pool, the alarm.${alarms}`,
    description: `${which}At most ${figures.tokens(stranded.mostTokens)} of ${figures.tokens(stranded.capacity)} tokens stranded, ${figures.duration(stranded.mostAtMs)} after the opening; at most ${figures.tokens(stranded.mostExpiredTokens)} expired and not reclaimed; ${figures.counted(stranded.phantomRefusals, 'ask')} turned away above the alarm, over all nights.`,
    heightPx: 190,
    leftPx: AXIS_LEFT_PX,
    abovePx: 34,
    layer: layers(stranded, summary.scenario.windowMs, context),
  });
}

export function strandedFinding({ summary, figures }: Pick<ReportContext, 'summary' | 'figures'>): string {
  const { stranded } = summary.series;
  if (stranded === null) return '';
  const { mostTokens, mostShare, mostExpiredTokens, alarmShare, phantomRefusals, phantomNights } = stranded;
  if (phantomRefusals > 0) {
    const nights =
      summary.scenario.nights > 1
        ? ` in ${figures.count(phantomNights)} of ${figures.counted(summary.scenario.nights, 'night')}`
        : '';
    return `Phantom exhaustion: ${figures.counted(phantomRefusals, 'ask')} turned away${nights} while workers that are gone hold more than ${figures.percent(alarmShare)} of the pool`;
  }
  if (mostTokens === 0) {
    return `No token is stranded; up to ${figures.tokens(mostExpiredTokens)} are in holds that expire under workers that live`;
  }
  const most = `Up to ${figures.percent(mostShare)} of the pool (${figures.tokens(mostTokens)} tokens) is stranded at once`;
  return mostShare > alarmShare
    ? `${most}, but no ask is turned away while it is more than ${figures.percent(alarmShare)}`
    : `${most}; the alarm is at ${figures.percent(alarmShare)}`;
}

function layers(stranded: StrandedSeries, windowMs: number, { figures }: ReportContext): Layer[] {
  const unit = timeUnitFor(windowMs);
  const points = toBothEnds(stranded.points, windowMs);
  const most = Math.max(stranded.mostTokens, stranded.mostExpiredTokens, stranded.alarmTokens, 1);
  const x = (field: string): Position =>
    position(field, [0, unit.of(windowMs)], { title: `${unit.name} after the opening` });
  const y = (field: string): Position => position(field, [0, most * 1.12], upright('tokens', '~s'));
  const values = points.map(
    ({ atMs, tokens, expiredTokens }): Row => ({
      at: unit.of(atMs),
      zero: 0,
      tokens,
      expired: expiredTokens,
    }),
  );
  const alarm: Row = {
    at: unit.of(windowMs),
    tokens: stranded.alarmTokens,
    label: `alarm above ${figures.tokens(stranded.alarmTokens)}`,
  };
  return [
    {
      data: { values },
      layer: [
        {
          mark: { type: 'area', interpolate: 'step-after', color: COLOUR.orange },
          // With both ends given, moments that are drawn as one are not stacked.
          encoding: { x: x('at'), y: y('zero'), y2: { field: 'tokens' } },
        },
        {
          mark: { type: 'line', interpolate: 'step-after', color: COLOUR.black, strokeWidth: 1.6 },
          encoding: { x: x('at'), y: y('expired') },
        },
      ],
    },
    {
      data: { values: [alarm] },
      layer: [
        {
          mark: { type: 'rule', color: COLOUR.black, strokeDash: [4, 3] },
          encoding: { y: y('tokens') },
        },
        {
          mark: { type: 'text', align: 'right', dy: -7 },
          encoding: { x: x('at'), y: y('tokens'), text: { field: 'label' } },
        },
      ],
    },
    ...peakLayers(stranded, unit, x, y, figures.tokens),
    ...alarmLayers(stranded, unit, x, figures.counted),
  ];
}

/** Nothing is stranded before the first point; after the last it stays as it is. */
function toBothEnds(points: readonly StrandedPoint[], windowMs: number): readonly StrandedPoint[] {
  const first = points[0];
  const last = points.at(-1);
  return [
    ...(first === undefined || first.atMs > 0 ? [{ atMs: 0, tokens: 0, expiredTokens: 0 }] : []),
    ...points,
    ...(last === undefined || last.atMs >= windowMs ? [] : [{ ...last, atMs: windowMs }]),
  ];
}

function peakLayers(
  { mostTokens, mostAtMs }: StrandedSeries,
  unit: TimeUnit,
  x: (field: string) => Position,
  y: (field: string) => Position,
  tokens: (value: number) => string,
): Layer[] {
  if (mostTokens === 0) return [];
  const isLate = unit.of(mostAtMs) > (x('at').scale.domain[1] ?? 0) * 0.6;
  return [
    {
      data: {
        values: [{ at: unit.of(mostAtMs), tokens: mostTokens, label: `${tokens(mostTokens)} stranded` }],
      },
      mark: {
        type: 'text',
        align: isLate ? 'right' : 'left',
        dx: isLate ? -2 : 2,
        dy: -8,
        fontWeight: 'bold',
      },
      encoding: { x: x('at'), y: y('tokens'), text: { field: 'label' } },
    },
  ];
}

/** Above the plot: from the first to the last ask that is turned away, and how many. */
function alarmLayers(
  { phantoms }: StrandedSeries,
  unit: TimeUnit,
  x: (field: string) => Position,
  counted: (value: number, one: string) => string,
): Layer[] {
  const [first] = phantoms;
  if (first === undefined) return [];
  const greatest = phantoms.reduce((most, one) => (one.refusals > most.refusals ? one : most), first);
  const isLate = unit.of(greatest.toMs) > (x('at').scale.domain[1] ?? 0) * 0.7;
  const ends = phantoms.map(({ fromMs, toMs }): Row => ({ from: unit.of(fromMs), to: unit.of(toMs) }));
  return [
    {
      data: { values: ends },
      layer: [
        {
          mark: { type: 'rule', y: -10, strokeWidth: 5, color: COLOUR.vermillion },
          encoding: { x: x('from'), x2: { field: 'to' } },
        },
        ...['from', 'to'].map(
          (end): Layer => ({
            mark: {
              type: 'point',
              shape: CROSS,
              y: -10,
              size: 50,
              strokeWidth: 2,
              color: COLOUR.vermillion,
              opacity: 1,
            },
            encoding: { x: x(end) },
          }),
        ),
      ],
    },
    {
      data: {
        values: [
          {
            at: unit.of(isLate ? greatest.fromMs : greatest.toMs),
            label: `${counted(greatest.refusals, 'ask')} turned away`,
          },
        ],
      },
      mark: { type: 'text', y: -10, align: isLate ? 'right' : 'left', dx: isLate ? -10 : 10 },
      encoding: { x: x('at'), text: { field: 'label' } },
    },
  ];
}
