// How long the machine has been up, suspensions included: what tells a suspension from a clock that was set.

import { uptime } from 'node:os';

/** Milliseconds since boot, to a second or better. */
export const uptimeMs = (): number => uptime() * 1_000;
