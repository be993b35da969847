// A quantile where there is no formula for it: the smallest number whose CDF reaches p, found between two
// bounds, to the last bit.

/** Secant steps keep so far from the bounds, relative to them; one that lands closer would move only one. */
const CLOSEST = 4 * Number.EPSILON;

/**
 * The smallest double x with `cdf(x) ≥ p` in [low, high]; `high` where none lies below it. Secant steps
 * (the Illinois variant of regula falsi; Dowell & Jarratt 1971), every fourth a bisection, so that a jump
 * or a flat piece costs some steps and never the answer. Deterministic.
 *
 * @param low @param high finite, 0 ≤ low ≤ high, around the answer
 */
export function invertCdf(cdf: (x: number) => number, p: number, low: number, high: number): number {
  let below = low;
  let above = high;
  let gapBelow = cdf(below) - p;
  if (gapBelow >= 0) return below;
  let gapAbove = cdf(above) - p;
  let moved: 'below' | 'above' | undefined;
  for (let step = 1; ; step++) {
    const middle = below + (above - below) / 2;
    if (!(middle > below && middle < above)) return above;
    const x = step % 4 === 0 ? middle : secant(below, above, gapBelow, gapAbove, middle);
    const gap = cdf(x) - p;
    if (gap >= 0) {
      above = x;
      gapAbove = gap;
      if (moved === 'above') gapBelow /= 2;
      moved = 'above';
    } else {
      below = x;
      gapBelow = gap;
      if (moved === 'below') gapAbove /= 2;
      moved = 'below';
    }
  }
}

/** Where the chord crosses, inside the bounds by a little; `middle` where there is no room. */
function secant(below: number, above: number, gapBelow: number, gapAbove: number, middle: number): number {
  const closest = above * CLOSEST;
  const crossing = below + ((above - below) * gapBelow) / (gapBelow - gapAbove);
  const x = Math.max(below + closest, Math.min(above - closest, crossing));
  return x > below && x < above ? x : middle;
}
