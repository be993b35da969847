// The unit in which a person would read an axis of time, and milliseconds in it.

import { roundedTo } from '../figures.ts';

export interface TimeUnit {
  /** For an axis title: `minutes`. */
  readonly name: string;
  /** Milliseconds to this unit, rounded to what a picture can show. */
  readonly of: (ms: number) => number;
}

/** Chosen by the longest time on the axis. */
export function timeUnitFor(longestMs: number): TimeUnit {
  if (longestMs >= 7 * 3_600_000) return unit('hours', 3_600_000);
  if (longestMs >= 5 * 60_000) return unit('minutes', 60_000);
  if (longestMs >= 2_000) return unit('seconds', 1_000);
  return unit('milliseconds', 1);
}

function unit(name: string, perMs: number): TimeUnit {
  return { name, of: (ms) => roundedTo(ms / perMs, 3) };
}
