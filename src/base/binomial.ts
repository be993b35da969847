// The exact binomial tail, for telling a rate that is too high from bad luck. Summed term by term, because
// the counts are small and an approximation would be furthest off just where it matters, in the tail.

/**
 * P(X ≥ k) for X binomial(n, p): the one-sided p-value of having seen k in n where the rate is at most p
 * (C. J. Clopper and E. S. Pearson, 1934: their lower bound at confidence c lies above p where this is
 * below 1 − c). The terms follow from their ratio, (n − j) p ÷ ((j + 1) (1 − p)), outwards from the largest,
 * and are divided by their own sum, so that nothing overflows and no factorial is needed.
 *
 * @param k from 0; 0 gives 1, more than n gives 0
 * @param n from 0
 * @param p from 0 to 1
 */
export function binomialUpperTail(k: number, n: number, p: number): number {
  if (k <= 0) return 1;
  if (k > n || p === 0) return 0;
  if (p === 1) return 1;
  const odds = p / (1 - p);
  const mode = Math.min(n, Math.floor((n + 1) * p));
  let below = 0;
  let above = 0;
  const add = (j: number, term: number): void => {
    if (j >= k) above += term;
    else below += term;
  };
  add(mode, 1);
  let term = 1;
  for (let j = mode; j < n && term > 0; j += 1) {
    term *= ((n - j) / (j + 1)) * odds;
    add(j + 1, term);
  }
  term = 1;
  for (let j = mode; j > 0 && term > 0; j -= 1) {
    term *= j / ((n - j + 1) * odds);
    add(j - 1, term);
  }
  return above / (above + below);
}
