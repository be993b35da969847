// Chart 2: the anatomy of the envelopes. Each class's usage as a share of its own envelope, so that classes
// of any size stand side by side and what went beyond lies right of one line.

import { type Figures, roundedTo } from '../figures.ts';
import type { ClassSeries } from '../night-series.ts';
import type { ReportContext } from '../report-context.ts';
import { textWidthPx } from '../text-width.ts';
import { COLOUR, EDGE_PX } from '../theme.ts';
import { USAGE_BINS } from '../token-tally.ts';
import { type Chart, chart, type Layer, type Position, plotWidthPx, position, type Row } from './chart.ts';

const MOST_CLASSES = 7;
const BIN = 0.1;
/** The first bin of usage beyond the envelope. */
const ENVELOPE_BIN = 10;
const LEFT_PX = EDGE_PX + 4;
const ROW_PX = 74;
/** Within a row, from its top: the name, the labels of the marks, the bars. */
const NAME_AT = 0.1;
const LABEL_AT = 0.32;
const BARS_FROM = 0.42;
const BARS_TO = 0.92;
/** Marks that are closer than this share one label. */
const CLOSE = 0.3;

interface Shown {
  readonly name: string;
  readonly envelope: number;
  readonly usage: ClassSeries['usage'];
}

export function envelopesChart(context: ReportContext): Chart | undefined {
  const { summary, figures } = context;
  const all = shownClasses(context);
  if (all.length === 0) return undefined;
  const classes = [...all]
    .sort((a, b) => shareBeyond(b) - shareBeyond(a) || b.usage.jobs - a.usage.jobs)
    .slice(0, MOST_CLASSES);
  const kept = all.filter((shown) => classes.includes(shown));
  const some =
    kept.length < all.length
      ? ' Drawn are the classes that outgrow their envelopes most, then those with the most jobs.'
      : '';
  return chart({
    name: 'envelopes',
    finding: envelopesFinding(context),
    reading: `How many jobs used which share of their envelope, all attempts together. Right of the line they used more than was held for them. Dotted: half of the jobs used no more than p50, 19 in 20 no more than p95.${some}`,
    description: `Usage per class as a share of the envelope: ${kept.map((shown) => describeClass(shown, context)).join('; ')}. ${figures.counted(summary.findings.classCount, 'class', 'classes')} in all.`,
    heightPx: kept.length * ROW_PX,
    leftPx: LEFT_PX,
    abovePx: 12,
    layer: layers(kept, context),
  });
}

export function envelopesFinding(context: ReportContext): string {
  const { figures, className } = context;
  const classes = shownClasses(context);
  const beyond = classes.filter(({ usage }) => (usage.beyond ?? 0) > 0);
  const [worst] = [...beyond].sort((a, b) => shareBeyond(b) - shareBeyond(a));
  if (worst === undefined) return 'No job used more than its envelope';
  const share = figures.percent(roundedShare(context, worst.name));
  const { beyondShare, beyondAllowed } =
    context.summary.findings.classes.find(({ name }) => name === worst.name) ?? {};
  const isAllowed = beyondAllowed != null && (beyondShare ?? 0) <= beyondAllowed;
  const allowed = isAllowed ? `, within the ${figures.percent(beyondAllowed)} that its quantile allows` : '';
  if (beyond.length === 1) {
    return `Only ${className(worst.name)} outgrows its envelope, in ${share} of its jobs${allowed}`;
  }
  return `${figures.count(context.summary.findings.classesBeyond)} classes outgrow their envelopes, ${className(worst.name)} most often: in ${share} of its jobs${allowed}`;
}

/** Classes with an envelope that played at least one attempt, in the scenario's order. */
function shownClasses({ summary }: ReportContext): readonly Shown[] {
  return summary.series.classes.flatMap(({ name, usage }) => {
    const envelope = summary.plan.classes.find((planned) => planned.name === name)?.envelope ?? null;
    return envelope === null || usage.jobs === 0 ? [] : [{ name, envelope, usage }];
  });
}

function shareBeyond({ usage }: Shown): number {
  return (usage.beyond ?? 0) / usage.jobs;
}

function roundedShare({ summary }: ReportContext, name: string): number | null {
  return summary.findings.classes.find((finding) => finding.name === name)?.beyondShare ?? null;
}

function describeClass({ name, envelope, usage }: Shown, { figures, className }: ReportContext): string {
  return `${className(name)} half use up to ${figures.tokens(usage.p50)}, 19 in 20 up to ${figures.tokens(usage.p95)}, envelope ${figures.tokens(envelope)}`;
}

function layers(classes: readonly Shown[], { figures, className }: ReportContext): Layer[] {
  const y = (field: string): Position => {
    const rows = position(field, [0, classes.length], null);
    return { ...rows, scale: { ...rows.scale, reverse: true } };
  };
  const x = (field: string): Position =>
    position(field, [0, roundedTo(USAGE_BINS * BIN, 1)], {
      title: "tokens a job used, as a share of its class's envelope",
      values: [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2.05],
      labelExpr: "datum.value > 2 ? 'more' : format(datum.value, '.0%')",
    });
  const names = classes.map(
    ({ name, envelope }, row): Row => ({
      nameAt: row + NAME_AT,
      name: className(name),
      envelopeAt: 1,
      envelope: `envelope ${figures.tokens(envelope)}`,
    }),
  );
  const colour = { field: 'colour', type: 'nominal', scale: null } as const;
  return [
    {
      data: { values: classes.flatMap(barsOf) },
      mark: { type: 'rect' },
      encoding: { x: x('from'), x2: { field: 'to' }, y: y('top'), y2: { field: 'bottom' }, color: colour },
    },
    {
      data: { values: classes.flatMap((shown, row) => marksOf(shown, row, figures)) },
      layer: [
        {
          mark: { type: 'rule', strokeWidth: 1.5, color: COLOUR.black, strokeDash: [3, 2] },
          encoding: { x: x('at'), y: y('top'), y2: { field: 'bottom' } },
        },
        ...(['left', 'right'] as const).map(
          (align): Layer => ({
            transform: [{ filter: `datum.align === '${align}'` }],
            mark: { type: 'text', align, dx: align === 'left' ? 3 : -3, fontSize: 11 },
            encoding: { x: x('at'), y: y('labelAt'), text: { field: 'label' } },
          }),
        ),
      ],
    },
    {
      data: { values: [{ at: 1 }] },
      mark: { type: 'rule', strokeWidth: 2, color: COLOUR.black },
      encoding: { x: x('at') },
    },
    {
      data: { values: names },
      layer: [
        {
          mark: { type: 'text', align: 'left', x: 0, fontWeight: 'bold' },
          encoding: { y: y('nameAt'), text: { field: 'name' } },
        },
        {
          mark: { type: 'text', align: 'left', dx: 6, fontSize: 11, fontWeight: 'bold' },
          encoding: { x: x('envelopeAt'), y: y('nameAt'), text: { field: 'envelope' } },
        },
      ],
    },
  ];
}

/** The histogram of one class; its tallest bar fills the row. */
function barsOf({ usage }: Shown, row: number): Row[] {
  const most = usage.bins.reduce((a, b) => Math.max(a, b), 1);
  return usage.bins.flatMap((count, bin): Row[] => {
    if (count === 0) return [];
    const height = Math.max(0.03, (count / most) * (BARS_TO - BARS_FROM));
    return [
      {
        from: roundedTo(bin * BIN + 0.004, 3),
        to: roundedTo((bin + 1) * BIN - 0.004, 3),
        top: roundedTo(row + BARS_TO - height, 3),
        bottom: row + BARS_TO,
        jobs: count,
        colour: bin >= ENVELOPE_BIN ? COLOUR.vermillion : COLOUR.blue,
      },
    ];
  });
}

/** p50 and p95, with their labels to the side on which there is room. */
function marksOf({ envelope, usage }: Shown, row: number, figures: Figures): Row[] {
  const share = (tokens: number | null): number =>
    envelope === 0 ? 0 : Math.min((tokens ?? 0) / envelope, USAGE_BINS * BIN - 0.05);
  const p50 = share(usage.p50);
  const p95 = share(usage.p95);
  const half = `p50 ${figures.tokens(usage.p50)}`;
  const most = `p95 ${figures.tokens(usage.p95)}`;
  const together = p95 - p50 < CLOSE;
  const mark = (at: number, label: string): Row => ({
    at: roundedTo(at, 3),
    label,
    align: at <= 1 && at > labelShare(label) ? 'right' : 'left',
    labelAt: row + LABEL_AT,
    top: row + (label === '' ? BARS_FROM : LABEL_AT - 0.06),
    bottom: row + BARS_TO,
  });
  return [mark(p50, together ? '' : half), mark(p95, together ? `${half}, ${most}` : most)];
}

/** The label's width on the axis. */
function labelShare(label: string): number {
  const px = textWidthPx(label, { sizePx: 11 }) * 1.1 + 6;
  return (px / plotWidthPx(LEFT_PX)) * USAGE_BINS * BIN;
}
