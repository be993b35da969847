// The same ledger where every answer has to travel: what a store behind a network implements. Mapped from
// `Ledger`, so that the two can never differ in what they take or answer, only in when. Neither is
// assignable to the other: code that is written for `Ledger`, as the simulator is, cannot be waiting.

import type { Ledger } from './ledger.ts';

/** A ledger that answers at once, or one whose answers have to travel. */
export type AnyLedger = Ledger | AsyncLedger;

/** Every operation and every read of `Ledger`, with the same arguments and a promise of the same answer. */
export type AsyncLedger = {
  readonly [K in keyof Ledger]: Ledger[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<R>
    : Ledger[K];
};
