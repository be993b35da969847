// What is wrong with options by their names alone: those that do not exist, with the ones probably meant.

import type { Problem } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';

/** @param whose what has the options, as the message calls it */
export function unknownKeys(whose: string, given: object, known: readonly string[]): readonly Problem[] {
  return Object.keys(given)
    .filter((key) => !known.includes(key))
    .map((key) => ({
      code: 'unknown-option',
      message: `${whose} has no option "${key}"`,
      expected: known.join(', '),
      ...withNearest(key, known),
    }));
}

export function withNearest(word: string, candidates: readonly string[]): { nearest?: string } {
  const meant = nearest(word, candidates);
  return meant === undefined ? {} : { nearest: meant };
}
