// The rhythm of arrivals: the weights of a day, and the factors of weekdays, ends of months and holidays, laid
// on the calendar of a run.

import type { Problem } from '../base/errors.ts';
import type { IntensityStep } from '../sim/intensity.ts';
import type { VolumeSpec } from './arrival-schema.ts';
import type { Calendar } from './calendar.ts';
import { type CivilDay, daysLeftInMonth, parseTimeOfDay, weekdayOf } from './civil-day.ts';
import type { Findings } from './findings.ts';
import type { Path } from './source-tree.ts';
import { Zone } from './zone.ts';

/** In order; the weight is of what the day would have on average. */
export type Profile = readonly { readonly fromMs: number; readonly weight: number }[];

const DAY_MS = 86_400_000;
const FLAT: Profile = [{ fromMs: 0, weight: 1 }];

/** @returns undefined where something is wrong, which has been reported */
export function compileProfile(
  written: Readonly<Record<string, number>> | undefined,
  path: Path,
  findings: Findings,
): Profile | undefined {
  if (written === undefined) return findings.isBroken(path) ? undefined : FLAT;
  const steps: { fromMs: number; weight: number }[] = [];
  const wrong = (key: string, finding: Omit<Problem, 'place'>) =>
    findings.problems.push({ ...finding, place: findings.tree.keyPlace([...path, key]) });
  for (const [key, weight] of Object.entries(written)) {
    const fromMs = parseTimeOfDay(key);
    if (typeof fromMs !== 'number') wrong(key, { ...fromMs, got: JSON.stringify(key) });
    else if (steps.some((step) => step.fromMs === fromMs)) {
      wrong(key, { code: 'duplicate-key', message: 'this is the same time of day as another' });
    } else steps.push({ fromMs, weight });
  }
  if (steps.length < Object.keys(written).length) return undefined;
  steps.sort((one, other) => one.fromMs - other.fromMs);
  return inProportion(steps, path, findings);
}

function inProportion(steps: Profile, path: Path, findings: Findings): Profile | undefined {
  const [first] = steps;
  const last = steps.at(-1);
  // Midnight does not end the last one's time.
  const whole =
    first === undefined || last === undefined || first.fromMs === 0
      ? steps
      : [{ fromMs: 0, weight: last.weight }, ...steps];
  const ends = [...whole.slice(1).map(({ fromMs }) => fromMs), DAY_MS];
  const sum = whole.reduce((total, { fromMs, weight }, i) => total + weight * (ends[i]! - fromMs), 0);
  const mean = sum / DAY_MS;
  if (mean > 0) return whole.map(({ fromMs, weight }) => ({ fromMs, weight: weight / mean }));
  findings.report(path, {
    code: 'contradiction',
    message: 'the weights of the day sum to nothing',
    expected: 'at least one weight above 0',
  });
  return undefined;
}

/** What a day brings, of what the class says. */
export function dayFactor(
  day: CivilDay,
  { weekdays, monthEnd, holidays }: VolumeSpec,
  holidayList: readonly CivilDay[],
): number {
  const ofWeekday = weekdays?.[weekdayOf(day)] ?? 1;
  const isMonthEnd = monthEnd !== undefined && daysLeftInMonth(day) < monthEnd.days;
  const ofMonth = isMonthEnd ? monthEnd.factor : 1;
  const ofHoliday = holidays !== undefined && holidayList.includes(day) ? holidays : 1;
  return ofWeekday * ofMonth * ofHoliday;
}

/**
 * Over the days of a run, where its clock hangs. A time of day that a change of clocks leaves out begins with
 * the change; one that it repeats begins the first time.
 */
export function intensitySteps({
  calendar,
  profile,
  volume = {},
  holidays,
  fromMs,
  endMs,
}: {
  readonly calendar: Calendar;
  readonly profile: Profile;
  readonly volume: VolumeSpec | undefined;
  readonly holidays: readonly CivilDay[];
  readonly fromMs: number;
  readonly endMs: number;
}): readonly IntensityStep[] {
  const zone = new Zone(calendar.zone);
  const { startsAtMs } = calendar;
  const steps: IntensityStep[] = [];
  const lastDay = zone.dayAt(startsAtMs + endMs);
  for (let day = zone.dayAt(startsAtMs + fromMs); day <= lastDay; day += 1) {
    const factor = dayFactor(day, volume, holidays);
    for (const { fromMs: timeOfDayMs, weight } of profile) {
      const atMs = Math.max(fromMs, zone.firstFrom(day, timeOfDayMs) - startsAtMs);
      const rate = factor * weight;
      // Of those that begin together, or before the run does, the last one counts.
      if (steps.at(-1)?.fromMs === atMs) steps.pop();
      if (steps.at(-1)?.rate !== rate && atMs < endMs) steps.push({ fromMs: atMs, rate });
    }
  }
  return steps.length > 0 ? steps : [{ fromMs, rate: 0 }];
}
