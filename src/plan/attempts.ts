// How many attempts a job takes, on average, and how long it pauses between them, if each attempt succeeds
// with the same probability whatever the others did.

/**
 * The mean number of attempts, of at most `attempts`: `(1 − f^attempts) / (1 − f)` with f the probability
 * that one fails; the mean of a geometric distribution cut off at `attempts`.
 *
 * @param successRatio from 0 to 1
 */
export function expectedAttempts(successRatio: number, attempts: number): number {
  return sumOverRetries(successRatio, attempts, () => 1) + Math.min(1, attempts);
}

/**
 * The mean of the pauses that a job makes between its attempts, summed: pause r is made if the first r
 * attempts failed and another is allowed.
 *
 * @param meanPauseMs the mean of the pause before a retry, from 1
 */
export function expectedPausesMs(
  successRatio: number,
  attempts: number,
  meanPauseMs: (retry: number) => number,
): number {
  return sumOverRetries(successRatio, attempts, meanPauseMs);
}

/** `Σ f^retry × value(retry)` over the retries that are allowed. */
function sumOverRetries(successRatio: number, attempts: number, value: (retry: number) => number): number {
  const failure = 1 - successRatio;
  let reached = 1;
  let sum = 0;
  for (let retry = 1; retry < attempts; retry += 1) {
    reached *= failure;
    // Rarer than any double can tell beside the terms before it.
    if (reached < Number.EPSILON / 1024) break;
    sum += reached * value(retry);
  }
  return sum;
}
