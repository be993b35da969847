// Chart 5: one night's pool, from the opening on: what is consumed, what is held, what is free, and the
// asks that were refused.

import type { PoolSeries, PoolStep } from '../night-series.ts';
import type { ReportContext } from '../report-context.ts';
import { textWidthPx } from '../text-width.ts';
import { COLOUR, LABEL_PX } from '../theme.ts';
import {
  AXIS_LEFT_PX,
  type Chart,
  CROSS,
  chart,
  type Layer,
  type Position,
  plotWidthPx,
  position,
  type Row,
  upright,
} from './chart.ts';
import { timeUnitFor } from './time-axis.ts';

/** A name needs this share of the pool's height. */
const LEAST_ROOM = 0.08;
/** Places along the window where it is tried. */
const PLACES = 41;

export function poolChart(context: ReportContext): Chart | undefined {
  const { summary, series, figures } = context;
  const { pool } = series;
  if (pool === null || pool.capacity === 0 || pool.steps.length === 0) return undefined;
  const which =
    summary.run.nights.length > 1
      ? `Night ${figures.count(pool.night)}, the tightest of ${figures.count(summary.run.nights.length)}.`
      : '';
  const crosses = pool.refusals.length > 0 ? ' Crosses: requests for tokens that were refused.' : '';
  return chart({
    name: 'pool',
    finding: poolFinding(context),
    reading:
      `${which} Stacked from below: consumed (blue), held for calls under way (orange), free (pale); of each moment, the tightest.${crosses}`.trim(),
    description: `The pool of ${figures.tokens(pool.capacity)} tokens over night ${figures.count(pool.night)}: at the tightest ${figures.tokens(pool.leastFree)} free, at most ${figures.tokens(pool.mostHeld)} held, ${figures.counted(pool.refused, 'request')} refused.`,
    heightPx: 230,
    leftPx: AXIS_LEFT_PX,
    abovePx: 30,
    layer: layers(context, pool, toTheEnd(pool.steps, summary.scenario.windowMs)),
  });
}

export function poolFinding({ summary, figures }: ReportContext): string {
  const { pool } = summary.series;
  if (pool === null) return '';
  const least = `${figures.tokens(pool.leastFree)} of ${figures.tokens(pool.capacity)} tokens`;
  const when = pool.leastFreeAtMs === 0 ? 'at the opening' : `after ${figures.duration(pool.leastFreeAtMs)}`;
  if (pool.refused > 0) {
    return `The pool runs short: ${figures.counted(pool.refused, 'request')} for tokens refused, down to ${least} free ${when}`;
  }
  if (pool.waits > 0) {
    return `The pool is tight: ${figures.counted(pool.waits, 'request')} for tokens had to wait, none was refused`;
  }
  return `The pool is never short: at the tightest ${least} are free`;
}

/** The books stand as they are left until the window closes. */
function toTheEnd(steps: readonly PoolStep[], windowMs: number): readonly PoolStep[] {
  const last = steps.at(-1);
  return last === undefined || last.atMs >= windowMs ? steps : [...steps, { ...last, atMs: windowMs }];
}

interface Band {
  readonly label: (pool: PoolSeries, tokens: (value: number) => string) => string;
  readonly from: string;
  readonly to: string;
  readonly colour: string;
  readonly ink: string;
  readonly of: (step: PoolStep) => number;
  readonly below: (step: PoolStep) => number;
}

const BANDS: readonly Band[] = [
  {
    label: (pool, tokens) => `consumed, ${tokens(pool.consumed)} in the end`,
    from: 'zero',
    to: 'consumed',
    colour: COLOUR.blue,
    ink: COLOUR.onDark,
    of: (step) => step.consumed,
    below: () => 0,
  },
  {
    label: (pool, tokens) => `held, at most ${tokens(pool.mostHeld)}`,
    from: 'consumed',
    to: 'out',
    colour: COLOUR.orange,
    ink: COLOUR.onLight,
    of: (step) => step.held,
    below: (step) => step.consumed,
  },
  {
    label: () => 'free',
    from: 'out',
    to: 'capacity',
    colour: COLOUR.pale,
    ink: COLOUR.ink,
    of: (step) => step.free,
    below: (step) => step.consumed + step.held,
  },
];

function layers({ summary, figures }: ReportContext, pool: PoolSeries, steps: readonly PoolStep[]): Layer[] {
  const { windowMs } = summary.scenario;
  const unit = timeUnitFor(windowMs);
  const capacity = steps.reduce((most, step) => Math.max(most, step.free + step.held + step.consumed), 1);
  const x = position('at', [0, unit.of(windowMs)], { title: `${unit.name} after the opening` });
  const y = (field: string): Position => position(field, [0, capacity], upright('tokens', '~s'));
  const values = steps.map(
    (step): Row => ({
      at: unit.of(step.atMs),
      zero: 0,
      consumed: step.consumed,
      out: step.consumed + step.held,
      capacity: step.consumed + step.held + step.free,
    }),
  );
  return [
    {
      data: { values },
      layer: BANDS.map(
        ({ from, to, colour }): Layer => ({
          mark: {
            type: 'area',
            interpolate: 'step-after',
            color: colour,
            line: { interpolate: 'step-after', color: COLOUR.ink, strokeWidth: 0.7 },
          },
          encoding: { x, y: y(from), y2: { field: to } },
        }),
      ),
    },
    ...BANDS.flatMap((band) =>
      bandLabel(band, steps, {
        pool,
        capacity,
        msPerPx: windowMs / plotWidthPx(AXIS_LEFT_PX),
        x,
        y,
        of: unit.of,
        tokens: figures.tokens,
      }),
    ),
    ...refusalLayers(pool, x, unit.of, figures.count),
  ];
}

/** Crosses over the moments of refusals, and how many there were. */
function refusalLayers(
  pool: PoolSeries,
  x: Position,
  of: (ms: number) => number,
  count: (value: number) => string,
): Layer[] {
  const last = pool.refusals.at(-1);
  if (last === undefined) return [];
  const isLate = of(last.atMs) > (x.scale.domain[1] ?? 0) * 0.8;
  const label = `${count(pool.refused)} refused`;
  const labelled = isLate ? pool.refusals[0] : last;
  return [
    {
      data: { values: pool.refusals.map((slot): Row => ({ at: of(slot.atMs), count: slot.count })) },
      mark: {
        type: 'point',
        shape: CROSS,
        y: -8,
        size: 50,
        strokeWidth: 2,
        color: COLOUR.vermillion,
        opacity: 1,
      },
      encoding: { x },
    },
    {
      data: { values: [{ at: of(labelled?.atMs ?? 0), label }] },
      mark: { type: 'text', y: -8, dx: isLate ? -10 : 10, align: isLate ? 'right' : 'left' },
      encoding: { x, text: { field: 'label' } },
    },
  ];
}

/** The band's name where the band is thickest over the whole width of the name, if it fits at all. */
function bandLabel(band: Band, steps: readonly PoolStep[], frame: Frame): Layer[] {
  const { capacity, x, y, of, tokens } = frame;
  const label = band.label(frame.pool, tokens);
  const halfMs = ((textWidthPx(label, { sizePx: LABEL_PX, bold: true }) * 1.15 + 16) * frame.msPerPx) / 2;
  const end = steps.at(-1)?.atMs ?? 0;
  const places = Array.from({ length: PLACES }, (_, place) => {
    const atMs = halfMs + (place / (PLACES - 1)) * Math.max(0, end - 2 * halfMs);
    return { atMs, ...roomAt(band, steps, atMs - halfMs, atMs + halfMs) };
  });
  const best = places.reduce<(typeof places)[number] | undefined>(
    (widest, place) => (widest === undefined || place.room > widest.room ? place : widest),
    undefined,
  );
  if (best === undefined || best.room < capacity * LEAST_ROOM) return [];
  return [
    {
      data: { values: [{ at: of(best.atMs), middle: Math.round(best.middle), label }] },
      mark: { type: 'text', color: band.ink, fontWeight: 'bold' },
      encoding: { x, y: y('middle'), text: { field: 'label' } },
    },
  ];
}

/** How much of the band is at the same height from one moment to another. */
function roomAt(
  band: Band,
  steps: readonly PoolStep[],
  fromMs: number,
  toMs: number,
): { readonly room: number; readonly middle: number } {
  const before = steps.findLast(({ atMs }) => atMs <= fromMs);
  const during = steps.filter(({ atMs }) => atMs > fromMs && atMs <= toMs);
  const all = before === undefined ? during : [before, ...during];
  const bottom = all.reduce((most, step) => Math.max(most, band.below(step)), 0);
  const top = all.reduce(
    (least, step) => Math.min(least, band.below(step) + band.of(step)),
    Number.MAX_VALUE,
  );
  return { room: top - bottom, middle: (top + bottom) / 2 };
}

interface Frame {
  readonly pool: PoolSeries;
  readonly msPerPx: number;
  readonly capacity: number;
  readonly x: Position;
  y(field: string): Position;
  of(ms: number): number;
  tokens(value: number): string;
}
