// How many lanes there are in all: each worker of a fleet has the scenario's.

import type { Scenario } from '../../scenario/scenario.ts';

export function lanesOf({ lanes, fleet }: Scenario): number {
  return lanes * (fleet?.workers ?? 1);
}
