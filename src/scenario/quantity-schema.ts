// The leaves of a scenario's schema: quantities with their units, words from a list, names; and the strict
// map that holds them. Each knows how to say what it would have accepted.

import { z } from 'zod';
import type { Problem } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import {
  formatCount,
  formatDuration,
  formatPercent,
  parseCount,
  parseDuration,
  parseNumber,
  parsePercent,
  parseTokenAmount,
  parseTokens,
  type Quantity,
} from '../base/units.ts';

/** What a schema found wrong, apart from the place, which is the issue's path. */
export type SchemaProblem = Omit<Problem, 'place' | 'got'>;

/** Which numbers are accepted; by default all that the unit can express. */
export interface Range {
  /** The least, included. */
  readonly from?: number;
  /** The greatest that is too small. */
  readonly above?: number;
  /** The most, included. */
  readonly upTo?: number;
}

/** Longer than any night, and short enough for double precision to keep every sum to a microsecond. */
const LONGEST_MS = 10_000 * 86_400_000;

const NUMBER = '\\+?([0-9][0-9_]*(\\.[0-9]+)?|\\.[0-9]+)([eE][+-]?[0-9]+)?';
const PATTERN = {
  duration: `^\\s*(${NUMBER}\\s*(d|h|min|ms|s)\\s*)+$`,
  tokens: `^\\s*${NUMBER}\\s*[kMG]?\\s*$`,
  percent: `^\\s*(${NUMBER}\\s*%|0)\\s*$`,
  number: `^\\s*${NUMBER}\\s*$`,
};

/** Milliseconds; `45 s`. */
export function duration(description: string, range: Range = {}) {
  const expected = `a duration${inWords(range, formatDuration)}, such as 45 s or 50 min`;
  const limits = { upTo: LONGEST_MS, ...range };
  return z
    .string({ error: () => expected })
    .transform(reader(parseDuration, limits, (ms) => formatDuration(ms), 'a duration'))
    .meta({ description, pattern: PATTERN.duration });
}

/** Milliseconds in either direction; `-1 h`. */
export function signedDuration(description: string) {
  const expected = 'a duration other than 0, such as 1 h or -1 h';
  return z
    .string({ error: () => expected })
    .transform((written, context) => {
      const [, sign, size = ''] = /^\s*([-−+]?)(.*)$/s.exec(written) ?? [];
      const quantity = parseDuration(size);
      if (!quantity.ok) return refuse(context, { ...quantity.problem, expected });
      if (quantity.value > 0 && quantity.value <= LONGEST_MS) {
        return sign === '-' || sign === '−' ? -quantity.value : quantity.value;
      }
      return refuse(context, {
        code: 'out-of-range',
        message: quantity.value === 0 ? 'this is too little' : 'this is too much',
        expected,
      });
    })
    .meta({ description, pattern: `^\\s*[-−+]?${PATTERN.duration.slice(1)}` });
}

/** Whole tokens; `10M`. */
export function tokens(description: string, range: Range = {}) {
  return number(parseTokens, 'a number of tokens', range, formatCount, {
    description,
    pattern: PATTERN.tokens,
  });
}

/** Tokens that may lie between two whole numbers: a parameter, not a count. */
export function tokenAmount(description: string, range: Range = {}) {
  return number(parseTokenAmount, 'a number of tokens', range, formatCount, {
    description,
    pattern: PATTERN.tokens,
  });
}

/** A whole number. */
export function count(description: string, range: Range = {}) {
  return number(parseCount, 'a whole number', range, formatCount, { description, pattern: PATTERN.number });
}

/** A plain number. */
export function plainNumber(description: string, range: Range = {}) {
  return number(parseNumber, 'a number', range, String, { description, pattern: PATTERN.number });
}

/** A fraction; `2%`. */
export function percent(description: string, range: Range = {}) {
  const limits = { upTo: 1, ...range };
  return number(parsePercent, 'a percentage', limits, formatPercent, {
    description,
    pattern: PATTERN.percent,
    // Of bare numbers only 0 is a percentage.
    maximum: 0,
  });
}

function number(
  parse: (written: string | number) => Quantity,
  noun: string,
  range: Range,
  format: (value: number) => string,
  meta: { readonly description: string; readonly pattern: string; readonly maximum?: number },
) {
  const least = range.above === undefined ? { minimum: range.from ?? 0 } : { exclusiveMinimum: range.above };
  return z
    .union([z.string(), z.number()], { error: () => `${noun}${inWords(range, format)}` })
    .transform(reader(parse, range, format, noun))
    .meta({ ...least, ...meta });
}

function reader(
  parse: (written: string | number) => Quantity,
  range: Range,
  format: (value: number) => string,
  noun: string,
) {
  return (written: string | number, context: z.core.$RefinementCtx<string | number>): number => {
    const quantity = parse(written);
    if (!quantity.ok) return refuse(context, quantity.problem);
    const { value } = quantity;
    const { from = 0, above = Number.NEGATIVE_INFINITY, upTo = Number.POSITIVE_INFINITY } = range;
    if (value >= from && value > above && value <= upTo) return value;
    return refuse(context, {
      code: 'out-of-range',
      message: value > upTo ? 'this is too much' : 'this is too little',
      expected: `${noun}${inWords(range, format)}`,
    });
  };
}

function inWords({ from, above, upTo }: Range, format: (value: number) => string): string {
  const low =
    above !== undefined ? ` above ${format(above)}` : from !== undefined ? ` from ${format(from)}` : '';
  return upTo === undefined ? low : `${low} up to ${format(upTo)}`;
}

/** One word of a list. */
export function oneOf<const Words extends readonly string[]>(description: string, words: Words) {
  return z.enum(words, { error: () => words.join(' or ') }).meta({ description });
}

/** Any text that says something. */
export function text(description: string) {
  return z
    .union([z.string(), z.number()], { error: () => 'a text' })
    .transform((written, context) => {
      const value = String(written);
      if (value.trim() !== '') return value;
      return refuse(context, { code: 'empty', message: 'this is empty', expected: 'a text' });
    })
    .meta({ description });
}

/** Letters, digits and `_`, `-`, `.` after the first: names become parts of keys, ids and file names. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u;

/** A name by which other parts of the scenario, flags and reports call something. */
export function name(description: string) {
  const expected = 'a name of letters, digits, "_", "-" and "."';
  return z
    .union([z.string(), z.number()], { error: () => expected })
    .transform((written, context) => {
      const value = String(written);
      if (NAME.test(value)) return value;
      return refuse(context, { code: 'bad-name', message: 'this cannot be a name', expected });
    })
    .meta({ description });
}

/** Yes or no, as YAML writes it. */
export function flag(description: string) {
  return z.boolean({ error: () => 'true or false' }).meta({ description });
}

/** A map in which an unknown key is an error. Its message lists the keys, for `schema-problems.ts`. */
export function strictMap<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const keys = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? keys.join(' ') : `a map with the keys ${keys.join(', ')}`,
  });
}

/**
 * Adds a problem that the mapper takes over as it is. Answers what zod wants of a failed transform.
 *
 * @param path to the part of the value that is wrong; by default all of it
 */
export function refuse(
  context: z.core.$RefinementCtx<unknown>,
  problem: SchemaProblem,
  path: readonly string[] = [],
): never {
  context.addIssue({ code: 'custom', path: [...path], params: { problem } });
  return z.NEVER;
}

/** What another schema says of the same value; where it finds something wrong, its issues become this one's. */
export function hold<Output>(
  context: z.core.$RefinementCtx<unknown>,
  schema: z.ZodType<Output>,
  value: unknown,
): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues)
    context.issues.push({ ...issue, input: value } as z.core.$ZodRawIssue);
  return z.NEVER;
}

/** An unknown word among known ones, with the one that was probably meant. */
export function unknownWord(
  code: string,
  message: string,
  word: string,
  known: readonly string[],
): SchemaProblem {
  const meant = nearest(word, known);
  return { code, message, expected: known.join(', '), ...(meant === undefined ? {} : { nearest: meant }) };
}
