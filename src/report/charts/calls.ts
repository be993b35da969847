// What came of the calls over the night in which most came to nothing: answered, refused by the provider's
// limits, met by an outage, too slow. An outage is a block, a limit that is too low goes on all night.

import { FAILED_ENDS, mainEnds } from '../binding.ts';
import { FAILED_WORDS } from '../binding-text.ts';
import type { ReportContext } from '../report-context.ts';
import { textWidthPx } from '../text-width.ts';
import { COLOUR, LABEL_PX } from '../theme.ts';
import type { AttemptEnd, CallSlot } from '../trouble-series.ts';
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
import { timeUnitFor } from './time-axis.ts';

interface EndLook {
  readonly end: AttemptEnd;
  /** In tables and beside its colour. */
  readonly label: string;
  readonly colour: string;
}

/** In the order in which they are stacked, from below. */
export const ATTEMPT_ENDS: readonly EndLook[] = [
  { end: 'answered', label: 'answered', colour: COLOUR.green },
  { end: 'invalid', label: 'unusable answer', colour: COLOUR.yellow },
  { end: 'timeout', label: 'took longer than granted', colour: COLOUR.skyBlue },
  { end: 'limited', label: 'refused by limits (429)', colour: COLOUR.orange },
  { end: 'error', label: 'server error', colour: COLOUR.vermillion },
  { end: 'outage', label: 'server error in an outage', colour: COLOUR.lost },
  { end: 'unpaid', label: 'not paid to the end', colour: COLOUR.purple },
  { end: 'other', label: 'failed otherwise', colour: COLOUR.axis },
  { end: 'unheard', label: 'not heard of again: their worker was gone or hung', colour: COLOUR.axis },
];

const LEGEND_ROW_PX = 18;

export function callsChart(context: ReportContext): Chart | undefined {
  const { summary, series, figures } = context;
  const { slots, failed, night, outages } = series.calls;
  if (failed === 0 || slots.length === 0) return undefined;
  const which = summary.run.nights.length > 1 ? `Night ${figures.count(night)}, the one with most. ` : '';
  const shaded = outages.length > 0 ? ' Shaded: the provider was down.' : '';
  const looks = ATTEMPT_ENDS.filter(({ end }) => slots.some((slot) => slot[end] > 0));
  const legend = legendOf(looks);
  return chart({
    name: 'calls',
    finding: callsFinding(context),
    reading: `${which}Bars: calls by when they ended, stacked by what came of them in the order of the list.${shaded}`,
    description: `${which}All nights together: ${ATTEMPT_ENDS.filter(
      ({ end }) => series.calls.attempts[end] > 0,
    )
      .map(({ end, label }) => `${figures.count(series.calls.attempts[end])} ${label}`)
      .join(', ')}.`,
    heightPx: 190,
    leftPx: AXIS_LEFT_PX,
    abovePx: 26 + legend.rows * LEGEND_ROW_PX,
    layer: [...layers(context, looks), ...legend.layers],
  });
}

export function callsFinding({ summary, figures }: ReportContext): string {
  const { made, failed, attempts, again } = summary.series.calls;
  const more = again === 0 ? '' : `; the client made ${figures.counted(again, 'call')} more by itself`;
  if (made === 0) return 'No call came back';
  if (failed === 0) return `All ${figures.counted(made, 'call')} were answered${more}`;
  const mostly = mainEnds(attempts).map((end) => FAILED_WORDS[end]);
  const isAllOf = FAILED_ENDS.filter((end) => attempts[end] > 0).length <= mostly.length;
  return `${figures.count(failed)} of ${figures.counted(made, 'call')} came to nothing: ${isAllOf ? '' : 'mostly '}${mostly.join(' and ')}${more}`;
}

function layers({ summary, series }: ReportContext, looks: readonly EndLook[]): Layer[] {
  const { slots, outages } = series.calls;
  const unit = timeUnitFor(summary.scenario.windowMs);
  const x = (field: string): Position =>
    position(field, [0, unit.of(summary.scenario.windowMs)], { title: `${unit.name} after the opening` });
  const highest = slots.reduce((most, slot) => Math.max(most, sumOf(slot, looks)), 1);
  const axis = { ...upright('calls', ',d'), tickMinStep: 1 };
  const y = (field: string): Position => position(field, [0, highest * 1.05], axis);
  const values = slots.map((slot): Row => {
    const tops = looks.map(({ end }, index) => [end, sumOf(slot, looks.slice(0, index + 1))] as const);
    return { from: unit.of(slot.fromMs), to: unit.of(slot.toMs), zero: 0, ...Object.fromEntries(tops) };
  });
  return [
    {
      data: {
        values: outages.map(({ fromMs, toMs }): Row => ({ from: unit.of(fromMs), to: unit.of(toMs) })),
      },
      mark: { type: 'rect', color: COLOUR.pale },
      encoding: { x: x('from'), x2: { field: 'to' } },
    },
    {
      data: { values },
      layer: looks.map(
        ({ end, colour }, index): Layer => ({
          mark: { type: 'rect', color: colour, stroke: COLOUR.paper, strokeWidth: 0.6 },
          encoding: {
            x: x('from'),
            x2: { field: 'to' },
            y: y(end),
            y2: { field: looks[index - 1]?.end ?? 'zero' },
          },
        }),
      ),
    },
  ];
}

function sumOf(slot: CallSlot, looks: readonly EndLook[]): number {
  return looks.reduce((total, { end }) => total + slot[end], 0);
}

const SWATCH_PX = 16;
const BETWEEN_PX = 16;

/** What the colours mean, as they are stacked, in as many rows as they need. */
function legendOf(looks: readonly EndLook[]): { readonly rows: number; readonly layers: Layer[] } {
  const widthPx = plotWidthPx(AXIS_LEFT_PX);
  let at = 0;
  let row = 0;
  const places = looks.map(({ label, colour }) => {
    const takesPx = Math.round(SWATCH_PX + textWidthPx(label, { sizePx: LABEL_PX }) * 1.08 + BETWEEN_PX);
    if (at > 0 && at + takesPx > widthPx) {
      at = 0;
      row += 1;
    }
    const place = { label, colour, at, row };
    at += takesPx;
    return place;
  });
  const rows = row + 1;
  const legend = places.flatMap(({ label, colour, at: x, row: line }): Layer[] => {
    const y = -24 - (rows - 1 - line) * LEGEND_ROW_PX;
    const data = { values: [{ label }] };
    return [
      { data, mark: { type: 'square', filled: true, opacity: 1, size: 110, color: colour, x: x + 5, y } },
      {
        data,
        mark: { type: 'text', align: 'left', x: x + SWATCH_PX, y },
        encoding: { text: { field: 'label' } },
      },
    ];
  });
  return { rows, layers: legend };
}
