// The name that somebody probably meant. Every message about an unknown name asks here, so that all of
// them agree on what counts as a misspelling.

import { distance } from 'fastest-levenshtein';

/**
 * The candidate closest to `word` by edit distance, upper and lower case alike; the first of several
 * equally close ones. Undefined where none is within a third of the word's length (rounded up, at most
 * three edits), because a far-fetched suggestion is worse than none.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  const farthest = Math.min(3, Math.ceil(word.length / 3));
  let best: string | undefined;
  let bestEdits = farthest + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestEdits) continue;
    const edits = distance(wanted, candidate.toLowerCase());
    if (edits < bestEdits) {
      best = candidate;
      bestEdits = edits;
    }
  }
  return best;
}
