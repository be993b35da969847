// The two faces of a played night's clock. A process starts anew every night, so its monotonic clock does
// too; the wall goes on. Their origins have nothing to do with each other, so that mixing them up fails.

import type { Clock } from '../base/clock.ts';
import type { Engine } from '../sim/engine.ts';

/** What the monotonic clock of every process reads at a night's opening. */
export const MONOTONIC_AT_OPENING_MS = 4_194_304;

/** What the wall clock reads at the first night's opening: 2026-11-30T01:00:00Z. */
const WALL_AT_FIRST_OPENING_MS = 1_796_000_400_000;

/** @param engine whose time is 0 at the opening @param sinceFirstMs from the first night's opening to this one */
export function nightClock(engine: Engine, sinceFirstMs: number): Clock {
  return {
    monotonicMs: () => MONOTONIC_AT_OPENING_MS + engine.now,
    wallMs: () => WALL_AT_FIRST_OPENING_MS + sinceFirstMs + engine.now,
  };
}
