// Reference values were computed outside the project, with mpmath at 50 digits.

import { describe, expect, it } from 'vitest';
import {
  expMinusOne,
  logGamma,
  logOnePlus,
  lowerGamma,
  normalCdf,
  normalQuantile,
  power,
} from '../../src/sim/special-functions.ts';

const NORMAL_QUANTILES = [
  [1e-300, -37.0470962993612],
  [5.551115123125783e-17, -8.292361075813595],
  [1e-5, -4.264890793922825],
  [0.01, -2.326347874040841],
  [0.05, -1.6448536269514726],
  [0.07, -1.4757910281791706],
  [0.2, -0.8416212335729142],
  [0.4, -0.2533471031357997],
  [0.6, 0.2533471031357997],
  [0.9, 1.2815515655446006],
  [0.95, 1.6448536269514722],
  [0.99, 2.3263478740408408],
  [0.999, 3.090232306167813],
] as const;

const NORMAL_CDF = [
  [-37.5, 4.605353009581955e-308],
  [-20.0, 2.7536241186062337e-89],
  [-6.5, 4.016000583859118e-11],
  [-2.6, 0.004661188023718749],
  [-2.4, 0.008197535924596131],
  [-1.0, 0.15865525393145705],
  [-0.1, 0.460172162722971],
  [0.0, 0.5],
  [0.3, 0.6179114221889527],
  [1.7, 0.955434537241457],
  [2.49, 0.9936128452350568],
  [2.51, 0.9939634419195873],
  [4.0, 0.9999683287581669],
  [8.0, 0.9999999999999993],
] as const;

const LOG_GAMMA = [
  [1e-8, 18.42068073818021],
  [0.1, 2.252712651734206],
  [0.5, 0.5723649429247001],
  [1.0, 0.0],
  [1.5, -0.12078223763524522],
  [2.0, 0.0],
  [3.0, Math.LN2],
  [7.3, 7.147892523022248],
  [11.9, 17.25847745059552],
  [12.1, 17.74700727079874],
  [50.0, 144.5657439463449],
  [1000.0, 5905.220423209181],
] as const;

const LOWER_GAMMA = [
  [0.01, 1e-6, 0.8759337598323533],
  [0.3, 0.1, 0.5459128495917965],
  [0.5, 2.0, 0.9544997361036416],
  [1, 1.0, 0.6321205588285577],
  [2.5, 0.3, 0.011996757205906266],
  [2.5, 3.4, 0.7640554623054786],
  [2.5, 3.6, 0.7938140802904441],
  [2.5, 20.0, 0.99999985066321],
  [40, 30.0, 0.046253037645842036],
  [40, 41.5, 0.6128837321552253],
  [40, 60.0, 0.9974518076963866],
  [1000, 990.0, 0.3795213785379639],
] as const;

const LOG_ONE_PLUS = [
  [1e-20, 1e-20],
  [-1e-10, -1.00000000005e-10],
  [1e-5, 9.999950000333332e-6],
  [-0.3, -0.35667494393873234],
  [0.3, 0.26236426446749106],
  [-0.999999, -13.815510557935518],
  [5.0, 1.791759469228055],
  [10000000000.0, 23.025850930040455],
] as const;

const EXP_MINUS_ONE = [
  [1e-20, 1e-20],
  [-1e-10, -9.999999999500001e-11],
  [1e-5, 1.0000050000166668e-5],
  [-0.3, -0.2591817793182821],
  [0.3, 0.3498588075760031],
  [-1.0, -0.6321205588285577],
  [3.0, 19.085536923187668],
  [-100.0, -1.0],
  [700.0, 1.0142320547350045e304],
] as const;

function expectClose(value: number, reference: number, relative: number): void {
  if (value !== reference) expect(Math.abs(value / reference - 1)).toBeLessThan(relative);
}

describe('special functions', () => {
  it.each(NORMAL_QUANTILES)('the normal quantile at %d is %d, to 15 digits', (p, reference) => {
    expectClose(normalQuantile(p), reference, 1e-15);
  });

  it('the normal quantile is 0 at a half, and infinite at 0 and 1', () => {
    expect([0.5, 0, 1].map(normalQuantile)).toEqual([0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
  });

  it.each(NORMAL_CDF)('the normal CDF at %d is %d, in the lower tail too', (z, reference) => {
    expectClose(normalCdf(z), reference, 5e-14);
    expect(Math.abs(normalCdf(z) - reference)).toBeLessThan(3e-16);
  });

  it.each(LOG_GAMMA)('ln Γ(%d) is %d', (x, reference) => {
    // Absolute near its zeros at 1 and 2, which is what its exponential needs.
    expect(Math.abs(logGamma(x) - reference)).toBeLessThan(1e-14 + 1e-15 * Math.abs(reference));
  });

  it.each(LOWER_GAMMA)('P(%d, %d) is %d', (a, x, reference) => {
    expect(Math.abs(lowerGamma(a, x) - reference)).toBeLessThan(1e-14);
  });

  it('P is 0 at 0 and 1 at infinity', () => {
    expect([lowerGamma(2, 0), lowerGamma(2, Number.POSITIVE_INFINITY)]).toEqual([0, 1]);
  });

  it.each(LOG_ONE_PLUS)('ln(1 + %d) is %d, to the last two bits', (x, reference) => {
    expectClose(logOnePlus(x), reference, 4.5e-16);
  });

  it.each(EXP_MINUS_ONE)('exp(%d) − 1 is %d, to the last two bits', (x, reference) => {
    expectClose(expMinusOne(x), reference, 4.5e-16);
  });

  it('the ends are limits, not NaN', () => {
    expect([logOnePlus(-1), logOnePlus(Number.POSITIVE_INFINITY)]).toEqual([
      Number.NEGATIVE_INFINITY,
      Number.POSITIVE_INFINITY,
    ]);
    expect([expMinusOne(Number.NEGATIVE_INFINITY), expMinusOne(Number.POSITIVE_INFINITY)]).toEqual([
      -1,
      Number.POSITIVE_INFINITY,
    ]);
    expect([power(0, 0.5), power(4, 0.5), power(Number.POSITIVE_INFINITY, 2)]).toEqual([
      0,
      2,
      Number.POSITIVE_INFINITY,
    ]);
  });

  it('NaN comes back as NaN from those that iterate', () => {
    expect([normalCdf(Number.NaN), lowerGamma(2, Number.NaN)]).toEqual([Number.NaN, Number.NaN]);
  });
});
