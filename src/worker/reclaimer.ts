// The process beside the lanes that closes the holds which crashed workers left behind: at the opening,
// then at a steady pace, for as long as a lane of its own process runs.

import { reclaim, sleep } from './ask.ts';
import type { Process } from './effects.ts';
import type { LaneBoard, PoolUse } from './worker-settings.ts';

export function* reclaimer<Job>(pool: PoolUse, board: LaneBoard): Process<Job> {
  while (board.lanesRunning > 0) {
    const swept = yield* reclaim<Job>(pool.name);
    if (swept.outcome === 'reclaimed') board.seen(swept.version);
    yield* sleep<Job>(pool.reclaimEveryMs);
  }
}
