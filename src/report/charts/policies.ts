// Chart 8: policies side by side under the same weather. Left, what became of the jobs over all nights;
// right, jobs done more or fewer than under the scenario itself, in all and night by night.

import { roundedTo } from '../figures.ts';
import type { PolicyRow } from '../findings.ts';
import { shortName } from '../names.ts';
import type { ReportContext } from '../report-context.ts';
import { textWidthPx } from '../text-width.ts';
import { COLOUR, LABEL_PX } from '../theme.ts';
import {
  type Chart,
  CROSS,
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

/** With its nights each, below 200 rows of data. */
const MOST_VARIANTS = 7;
const MOST_NIGHTS = 12;
/** The picture's width is shared between two panels, in parts of it. */
const JOBS_TO = 0.56;
const DIFFERENCES_FROM = 0.64;

export function policiesChart(context: ReportContext): Chart | undefined {
  const { figures } = context;
  const rows = shownRows(context);
  if (rows.length < 2) return undefined;
  const names = rows.map(({ name }) => (name === null ? 'this scenario' : shortName(name)));
  const { leftPx, texts } = rowNames(names);
  const all = context.summary.findings.policies.length;
  const some = rows.length < all ? ' Drawn are the variants that differ most.' : '';
  const nights = hasNights(rows) ? ' Circles: each night.' : '';
  return chart({
    name: 'policies',
    finding: policiesFinding(context),
    reading: `Left: all jobs, by what became of them in the end (${endWords(rows)}). Right: jobs done more or fewer than in this scenario, with the same jobs and the same weather.${nights}${some}`,
    description: `Under each policy: ${rows.map((row, index) => describeRow(row, names[index] ?? '', figures.count)).join('; ')}.`,
    heightPx: rows.length * 54,
    leftPx,
    abovePx: 26,
    layer: layers(rows, texts, leftPx, context),
  });
}

export function policiesFinding({ summary, figures }: ReportContext): string {
  const [own, ...variants] = summary.findings.policies;
  if (own === undefined || variants.length === 0) return '';
  const best = variants.reduce((a, b) => (b.doneDifference > a.doneDifference ? b : a));
  const worst = variants.reduce((a, b) => (b.doneDifference < a.doneDifference ? b : a));
  const done =
    best.doneDifference > 0
      ? `${shortName(best.name ?? '')} gets ${figures.counted(best.doneDifference, 'job')} more done than this scenario`
      : worst.doneDifference < 0
        ? `No variant gets more done; ${shortName(worst.name ?? '')} gets ${figures.counted(-worst.doneDifference, 'job')} fewer done`
        : `${variants.length === 1 ? shortName(best.name ?? '') : 'Every variant'} gets as many jobs done as this scenario`;
  const named =
    variants.length === 1 || best.doneDifference > 0 ? best : worst.doneDifference < 0 ? worst : undefined;
  return `${done}${lossesClause(variants, named, figures)}`;
}

/** The variant whose losses differ most from the scenario's, if any do. */
function lossesClause(
  variants: readonly PolicyRow[],
  named: PolicyRow | undefined,
  figures: ReportContext['figures'],
): string {
  const most = variants.reduce((a, b) =>
    Math.abs(b.cutOffDifference) > Math.abs(a.cutOffDifference) ? b : a,
  );
  const { cutOffDifference } = most;
  if (cutOffDifference === 0) return '';
  const loses = named === most ? ' and loses' : `; ${shortName(most.name ?? '')} loses`;
  return cutOffDifference > 0
    ? `${loses} ${figures.counted(cutOffDifference, 'more call or answer', 'more calls or answers')}`
    : `${loses} ${figures.counted(-cutOffDifference, 'call or answer', 'calls or answers')} fewer`;
}

/** The scenario, then its variants in their order. */
function shownRows({ summary }: ReportContext): readonly PolicyRow[] {
  const [own, ...variants] = summary.findings.policies;
  if (own === undefined) return [];
  const weight = (row: PolicyRow): number => Math.abs(row.doneDifference) + Math.abs(row.cutOffDifference);
  const kept = [...variants].sort((a, b) => weight(b) - weight(a)).slice(0, MOST_VARIANTS);
  return [own, ...variants.filter((row) => kept.includes(row))];
}

function hasNights(rows: readonly PolicyRow[]): boolean {
  const nights = rows.reduce((most, { nightDifferences }) => Math.max(most, nightDifferences.length), 0);
  return nights > 1 && nights <= MOST_NIGHTS;
}

function describeRow(row: PolicyRow, name: string, count: (value: number) => string): string {
  return `${name} ${count(row.done)} done, ${count(row.failed)} failed, ${count(row.pending)} left at the end, ${count(row.cutOff)} cut off or lost on the way`;
}

function layers(
  rows: readonly PolicyRow[],
  names: readonly string[],
  leftPx: number,
  context: ReportContext,
): Layer[] {
  const y = rowsBy('row', rows.length);
  const widthPx = plotWidthPx(leftPx);
  const heads: Row[] = [
    { at: 0, label: 'jobs in the end' },
    { at: DIFFERENCES_FROM, label: 'more or fewer done' },
  ];
  return [
    ...jobLayers(rows, y, widthPx, context),
    ...differenceLayers(rows, y, widthPx, context),
    {
      data: { values: heads },
      mark: { type: 'text', align: 'left', y: -10, fontWeight: 'bold' },
      encoding: { x: share('at'), text: { field: 'label' } },
    },
    {
      data: { values: names.map((name, row): Row => ({ row, name })) },
      mark: { ...NAME_MARK, dy: -6 },
      encoding: { y, text: { field: 'name' } },
    },
  ];
}

type RowPosition = ReturnType<typeof rowsBy>;

/** Both panels lie on one axis, from 0 to 1, which is not drawn. */
function share(field: string): Position {
  return position(field, [0, 1], null);
}

const ENDS = [
  { label: 'done', word: 'green', of: (row: PolicyRow) => row.done, colour: COLOUR.green },
  { label: 'failed', word: 'red', of: (row: PolicyRow) => row.failed, colour: COLOUR.vermillion },
  { label: 'left', word: 'blue', of: (row: PolicyRow) => row.pending, colour: COLOUR.skyBlue },
] as const;

/** The colours that are in the picture. */
function endWords(rows: readonly PolicyRow[]): string {
  return ENDS.filter(({ of }) => rows.some((row) => of(row) > 0))
    .map(({ label, word }) => `${label} ${word}`)
    .join(', ');
}

function jobLayers(
  rows: readonly PolicyRow[],
  y: RowPosition,
  widthPx: number,
  { figures }: ReportContext,
): Layer[] {
  const most = rows.reduce((a, row) => Math.max(a, row.done + row.failed + row.pending), 1);
  const segments = rows.flatMap((row, index): Row[] => {
    let jobs = 0;
    return ENDS.flatMap(({ label, of, colour }): Row[] => {
      const count = of(row);
      if (count <= 0) return [];
      const from = roundedTo((jobs / most) * JOBS_TO, 4);
      jobs += count;
      const to = roundedTo((jobs / most) * JOBS_TO, 4);
      const long = `${label} ${figures.count(count)}`;
      const fitting = [long, figures.count(count)].find(
        (text) => textWidthPx(text, { sizePx: LABEL_PX }) * 1.08 + 8 <= (to - from) * widthPx,
      );
      return [{ row: index, from, to, middle: roundedTo((from + to) / 2, 4), colour, label: fitting ?? '' }];
    });
  });
  const losses = rows.map(
    ({ cutOff }, row): Row => ({
      row,
      at: 0,
      lost: cutOff > 0,
      label: cutOff > 0 ? `${figures.count(cutOff)} cut off or lost on the way` : 'nothing cut off or lost',
    }),
  );
  return [
    {
      data: { values: segments },
      layer: [
        {
          mark: { type: 'bar', height: { band: 0.4 }, yOffset: -6, stroke: COLOUR.paper, strokeWidth: 1 },
          encoding: {
            y,
            x: share('from'),
            x2: { field: 'to' },
            color: { field: 'colour', type: 'nominal', scale: null },
          },
        },
        {
          mark: { type: 'text', dy: -6, color: COLOUR.onLight },
          encoding: { y, x: share('middle'), text: { field: 'label' } },
        },
      ],
    },
    {
      data: { values: losses },
      layer: [
        {
          transform: [{ filter: 'datum.lost' }],
          mark: {
            type: 'point',
            shape: CROSS,
            size: 40,
            strokeWidth: 2,
            color: COLOUR.vermillion,
            xOffset: 5,
            yOffset: 14,
            opacity: 1,
          },
          encoding: { y, x: share('at') },
        },
        ...[true, false].map(
          (lost): Layer => ({
            transform: [{ filter: `datum.lost === ${lost}` }],
            mark: { type: 'text', align: 'left', dx: lost ? 14 : 0, dy: 14, fontSize: 11 },
            encoding: { y, x: share('at'), text: { field: 'label' } },
          }),
        ),
      ],
    },
  ];
}

function differenceLayers(
  rows: readonly PolicyRow[],
  y: RowPosition,
  widthPx: number,
  { figures }: ReportContext,
): Layer[] {
  const variants = rows.map((row, index) => ({ row, index })).filter(({ row }) => row.name !== null);
  const withNights = hasNights(rows);
  const all = variants.flatMap(({ row }) => [
    row.doneDifference,
    ...(withNights ? row.nightDifferences : []),
  ]);
  const low = all.reduce((a, b) => Math.min(a, b), 0);
  const high = all.reduce((a, b) => Math.max(a, b), 0);
  const at = (jobs: number): number =>
    roundedTo(DIFFERENCES_FROM + ((jobs - low) / Math.max(1, high - low)) * (1 - DIFFERENCES_FROM), 4);
  const bars = variants.map(({ row, index }): Row => {
    const label = `${figures.difference(row.doneDifference)} in all`;
    const roomPx = (1 - at(0)) * widthPx;
    return {
      row: index,
      zero: at(0),
      to: at(row.doneDifference),
      label,
      align: textWidthPx(label, { sizePx: LABEL_PX, bold: true }) * 1.1 > roomPx ? 'right' : 'left',
      colour: row.doneDifference < 0 ? COLOUR.vermillion : COLOUR.green,
    };
  });
  const nights = withNights
    ? variants.flatMap(({ row, index }) =>
        row.nightDifferences.map(
          (jobs, night): Row => ({ row: index, night: night + 1, jobs, at: at(jobs) }),
        ),
      )
    : [];
  return [
    {
      data: { values: bars },
      layer: [
        {
          mark: { type: 'bar', height: { band: 0.4 }, yOffset: -6 },
          encoding: {
            y,
            x: share('zero'),
            x2: { field: 'to' },
            color: { field: 'colour', type: 'nominal', scale: null },
          },
        },
        ...(['left', 'right'] as const).map(
          (align): Layer => ({
            transform: [{ filter: `datum.align === '${align}'` }],
            mark: { type: 'text', align, dy: 14, dx: align === 'left' ? 3 : -3, fontWeight: 'bold' },
            encoding: { y, x: share('zero'), text: { field: 'label' } },
          }),
        ),
      ],
    },
    {
      data: { values: nights },
      mark: {
        type: 'point',
        filled: true,
        size: 34,
        yOffset: -6,
        color: COLOUR.paper,
        stroke: COLOUR.black,
        strokeWidth: 1.5,
        opacity: 1,
      },
      encoding: { y, x: share('at') },
    },
    {
      data: { values: [{ zero: at(0) }] },
      mark: { type: 'rule', color: COLOUR.black, strokeWidth: 1.5 },
      encoding: { x: share('zero') },
    },
  ];
}
