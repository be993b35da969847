// When something is wrong in a played run: the periods at fixed times and those drawn at random, told night by
// night. Random ones come in calendar time, day and night, so that a variant with another window sees the same.

import type { RandomStream } from '../base/random-streams.ts';
import { nightTimes, openingMs } from '../scenario/calendar.ts';
import type { Incidents, Scenario } from '../scenario/scenario.ts';

/** Milliseconds from a night's opening; `toMs` is no part of it, and may be after the night's end. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/** So that the first opening may find one under way, as often as any later one does. */
const CYCLES_BEFORE = 10;

/** When a random process may have begun, counted from the first opening. */
export function longAgoMs(incidents: Incidents | undefined): number {
  return -CYCLES_BEFORE * (incidents?.random?.betweenMs ?? 0);
}

/** What a period's uniforms are for, in a stream of its own. */
const PURPOSE = { between: 1, lasts: 2 } as const;

export interface IncidentSource {
  /** Undefined: there never are any. */
  readonly incidents: Incidents | undefined;
  /** Of this source of trouble alone. */
  readonly stream: RandomStream;
  readonly window: { readonly lastsMs: number; readonly everyMs: number };
  /** Absent: nights are alike. */
  readonly calendar?: Scenario['calendar'];
  /** When it began to be drawn, counted from the first opening; negative for long before. Default: 0. */
  readonly sinceMs?: number;
}

/** One source of trouble over the nights of a run, asked in order of nights. */
export class IncidentTimes {
  readonly #source: IncidentSource;
  /** Since the first opening. */
  #next: { readonly fromMs: number; readonly toMs: number } | undefined;
  #ordinal = 0;

  constructor(source: IncidentSource) {
    this.#source = source;
    this.#next = this.#draw(source.sinceMs ?? 0);
  }

  /**
   * Those that touch a night, in order of their beginnings. One that began before the opening is told from
   * the opening on.
   *
   * @param night from 1, never a smaller one than before
   */
  inNight(night: number): readonly Period[] {
    const { incidents } = this.#source;
    if (incidents === undefined) return [];
    const { opensMs, lastsMs } = nightTimes(this.#source, night);
    const nextOpensMs = openingMs(this.#source, night + 1);
    const told: Period[] = [];
    for (const one of incidents.at) {
      const fromMs = openingMs(this.#source, one.night) + one.fromMs - opensMs;
      addWithin(told, { fromMs, toMs: fromMs + one.lastsMs }, lastsMs);
    }
    while (this.#next !== undefined && this.#next.fromMs < opensMs + lastsMs) {
      const { fromMs, toMs } = this.#next;
      addWithin(told, { fromMs: fromMs - opensMs, toMs: toMs - opensMs }, lastsMs);
      // One that outlasts the night may reach into the next.
      if (toMs > nextOpensMs) break;
      this.#next = this.#draw(toMs);
    }
    return told.sort((one, other) => one.fromMs - other.fromMs || one.toMs - other.toMs);
  }

  #draw(afterMs: number): { readonly fromMs: number; readonly toMs: number } | undefined {
    const random = this.#source.incidents?.random;
    if (random === undefined) return undefined;
    const { stream } = this.#source;
    const ordinal = this.#ordinal;
    this.#ordinal += 1;
    const fromMs = afterMs + exponentialMs(random.betweenMs, stream.uniform(PURPOSE.between, ordinal));
    const lastsMs = Math.max(0, random.lasts.quantile(stream.uniform(PURPOSE.lasts, ordinal)));
    return { fromMs, toMs: fromMs + lastsMs };
  }
}

function addWithin(told: Period[], { fromMs, toMs }: Period, lastsMs: number): void {
  if (toMs > 0 && fromMs < lastsMs && toMs > fromMs) told.push({ fromMs: Math.max(0, fromMs), toMs });
}

/** By its inverse CDF. */
function exponentialMs(meanMs: number, uniform: number): number {
  return -meanMs * Math.log(1 - uniform);
}
