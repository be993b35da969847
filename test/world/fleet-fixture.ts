// A small night to be spoilt: constant calls, one job class, and workers that something befalls.

import type { Fleet, Scenario, WorkerIncidents } from '../../src/scenario/scenario.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { type PlayOptions, play } from '../../src/world/play.ts';
import type { WorldEvent } from '../../src/world/world-event.ts';
import { jobClass, pool, scenario } from './scenario-fixture.ts';

export function fleet(over: Partial<Fleet> = {}): Fleet {
  return {
    workers: 1,
    crashes: undefined,
    pauses: undefined,
    zombies: undefined,
    renewals: true,
    ...over,
  };
}

/** One period of the first night. */
export function once(fromMs: number, lastsMs: number, worker = 1): WorkerIncidents {
  return { at: [{ night: 1, fromMs, lastsMs, worker }], random: undefined };
}

/** Jobs of one call of 10 s and 1,100 tokens each, written down in 100 ms. */
export function spoilt(over: Partial<Scenario>): Scenario {
  return scenario({ jobs: [jobClass({ count: 4 })], pool: pool({ leaseMs: 30_000 }), ...over });
}

export function played(one: Scenario, options: PlayOptions = {}) {
  const events: WorldEvent[] = [];
  const result = play(one, { ...options, observe: (event) => events.push(event) });
  return { result, night: result.nights[0]!, events };
}

/** The events of some types, without their night. */
export function told<Type extends WorldEvent['type']>(events: readonly WorldEvent[], ...types: Type[]) {
  return events.filter((event): event is Extract<WorldEvent, { readonly type: Type }> =>
    (types as string[]).includes(event.type),
  );
}

export { constant, jobClass, pool, scenario };
