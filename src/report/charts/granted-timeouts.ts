// Chart 4: the timeouts that calls were granted as the night ran out: the whole cap, then what is left
// before the reserve, then none.

import type { GrantSeries, GrantSlot, GrantView } from '../night-series.ts';
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

/** No overrun: doubles lose the last bits of `deadline − now`. */
const MICROSECOND_MS = 0.001;

export function grantedTimeoutsChart(context: ReportContext): Chart | undefined {
  const { summary, series, figures } = context;
  const { grants } = series;
  if (grants.full + grants.shrunk + grants.declined === 0) return undefined;
  const { windowMs, reserveMs, capMs } = summary.scenario;
  const view = viewOf(grants);
  const beyond =
    grants.intoReserve > 0
      ? ' Triangles: it reaches beyond the line, into the reserve or past the kill.'
      : '';
  const which = view === grants.edge ? 'The end of the window' : 'The window';
  return chart({
    name: 'granted-timeouts',
    finding: grantedFinding(context),
    reading: `${which}${summary.scenario.nights === 1 ? '' : ', all nights together'}. Circles: the longest timeout granted in each moment.${beyond} Line: ${clampWord(context)}.`,
    description: `Granted timeouts from ${figures.duration(view.fromMs)} after the opening to the kill at ${figures.duration(windowMs)}. Cap ${figures.duration(capMs)}; the reserve of ${figures.duration(reserveMs)} begins ${figures.duration(summary.findings.usableMs)} after the opening. ${figures.counted(grants.full, 'grant')} of the whole cap, ${figures.count(grants.shrunk)} below it, ${figures.counted(grants.declined, 'lane')} declined.`,
    heightPx: 230,
    leftPx: AXIS_LEFT_PX,
    abovePx: 30,
    layer: layers(context, view),
  });
}

/** The last minutes where something happens in them, else the whole window. */
function viewOf(grants: GrantSeries): GrantView {
  return grants.shrunk + grants.declined + grants.intoReserve > 0 ? grants.edge : grants.window;
}

function clampWord({ summary }: ReportContext): string {
  return summary.scenario.policy.timeouts === 'clamp' ? 'the clamp' : 'what a clamp would grant';
}

/** What the clamp grants at each moment of the view: the cap, then what is left, down to the floor. */
function clampLine({ summary }: ReportContext, view: GrantView): readonly Omit<GrantSlot, 'count'>[] {
  const { capMs, floorMs } = summary.scenario;
  const { usableMs } = summary.findings;
  const bendMs = Math.max(view.fromMs, usableMs - capMs);
  const endMs = Math.max(bendMs, usableMs - floorMs);
  const granted = (atMs: number): number => Math.max(0, Math.min(capMs, usableMs - atMs));
  return [
    ...(bendMs > view.fromMs ? [{ atMs: view.fromMs, timeoutMs: capMs }] : []),
    { atMs: bendMs, timeoutMs: granted(bendMs) },
    { atMs: endMs, timeoutMs: granted(endMs) },
  ];
}

export function grantedFinding({ summary, figures }: ReportContext): string {
  const { grants } = summary.series;
  if (grants.pastKill > 0) {
    return `${figures.counted(grants.pastKill, 'call')} could outlive the night: granted more time than was left`;
  }
  if (grants.intoReserve > 0) {
    return `${figures.counted(grants.intoReserve, 'call')} could run into the reserve, none past the kill`;
  }
  if (grants.full + grants.shrunk === 0) return 'No call was granted any time';
  const declined =
    grants.declined > 0
      ? `${figures.counted(grants.declined, 'lane')} ${grants.declined === 1 ? 'was' : 'were'} declined in time`
      : 'no lane had to be declined';
  if (grants.shrunk === 0) return `Every call got the whole cap, and ${declined}`;
  return `Grants shrink as the night ends (${figures.count(grants.shrunk)} below the cap), and ${declined}`;
}

function layers(context: ReportContext, view: GrantView): Layer[] {
  const { summary, figures } = context;
  const { windowMs, reserveMs, capMs } = summary.scenario;
  const { usableMs } = summary.findings;
  const x = axisX(view.fromMs, windowMs);
  const y = axisY(view.slots.reduce((most, { timeoutMs }) => Math.max(most, timeoutMs), capMs));
  const at = x.unit.of;
  const clamp = clampLine(context, view).map(
    (point): Row => ({ at: at(point.atMs), timeout: y.unit.of(point.timeoutMs) }),
  );
  const cap = { timeout: y.unit.of(capMs), label: `${clampWord(context)}: cap ${figures.duration(capMs)}` };
  const ending = `reserve ${figures.duration(reserveMs)}, then the kill`;
  return [
    {
      data: { values: [{ start: at(usableMs), end: at(windowMs), label: ending }] },
      layer: [
        {
          mark: { type: 'rect', color: COLOUR.pale },
          encoding: { x: x.of('start'), x2: { field: 'end' } },
        },
        {
          mark: { type: 'rule', color: COLOUR.black, strokeDash: [4, 3] },
          encoding: { x: x.of('start') },
        },
        { mark: { type: 'rule', color: COLOUR.black, strokeWidth: 2 }, encoding: { x: x.of('end') } },
        {
          mark: { type: 'text', align: 'right', y: 0, dy: -8 },
          encoding: { x: x.of('end'), text: { field: 'label' } },
        },
      ],
    },
    {
      data: { values: clamp },
      mark: { type: 'line', color: COLOUR.faint, strokeWidth: 1.5 },
      encoding: { x: x.of('at'), y: y.of('timeout') },
    },
    {
      data: { values: [cap] },
      mark: { type: 'text', align: 'left', x: 8, dy: -12, color: COLOUR.faint },
      encoding: { y: y.of('timeout'), text: { field: 'label' } },
    },
    ...grantLayers(context, view, x, y),
  ];
}

function grantLayers({ summary, figures }: ReportContext, view: GrantView, x: Axis, y: Axis): Layer[] {
  const { usableMs } = summary.findings;
  const granted = view.slots.map((slot): Row => {
    const isBeyond = slot.atMs + slot.timeoutMs > usableMs + MICROSECOND_MS;
    return {
      at: x.unit.of(slot.atMs),
      timeout: y.unit.of(slot.timeoutMs),
      count: slot.count,
      colour: isBeyond ? COLOUR.vermillion : COLOUR.blue,
      shape: isBeyond ? 'triangle-up' : 'circle',
    };
  });
  const declined = view.declinedSlots.map((slot): Row => ({ at: x.unit.of(slot.atMs), timeout: 0 }));
  return [
    {
      data: { values: granted },
      mark: { type: 'point', filled: true, size: 46, opacity: 1 },
      encoding: {
        x: x.of('at'),
        y: y.of('timeout'),
        color: { field: 'colour', type: 'nominal', scale: null },
        shape: { field: 'shape', type: 'nominal', scale: null },
      },
    },
    {
      data: { values: declined },
      mark: { type: 'point', shape: CROSS, size: 60, strokeWidth: 2, color: COLOUR.black, opacity: 1 },
      encoding: { x: x.of('at'), y: y.of('timeout') },
    },
    ...declinedLabel(declined, x, y, figures.count(summary.series.grants.declined)),
  ];
}

function declinedLabel(declined: readonly Row[], x: Axis, y: Axis, count: string): Layer[] {
  const first = declined[0];
  if (first === undefined) return [];
  const [from = 0, to = 0] = x.of('at').scale.domain;
  const isEarly = Number(first.at) < from + (to - from) / 3;
  return [
    {
      data: { values: [{ ...first, label: `× ${count} declined` }] },
      mark: { type: 'text', align: isEarly ? 'left' : 'right', dx: isEarly ? 10 : -10, dy: -8 },
      encoding: { x: x.of('at'), y: y.of('timeout'), text: { field: 'label' } },
    },
  ];
}

interface Axis {
  readonly unit: TimeUnit;
  of(field: string): Position;
}

function axisX(fromMs: number, toMs: number): Axis {
  const unit = timeUnitFor(toMs);
  const domain = [unit.of(fromMs), unit.of(toMs)] as const;
  return { unit, of: (field) => position(field, domain, { title: `${unit.name} after the opening` }) };
}

function axisY(longestMs: number): Axis {
  const unit = timeUnitFor(longestMs);
  const domain = [0, unit.of(longestMs * 1.15)] as const;
  return { unit, of: (field) => position(field, domain, upright(`granted ${unit.name}`)) };
}
