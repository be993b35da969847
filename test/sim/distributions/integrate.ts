// Numeric integration for the tests, independent of every closed form under test.

/**
 * ∫ f from `low` to `high` by the double-exponential rule (Takahasi & Mori 1974), whose nodes crowd at the
 * ends, so that a singular slope there does no harm. `breaks` are where f has kinks or jumps inside.
 */
export function integrate(
  f: (x: number) => number,
  low: number,
  high: number,
  breaks: readonly number[] = [],
): number {
  const inside = breaks.filter((x) => x > low && x < high).sort((a, b) => a - b);
  const ends = [low, ...inside, high];
  return ends.slice(1).reduce((sum, end, i) => sum + panel(f, ends[i]!, end), 0);
}

function panel(f: (x: number) => number, low: number, high: number): number {
  const step = 1 / 32;
  const half = (high - low) / 2;
  let sum = 0;
  for (let k = -160; k <= 160; k++) {
    const t = k * step;
    const weight = ((Math.PI / 2) * Math.cosh(t)) / Math.cosh((Math.PI / 2) * Math.sinh(t)) ** 2;
    // From the nearer end, so that nodes close to it stay apart.
    const gap = half / (Math.exp(Math.PI * Math.sinh(Math.abs(t))) / 2 + 0.5);
    const x = t < 0 ? low + gap : high - gap;
    if (weight > 1e-300 && x > low && x < high) sum += weight * f(x);
  }
  return sum * half * step;
}
