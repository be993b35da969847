// The clocks of one worker's process. Its monotonic clock starts anew with it, stands still while its machine
// sleeps, and is untouched by whoever sets the wall clock; the wall is that of its machine, and goes on. Their
// origins have nothing to do with each other, so that mixing them up fails.

import type { Clock, WallMs } from '../base/clock.ts';
import { openingMs } from '../scenario/calendar.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Engine } from '../sim/engine.ts';
import type { WorkerTime } from './worker-time.ts';

/** What the monotonic clock of every process would read at a night's opening. */
export const MONOTONIC_AT_OPENING_MS = 4_194_304;

/** What the wall clock reads at the first night's opening: 2026-11-30T01:00:00Z. */
const WALL_AT_FIRST_OPENING_MS = 1_796_000_400_000;

export interface WorkerClockSetup {
  /** Whose time is 0 at the opening. */
  readonly engine: Engine;
  readonly time: WorkerTime;
  readonly scenario: Scenario;
  /** From 1. */
  readonly night: number;
  /** Whose machine it is, from 1. */
  readonly worker: number;
}

export interface WorkerClock extends Clock {
  /** The clock that the budget lives on: under `policy.clock: wall`, one that somebody may set. */
  readonly ofBudget: Clock;
}

/** What a wall clock that nobody sets reads. @param night from 1 @param atMs after its opening */
export function unsetWallMs(scenario: Scenario, night: number, atMs: number): WallMs {
  return WALL_AT_FIRST_OPENING_MS + openingMs(scenario, night) + atMs;
}

export function workerClock({ engine, time, scenario, night, worker }: WorkerClockSetup): WorkerClock {
  const steps = (scenario.clock?.steps ?? []).filter((one) => (one.worker ?? worker) === worker);
  /** By how much the wall has been set, all in all. */
  const setByMs = (): number => {
    let byMs = 0;
    for (const step of steps) {
      if (step.night < night || (step.night === night && step.atMs <= engine.now)) byMs += step.byMs;
    }
    return byMs;
  };
  const wallMs = () => unsetWallMs(scenario, night, engine.now) + setByMs();
  const monotonicMs = () => MONOTONIC_AT_OPENING_MS + engine.now - time.behindMs;
  const setAtStartMs = setByMs();
  const byWallMs = () => MONOTONIC_AT_OPENING_MS + engine.now + setByMs() - setAtStartMs;
  const ofBudget =
    scenario.policy.clock === 'wall' ? { monotonicMs: byWallMs, wallMs } : { monotonicMs, wallMs };
  return { monotonicMs, wallMs, ofBudget };
}
