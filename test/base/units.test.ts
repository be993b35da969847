import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatCount,
  formatDuration,
  formatPercent,
  formatTokens,
  parseCount,
  parseDuration,
  parseNumber,
  parsePercent,
  parseTokenAmount,
  parseTokens,
  type Quantity,
} from '../../src/base/units.ts';

const value = (quantity: Quantity) => (quantity.ok ? quantity.value : quantity.problem.code);
const nearest = (quantity: Quantity) => (quantity.ok ? undefined : quantity.problem.nearest);

describe('durations', () => {
  test.each([
    ['45 s', 45_000],
    ['45s', 45_000],
    ['  45   s ', 45_000],
    ['50 min', 3_000_000],
    ['6 h', 21_600_000],
    ['24 h', 86_400_000],
    ['2 d', 172_800_000],
    ['11 ms', 11],
    ['0.9 s', 900],
    ['.5 s', 500],
    ['0.25 ms', 0.25],
    ['1_000 ms', 1000],
    ['0 s', 0],
    ['1 h 30 min', 5_400_000],
    ['1h30min', 5_400_000],
    // Each of these loses a bit when a double is multiplied instead of its decimal point moved.
    ['1.005 s', 1005],
    ['4.35 s', 4350],
    ['0.07 h', 252_000],
    ['1.1 min', 66_000],
  ])('%j is %d ms', (written, ms) => {
    expect(value(parseDuration(written))).toBe(ms);
  });

  test.each([
    ['45', 'missing-unit'],
    ['45 m', 'ambiguous-unit'],
    ['m', 'wrong-unit'],
    ['', 'wrong-unit'],
    ['soon', 'wrong-unit'],
    ['-5 s', 'out-of-range'],
    ['5 constructor', 'wrong-unit'],
    ['5 s 3', 'missing-unit'],
    ['5 s 3 s', 'wrong-unit'],
    ['5 s 3 min', 'wrong-unit'],
    ['5 s, 3 ms', 'wrong-unit'],
    ['1e300 d', 'out-of-range'],
    ['10M', 'wrong-unit'],
  ])('%j is refused as %s', (written, code) => {
    expect(value(parseDuration(written))).toBe(code);
  });

  test.each([
    ['45 sec', '45 s'],
    ['5 minutes', '5 min'],
    ['6 Hours', '6 h'],
    ['3 S', '3 s'],
    ['1 h 30 mins', '1 h 30 min'],
  ])('for %j it suggests %j', (written, right) => {
    expect(nearest(parseDuration(written))).toBe(right);
  });

  test.each([
    [0, '0 s'],
    [0.25, '0.25 ms'],
    [11, '11 ms'],
    [900, '900 ms'],
    [999.96, '1 s'],
    [2500, '2.5 s'],
    [45_000, '45 s'],
    [59_996, '1 min'],
    [90_000, '1 min 30 s'],
    [2_955_000, '49 min 15 s'],
    [3_599_700, '1 h'],
    [21_600_000, '6 h'],
    [86_400_000, '24 h'],
    [172_740_000, '47 h 59 min'],
    [172_800_000, '2 d'],
    [183_600_000, '2 d 3 h'],
    [-45_000, '-45 s'],
    [Number.POSITIVE_INFINITY, 'never'],
  ])('%d ms reads %j', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  test('for any duration, what is printed reads back to within its rounding', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e12, noNaN: true }), (ms) => {
        const back = parseDuration(formatDuration(ms));
        // Two units: from 60 steps of the smaller one upwards, half a step is at most 1/120.
        expect(back.ok && Math.abs(back.value - ms) / ms).toBeLessThanOrEqual(1 / 100);
      }),
    );
  });
});

describe('tokens', () => {
  test.each([
    ['14000', 14_000],
    ['14_000', 14_000],
    ['1.5k', 1500],
    ['10M', 10_000_000],
    ['10 M', 10_000_000],
    ['2G', 2_000_000_000],
    ['1e6', 1_000_000],
    [14_000, 14_000],
    ['0', 0],
  ])('%j is %d', (written, tokens) => {
    expect(value(parseTokens(written))).toBe(tokens);
  });

  test.each([
    ['1.5', 'not-whole'],
    ['1.0005k', 'not-whole'],
    ['-1', 'out-of-range'],
    ['10000000G', 'out-of-range'],
    ['10m', 'wrong-unit'],
    ['10 s', 'wrong-unit'],
    ['many', 'wrong-unit'],
  ])('%j is refused as %s', (written, code) => {
    expect(value(parseTokens(written))).toBe(code);
  });

  test('a parameter may lie between two whole numbers', () => {
    expect(value(parseTokenAmount('1.5'))).toBe(1.5);
  });

  test.each([
    ['10m', '10M'],
    ['10K', '10k'],
    ['14,000', '14_000'],
  ])('for %j it suggests %j', (written, right) => {
    expect(nearest(parseTokens(written))).toBe(right);
  });

  test.each([
    [0, '0'],
    [640, '640'],
    [14_000, '14k'],
    [999_950, '1M'],
    [4_200_000, '4.2M'],
    [10_000_000, '10M'],
    [1_234_000_000, '1.23G'],
    [-1500, '-1.5k'],
  ])('%d reads %j', (tokens, text) => {
    expect(formatTokens(tokens)).toBe(text);
  });
});

describe('percentages', () => {
  test.each([
    ['2%', 0.02],
    ['0.5 %', 0.005],
    ['95%', 0.95],
    ['29%', 0.29],
    ['0', 0],
    ['150%', 1.5],
  ])('%j is %d', (written, fraction) => {
    expect(value(parsePercent(written))).toBe(fraction);
  });

  test.each([
    ['0.02', 'missing-unit'],
    ['1', 'missing-unit'],
    ['-1%', 'out-of-range'],
    ['2 s', 'wrong-unit'],
    ['some', 'wrong-unit'],
  ])('%j is refused as %s', (written, code) => {
    expect(value(parsePercent(written))).toBe(code);
  });

  test('without its sign a fraction is taken for a fraction, a larger number for a percentage', () => {
    expect(nearest(parsePercent('0.02'))).toBe('2%');
    expect(nearest(parsePercent('95'))).toBe('95%');
  });

  test.each([
    [0.005, '0.5%'],
    [0.95, '95%'],
    [0.999, '99.9%'],
    [0, '0%'],
  ])('%d reads %j', (fraction, text) => {
    expect(formatPercent(fraction)).toBe(text);
  });
});

describe('counts and plain numbers', () => {
  test.each([
    ['1_200', 1200],
    ['-1', 'out-of-range'],
    ['1.5', 'not-whole'],
    ['5 s', 'wrong-unit'],
    ['0x10', 'wrong-unit'],
    ['.inf', 'wrong-type'],
    ['1e400', 'not-whole'],
  ])('as a count, %j is %j', (written, count) => {
    expect(value(parseCount(written))).toBe(count);
  });

  test.each([
    ['-1.5', -1.5],
    ['1e400', 'out-of-range'],
    ['2 x', 'wrong-unit'],
  ])('as a plain number, %j is %j', (written, number) => {
    expect(value(parseNumber(written))).toBe(number);
  });

  test('a count is printed with its digits in groups', () => {
    expect([0, 999, 1200, 10_000_000].map(formatCount)).toEqual(['0', '999', '1,200', '10,000,000']);
  });
});

test('for any text at all, a quantity is either read or refused with a reason', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      for (const parse of [
        parseDuration,
        parseTokens,
        parseTokenAmount,
        parsePercent,
        parseCount,
        parseNumber,
      ]) {
        const quantity = parse(text);
        if (quantity.ok) expect(Number.isFinite(quantity.value)).toBe(true);
        else expect(quantity.problem.message).not.toBe('');
      }
    }),
  );
});
