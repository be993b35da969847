import { expect, it } from 'vitest';
import { integerQuantile } from '../../src/sim/distribution.ts';
import { uniform } from '../../src/sim/distributions/uniform.ts';

it('an integer quantile is the nearest whole number, half going up', () => {
  const distribution = uniform({ min: 0, max: 10 });
  expect([0.04, 0.25, 0.26, 0.95].map((p) => integerQuantile(distribution, p))).toEqual([0, 3, 3, 10]);
});
