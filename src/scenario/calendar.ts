// The nights of a scenario on the calendar: which days they are on, when each opens and how long it lasts. And
// the openings there would have been but for a holiday or a change of clocks.

import type { Scenario } from './scenario.ts';

export interface CalendarNight {
  /** The day on which it opens, where its clock hangs: `2026-03-29`. */
  readonly date: string;
  /** With the offset then: `2026-03-29T01:30+01:00`. */
  readonly opens: string;
  /** The kill. */
  readonly closes: string;
  /** Since the first night's opening. */
  readonly opensMs: number;
  /** From the opening to the kill, by the hours that pass. */
  readonly lastsMs: number;
}

/** A day without an opening, or with one fewer. */
export interface DayOff {
  readonly date: string;
  readonly because: 'holiday' | 'clock-change';
}

export interface Calendar {
  readonly zone: string;
  readonly nights: readonly CalendarNight[];
  /** Between the first night and the last. */
  readonly daysOff: readonly DayOff[];
  /** The first night's opening, in milliseconds since 1970. */
  readonly startsAtMs: number;
  /** When the night before the first was over, since the first opening: at most 0. */
  readonly closedBeforeMs: number;
}

export interface NightTimes {
  /** Since the first night's opening. */
  readonly opensMs: number;
  readonly lastsMs: number;
}

/** @param night from 1; past the last night of a calendar nothing opens any more */
export function nightTimes(
  { window, calendar }: Pick<Scenario, 'window' | 'calendar'>,
  night: number,
): NightTimes {
  const lastsMs = calendar?.nights[night - 1]?.lastsMs ?? window.lastsMs;
  return { opensMs: openingMs({ window, calendar }, night), lastsMs };
}

/** Since the first night's opening; +∞ past the last night of a calendar. @param night from 1 */
export function openingMs(
  { window, calendar }: Pick<Scenario, 'window' | 'calendar'>,
  night: number,
): number {
  if (calendar === undefined) return (night - 1) * window.everyMs;
  return calendar.nights[night - 1]?.opensMs ?? Number.POSITIVE_INFINITY;
}

/** The scenario as it is on one of its nights, which may be shorter or longer than the others. @param night from 1 */
export function scenarioOf(scenario: Scenario, night: number): Scenario {
  if (scenario.calendar === undefined) return scenario;
  const { lastsMs } = nightTimes(scenario, night);
  return { ...scenario, window: { ...scenario.window, lastsMs } };
}
