// When data that keep growing may be looked at, and what each look costs. Whoever looks as often as they like
// passes a fifth of all gates by luck; here the looks are few, planned, and paid for.

/** Replications at the first look. */
export const FIRST_LOOK = 100;

export interface Look {
  /** After so many replications. */
  readonly replications: number;
  /** What it spends: the error that each bound may have. */
  readonly alpha: number;
}

/**
 * Looks at n₀ 2ᵏ replications, look k spending α ÷ ((k + 1)(k + 2)). The sum of them all telescopes to α, so
 * that any number of looks together are wrong at most as often (Bonferroni; spending an error over looks: K. K.
 * G. Lan and D. L. DeMets, 1983).
 *
 * @param budget replications at most, from 1; below n₀ there is one look, at the budget
 * @param first n₀
 */
export function plannedLooks(alpha: number, budget: number, first: number = FIRST_LOOK): readonly Look[] {
  const looks: Look[] = [];
  for (let replications = Math.min(first, budget); replications <= budget; replications *= 2) {
    const k = looks.length;
    looks.push({ replications, alpha: alpha / ((k + 1) * (k + 2)) });
  }
  return looks;
}
