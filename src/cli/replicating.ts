// `run --replications`: plays a scenario many times over, in this process, one after the other. Between
// nights the process looks up, so that a signal is heard.

import { setImmediate } from 'node:timers/promises';
import { InputError } from '../base/errors.ts';
import { formatCount } from '../base/units.ts';
import { replicate } from '../study/replicate.ts';
import type { ReplicatedRun } from '../study/replicated-run.ts';
import type { Flag, Given } from './command.ts';
import { roundTimes } from './microseconds.ts';
import { numberOf } from './number-flag.ts';
import { replayable } from './replay-command.ts';
import type { GivenScenario } from './scenario-flags.ts';
import type { Terminal } from './terminal/terminal.ts';

export const replicationsFlag: Flag = {
  kind: 'text',
  value: 'N',
  describe: 'play it N times with other draws, and say where the worst nights lie',
};

const MOST_REPLICATIONS = 1_000_000;

/** Undefined where the flag was not given: one run is wanted, whole. */
export function replicationsOf(given: Given): number | undefined {
  if (given.text('replications') === undefined) return undefined;
  const count = numberOf(given, 'replications', { fallback: 1, from: 1, upTo: MOST_REPLICATIONS });
  for (const flag of ['trace', 'ledger']) {
    if (given.text(flag) === undefined) continue;
    throw new InputError({
      code: 'contradiction',
      message: `--${flag} is of one run, and --replications plays many; plimsoll replay-night plays one of them again`,
      place: { flag: `--${flag}` },
    });
  }
  return count;
}

export async function replicateGiven(
  { scenario, rerun }: GivenScenario,
  count: number,
  terminal: Terminal,
): Promise<ReplicatedRun> {
  const run = await replayable(rerun, async () => {
    const nights = replicate(scenario, count);
    for (;;) {
      const next = nights.next();
      if (next.done === true) return next.value;
      const { replication, night } = next.value;
      terminal.progress(
        `replication ${formatCount(replication + 1)} of ${formatCount(count)}, night ${formatCount(night)}`,
      );
      await setImmediate();
    }
  });
  terminal.progress('');
  return roundTimes(run);
}
