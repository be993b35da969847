// The two clocks of a batch job, as two types that do not mix: a budget lives on a monotonic clock,
// leases on the wall clock, because hosts must agree on them. Nothing in the runtime reads a clock by
// itself; times are arguments, or come from an injected `Clock`.

declare const face: unique symbol;

/** Milliseconds on a monotonic clock with an arbitrary origin (`performance.now()`). Never steps. */
export type MonotonicMs = number & { readonly [face]?: 'monotonic' };

/** Milliseconds since the Unix epoch (`Date.now()`). May step when somebody sets the clock. */
export type WallMs = number & { readonly [face]?: 'wall' };

/**
 * Both faces of one clock. A plain number is accepted as either type, a value read from one face is
 * rejected by the compiler where the other is wanted.
 */
export interface Clock {
  monotonicMs(): MonotonicMs;
  wallMs(): WallMs;
}
