// The nights of a run on the calendar, for its report: which of them are not as long as the others, and the
// days without one.

import type { DayOff } from '../scenario/calendar.ts';
import type { Scenario } from '../scenario/scenario.ts';

export interface CalendarFacts {
  readonly zone: string;
  /** A window on a day on which no clock changes. */
  readonly usualMs: number;
  /** Nights that a change of clocks makes shorter or longer. */
  readonly shorter: number;
  readonly longer: number;
  readonly holidays: number;
  /** Days whose opening a change of clocks leaves out. */
  readonly leftOut: number;
  /** Between the first night and the last. */
  readonly daysOff: readonly DayOff[];
}

/** Undefined where the scenario has no calendar. */
export function calendarFacts({ calendar, window }: Scenario): CalendarFacts | undefined {
  if (calendar === undefined) return undefined;
  const { zone, nights, daysOff } = calendar;
  const { lastsMs: usualMs } = window;
  return {
    zone,
    usualMs,
    shorter: nights.filter(({ lastsMs }) => lastsMs < usualMs).length,
    longer: nights.filter(({ lastsMs }) => lastsMs > usualMs).length,
    holidays: daysOff.filter(({ because }) => because === 'holiday').length,
    leftOut: daysOff.filter(({ because }) => because === 'clock-change').length,
    daysOff,
  };
}
