// A flag that takes a whole number.

import { InputError } from '../base/errors.ts';
import { formatCount, parseCount } from '../base/units.ts';
import type { Given } from './command.ts';

/** @throws InputError for anything but a whole number between the limits, both included */
export function numberOf(
  given: Given,
  name: string,
  { fallback, from, upTo }: { readonly fallback: number; readonly from: number; readonly upTo: number },
): number {
  const written = given.text(name);
  if (written === undefined) return fallback;
  const count = parseCount(written);
  if (count.ok && count.value >= from && count.value <= upTo) return count.value;
  throw new InputError({
    code: 'out-of-range',
    message: count.ok ? 'there is none of this number' : count.problem.message,
    place: { flag: `--${name}` },
    expected: `a whole number from ${formatCount(from)} to ${formatCount(upTo)}`,
    got: JSON.stringify(written),
  });
}
