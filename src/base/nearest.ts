// The name that somebody probably meant. Every message about an unknown name asks here, so that all of
// them agree on what counts as a misspelling.

import { distance } from 'fastest-levenshtein';

/**
 * The candidate closest to `word` by edit distance (two swapped neighbours are one edit), upper and lower case alike; the first of several
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
    const edits = editsBetween(wanted, candidate.toLowerCase());
    if (edits < bestEdits) {
      best = candidate;
      bestEdits = edits;
    }
  }
  return best;
}

function editsBetween(word: string, candidate: string): number {
  return isOneSwap(word, candidate) ? 1 : distance(word, candidate);
}

/** Alike but for one pair of neighbours that changed places. */
function isOneSwap(word: string, candidate: string): boolean {
  let at = 0;
  while (at < word.length && word[at] === candidate[at]) at += 1;
  const swapped = `${candidate[at + 1] ?? ''}${candidate[at] ?? ''}`;
  return (
    word.length === candidate.length && word === candidate.slice(0, at) + swapped + candidate.slice(at + 2)
  );
}
