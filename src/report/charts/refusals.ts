// Why jobs were refused: from all that came down to those that were admitted, step by step; and below it the
// smallest change of each kind after which nobody is refused, each of which was played.

import type { SmallestChange } from '../../study/refusals.ts';
import type { RefusalStudy } from '../../study/report-studies.ts';
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

/** Of more classes, the refusals are one bar. */
const MOST_CLASSES = 4;
const ROW_PX = 28;

/** A step down, or one of the two ends. */
interface Step {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly figure: string;
  readonly colour: string;
}

/** A change that was looked for: what it is, and what it would do; undefined where none of its kind helps. */
export interface ChangeLine {
  readonly kind: 'tokens' | 'order' | 'envelopes' | 'lanes';
  /** `11,700,000 instead of 10,000,000`; undefined: no such change helps. */
  readonly says: string | undefined;
  readonly done: number | undefined;
}

export function refusalsChart(context: ReportContext): Chart | undefined {
  const refusals = context.summary.studies?.refusals ?? null;
  if (refusals === null) return undefined;
  const { figures } = context;
  const steps = stepsOf(refusals, context);
  const changes = changeLines(context);
  const names = [...steps.map(({ label }) => label), ...changes.map(({ kind }) => kind)];
  const { leftPx, texts } = rowNames(names);
  const below =
    changes.length > 0
      ? ' Below: the smallest change of each kind after which nobody is refused, each one played.'
      : '';
  return chart({
    name: 'refusals',
    finding: refusalsFinding(context),
    reading: `Jobs over all nights: each bar takes away from what the one above left.${below}`,
    description:
      `${steps.map(({ label, figure }) => `${label} ${figure}`).join(', ')}. ${changes.map((line) => `${line.kind}: ${lineText(line, figures.count)}`).join('; ')}`.trim(),
    heightPx: (steps.length + (changes.length > 0 ? changes.length + 1 : 0)) * ROW_PX,
    leftPx,
    abovePx: 10,
    belowPx: 12,
    layer: layers(steps, changes, texts, leftPx, context),
  });
}

export function refusalsFinding(context: ReportContext): string {
  const refusals = context.summary.studies?.refusals ?? null;
  if (refusals === null) return '';
  const { figures } = context;
  const { jobs, refused, inadmissible } = refusals.steps;
  const what = [
    refused > 0 ? `${figures.count(refused)} refused for want of tokens` : undefined,
    inadmissible > 0 ? `${figures.count(inadmissible)} too large for the pool` : undefined,
  ].filter((part) => part !== undefined);
  const head = `Of ${figures.counted(jobs, 'job')}, ${what.join(' and ')}`;
  const lines = changeLines(context);
  const [helping] = lines.filter(({ says }) => says !== undefined);
  if (helping?.says === undefined) {
    const isWhole = lines.length === KINDS.length;
    return isWhole ? `${head}; no single change admits them all` : head;
  }
  return `${head}; ${PHRASES[helping.kind]} ${helping.says} would admit them all`;
}

const KINDS = ['tokens', 'order', 'envelopes', 'lanes'] as const;

const PHRASES: Readonly<Record<ChangeLine['kind'], string>> = {
  tokens: 'a pool of',
  order: 'the order',
  envelopes: 'envelopes of',
  lanes: 'lanes:',
};

/** Those that were looked for. */
export function changeLines({ summary, figures }: ReportContext): readonly ChangeLine[] {
  const changes = summary.studies?.refusals?.changes ?? null;
  if (changes === null) return [];
  const line = <Value>(
    kind: ChangeLine['kind'],
    change: SmallestChange<Value> | undefined,
    says: (change: NonNullable<SmallestChange<Value>>) => string,
  ): readonly ChangeLine[] => {
    if (change === undefined) return [];
    return [
      change === null
        ? { kind, says: undefined, done: undefined }
        : { kind, says: says(change), done: change.doneThen },
    ];
  };
  return [
    ...line(
      'tokens',
      changes.tokens,
      ({ from, to }) => `${figures.count(to)} instead of ${figures.count(from)} tokens`,
    ),
    ...line('order', changes.order, ({ from, to }) => `${to} instead of ${from}`),
    ...line(
      'envelopes',
      changes.envelopePercent,
      ({ to }) => `${figures.count(to)} percent of what they are`,
    ),
    ...line(
      'lanes',
      changes.lanes,
      ({ from, to }) => `${figures.count(to)} instead of ${figures.count(from)}`,
    ),
  ];
}

function lineText({ says, done }: ChangeLine, count: (value: number | undefined) => string): string {
  return says === undefined ? 'no such change helps' : `${says}: ${count(done)} done`;
}

function stepsOf(refusals: RefusalStudy, { summary, figures, className }: ReportContext): readonly Step[] {
  const { jobs, inadmissible, notReached, admitted } = refusals.steps;
  const classes = Object.entries(refusals.byClass)
    .map(([name, of]) => ({ label: `refused: ${className(name)}`, jobs: of.refused }))
    .filter((one) => one.jobs > 0)
    .toSorted((one, other) => other.jobs - one.jobs);
  const isOne = summary.scenario.classes.length === 1 || classes.length > MOST_CLASSES;
  const refused = isOne ? [{ label: 'refused', jobs: refusals.steps.refused }] : classes;
  const downs = [
    { label: 'too large for the pool', jobs: inadmissible, colour: COLOUR.purple },
    ...refused.map((one) => ({ ...one, colour: COLOUR.vermillion })),
    { label: 'not reached in time', jobs: notReached, colour: COLOUR.yellow },
  ].filter((one) => one.jobs > 0);
  let left = jobs;
  return [
    { label: 'came', from: 0, to: jobs, figure: figures.count(jobs), colour: COLOUR.skyBlue },
    ...downs.map((one): Step => {
      const to = left;
      left -= one.jobs;
      return {
        label: one.label,
        from: left,
        to,
        figure: figures.difference(-one.jobs),
        colour: one.colour,
      };
    }),
    { label: 'admitted', from: 0, to: admitted, figure: figures.count(admitted), colour: COLOUR.green },
  ];
}

function layers(
  steps: readonly Step[],
  changes: readonly ChangeLine[],
  names: readonly string[],
  leftPx: number,
  { figures }: ReportContext,
): Layer[] {
  const rows = steps.length + (changes.length > 0 ? changes.length + 1 : 0);
  const y = rowsBy('row', rows);
  const most = steps.reduce((a, { to }) => Math.max(a, to), 1);
  const widthPx = plotWidthPx(leftPx);
  const values = steps.map(({ from, to, figure, colour }, row): Row => {
    const width = textWidthPx(figure, { sizePx: LABEL_PX, bold: true }) * 1.1 + 12;
    const isRoomRight = (1 - to / most) * widthPx > width;
    const isRoomLeft = (from / most) * widthPx > width;
    return {
      row,
      from,
      to,
      figure,
      at: isRoomRight ? to : isRoomLeft ? from : to,
      side: isRoomRight ? 'right' : isRoomLeft ? 'left' : 'inside',
      colour,
    };
  });
  const x = (field: string): Position => position(field, [0, most], null);
  const below = changes.map((line, index): Row => {
    const row = steps.length + 1 + index;
    const helps = line.says !== undefined;
    return { row, helps, label: lineText(line, figures.count) };
  });
  // Names of the lower part stand one row further down, below its head.
  const nameRows = names.map((name, index): Row => ({ row: index < steps.length ? index : index + 1, name }));
  return [
    {
      data: { values },
      layer: [
        {
          mark: { type: 'bar', height: { band: 0.66 } },
          encoding: {
            y,
            x: x('from'),
            x2: { field: 'to' },
            color: { field: 'colour', type: 'nominal', scale: null },
          },
        },
        ...(['right', 'left', 'inside'] as const).map(
          (side): Layer => ({
            transform: [{ filter: `datum.side === '${side}'` }],
            mark: {
              type: 'text',
              align: side === 'right' ? 'left' : 'right',
              dx: side === 'right' ? 6 : -6,
              fontWeight: 'bold',
              ...(side === 'inside' ? { color: COLOUR.onLight } : {}),
            },
            encoding: { y, x: x('at'), text: { field: 'figure' } },
          }),
        ),
      ],
    },
    { data: { values: nameRows }, mark: NAME_MARK, encoding: { y, text: { field: 'name' } } },
    ...(changes.length === 0
      ? []
      : [
          {
            data: { values: [{ row: steps.length, label: 'Nobody is refused with' }] },
            mark: { type: 'text', align: 'left', x: 0, dy: 4, fontWeight: 'bold' },
            encoding: { y, text: { field: 'label' } },
          } satisfies Layer,
          {
            data: { values: below },
            mark: { type: 'text', align: 'left', x: 0 },
            encoding: {
              y,
              text: { field: 'label' },
              color: { condition: { test: 'datum.helps', value: COLOUR.ink }, value: COLOUR.faint },
            },
          } satisfies Layer,
        ]),
  ];
}
