// The drift by cause: each cause a bar that begins where the last one ended, so that they can be seen to sum
// to the drift. To the right is what the provider bills and the books do not have, to the left the opposite.

import type { DriftCauses, PoolFigures } from '../../world/run-result.ts';
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

type Cause = keyof DriftCauses;

interface CauseWords {
  /** Beside its bar. */
  readonly label: string;
  /** In a sentence. */
  readonly is: string;
}

export const CAUSES: Readonly<Record<Cause, CauseWords>> = {
  overspend: { label: 'beyond envelopes', is: 'use beyond envelopes' },
  lateShortfall: { label: 'settled too late', is: 'late settles that could not be debited any more' },
  chargedNotSpent: { label: 'charged, not spent', is: 'expired holds that were charged in full' },
  estimatedUsage: { label: 'estimated usage', is: 'usage that had to be estimated' },
  abandonedCalls: { label: 'calls given up', is: 'calls that were given up and billed all the same' },
  hiddenCalls: { label: 'hidden client calls', is: 'calls that the client made by itself' },
  neverSettled: { label: 'never settled', is: 'calls that were cut off with their worker and never settled' },
  corrected: { label: 'corrected', is: 'corrections after the bill' },
  stillOpen: { label: 'still open', is: 'calls under holds that are still open' },
};

interface Part {
  readonly cause: Cause;
  readonly tokens: number;
}

export function driftChart(context: ReportContext): Chart | undefined {
  const books = booksOf(context);
  const parts = driftParts(context);
  if (books === undefined || parts.length === 0) return undefined;
  const { figures } = context;
  const names = [...parts.map(({ cause }) => CAUSES[cause].label), 'the drift'];
  const { leftPx, texts } = rowNames(names);
  return chart({
    name: 'drift',
    finding: driftFinding(context),
    reading:
      'All nights together. Each bar begins where the one above it ended; the last is their sum. To the right (orange): billed, and not in the books. To the left (blue): in the books, and not billed.',
    description: `Tokens by cause: ${parts.map(({ cause, tokens }) => `${CAUSES[cause].label} ${figures.difference(tokens)}`).join(', ')}; in all ${figures.difference(books.drift)}.`,
    heightPx: names.length * 30,
    leftPx,
    abovePx: 10,
    layer: layers(parts, books.drift, texts, leftPx, context),
  });
}

/** Of the pool, all nights; undefined without a pool. */
function booksOf({ summary }: ReportContext): PoolFigures | undefined {
  const { pool } = summary.scenario;
  return pool === null ? undefined : summary.run.pools[pool.name];
}

/** The causes that there are, the greatest first. */
export function driftParts(context: ReportContext): readonly Part[] {
  return partsOf(booksOf(context));
}

export function partsOf(books: PoolFigures | undefined): readonly Part[] {
  if (books === undefined) return [];
  return (Object.keys(CAUSES) as Cause[])
    .map((cause) => ({ cause, tokens: books.driftCauses[cause] }))
    .filter(({ tokens }) => tokens !== 0)
    .toSorted((one, other) => Math.abs(other.tokens) - Math.abs(one.tokens));
}

export function driftFinding(context: ReportContext): string {
  const { figures } = context;
  const drift = booksOf(context)?.drift ?? 0;
  const parts = driftParts(context);
  const [main] = parts.filter(({ tokens }) => tokens > 0 === drift > 0);
  if (main === undefined || drift === 0) {
    return parts.length === 0
      ? 'The bill and the books agree to the token'
      : 'What the bill and the books lack of each other cancels out in the end';
  }
  const whole = parts.length === 1 ? 'all of it' : 'above all';
  return drift > 0
    ? `The provider bills ${figures.tokens(drift)} tokens more than the books have, ${whole} for ${CAUSES[main.cause].is}`
    : `The books have ${figures.tokens(-drift)} tokens more than the provider bills, ${whole} for ${CAUSES[main.cause].is}`;
}

function layers(
  parts: readonly Part[],
  drift: number,
  names: readonly string[],
  leftPx: number,
  { figures }: ReportContext,
): Layer[] {
  let sum = 0;
  const bars = [...parts.map(({ tokens }) => tokens), drift].map((tokens, row) => {
    const isSum = row === parts.length;
    const from = isSum ? 0 : sum;
    sum = isSum ? drift : sum + tokens;
    return { row, from, to: sum, tokens, isSum };
  });
  const low = bars.reduce((least, { from, to }) => Math.min(least, from, to), 0);
  const high = bars.reduce((most, { from, to }) => Math.max(most, from, to), 0);
  const widthPx = plotWidthPx(leftPx);
  const labels = bars.map(({ tokens }) => figures.difference(tokens));
  const longest = labels.reduce(
    (most, label) => Math.max(most, textWidthPx(label, { sizePx: LABEL_PX, bold: true })),
    0,
  );
  // Labels stand to the right of their bars, wherever those end.
  const room = ((high - low || 1) * (longest * 1.1 + 12)) / Math.max(1, widthPx - longest * 1.1 - 12);
  const domain = [low, high + room] as const;
  const values = bars.map(
    ({ row, from, to, tokens, isSum }): Row => ({
      row,
      from,
      to,
      right: Math.max(from, to),
      label: labels[row] ?? '',
      sum: isSum,
      colour: tokens < 0 ? COLOUR.skyBlue : COLOUR.orange,
    }),
  );
  const y = rowsBy('row', bars.length);
  const x = (field: string): Position =>
    position(field, domain, { title: 'tokens billed and not in the books', format: '~s' });
  return [
    {
      data: { values },
      layer: [
        {
          mark: { type: 'bar', height: { band: 0.6 } },
          encoding: {
            y,
            x: x('from'),
            x2: { field: 'to' },
            color: { field: 'colour', type: 'nominal', scale: null },
          },
        },
        {
          transform: [{ filter: '!datum.sum' }],
          mark: { type: 'tick', size: 30, thickness: 1, color: COLOUR.axis },
          encoding: { y, x: x('to') },
        },
        ...[true, false].map(
          (isSum): Layer => ({
            transform: [{ filter: `datum.sum === ${isSum}` }],
            mark: { type: 'text', align: 'left', dx: 6, ...(isSum ? { fontWeight: 'bold' as const } : {}) },
            encoding: { y, x: x('right'), text: { field: 'label' } },
          }),
        ),
      ],
    },
    {
      data: { values: [{ zero: 0 }] },
      mark: { type: 'rule', color: COLOUR.black, strokeWidth: 1.5 },
      encoding: { x: x('zero') },
    },
    ...[true, false].map(
      (isSum): Layer => ({
        data: {
          values: names
            .map((name, row): Row => ({ row, name }))
            .filter(({ row }) => (row === parts.length) === isSum),
        },
        mark: { ...NAME_MARK, ...(isSum ? { fontWeight: 'bold' as const } : {}) },
        encoding: { y, text: { field: 'name' } },
      }),
    ),
  ];
}
