// Numbers with their units, as people write them in scenarios and on the command line, and back again as
// reports print them. Reading is strict, because a wrong unit is a wrong answer that looks right; it returns
// what is wrong instead of throwing, so that the caller can say where.

import type { Problem } from './errors.ts';

/** What is wrong with a quantity; the caller adds the place and what it got. */
type QuantityProblem = Pick<Problem, 'code' | 'message' | 'expected' | 'nearest'>;

export type Quantity =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly problem: QuantityProblem };

const DURATION = 'a duration with its unit (ms, s, min, h or d): 45 s, 50 min, 6 h';
const TOKENS = 'a whole number of tokens: 14000, 14_000, 1.5k, 10M';
const PERCENT = 'a percentage with its sign: 2%, 0.5%';
const COUNT = 'a whole number, 0 or more';

/** A unit is a power of ten, so that `1.005 s` is 1005 ms to the bit, times a small whole number. */
const DURATION_UNITS: Readonly<Record<string, { shift: number; times: number }>> = {
  ms: { shift: 0, times: 1 },
  s: { shift: 3, times: 1 },
  min: { shift: 4, times: 6 },
  h: { shift: 5, times: 36 },
  d: { shift: 5, times: 864 },
};
const DURATION_MISSPELT: Readonly<Record<string, string>> = {
  msec: 'ms',
  millis: 'ms',
  millisecond: 'ms',
  milliseconds: 'ms',
  sec: 's',
  secs: 's',
  second: 's',
  seconds: 's',
  mins: 'min',
  minute: 'min',
  minutes: 'min',
  hr: 'h',
  hrs: 'h',
  hour: 'h',
  hours: 'h',
  day: 'd',
  days: 'd',
};
const TOKEN_UNITS: Readonly<Record<string, number>> = { '': 0, k: 3, M: 6, G: 9 };
const TOKEN_MISSPELT: Readonly<Record<string, string>> = { K: 'k', m: 'M', g: 'G', B: 'G', b: 'G' };

const NUMBER = /^([+-]?)(\d[\d_]*)?(?:\.(\d+))?(?:[eE]([+-]?\d+))?/;

/**
 * Milliseconds from `45 s`, `45s`, `0.9 s`, `1 h 30 min`: ms, s, min, h, d, larger units first, none twice.
 * From 0 to 2⁵³ − 1 ms. A bare number has no unit and a bare `m` two meanings, so both are refused.
 */
export function parseDuration(written: string | number): Quantity {
  const text = String(written).trim();
  const parts: string[] = [];
  let rest = text;
  let total = 0;
  let smallest = Number.POSITIVE_INFINITY;
  while (rest !== '') {
    const part = splitNumber(rest);
    if (part === undefined) return wrong('wrong-unit', 'this is no duration', DURATION);
    const unit = /^[a-zA-Zµ]*/.exec(part.rest)?.[0] ?? '';
    const scale = own(DURATION_UNITS, unit);
    if (scale === undefined) return unknownDurationUnit(part.text, unit, parts, part.rest.slice(unit.length));
    const size = scaled(part, scale.shift, scale.times);
    const unitMs = scaled(ONE, scale.shift, scale.times);
    if (part.negative && size !== 0) return wrong('out-of-range', 'a duration cannot be negative', DURATION);
    if (unitMs >= smallest)
      return wrong('wrong-unit', 'larger units come first, each at most once', DURATION);
    smallest = unitMs;
    total += size;
    parts.push(`${part.text} ${unit}`);
    rest = part.rest.slice(unit.length).trimStart();
  }
  if (parts.length === 0) return wrong('wrong-unit', 'this is no duration', DURATION);
  if (total > Number.MAX_SAFE_INTEGER) return wrong('out-of-range', 'this duration is too long', DURATION);
  return { ok: true, value: total };
}

function unknownDurationUnit(
  number: string,
  unit: string,
  before: readonly string[],
  after: string,
): Quantity {
  if (unit === '') return wrong('missing-unit', `which unit? ${number} has none`, DURATION);
  if (unit === 'm') {
    return wrong('ambiguous-unit', '"m" could be minutes or milliseconds: write min or ms', DURATION);
  }
  const right = own(DURATION_MISSPELT, unit.toLowerCase()) ?? lowerCaseUnit(unit);
  const nearest = right === undefined ? undefined : [...before, `${number} ${right}`].join(' ') + after;
  return wrong('wrong-unit', `"${unit}" is no unit of time`, DURATION, nearest);
}

function lowerCaseUnit(unit: string): string | undefined {
  const lower = unit.toLowerCase();
  return own(DURATION_UNITS, lower) === undefined ? undefined : lower;
}

/** Tokens from `14000`, `14_000`, `1.5k`, `10M`, `2G`: whole once multiplied out, from 0 to 2⁵³ − 1. */
export function parseTokens(written: string | number): Quantity {
  const amount = parseTokenAmount(written);
  if (!amount.ok) return amount;
  if (Number.isInteger(amount.value)) return amount;
  return wrong('not-whole', 'tokens come in whole numbers', TOKENS);
}

/** As `parseTokens`, but a distribution's parameter may lie between two whole numbers. */
export function parseTokenAmount(written: string | number): Quantity {
  const text = String(written).trim();
  const number = splitNumber(text);
  if (number === undefined) return wrong('wrong-unit', 'this is no number of tokens', TOKENS);
  const shift = own(TOKEN_UNITS, number.rest);
  if (shift === undefined) {
    if (/^(,\d{3})+$/.test(number.rest)) {
      return wrong('wrong-unit', 'commas do not group digits here', TOKENS, text.replaceAll(',', '_'));
    }
    const right = own(TOKEN_MISSPELT, number.rest);
    const nearest = right === undefined ? undefined : `${number.text}${right}`;
    const message = `"${number.rest}" is no unit of tokens (k, M and G are)`;
    return wrong('wrong-unit', message, TOKENS, nearest);
  }
  const value = scaled(number, shift, 1);
  if (number.negative && value !== 0) return wrong('out-of-range', 'tokens cannot be negative', TOKENS);
  if (value > Number.MAX_SAFE_INTEGER)
    return wrong('out-of-range', 'this is more than 2^53 - 1 tokens', TOKENS);
  return { ok: true, value };
}

/**
 * A fraction from `2%` or `0.5%`. The sign is required, since a bare 1 could be one percent or all of it;
 * a bare 0 is the same either way. From 0%; where 100% is a limit, the caller holds it.
 */
export function parsePercent(written: string | number): Quantity {
  const text = String(written).trim();
  const number = splitNumber(text);
  if (number === undefined) return wrong('wrong-unit', 'this is no percentage', PERCENT);
  const value = scaled(number, -2, 1);
  if (number.negative && value !== 0)
    return wrong('out-of-range', 'a percentage cannot be negative', PERCENT);
  if (number.rest === '%' || (number.rest === '' && value === 0)) return { ok: true, value };
  if (number.rest !== '') return wrong('wrong-unit', `"${number.rest}" is no percent sign`, PERCENT);
  const asPercent = `${scaled(number, 2, 1)}%`;
  const nearest = scaled(number, 0, 1) <= 1 ? asPercent : `${number.text}%`;
  return wrong('missing-unit', 'a percentage needs its sign', PERCENT, nearest);
}

/** A whole number from 0 to 2⁵³ − 1; digits may be grouped: `1_200`. */
export function parseCount(written: string | number): Quantity {
  const number = splitNumber(String(written).trim());
  if (number === undefined) return wrong('wrong-type', 'this is no number', COUNT);
  if (number.rest !== '') return wrong('wrong-unit', 'a count has no unit', COUNT);
  const value = scaled(number, 0, 1);
  if (number.negative && value !== 0) return wrong('out-of-range', 'a count cannot be negative', COUNT);
  if (!Number.isSafeInteger(value)) return wrong('not-whole', 'a count is a whole number', COUNT);
  return { ok: true, value };
}

/** A plain finite number without a unit; digits may be grouped. */
export function parseNumber(written: string | number): Quantity {
  const number = splitNumber(String(written).trim());
  const expected = 'a plain number';
  if (number === undefined) return wrong('wrong-type', 'this is no number', expected);
  if (number.rest !== '') return wrong('wrong-unit', `"${number.rest}" does not belong here`, expected);
  const value = scaled(number, 0, 1);
  if (!Number.isFinite(value)) return wrong('out-of-range', 'this number is too large', expected);
  return { ok: true, value: number.negative && value !== 0 ? -value : value };
}

/**
 * A duration to read: `45 s`, `11 ms`, `0.9 s`, `49 min 15 s`, `6 h`, `2 d 3 h`. Three digits below a minute,
 * two units above; from 48 h in days. Infinity is `never`.
 */
export function formatDuration(ms: number): string {
  if (ms < 0) return `-${formatDuration(-ms)}`;
  if (ms === Number.POSITIVE_INFINITY) return 'never';
  if (ms === 0) return '0 s';
  if (Number(ms.toPrecision(3)) < 1000) return `${threeDigits(ms)} ms`;
  if (Number((ms / 1000).toPrecision(3)) < 60) return `${threeDigits(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return twoUnits(seconds, 60, 'min', 's');
  const minutes = Math.round(ms / 60_000);
  if (minutes < 48 * 60) return twoUnits(minutes, 60, 'h', 'min');
  return twoUnits(Math.round(ms / 3_600_000), 24, 'd', 'h');
}

/** Tokens to read, to three digits: `640`, `14k`, `4.2M`, `1.23G`. */
export function formatTokens(tokens: number): string {
  if (tokens < 0) return `-${formatTokens(-tokens)}`;
  for (const [unit, size] of [
    ['', 1],
    ['k', 1e3],
    ['M', 1e6],
  ] as const) {
    if (Number((tokens / size).toPrecision(3)) < 1000) return `${threeDigits(tokens / size)}${unit}`;
  }
  return `${threeDigits(tokens / 1e9)}G`;
}

/** A whole number with its digits in groups: `1,200`. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A fraction as a percentage, to three digits: `0.5%`, `95%`, `99.9%`. */
export function formatPercent(fraction: number): string {
  return `${threeDigits(fraction * 100)}%`;
}

interface WrittenNumber {
  readonly text: string;
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
  readonly rest: string;
}

const ONE: WrittenNumber = { text: '1', negative: false, digits: '1', exponent: 0, rest: '' };

function splitNumber(text: string): WrittenNumber | undefined {
  const match = NUMBER.exec(text);
  if (match === null || (match[2] === undefined && match[3] === undefined)) return undefined;
  return {
    text: match[0],
    negative: match[1] === '-',
    digits: `${(match[2] ?? '0').replaceAll('_', '')}.${match[3] ?? '0'}`,
    exponent: Number(match[4] ?? 0),
    rest: text.slice(match[0].length).trimStart(),
  };
}

/** The size of a written number times 10^shift, rounded once, times a whole number. */
function scaled(number: WrittenNumber, shift: number, times: number): number {
  return Number(`${number.digits}e${number.exponent + shift}`) * times;
}

function wrong(code: string, message: string, expected: string, nearest?: string): Quantity {
  return { ok: false, problem: { code, message, expected, ...(nearest === undefined ? {} : { nearest }) } };
}

/** A table's own entry: `constructor` is no unit. */
function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function twoUnits(count: number, per: number, large: string, small: string): string {
  const rest = count % per;
  const whole = `${(count - rest) / per} ${large}`;
  return rest === 0 ? whole : `${whole} ${rest} ${small}`;
}

function threeDigits(value: number): string {
  return String(value >= 1000 ? Math.round(value) : Number(value.toPrecision(3)));
}
