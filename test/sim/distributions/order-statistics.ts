// Whether draws bear out a stated quantile: its exact, distribution-free interval between order statistics.

/** Ranks (from 1) between which the quantile at `p` of `count` draws lies with at least 99.9 % probability. */
export function quantileRanks(count: number, p: number): { lower: number; upper: number } {
  const cdf = binomialCdf(count, p);
  // X(l) ≤ q unless fewer than l draws are at or below q; X(u) ≥ q unless at least u lie below.
  const below = cdf.findIndex((probability) => probability > 0.0005);
  const above = cdf.findIndex((probability) => probability >= 0.9995);
  return { lower: below, upper: above + 1 };
}

/** P(B ≤ k) for k = 0 … count, by the ratio of neighbouring terms from the mode outwards. */
function binomialCdf(count: number, p: number): number[] {
  const terms = new Array<number>(count + 1).fill(0);
  const mode = Math.floor((count + 1) * p);
  terms[mode] = 1;
  for (let k = mode; k < count; k++) terms[k + 1] = (terms[k]! * (count - k) * p) / ((k + 1) * (1 - p));
  for (let k = mode; k > 0; k--) terms[k - 1] = (terms[k]! * k * (1 - p)) / ((count - k + 1) * p);
  const total = terms.reduce((sum, term) => sum + term, 0);
  let sum = 0;
  return terms.map((term) => {
    sum += term;
    return sum / total;
  });
}
