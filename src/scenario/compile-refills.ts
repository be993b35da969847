// When a pool is full again that is refilled by the day or the month: at midnight, in the zone of whoever
// gives the tokens, which need not be that of the window.

import { nightTimes } from './calendar.ts';
import { monthOf } from './civil-day.ts';
import type { CompileContext } from './compile-jobs.ts';
import type { PoolSpec, ScenarioRemainder } from './scenario-schema.ts';
import { Zone } from './zone.ts';

/** @returns since the first opening; undefined where refills go by nights, or something is wrong, which has been reported */
export function compileRefills(
  { refill, zone }: PoolSpec,
  { window, nights }: ScenarioRemainder,
  { findings, calendar }: CompileContext,
): readonly number[] | undefined {
  if (refill === 'night' || refill === 'never') {
    if (zone !== undefined) {
      const message = 'no midnight matters to this pool';
      const expected = 'refill: day or refill: month beside it';
      findings.report(['pool', 'zone'], { code: 'contradiction', message, expected });
    }
    return undefined;
  }
  if (window !== undefined && window.opens === undefined && !findings.isBroken(['window'])) {
    const message = 'without a calendar no day is known';
    const expected = 'window: { opens: "01:30", zone: …, from: … }';
    findings.report(['pool', 'refill'], { code: 'contradiction', message, expected });
  }
  if (calendar === undefined) return undefined;
  const place = new Zone(zone ?? calendar.zone);
  const { startsAtMs } = calendar;
  const last = nightTimes({ window: { lastsMs: 0, everyMs: 0 }, calendar }, nights);
  const lastDay = place.dayAt(startsAtMs + last.opensMs + last.lastsMs);
  const firstDay = place.dayAt(startsAtMs);
  const midnights: number[] = [];
  for (let day = firstDay; day <= lastDay; day += 1) {
    const begins = day === firstDay || refill === 'day' || monthOf(day) !== monthOf(day - 1);
    if (begins) midnights.push(place.firstFrom(day, 0) - startsAtMs);
  }
  return midnights;
}
