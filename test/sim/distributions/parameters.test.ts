import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/base/errors.ts';
import { constant } from '../../../src/sim/distributions/constant.ts';
import { exponential } from '../../../src/sim/distributions/exponential.ts';
import { gamma } from '../../../src/sim/distributions/gamma.ts';
import { pareto } from '../../../src/sim/distributions/pareto.ts';
import { uniform } from '../../../src/sim/distributions/uniform.ts';
import { weibull } from '../../../src/sim/distributions/weibull.ts';

describe.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('a parameter of %d', (bad) => {
  it.each([
    ['value', () => constant(bad)],
    ['min', () => uniform({ min: bad, max: 1 })],
    ['max', () => uniform({ min: 0, max: bad })],
    ['mean', () => exponential({ mean: bad })],
    ['shape', () => gamma({ shape: bad, mean: 1 })],
    ['mean', () => gamma({ shape: 1, mean: bad })],
    ['scale', () => gamma({ shape: 1, scale: bad })],
    ['shape', () => weibull({ shape: bad, scale: 1 })],
    ['scale', () => weibull({ shape: 1, scale: bad })],
    ['min', () => pareto({ min: bad, alpha: 1 })],
    ['alpha', () => pareto({ min: 1, alpha: bad })],
  ])('is refused as %s, by name', (name, build) => {
    expect(build).toThrow(InputError);
    expect(build).toThrow(`${name} is out of range`);
  });
});

it('a uniform whose ends are crossed is refused, and one whose ends are equal is constant', () => {
  expect(() => uniform({ min: 2, max: 1 })).toThrow('min is above max');
  const point = uniform({ min: 2, max: 2 });
  expect([0, 0.3, 1].map(point.quantile)).toEqual([2, 2, 2]);
  expect([point.mean(), point.cdf(1.9), point.cdf(2), point.partialMean(2)]).toEqual([2, 0, 1, 2]);
});

it('a constant is its value at every p, with all of its mass there', () => {
  const five = constant(5);
  expect([0, 0.5, 1].map(five.quantile)).toEqual([5, 5, 5]);
  expect([five.mean(), five.cdf(4.999), five.cdf(5)]).toEqual([5, 0, 1]);
  expect([five.partialMean(4.999), five.partialMean(5)]).toEqual([0, 5]);
});
