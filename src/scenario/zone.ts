// A time zone: which moments a clock on its walls shows a time at, and what it shows at a moment. The zone
// data come as a package, so that they are the same on every machine.

import { Instant, LocalDate, LocalDateTime, LocalTime, ZoneId, ZoneRulesProvider } from '@js-joda/core';
// Hands its zone data to the package above.
import '@js-joda/timezone';
import type { CivilDay } from './civil-day.ts';

/** Without the entries that are names of no place. */
export function zoneNames(): readonly string[] {
  return ['UTC', ...ZoneRulesProvider.getAvailableZoneIds().filter((name) => name !== 'UTC')];
}

export class Zone {
  readonly name: string;
  readonly #zone: ZoneId;

  /** @param name one of `zoneNames()` */
  constructor(name: string) {
    this.name = name;
    this.#zone = ZoneId.of(name);
  }

  /**
   * When a clock shows this time on this day: once, twice where it is set back over it, never where it is set
   * forward over it.
   *
   * @param timeOfDayMs from 0, below 24 h
   * @returns milliseconds since 1970, the earlier one first
   */
  readings(day: CivilDay, timeOfDayMs: number): readonly number[] {
    const local = localTime(day, timeOfDayMs);
    const offsets = this.#zone.rules().validOffsets(local);
    return offsets.map((offset) => local.toInstant(offset).toEpochMilli());
  }

  /** When a clock shows this time on this day, or has been set forward over it: the first such moment. */
  firstFrom(day: CivilDay, timeOfDayMs: number): number {
    const [first] = this.readings(day, timeOfDayMs);
    return first ?? this.#zone.rules().transition(localTime(day, timeOfDayMs)).instant().toEpochMilli();
  }

  /** The day that a calendar on the wall shows. */
  dayAt(epochMs: number): CivilDay {
    return LocalDate.ofInstant(Instant.ofEpochMilli(epochMs), this.#zone).toEpochDay();
  }

  /** `2026-03-29T01:30+01:00`. */
  textAt(epochMs: number): string {
    return Instant.ofEpochMilli(epochMs).atZone(this.#zone).toOffsetDateTime().toString();
  }
}

function localTime(day: CivilDay, timeOfDayMs: number): LocalDateTime {
  return LocalDateTime.of(LocalDate.ofEpochDay(day), LocalTime.ofSecondOfDay(timeOfDayMs / 1000));
}
