// Tokens are counted, never measured: a non-negative safe integer, or a mistake that must not reach
// the books.

/**
 * Rejects anything that is not a count of tokens.
 *
 * @param field what the value is, as the caller names it (for the message)
 * @param value an integer from 0 to 2⁵³ − 1, both included
 * @throws RangeError naming the field and the value; nothing has changed by then
 */
export function checkTokens(field: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new RangeError(`${field} must be a whole number of tokens from 0 to 2^53 - 1, got ${show(value)}`);
}

/**
 * Rejects a duration or a time that arithmetic would turn into nonsense.
 *
 * @throws RangeError unless `value` is finite and ≥ 0
 */
export function checkDurationMs(field: string, value: number): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  throw new RangeError(`${field} must be a finite number of milliseconds, 0 or more, got ${show(value)}`);
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
