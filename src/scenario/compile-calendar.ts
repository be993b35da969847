// From a window at a time of day to its nights: day by day through the calendar of its zone, past holidays,
// and through the days on which clocks change.

import { formatDuration } from '../base/units.ts';
import type { Calendar, CalendarNight, DayOff } from './calendar.ts';
import { type CivilDay, dayText } from './civil-day.ts';
import type { Findings } from './findings.ts';
import type { ScenarioRemainder } from './scenario-schema.ts';
import { usualLengthMs, type WindowSpec } from './window-schema.ts';
import { Zone } from './zone.ts';

/** What only means something where the window opens at a time of day. */
const OF_CALENDAR = ['closes', 'zone', 'from', 'clockChange', 'holidays', 'onHolidays'] as const;

/** So many days back a night before the first is looked for. */
const DAYS_BEFORE = 400;

/** @returns undefined where the window knows no calendar, or something is wrong with it, which has been reported */
export function compileCalendar(
  { window, nights, budget }: ScenarioRemainder,
  findings: Findings,
): Calendar | undefined {
  if (window === undefined || !isComplete(window, findings)) return undefined;
  const { opens, from } = window;
  if (opens === undefined || from === undefined) return undefined;
  const plan: OpeningPlan = { ...window, opens, place: new Zone(window.zone) };
  const calendar = nightsFrom(plan, from, nights);
  checkReserve(calendar.nights, budget.reserve, findings);
  return calendar;
}

/** Reports what is missing, and what has no meaning. */
function isComplete(window: WindowSpec, findings: Findings): boolean {
  const { tree } = findings;
  const before = findings.problems.length;
  const isWritten = (key: string) =>
    tree.at(['window', key]) !== undefined && !findings.isBroken(['window', key]);
  const missing = (key: string, expected: string) => {
    if (findings.isBroken(['window', key])) return;
    const message = `the key "${key}" is missing`;
    findings.report(['window'], { code: 'missing-key', message, expected });
  };
  const together = (key: string, other: string, expected: string) => {
    if (!isWritten(key) || !isWritten(other)) return;
    const message = `it says both "${key}" and "${other}"`;
    findings.report(['window', key], { code: 'contradiction', message, expected, got: 'both' });
  };
  if (usualLengthMs(window) === undefined && !findings.isBroken(['window', 'closes'])) {
    missing('lasts', window.opens === undefined ? 'lasts: 50 min' : 'lasts: 50 min, or closes: "03:30"');
  }
  if (window.opens === undefined) {
    const alone = findings.isBroken(['window', 'opens']) ? undefined : OF_CALENDAR.find(isWritten);
    if (alone !== undefined) {
      findings.report(['window', alone], {
        code: 'contradiction',
        message: 'this says nothing without a time of day at which the window opens',
        expected: 'opens: "01:30" beside it',
      });
    }
  } else {
    if (window.from === undefined) missing('from', 'from: 2026-03-27');
    together('every', 'opens', 'opens alone: it opens each day');
    together('lasts', 'closes', 'one of the two');
  }
  return findings.problems.length === before;
}

interface OpeningPlan extends WindowSpec {
  readonly opens: number;
  readonly place: Zone;
}

interface Opening {
  readonly day: CivilDay;
  /** Since 1970, as is the next. */
  readonly opensMs: number;
  readonly closesMs: number;
}

function nightsFrom(plan: OpeningPlan, from: CivilDay, count: number): Calendar {
  const openings: Opening[] = [];
  const daysOff: DayOff[] = [];
  for (let day = from; openings.length < count; day += 1) {
    const own = openingsOf(plan, day).filter(
      // Who is still at work is not started again.
      ({ opensMs }) => opensMs >= (openings.at(-1)?.closesMs ?? Number.NEGATIVE_INFINITY),
    );
    const isFirst = openings.length === 0;
    openings.push(...own.slice(0, count - openings.length));
    if (own.length === 0 && !isFirst) daysOff.push({ date: dayText(day), because: whyOff(plan, day) });
  }
  const first = openings[0]!;
  return {
    zone: plan.place.name,
    nights: openings.map((opening) => nightOf(opening, first, plan.place)),
    daysOff,
    startsAtMs: first.opensMs,
    closedBeforeMs: closedBefore(plan, first) - first.opensMs,
  };
}

function nightOf({ day, opensMs, closesMs }: Opening, first: Opening, place: Zone): CalendarNight {
  return {
    date: dayText(day),
    opens: place.textAt(opensMs),
    closes: place.textAt(closesMs),
    opensMs: opensMs - first.opensMs,
    lastsMs: closesMs - opensMs,
  };
}

function closedBefore(plan: OpeningPlan, first: Opening): number {
  for (let day = first.day; day > first.day - DAYS_BEFORE; day -= 1) {
    const closed = openingsOf(plan, day).filter(({ opensMs }) => opensMs < first.opensMs);
    const last = closed.at(-1);
    if (last !== undefined) return Math.min(last.closesMs, first.opensMs);
  }
  return first.opensMs;
}

/**
 * Those of one day. Where clocks are set forward over the opening there is none, and where they are set back
 * over it there are two; or, once: it comes as they are set forward, and only the first time.
 */
function openingsOf(plan: OpeningPlan, day: CivilDay): readonly Opening[] {
  const { opens, place, clockChange, holidays, onHolidays } = plan;
  if (onHolidays === 'closed' && holidays.includes(day)) return [];
  const moments = clockChange === 'literal' ? place.readings(day, opens) : [place.firstFrom(day, opens)];
  const openings: Opening[] = [];
  for (const opensMs of moments) {
    const closesMs = closingOf(plan, day, opensMs);
    if (closesMs <= opensMs || opensMs < (openings.at(-1)?.closesMs ?? opensMs)) continue;
    openings.push({ day, opensMs, closesMs });
  }
  return openings;
}

/** The first moment after the opening at which the clock shows the time of the kill, or has passed over it. */
function closingOf({ lasts, opens, closes, place }: OpeningPlan, day: CivilDay, opensMs: number): number {
  if (lasts !== undefined || closes === undefined) return opensMs + (lasts ?? 0);
  const closesOn = closes > opens ? day : day + 1;
  const after = place.readings(closesOn, closes).find((moment) => moment > opensMs);
  return after ?? place.firstFrom(closesOn, closes);
}

function whyOff({ holidays, onHolidays }: WindowSpec, day: CivilDay): DayOff['because'] {
  return onHolidays === 'closed' && holidays.includes(day) ? 'holiday' : 'clock-change';
}

/** A night that clocks make shorter still has to have room for the reserve. */
function checkReserve(nights: readonly CalendarNight[], reserveMs: number, findings: Findings): void {
  const short = nights.find(({ lastsMs }) => lastsMs <= reserveMs);
  if (short === undefined) return;
  findings.contradiction(
    [
      ['budget', 'reserve'],
      ['window', 'closes'],
      ['window', 'lasts'],
    ],
    {
      message: `the reserve leaves nothing of the night of ${short.date}`,
      expected: `less than ${formatDuration(short.lastsMs)}`,
      got: formatDuration(reserveMs),
    },
  );
}
