// Why the bill and the books differ: every token that the provider bills and the ledger does not count, or
// counts and is not billed, has a cause. Kept hold by hold while a run is played, so that the causes sum to
// the drift exactly.

import type { Hold } from '../ledger/ledger.ts';
import type { CallOutcome } from '../worker/effects.ts';
import type { DriftCauses } from './run-result.ts';

/** One attempt that its worker knows the end of. */
export interface BilledAttempt {
  readonly outcome: CallOutcome;
  /** Tokens on the provider's bill. */
  readonly billed: number;
  /** Tokens that the attempt adds to the settle. */
  readonly settledWith: number;
}

type Sums = { -readonly [Cause in keyof DriftCauses]: number };

/** What is known of one hold; `closed` is its end as the ledger told it last. */
interface HoldBill {
  billed: number;
  abandoned: number;
  estimated: number;
  closed: Hold | undefined;
}

export class DriftAccount {
  readonly #holds = new Map<string, HoldBill>();
  readonly #total = noDrift();
  #before: DriftCauses = noDrift();

  /** An attempt under a hold has ended, and its worker has written down what it will settle. */
  attempted(hold: string, { outcome, billed, settledWith }: BilledAttempt): void {
    const difference = billed - settledWith;
    const isAbandoned = outcome === 'timed-out' || outcome === 'threw';
    this.#change(hold, (bill) => {
      bill.billed += billed;
      // What an abandoned call costs beyond the estimate nobody could know; below it, the estimate was wrong.
      if (isAbandoned && difference > 0) bill.abandoned += difference;
      else bill.estimated += difference;
    });
  }

  /** A call under a hold was cut off with its worker: it is on the bill, and nobody will settle it. */
  cutOff(hold: string, billed: number): void {
    this.#change(hold, (bill) => {
      bill.billed += billed;
    });
  }

  /** On the bill of a call that no worker and no hold ever knew of. */
  unknown(cause: 'hiddenCalls' | 'neverSettled', billed: number): void {
    this.#total[cause] += billed;
  }

  /** The hold was settled, released or reclaimed, or settled after that. */
  closed(hold: Hold): void {
    this.#change(hold.id, (bill) => {
      bill.closed = hold;
    });
    // Only what expired may still be settled.
    if (hold.state !== 'expired' || hold.actual !== undefined) this.#holds.delete(hold.id);
  }

  /** A correcting entry moved so many tokens into what is consumed; negative where it gave some back. */
  corrected(consumed: number): void {
    this.#total.corrected -= consumed;
  }

  /** The causes of the drift since the last call. What was still open then and is not now counts against it. */
  take(): DriftCauses {
    const now = { ...this.#total };
    const since = addDrift(now, this.#before, -1);
    this.#before = now;
    return since;
  }

  #change(id: string, change: (bill: HoldBill) => void): void {
    let bill = this.#holds.get(id);
    if (bill === undefined) {
      bill = { billed: 0, abandoned: 0, estimated: 0, closed: undefined };
      this.#holds.set(id, bill);
    }
    count(this.#total, bill, -1);
    change(bill);
    count(this.#total, bill, 1);
  }
}

export function noDrift(): Sums {
  return {
    overspend: 0,
    lateShortfall: 0,
    chargedNotSpent: 0,
    estimatedUsage: 0,
    abandonedCalls: 0,
    hiddenCalls: 0,
    neverSettled: 0,
    corrected: 0,
    stillOpen: 0,
  };
}

/** Cause by cause, `one + sign × other`. */
export function addDrift(one: DriftCauses, other: DriftCauses, sign: 1 | -1 = 1): DriftCauses {
  const sum = noDrift();
  for (const cause of Object.keys(sum) as (keyof DriftCauses)[])
    sum[cause] = one[cause] + sign * other[cause];
  return sum;
}

/** All causes together: the drift. */
export function driftOf(causes: DriftCauses): number {
  return Object.values(causes).reduce((sum, tokens) => sum + tokens, 0);
}

/** Adds what one hold makes of the bill and of the books: in all `billed − consumed`. */
function count(total: Sums, { billed, abandoned, estimated, closed }: HoldBill, sign: 1 | -1): void {
  if (closed === undefined) {
    total.stillOpen += sign * billed;
    return;
  }
  const difference = billed - closed.consumed;
  if (closed.actual === undefined) {
    // Without a settle the books have all of the hold, or nothing of it.
    total[difference < 0 ? 'chargedNotSpent' : 'neverSettled'] += sign * difference;
    return;
  }
  total.overspend += sign * closed.overspent;
  total.lateShortfall += sign * closed.shortfall;
  total.abandonedCalls += sign * abandoned;
  total.estimatedUsage += sign * estimated;
  const explained = closed.overspent + closed.shortfall + abandoned + estimated;
  // A call that was cut off with its worker, on a hold that somebody settled all the same.
  total.neverSettled += sign * (difference - explained);
}
