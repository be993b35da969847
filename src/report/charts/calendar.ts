// Chart: the strip of nights by date, each with its window and how much of it was used; the nights on which
// clocks change stand out by their length, and the days without a night by their gap.

import type { NightResult } from '../../world/run-result.ts';
import type { CalendarFacts } from '../calendar-days.ts';
import type { ReportContext } from '../report-context.ts';
import { COLOUR } from '../theme.ts';
import { pendingAfter } from '../verdict.ts';
import { type Chart, chart, type Layer, NAME_MARK, position, type Row, rowNames, rowsBy } from './chart.ts';
import { timeUnitFor } from './time-axis.ts';

/** Rows that a picture can hold. */
const MOST_DAYS = 24;
/** The axis goes on beyond the longest window, so that what it says can be written after it. */
const ROOM_FOR_WORDS = 1.75;

interface Day {
  readonly date: string;
  /** Undefined: there was none. */
  readonly night: NightResult | undefined;
  readonly isUnusual: boolean;
  readonly words: string;
}

export function calendarChart(context: ReportContext): Chart | undefined {
  const { calendar, run } = context.summary;
  if (calendar === undefined) return undefined;
  const all = daysOf(calendar, run.nights, context);
  const days = shownDays(all);
  const longestMs = Math.max(calendar.usualMs, ...days.map(({ night }) => night?.windowMs ?? 0));
  const { leftPx, texts } = rowNames(days.map(({ date }) => date));
  const some = days.length < all.length ? ' Only days around the unusual ones are shown.' : '';
  return chart({
    name: 'calendar',
    finding: calendarFinding(context),
    reading: `Pale: from the opening to the kill. Dark: until the last lane had ended. By the clock in ${calendar.zone}.${some}`,
    description: `Nights by date: ${days.map(({ date, words }) => `${date} ${words}`).join('; ')}.`,
    heightPx: days.length * (days.length > 12 ? 20 : 28),
    leftPx,
    abovePx: 12,
    layer: layers(days, texts, longestMs),
  });
}

export function calendarFinding({ summary, figures }: ReportContext): string {
  const { calendar, run } = summary;
  if (calendar === undefined) return '';
  const { usualMs, shorter, longer, holidays, leftOut } = calendar;
  const odd = run.nights.filter(({ windowMs }) => windowMs !== undefined && windowMs !== usualMs);
  const [only] = odd;
  const usual = figures.duration(usualMs);
  const first =
    only === undefined
      ? `Every window lasts ${usual}`
      : odd.length === 1
        ? `On ${only.date} the window lasts ${figures.duration(only.windowMs)} instead of ${usual}`
        : `Clocks make ${figures.counted(shorter, 'window')} shorter than ${usual} and ${figures.count(longer)} longer`;
  const without = [
    holidays > 0 ? `on ${figures.counted(holidays, 'holiday')}` : '',
    leftOut > 0 ? `on ${figures.counted(leftOut, 'day')} whose clocks leave it out` : '',
  ].filter((part) => part !== '');
  return without.length === 0 ? first : `${first}; it does not open ${without.join(', nor ')}`;
}

function daysOf(
  calendar: CalendarFacts,
  nights: readonly NightResult[],
  { figures }: ReportContext,
): readonly Day[] {
  const open = nights.map((night): Day => {
    const { date = '', opens = '', closes = '', windowMs } = night;
    const isUnusual = windowMs !== calendar.usualMs;
    const waiting = pendingAfter(night);
    const length = isUnusual ? `, ${figures.duration(windowMs)}` : '';
    const left = waiting > 0 ? `; ${figures.counted(waiting, 'job')} left` : '';
    return { date, night, isUnusual, words: `${timeOf(opens)} to ${timeOf(closes)}${length}${left}` };
  });
  const closed = calendar.daysOff.map(({ date, because }): Day => {
    const words = because === 'holiday' ? 'a holiday: closed' : 'clocks leave the opening out';
    return { date, night: undefined, isUnusual: true, words };
  });
  return [...open, ...closed].toSorted((one, other) =>
    one.date < other.date ? -1 : one.date > other.date ? 1 : 0,
  );
}

/** `01:30` of `2026-03-29T01:30+01:00`. */
function timeOf(moment: string): string {
  return moment.slice(11, 16);
}

/** All where they have room; else the unusual ones, each with its neighbours, as many as there is room for. */
function shownDays(days: readonly Day[]): readonly Day[] {
  if (days.length <= MOST_DAYS) return days;
  const near = days.filter((_, i) => [i - 1, i, i + 1].some((other) => days[other]?.isUnusual));
  return (near.length > 0 ? near : days).slice(0, MOST_DAYS);
}

/** As far as windows reach: at most seven, at round numbers. */
function ticks(longest: number): number[] {
  const step = [0.1, 0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120].find((size) => longest / size <= 6) ?? longest;
  return Array.from({ length: Math.floor(longest / step) + 1 }, (_, tick) => tick * step);
}

function layers(days: readonly Day[], names: readonly string[], longestMs: number): Layer[] {
  const unit = timeUnitFor(longestMs);
  const x = (field: string) =>
    position(field, [0, unit.of(longestMs * ROOM_FOR_WORDS)], {
      title: `${unit.name} after the opening`,
      values: ticks(unit.of(longestMs)),
    });
  const y = rowsBy('row', days.length);
  const windows = days.flatMap(({ night, isUnusual }, row): Row[] =>
    night === undefined
      ? []
      : [
          {
            row,
            from: 0,
            to: unit.of(night.windowMs ?? 0),
            used: unit.of(night.finishedMs ?? night.windowMs ?? 0),
            colour: isUnusual ? COLOUR.orange : COLOUR.blue,
          },
        ],
  );
  const words = days.map(({ night, words: text }, row): Row => {
    return { row, to: unit.of(night?.windowMs ?? 0), text };
  });
  return [
    {
      data: { values: windows },
      layer: [
        {
          mark: { type: 'bar', height: { band: 0.72 }, color: COLOUR.pale },
          encoding: { y, x: x('from'), x2: { field: 'to' } },
        },
        {
          mark: { type: 'bar', height: { band: 0.36 } },
          encoding: {
            y,
            x: x('from'),
            x2: { field: 'used' },
            color: { field: 'colour', type: 'nominal', scale: null },
          },
        },
      ],
    },
    {
      data: { values: words },
      mark: { type: 'text', align: 'left', dx: 6 },
      encoding: { y, x: x('to'), text: { field: 'text' } },
    },
    {
      data: { values: names.map((name, row): Row => ({ row, name })) },
      mark: NAME_MARK,
      encoding: { y, text: { field: 'name' } },
    },
  ];
}
