// The machine's own clocks, for production.

import type { Clock } from '../base/clock.ts';

export const realClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
};
