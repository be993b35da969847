// A study stops after every night that it plays, so that its caller may look up. This is for a caller who has
// nothing else to do meanwhile.

/** What the study finds. */
export function toTheEnd<Found>(study: Generator<unknown, Found>): Found {
  for (;;) {
    const next = study.next();
    if (next.done === true) return next.value;
  }
}
