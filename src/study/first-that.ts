// Bisection over whole numbers, in either direction. Whoever judges a number may take a while over it, and is
// therefore a generator: the caller looks up whenever it stops.

/**
 * The number nearest to `from`, not `from` itself, that passes; where passing goes on from there, as it does
 * for anything that only gets better on the way. Where it does not, a number that passes next to one that does
 * not.
 *
 * @param from does not pass @param most the last to be looked at, above or below
 * @returns undefined where `most` does not pass
 */
export function* firstThat(
  from: number,
  most: number,
  passes: (value: number) => Generator<void, boolean>,
): Generator<void, number | undefined> {
  if (from === most || !(yield* passes(most))) return undefined;
  let failing = from;
  let passing = most;
  while (Math.abs(passing - failing) > 1) {
    const middle = failing + Math.trunc((passing - failing) / 2);
    if (yield* passes(middle)) passing = middle;
    else failing = middle;
  }
  return passing;
}
