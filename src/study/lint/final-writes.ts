// How long the end of a night takes when all lanes have a checkpoint to write at the same moment: drawn anew
// for each replication, and queued before the very store that the world plays. The last settle meets all the
// others under way.

import { RandomRoot } from '../../base/random-streams.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { Engine } from '../../sim/engine.ts';
import { CheckpointStore } from '../../world/checkpoint-store.ts';
import { lanesOf } from './all-lanes.ts';
import { quantileOf } from './sample-quantile.ts';

const PURPOSE = { write: 1, settle: 2 } as const;

/** @returns p99 over the replications of the last write's end, with the flush after it, in whole milliseconds */
export function finalWritesP99(scenario: Scenario, replications: number): number {
  const root = new RandomRoot(scenario.seed);
  const jobs = scenario.jobs.reduce((sum, { count }) => sum + count, 0);
  const lanes = Math.min(lanesOf(scenario), jobs);
  const ends = Array.from({ length: replications }, (_, replication) => {
    const stream = root.stream(replication, 'lint:final-writes');
    const writesMs = lastWriteMs(scenario.store, lanes, (write) => stream.uniform(PURPOSE.write, write));
    return writesMs + settleMs(scenario, lanes, stream.uniform(PURPOSE.settle, 0));
  });
  return Math.round(quantileOf(ends, 0.99) + scenario.store.flushMs);
}

function lastWriteMs(
  { write, writers, contention }: Scenario['store'],
  writes: number,
  uniform: (write: number) => number,
): number {
  const engine = new Engine();
  const store = new CheckpointStore(engine, writers, contention);
  for (let one = 0; one < writes; one += 1) {
    store.write({
      takesMs: Math.max(0, write.quantile(uniform(one))),
      started: () => undefined,
      written: () => undefined,
    });
  }
  while (engine.step());
  return engine.now;
}

/** Nothing to settle without a ledger. */
function settleMs({ pool, policy, ledger }: Scenario, lanes: number, uniform: number): number {
  if (pool === undefined || policy.admission !== 'envelope' || ledger === undefined) return 0;
  return Math.max(0, ledger.latency.quantile(uniform)) * (1 + ledger.contention * Math.max(0, lanes - 1));
}
