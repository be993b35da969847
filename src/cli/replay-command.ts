// The one command that plays a broken night again, added to what is said about it: the scenario as it was
// named, the flags that change what is played, and which night of which replication.

import { InvariantBroken } from '../base/errors.ts';
import { plimsollCommand } from '../report/shell.ts';
import { BrokenNight, type NightPlace } from '../world/broken-night.ts';

/**
 * What `play` answers.
 *
 * @param rerun the scenario as it was named, then the flags that change what is played
 * @throws InvariantBroken where a night broke one, with the command in its message
 */
export async function replayable<Result>(
  rerun: readonly string[],
  play: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await play();
  } catch (error) {
    if (!(error instanceof BrokenNight)) throw error;
    const again = `to see it again:\n  ${replayCommand(rerun, error.place)}`;
    throw new InvariantBroken(error.invariant, `${error.detail}\n${again}`, { cause: error });
  }
}

function replayCommand(rerun: readonly string[], { variant, replication, night }: NightPlace): string {
  const whose = variant === undefined ? [] : ['--variant', variant];
  const which = ['--replication', String(replication), '--night', String(night)];
  return plimsollCommand('replay-night', [...rerun, ...whose, ...which]);
}
