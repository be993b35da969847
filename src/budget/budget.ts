// How long may this call take? The answer shrinks as the kill comes nearer, so that the last call of a
// night ends while there is still time to write its result down. The one thing the worker asks before
// every attempt.

import type { MonotonicMs } from '../base/clock.ts';
import { InputError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { checkDurationMs } from '../base/tokens.ts';

export interface BudgetOptions {
  /** When the scheduler kills the process, on the monotonic clock: `performance.now() + 50 * 60_000`. */
  readonly deadlineMs: MonotonicMs;
  /** Held back before the deadline for the last writes, the flush and a clean exit. Default: 45,000. */
  readonly reserveMs?: number;
  /** The least worth starting; from 0. Default: 3,000. */
  readonly floorMs?: number;
  /** The most that one call is granted; above 0, and no less than the floor. Default: 120,000. */
  readonly capMs?: number;
}

/** What the worker needs of a budget. */
export interface Clamp {
  /** When the kill comes; nothing can be written or settled from then on. */
  readonly deadlineMs: MonotonicMs;
  /**
   * The timeout for a call that starts at `nowMs`: what is left before the reserve, at most the cap.
   * `undefined` where less than the floor is left: the clamp declines.
   *
   * @throws RangeError unless `nowMs` is finite
   */
  callTimeout(nowMs: MonotonicMs): number | undefined;
  /**
   * Milliseconds from `nowMs` to the deadline less the reserve; negative once the reserve is being used.
   *
   * @throws RangeError unless `nowMs` is finite
   */
  remainingMs(nowMs: MonotonicMs): number;
  /** The last moment at which `callTimeout` still grants: deadline − reserve − floor. */
  declinesAfterMs(): MonotonicMs;
  /**
   * Would a call that starts after the wait still be granted? A wait of ∞ never leads to one.
   *
   * @throws RangeError unless `nowMs` is finite and `waitMs` is 0 or more
   */
  canWait(nowMs: MonotonicMs, waitMs: number): boolean;
}

/**
 * Every time is below this, a little under 32 years. An epoch time is above it, so that a deadline taken
 * from the wall clock is seen at once; and below it double precision keeps every sum to a microsecond.
 */
const TIMES_BELOW_MS = 1e12;

const DEFAULTS = { reserveMs: 45_000, floorMs: 3_000, capMs: 120_000 };
const KNOWN_OPTIONS = ['deadlineMs', ...Object.keys(DEFAULTS)];

/**
 * The deadline clamp. For any `now`: granted ≤ cap; granted ≥ floor; now + granted ≤ deadline − reserve, to
 * a microsecond; the grant never grows as `now` grows; nothing is ever rounded up.
 */
export class Budget implements Clamp {
  #deadlineMs: MonotonicMs;
  readonly #reserveMs: number;
  readonly #floorMs: number;
  readonly #capMs: number;

  /**
   * @throws RangeError naming the field and the value that cannot be meant
   * @throws InputError for an option that does not exist
   */
  constructor(options: BudgetOptions) {
    rejectUnknownOptions(options);
    this.#deadlineMs = checkDeadline(options.deadlineMs);
    this.#reserveMs = checkSetting('reserveMs', options.reserveMs ?? DEFAULTS.reserveMs);
    this.#floorMs = checkSetting('floorMs', options.floorMs ?? DEFAULTS.floorMs);
    this.#capMs = checkSetting('capMs', options.capMs ?? DEFAULTS.capMs);
    if (this.#capMs === 0) throw new RangeError('capMs must be above 0, got 0');
    if (this.#floorMs > this.#capMs) {
      throw new RangeError(
        `floorMs must be at most capMs, or no call is ever granted: got floorMs ${this.#floorMs}, capMs ${this.#capMs}`,
      );
    }
  }

  get deadlineMs(): MonotonicMs {
    return this.#deadlineMs;
  }

  callTimeout(nowMs: MonotonicMs): number | undefined {
    const remaining = this.remainingMs(nowMs);
    if (remaining < this.#floorMs) return undefined;
    return Math.min(this.#capMs, remaining);
  }

  remainingMs(nowMs: MonotonicMs): number {
    // Subtracting now first keeps the result monotone in now: each of the two roundings is.
    return this.#deadlineMs - checkTime('nowMs', nowMs) - this.#reserveMs;
  }

  declinesAfterMs(): MonotonicMs {
    let last: MonotonicMs = this.#deadlineMs - this.#reserveMs - this.#floorMs;
    // The difference may have been rounded to a moment a hair too late; it must be one that still grants.
    const hair = Number.EPSILON * Math.max(1, Math.abs(this.#deadlineMs), this.#reserveMs, this.#floorMs);
    while (this.remainingMs(last) < this.#floorMs) last -= hair;
    return last;
  }

  canWait(nowMs: MonotonicMs, waitMs: number): boolean {
    const afterMs =
      checkTime('nowMs', nowMs) +
      (waitMs === Number.POSITIVE_INFINITY ? waitMs : checkDurationMs('waitMs', waitMs));
    return Number.isFinite(afterMs) && this.callTimeout(afterMs) !== undefined;
  }

  /**
   * Brings the deadline nearer: the machine was suspended, which froze the monotonic clock while the
   * scheduler's kill did not wait. The deadline never moves away.
   *
   * @param ms from 0
   * @throws RangeError for anything else; the deadline stays where it was
   */
  shortenBy(ms: number): void {
    this.#deadlineMs -= checkDurationMs('ms', ms);
  }
}

function checkDeadline(deadlineMs: number): number {
  checkTime('deadlineMs', deadlineMs);
  if (deadlineMs >= TIMES_BELOW_MS) {
    throw new RangeError(
      `deadlineMs must be a time on the monotonic clock, such as performance.now() + 50 * 60_000; ` +
        `${deadlineMs} looks like an epoch time (Date.now())`,
    );
  }
  if (deadlineMs <= -TIMES_BELOW_MS)
    throw new RangeError(`deadlineMs must be above -1e12, got ${deadlineMs}`);
  return deadlineMs;
}

function checkTime(field: string, value: number): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new RangeError(`${field} must be a finite number of milliseconds, got ${String(value)}`);
}

function checkSetting(field: string, value: number): number {
  checkDurationMs(field, value);
  if (value < TIMES_BELOW_MS) return value;
  throw new RangeError(`${field} must be below 1e12 ms (31 years), got ${value}`);
}

function rejectUnknownOptions(options: BudgetOptions): void {
  for (const key of Object.keys(options)) {
    if (KNOWN_OPTIONS.includes(key)) continue;
    const meant = nearest(key, KNOWN_OPTIONS);
    throw new InputError({
      code: 'unknown-option',
      message: `Budget has no option "${key}"`,
      expected: KNOWN_OPTIONS.join(', '),
      ...(meant === undefined ? {} : { nearest: meant }),
    });
  }
}
