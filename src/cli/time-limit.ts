// A flag that bounds how long something is played by the wall's clock. What it has reached by then is recorded,
// so that nothing in an answer depends on how fast the machine was.

import { InputError } from '../base/errors.ts';
import { parseDuration } from '../base/units.ts';
import type { Flag, Given } from './command.ts';

export const timeLimitFlag: Flag = {
  kind: 'text',
  value: 'TIME',
  describe: 'stop after so long, such as 30s, with what there is by then',
};

export class TimeLimit {
  readonly #endMs: number;

  /** @param afterMs from now on; +∞: never */
  constructor(afterMs: number) {
    this.#endMs = performance.now() + afterMs;
  }

  get isOver(): boolean {
    return performance.now() >= this.#endMs;
  }
}

/** Milliseconds; undefined where the flag was not given. @throws InputError for anything but a duration above 0 */
export function timeLimitOf(given: Given): number | undefined {
  const written = given.text('time-limit');
  if (written === undefined) return undefined;
  const duration = parseDuration(written);
  if (duration.ok && duration.value > 0) return duration.value;
  throw new InputError({
    ...(duration.ok ? { code: 'out-of-range', message: 'this is too little' } : duration.problem),
    place: { flag: '--time-limit' },
    expected: 'a duration above 0, such as 30s or 5min',
    got: JSON.stringify(written),
  });
}
