// How long to stay away before trying again: capped exponential backoff with full jitter, so that lanes
// which failed together do not come back together. The draw is an argument, so that a played night and a
// real one can use the same formula with different dice.

export interface BackoffSettings {
  /** The longest first pause, milliseconds, from 0. */
  readonly baseMs: number;
  /** What each further pause is multiplied by, from 1. */
  readonly factor: number;
  /** No pause is longer, milliseconds, from 0. */
  readonly maxMs: number;
  /** `full`: anywhere between 0 and the longest pause; `none`: always the longest. */
  readonly jitter: 'full' | 'none';
}

/**
 * The pause before a retry: `uniform × min(max, base × factor^(retry − 1))`; "Full Jitter" in Marc Brooker,
 * "Exponential Backoff and Jitter", AWS Architecture Blog, 2015.
 *
 * @param retry 1 before the second attempt, 2 before the third, …
 * @param uniform from 0, included, to 1, excluded; not looked at without jitter
 * @throws RangeError for a retry that is no whole number from 1, or a uniform outside its range
 */
export function backoffMs(retry: number, uniform: number, settings: BackoffSettings): number {
  if (!Number.isSafeInteger(retry) || retry < 1) {
    throw new RangeError(`retry must be a whole number from 1, got ${retry}`);
  }
  if (!(uniform >= 0 && uniform < 1)) {
    throw new RangeError(`uniform must be from 0 up to, not including, 1, got ${uniform}`);
  }
  const longest = longestBackoffMs(retry, settings);
  return settings.jitter === 'none' ? longest : uniform * longest;
}

/** The sum of the longest pauses between that many attempts, milliseconds: what a worst case must allow for. */
export function longestBackoffsMs(attempts: number, settings: BackoffSettings): number {
  let sum = 0;
  let pause = firstPause(settings);
  for (let retry = 1; retry < attempts; retry += 1) {
    const next = nextPause(pause, settings);
    // From here on every pause is the same: no need to walk through a million retries.
    if (next === pause) return sum + pause * (attempts - retry);
    sum += pause;
    pause = next;
  }
  return sum;
}

function longestBackoffMs(retry: number, settings: BackoffSettings): number {
  let pause = firstPause(settings);
  for (let step = 1; step < retry; step += 1) {
    const next = nextPause(pause, settings);
    if (next === pause) break;
    pause = next;
  }
  return pause;
}

function firstPause({ baseMs, maxMs }: BackoffSettings): number {
  return Math.min(baseMs, maxMs);
}

function nextPause(pause: number, { factor, maxMs }: BackoffSettings): number {
  return Math.min(pause * factor, maxMs);
}
