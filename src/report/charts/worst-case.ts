// Chart 1: the worst case against the window, beside what was played. Shows why an unclamped night can
// run for hours past its end although it usually does not.

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
import { timeUnitFor } from './time-axis.ts';

/** A bar that is longer than so many windows is drawn torn off, or the window would vanish. */
const MOST_WINDOWS = 8;

export function worstCaseChart(context: ReportContext): Chart | undefined {
  const { summary, figures } = context;
  const { worstCase } = summary.plan;
  if (worstCase.items === 0) return undefined;
  const { facts } = summary.verdict;
  const { usableMs } = summary.findings;
  const playedMs = facts.killedNights > 0 ? worstCase.windowMs : (facts.slowestFinishedMs ?? 0);
  const longestMs = Math.max(worstCase.sequentialMs, worstCase.elapsedMs, worstCase.windowMs);
  const endMs = Math.min(longestMs, MOST_WINDOWS * worstCase.windowMs) * 1.02;
  const unit = timeUnitFor(endMs);
  const bars: readonly Bar[] = [
    {
      what: 'one call after another',
      ms: worstCase.sequentialMs,
      text: figures.duration(worstCase.sequentialMs),
    },
    {
      what: `on ${figures.counted(worstCase.lanes, 'lane')}, with pauses`,
      ms: worstCase.elapsedMs,
      text: figures.duration(worstCase.elapsedMs),
    },
    {
      what: facts.nights === 1 ? 'as played' : 'as played, slowest night',
      ms: playedMs,
      text: facts.killedNights > 0 ? 'killed' : figures.duration(playedMs),
    },
  ];
  const { leftPx, texts } = rowNames(bars.map(({ what }) => what));
  return chart({
    name: 'worst-case',
    finding: worstCaseFinding(context),
    reading: `Bars: the worst case (every job uses all its attempts, each up to the cap) and the slowest night that was played. Shaded: the window; the dashed line is where the reserve begins.`,
    description: `Bars of time: ${bars.map(({ what, text }) => `${what} ${text}`).join(', ')}. The window is ${figures.duration(worstCase.windowMs)}, of which ${figures.duration(usableMs)} come before the reserve.`,
    heightPx: 126,
    leftPx,
    abovePx: 24,
    layer: layers(bars, texts, endMs, {
      pxPerMs: plotWidthPx(leftPx) / endMs,
      windowMs: worstCase.windowMs,
      usableMs,
      unitName: unit.name,
      of: unit.of,
      windowText: `window ${figures.duration(worstCase.windowMs)}`,
    }),
  });
}

export function worstCaseFinding({ summary, figures }: ReportContext): string {
  const { worstCase } = summary.plan;
  const { facts } = summary.verdict;
  const night = facts.nights > 1 ? 'the slowest night played' : 'the night as played';
  const played =
    facts.killedNights > 0
      ? `${facts.nights > 1 ? 'a night' : 'the night'} as played was killed`
      : `${night} took ${figures.duration(facts.slowestFinishedMs)}`;
  const worst = figures.duration(worstCase.elapsedMs);
  if (worstCase.fits) return `Even the worst case fits: ${worst} at most; ${played}`;
  return `The worst case does not fit: ${worst} into ${figures.duration(summary.findings.usableMs)}; ${played}`;
}

interface Bar {
  readonly what: string;
  readonly ms: number;
  readonly text: string;
}

function inkOf(inside: boolean, what: string): string {
  if (!inside) return COLOUR.ink;
  return what.startsWith('as played') ? COLOUR.onDark : COLOUR.onLight;
}

interface Scale {
  readonly pxPerMs: number;
  readonly windowMs: number;
  readonly usableMs: number;
  readonly unitName: string;
  of(ms: number): number;
  readonly windowText: string;
}

function layers(bars: readonly Bar[], names: readonly string[], endMs: number, scale: Scale): Layer[] {
  const domain = [0, scale.of(endMs)] as const;
  const values = bars.map(({ what, ms, text }, row): Row => {
    const torn = ms > endMs;
    const label = torn ? `${text}, far beyond this picture ►` : text;
    const place = labelPlace(ms, label, endMs, scale);
    return {
      row,
      what: names[row] ?? what,
      end: scale.of(Math.min(ms, endMs)),
      colour: what.startsWith('as played') ? COLOUR.blue : COLOUR.orange,
      ink: inkOf(place.inside, what),
      label,
      labelAt: scale.of(place.ms),
      inside: place.inside,
    };
  });
  const y = rowsBy('row', bars.length);
  const x = (field: string): Position => position(field, domain, { title: scale.unitName });
  return [
    {
      data: { values: [{ start: 0, end: scale.of(scale.windowMs), label: scale.windowText }] },
      mark: { type: 'rect', color: COLOUR.pale },
      encoding: { x: x('start'), x2: { field: 'end' } },
    },
    {
      data: {
        values: [
          { at: scale.of(scale.usableMs), dash: true },
          { at: scale.of(scale.windowMs), dash: false },
        ],
      },
      mark: { type: 'rule', color: COLOUR.black, strokeWidth: 1.5 },
      encoding: {
        x: x('at'),
        strokeDash: {
          field: 'dash',
          type: 'nominal',
          scale: {
            domain: [true, false],
            range: [
              [4, 3],
              [1, 0],
            ],
          },
          legend: null,
        },
      },
    },
    {
      data: { values: [{ at: scale.of(scale.windowMs), label: scale.windowText }] },
      mark: { type: 'text', y: 0, dy: -7, align: scale.windowMs > endMs * 0.7 ? 'right' : 'left' },
      encoding: { x: x('at'), text: { field: 'label' } },
    },
    {
      data: { values },
      layer: [
        {
          mark: { type: 'bar', height: { band: 0.6 } },
          encoding: { y, x: x('end'), color: { field: 'colour', type: 'nominal', scale: null } },
        },
        { mark: NAME_MARK, encoding: { y, text: { field: 'what' } } },
        ...[true, false].map(
          (inside): Layer => ({
            transform: [{ filter: `datum.inside === ${inside}` }],
            mark: { type: 'text', align: inside ? 'right' : 'left', dx: inside ? -6 : 6, fontWeight: 'bold' },
            encoding: {
              y,
              x: x('labelAt'),
              text: { field: 'label' },
              color: { field: 'ink', type: 'nominal', scale: null },
            },
          }),
        ),
      ],
    },
  ];
}

/** A label stands in a long bar, else after it, and never across the end of the window. */
function labelPlace(
  ms: number,
  label: string,
  endMs: number,
  scale: Scale,
): { readonly ms: number; readonly inside: boolean } {
  const barMs = Math.min(ms, endMs);
  const labelMs = (textWidthPx(label, { sizePx: LABEL_PX, bold: true }) * 1.1 + 12) / scale.pxPerMs;
  if (barMs + labelMs > endMs) return { ms: barMs, inside: true };
  const crosses = barMs <= scale.windowMs && barMs + labelMs > scale.usableMs;
  if (crosses && scale.windowMs + labelMs <= endMs) return { ms: scale.windowMs, inside: false };
  return { ms: barMs, inside: crosses };
}
