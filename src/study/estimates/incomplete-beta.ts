// The regularised incomplete beta function and its inverse: behind Student's t and the exact bounds of a
// proportion. Made of `exp` and `log` alone, as all special functions here.

import { logGamma } from '../../sim/special-functions.ts';

/** As close to 1 as a factor of the continued fraction has to come. */
const EPSILON = 2.220446049250313e-16;
/** Stands in for a denominator that has become 0. */
const TINY = 1e-300;

/**
 * I_x(a, b), the CDF of a beta variable (NIST DLMF 8.17.22), by the modified method of Lentz (Thompson and
 * Barnett, 1986), on whichever side of the bulk the fraction converges fast.
 *
 * @param x from 0 (0) to 1 (1) @param a above 0 @param b above 0
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const logFront = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x);
  const front = Math.exp(logFront);
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  const step = (numerator: number): number => {
    d = 1 / notZero(1 + numerator * d);
    c = notZero(1 + numerator / c);
    value *= c * d;
    return c * d - 1;
  };
  for (let m = 1; ; m += 1) {
    step((m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)));
    const off = step((-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)));
    if (!(off > EPSILON || off < -EPSILON)) return value;
  }
}

function notZero(value: number): number {
  return value < TINY && value > -TINY ? TINY : value;
}

/**
 * The x at which I_x(a, b) reaches p, by bisection to the last bit.
 *
 * @param p from 0 (0) to 1 (1) @param a above 0 @param b above 0
 */
export function inverseIncompleteBeta(p: number, a: number, b: number): number {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  let below = 0;
  let above = 1;
  for (;;) {
    const middle = below + (above - below) / 2;
    if (middle <= below || middle >= above) return middle;
    if (incompleteBeta(middle, a, b) < p) below = middle;
    else above = middle;
  }
}
