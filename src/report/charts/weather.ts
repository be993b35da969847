// What jobs that are listed in a row use together, in the scenario's weather and each drawn by itself: what
// weather has in common for them does not average out.

import { roundedTo } from '../figures.ts';
import type { ReportContext } from '../report-context.ts';
import { textWidthPx } from '../text-width.ts';
import { COLOUR, LABEL_PX } from '../theme.ts';
import type { WeatherSums } from '../weather-sums.ts';
import {
  AXIS_LEFT_PX,
  type Chart,
  chart,
  type Layer,
  type Position,
  plotWidthPx,
  position,
  type Row,
  upright,
} from './chart.ts';

export function weatherChart(context: ReportContext): Chart | undefined {
  const { weather: sums, figures, className } = context;
  if (sums === undefined) return undefined;
  const rows = `${figures.count(sums.inRow)} jobs in a row`;
  return chart({
    name: 'weather',
    finding: weatherFinding(context),
    reading: `Each point: the output tokens of ${rows}, as a share of what ${rows} use on average, over the list of ${figures.count(sums.jobs)}. Orange: in this weather. Grey: the same jobs, each by itself. One weather of many: another seed has its heights elsewhere.`,
    description: `Moving sums of ${className(sums.class)}: in weather between ${figures.percent(least(sums, 'weather'))} and ${figures.percent(sums.most)} of their mean, without it between ${figures.percent(least(sums, 'alone'))} and ${figures.percent(sums.mostAlone)}.`,
    heightPx: 210,
    leftPx: AXIS_LEFT_PX,
    abovePx: 30,
    layer: layers(sums, context),
  });
}

export function weatherFinding({ weather: sums, figures, className }: ReportContext): string {
  if (sums === undefined) return '';
  const who = `${figures.count(sums.inRow)} ${className(sums.class)} jobs in a row`;
  return `${who} use up to ${figures.percent(sums.most)} of their average output; each by itself, it would be ${figures.percent(sums.mostAlone)}`;
}

/** Of the points that are drawn. */
function least({ points }: WeatherSums, of: 'weather' | 'alone'): number {
  const low = points.reduce((found, point) => Math.min(found, point[of]), Number.POSITIVE_INFINITY);
  return roundedTo(low, 2);
}

const LINES = [
  { of: 'alone', label: 'each by itself', colour: COLOUR.axis, width: 1.5 },
  { of: 'weather', label: 'in this weather', colour: COLOUR.orange, width: 2.5 },
] as const;

function layers(sums: WeatherSums, context: ReportContext): Layer[] {
  const { points, inRow, jobs } = sums;
  const low = Math.min(least(sums, 'weather'), least(sums, 'alone'), 0.9);
  const high = Math.max(sums.most, sums.mostAlone, 1.1);
  const x = position('job', [inRow, jobs], { title: 'job in the list, the last of its row', format: ',d' });
  const y = (field: string): Position =>
    position(
      field,
      [low - 0.05 * (high - low), high + 0.1 * (high - low)],
      upright('share of the average', '.0%'),
    );
  const values = points.map(({ job, weather, alone }): Row => ({ job, weather, alone }));
  return [
    {
      data: { values: [{ average: 1 }] },
      mark: { type: 'rule', color: COLOUR.black, strokeDash: [2, 3] },
      encoding: { y: y('average') },
    },
    {
      data: { values },
      layer: LINES.map(
        ({ of, colour, width }): Layer => ({
          mark: { type: 'line', color: colour, strokeWidth: width },
          encoding: { x, y: y(of) },
        }),
      ),
    },
    ...peak(sums, context, x, y),
    ...legend(),
  ];
}

/** The highest of the points that are drawn, with the figure of the finding beside it. */
function peak(
  { points, most }: WeatherSums,
  { figures }: ReportContext,
  x: Position,
  y: (field: string) => Position,
): Layer[] {
  const top = points.reduce((one, other) => (other.weather > one.weather ? other : one), points[0]!);
  const label = `up to ${figures.percent(most)}`;
  const [from = 0, to = 1] = x.scale.domain;
  const atPx = ((top.job - from) / (to - from)) * plotWidthPx(AXIS_LEFT_PX);
  const widthPx = textWidthPx(label, { sizePx: LABEL_PX });
  const isFarRight = atPx + widthPx > plotWidthPx(AXIS_LEFT_PX) - 10;
  return [
    {
      data: { values: [{ job: top.job, weather: top.weather, label }] },
      mark: {
        type: 'text',
        align: isFarRight ? 'right' : 'left',
        dx: isFarRight ? -6 : 6,
        dy: -8,
        fontWeight: 'bold',
      },
      encoding: { x, y: y('weather'), text: { field: 'label' } },
    },
  ];
}

/** Above the plot, right of the axis' title. */
function legend(): Layer[] {
  let leftPx = 150;
  return LINES.flatMap(({ label, colour, width }): Layer[] => {
    const from = leftPx;
    leftPx += 34 + textWidthPx(label, { sizePx: LABEL_PX }) * 1.1 + 24;
    return [
      {
        data: { values: [{}] },
        mark: {
          type: 'rect',
          x: from,
          x2: from + 24,
          y: -14 - width / 2,
          y2: -14 + width / 2,
          color: colour,
        },
        encoding: {},
      },
      {
        data: { values: [{ label }] },
        mark: { type: 'text', x: from + 30, y: -14, align: 'left', baseline: 'middle' },
        encoding: { text: { field: 'label' } },
      },
    ];
  });
}
