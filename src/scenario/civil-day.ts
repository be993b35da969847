// Days of the calendar, counted from 1970-01-01, and times of day: what dates are written as, which weekday
// they are, how far the end of the month is. Without a zone: that comes in `zone.ts`.

import { DateTimeParseException, LocalDate } from '@js-joda/core';
import { nearest } from '../base/nearest.ts';
import type { SchemaProblem } from './quantity-schema.ts';

/** Days since 1970-01-01. */
export type CivilDay = number;

/** In the order of the week. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME_OF_DAY = /^([01]?\d|2[0-3]):([0-5]\d)$/;
const FIRST_DAY: CivilDay = 0;
/** 2099-12-31: so far time zones are worked out. */
const LAST_DAY: CivilDay = 47_481;

/** `2026-03-29`, from 1970 to 2099. */
export function parseDay(written: string): CivilDay | SchemaProblem {
  const expected = 'a date from 1970 to 2099, such as 2026-03-29';
  if (!DAY.test(written)) return { code: 'wrong-type', message: 'this is no date', expected };
  const day = epochDay(written);
  if (day === undefined) return { code: 'out-of-range', message: 'there is no such day', expected };
  if (day >= FIRST_DAY && day <= LAST_DAY) return day;
  return { code: 'out-of-range', message: 'time zones are not known so far away', expected };
}

function epochDay(written: string): CivilDay | undefined {
  try {
    return LocalDate.parse(written).toEpochDay();
  } catch (error) {
    if (error instanceof DateTimeParseException) return undefined;
    throw error;
  }
}

/** Milliseconds since midnight from `01:30`, as the clock on the wall shows it. */
export function parseTimeOfDay(written: string): number | SchemaProblem {
  const [, hours, minutes] = TIME_OF_DAY.exec(written.trim()) ?? [];
  if (hours !== undefined && minutes !== undefined) {
    return Number(hours) * 3_600_000 + Number(minutes) * 60_000;
  }
  const expected = 'a time from 00:00 to 23:59, such as 01:30';
  return { code: 'wrong-type', message: 'this is no time of day', expected };
}

const MOMENT =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?\s*(?:Z|([+-])(\d{2}):?(\d{2}))?$/i;

/** Milliseconds since 1970 from `2023-11-16 18:17:03.9799600` or `2026-03-29T01:30+01:00`; as UTC without an offset. */
export function parseMoment(written: string): number | undefined {
  const [, date = '', hours, minutes, seconds = 0, sign, zoneHours = 0, zoneMinutes = 0] =
    MOMENT.exec(written) ?? [];
  const day = epochDay(date);
  if (day === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) >= 61) {
    return undefined;
  }
  const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes));
  const minutesInAll = (day * 24 + Number(hours)) * 60 + Number(minutes) - offsetMinutes;
  return minutesInAll * 60_000 + Number(seconds) * 1000;
}

export function dayText(day: CivilDay): string {
  return LocalDate.ofEpochDay(day).toString();
}

export function weekdayOf(day: CivilDay): Weekday {
  // 1970-01-01 was a Thursday.
  return WEEKDAYS[(((day + 3) % 7) + 7) % 7]!;
}

/** 0 on the last day of a month. */
export function daysLeftInMonth(day: CivilDay): number {
  const date = LocalDate.ofEpochDay(day);
  return date.lengthOfMonth() - date.dayOfMonth();
}

/** Counts months: the same for all days of one, and one more for each later one. */
export function monthOf(day: CivilDay): number {
  const date = LocalDate.ofEpochDay(day);
  return date.year() * 12 + date.monthValue();
}

/** What to say of a zone that is not known. */
export function unknownZone(written: string, known: readonly string[]): SchemaProblem {
  const city = written.toLowerCase();
  const meant = known.find((name) => name.toLowerCase().endsWith(`/${city}`)) ?? nearest(written, known);
  return {
    code: 'unknown-zone',
    message: `there is no time zone "${written}"`,
    expected: 'a name of the IANA time zone database, such as Europe/Berlin or UTC',
    ...(meant === undefined ? {} : { nearest: meant }),
  };
}
