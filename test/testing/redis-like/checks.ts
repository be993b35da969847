// What the ledger's calls must look like before a script is sent.

import { InputError } from '../../../src/core.ts';

export function tokens(field: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new RangeError(`${field} must be a count of tokens, got ${value}`);
}

export function lease(field: string, value: number): void {
  if (Number.isFinite(value) && value > 0) return;
  throw new RangeError(`${field} must be a time above 0, got ${value}`);
}

export function moment(value: number | undefined): void {
  if (value !== undefined && !Number.isFinite(value))
    throw new RangeError(`nowMs must be a time, got ${value}`);
}

export function present(value: number): void {
  if (value === undefined) throw new RangeError('nowMs must be given');
  moment(value);
}

export function text(field: string, value: string, least = 1): void {
  if (typeof value === 'string' && value.length >= least && !/\p{Surrogate}/u.test(value)) return;
  throw new InputError({ code: 'not-text', message: `${field} must be text` });
}

export function integer(field: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new InputError({ code: 'not-an-integer', message: `${field} must be an integer from ${least}` });
}

export function choice(field: string, value: string | undefined, choices: readonly string[]): void {
  if (value === undefined || choices.includes(value)) return;
  throw new InputError({
    code: 'unknown-choice',
    message: `${field} is ${choices.join(' or ')}, got ${value}`,
  });
}

export function options(value: object, known: readonly string[]): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new InputError({ code: 'unknown-option', message: `there is no option ${unknown}` });
}

/** @throws InputError with that code */
export function must(holds: boolean, code: string): asserts holds {
  if (!holds) throw new InputError({ code, message: `${code}: the call cannot be meant` });
}
