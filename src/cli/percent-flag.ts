// A flag that takes a percentage.

import { InputError } from '../base/errors.ts';
import { formatPercent, parsePercent } from '../base/units.ts';
import type { Flag, Given } from './command.ts';

interface Limits {
  /** Included. */
  readonly from?: number;
  /** Not included. */
  readonly above?: number;
  /** Included. */
  readonly upTo?: number;
  /** Not included. */
  readonly below?: number;
}

/** @throws InputError for anything but a percentage within the limits; undefined where the flag was not given */
export function percentOf(given: Given, name: string, limits: Limits): number | undefined {
  const written = given.text(name);
  if (written === undefined) return undefined;
  const share = parsePercent(written);
  if (share.ok && isWithin(share.value, limits)) return share.value;
  const problem = share.ok ? { code: 'out-of-range', message: 'this is out of range' } : share.problem;
  throw new InputError({
    ...problem,
    place: { flag: `--${name}` },
    expected: inWords(limits),
    got: JSON.stringify(written),
  });
}

function isWithin(value: number, { from, above, upTo, below }: Limits): boolean {
  return !(
    (from !== undefined && value < from) ||
    (above !== undefined && value <= above) ||
    (upTo !== undefined && value > upTo) ||
    (below !== undefined && value >= below)
  );
}

function inWords({ from, above, upTo, below }: Limits): string {
  const low = above === undefined ? `from ${formatPercent(from ?? 0)}` : `above ${formatPercent(above)}`;
  if (below !== undefined) return `a percentage ${low}, below ${formatPercent(below)}`;
  return upTo === undefined ? `a percentage ${low}` : `a percentage ${low} up to ${formatPercent(upTo)}`;
}

export const confidenceFlag: Flag = {
  kind: 'text',
  value: 'PERCENT',
  describe: 'how sure each one-sided bound is. Default: 95%',
};

export const USUAL_CONFIDENCE = 0.95;

/** Nobody is ever quite sure, and below a half a bound would lie on the wrong side of its value. */
export function confidenceOf(given: Given): number {
  return percentOf(given, 'confidence', { above: 0.5, below: 1 }) ?? USUAL_CONFIDENCE;
}
