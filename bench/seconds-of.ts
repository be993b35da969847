// Times a piece of work after a warm-up: the best of a few runs, since all that can happen to a run on a
// busy machine makes it slower.

const RUNS = 3;

/** @param work returns something that depends on all it did, so that nothing of it can be left out */
export function secondsOf(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  work();
  for (let run = 0; run < RUNS; run += 1) {
    const started = process.hrtime.bigint();
    work();
    best = Math.min(best, Number(process.hrtime.bigint() - started) / 1e9);
  }
  return best;
}
