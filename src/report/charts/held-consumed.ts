// Chart 10: what envelopes held and what of it was used, class by class: the tokens that lay idle while
// their jobs ran. They come back; what they cost is the jobs that could not start meanwhile.

import type { ReportContext } from '../report-context.ts';
import { COLOUR } from '../theme.ts';
import {
  type Chart,
  chart,
  type Layer,
  NAME_MARK,
  type Position,
  position,
  type Row,
  rowNames,
  rowsBy,
} from './chart.ts';

const MOST_CLASSES = 12;
/** Below this the envelopes are nearly used up; the same line that tells a wasteful envelope. */
const MUCH = 0.4;
/** So far from what the construction makes it before it is worth a word. */
const FAR = 0.1;

interface ClassBar {
  readonly label: string;
  readonly held: number;
  readonly used: number;
  readonly idleRatio: number | null;
  readonly expected: number | null;
}

export function heldConsumedChart(context: ReportContext): Chart | undefined {
  const { figures } = context;
  const all = classBars(context);
  if (context.summary.findings.envelopes === null || all.length === 0) return undefined;
  const kept = [...all].sort((a, b) => b.held - a.held).slice(0, MOST_CLASSES);
  const bars = all.filter((bar) => kept.includes(bar));
  const some = bars.length < all.length ? ' Drawn are the classes that held most.' : '';
  const { leftPx, texts } = rowNames(bars.map(({ label }) => label));
  return chart({
    name: 'held-consumed',
    finding: heldFinding(context),
    reading: `All nights together. Broad bars: tokens that envelopes held. Narrow bars: tokens that their jobs used. What lies between came back.${some}`,
    description: `Tokens per class: ${bars.map(({ label, held, used }) => `${label} held ${figures.tokens(held)}, used ${figures.tokens(used)}`).join('; ')}.`,
    heightPx: bars.length * 44,
    leftPx,
    abovePx: 10,
    layer: layers(bars, texts, context),
  });
}

export function heldFinding({ summary, figures, className }: ReportContext): string {
  const { envelopes, classCount } = summary.findings;
  if (envelopes === null) return '';
  const { idleRatio, expectedIdleRatio, idlest } = envelopes;
  const idle = figures.percent(idleRatio);
  const whose = classCount > 1 && idleRatio >= MUCH ? ` (${className(idlest)} most of all)` : '';
  const what =
    idleRatio >= MUCH
      ? `Envelopes keep ${idle} of what they hold idle${whose}`
      : `Envelopes are mostly used: ${idle} of what they hold comes back`;
  if (expectedIdleRatio === null) return what;
  const expected = figures.percent(expectedIdleRatio);
  if (Math.abs(idleRatio - expectedIdleRatio) <= FAR)
    return `${what}, about the ${expected} that they are built for`;
  return idleRatio > expectedIdleRatio
    ? `${what}, more than the ${expected} that they are built for`
    : `${what}, less than the ${expected} that they are built for`;
}

/** Classes that held anything, in the scenario's order. */
function classBars({ summary, className }: ReportContext): readonly ClassBar[] {
  return summary.plan.classes.flatMap(({ name, expectedUnspentRatio }) => {
    const { heldTokens = 0, usedTokens = 0 } = summary.run.classes[name] ?? {};
    if (heldTokens === 0) return [];
    const found = summary.findings.classes.find((one) => one.name === name);
    return [
      {
        label: className(name),
        held: heldTokens,
        used: usedTokens,
        idleRatio: found?.unspentRatio ?? null,
        expected: expectedUnspentRatio,
      },
    ];
  });
}

function layers(bars: readonly ClassBar[], names: readonly string[], { figures }: ReportContext): Layer[] {
  const end = bars.reduce((most, { held, used }) => Math.max(most, held, used), 1) * 1.03;
  const values = bars.map(
    ({ held, used, idleRatio, expected }, row): Row => ({
      row,
      name: names[row] ?? '',
      held,
      used,
      label: `held ${figures.tokens(held)}, used ${figures.tokens(used)}: ${figures.percent(idleRatio)} came back (expected ${figures.percent(expected)})`,
    }),
  );
  const y = rowsBy('row', bars.length);
  const x = (field: string): Position => position(field, [0, end], { title: 'tokens', format: '~s' });
  return [
    {
      data: { values },
      layer: [
        {
          mark: { type: 'bar', color: COLOUR.orange, height: { band: 0.48 }, yOffset: 8 },
          encoding: { y, x: x('held') },
        },
        {
          mark: { type: 'bar', color: COLOUR.blue, height: { band: 0.2 }, yOffset: 8 },
          encoding: { y, x: x('used') },
        },
        {
          mark: { type: 'text', align: 'left', x: 2, dy: -12, fontSize: 11 },
          encoding: { y, text: { field: 'label' } },
        },
        { mark: { ...NAME_MARK, dy: 8 }, encoding: { y, text: { field: 'name' } } },
      ],
    },
  ];
}
