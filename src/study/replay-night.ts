// One night of one replication, played again by itself: with the nights before it, since they leave their jobs
// and their books to it, and with the figures that it had.

import type { Ledger } from '../ledger/ledger.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { play } from '../world/play.ts';
import type { NightResult } from '../world/run-result.ts';
import type { WorldEvent } from '../world/world-event.ts';

export interface ReplayOptions {
  readonly replication: number;
  /** From 1 up to the scenario's nights. */
  readonly night: number;
  readonly openLedger?: () => Ledger;
  /** Told of every event, those of the nights before included. */
  readonly observe?: (event: WorldEvent) => void;
}

/** @param scenario played without its variants; a variant is a scenario of its own */
export function replayNight(scenario: Scenario, { night, ...options }: ReplayOptions): NightResult {
  const { nights } = play({ ...scenario, nights: night, compare: [] }, options);
  return nights.at(-1)!;
}
