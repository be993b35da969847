// What a distribution's parameters must be. A wrong one is bad input without a place; whoever read it from
// a file adds where.

import { InputError } from '../../base/errors.ts';

/** @throws InputError unless `holds` */
export function requireThat(holds: boolean, message: string, expected: string, got: string): void {
  if (!holds) throw new InputError({ code: 'distribution', message, expected, got });
}

/** @throws InputError unless `value` is finite and above 0 */
export function requirePositive(name: string, value: number): void {
  requireThat(
    value > 0 && value < Number.POSITIVE_INFINITY,
    `${name} is out of range`,
    'a number above 0',
    String(value),
  );
}

/** @throws InputError unless `value` is finite and 0 or more */
export function requireNonNegative(name: string, value: number): void {
  requireThat(
    value >= 0 && value < Number.POSITIVE_INFINITY,
    `${name} is out of range`,
    'a number, 0 or more',
    String(value),
  );
}
