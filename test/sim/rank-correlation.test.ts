// Spearman's correlation of what is really drawn, by average ranks, against what was asked for.

import { describe, expect, it } from 'vitest';
import { RandomRoot } from '../../src/base/random-streams.ts';
import { coupled } from '../../src/sim/copula.ts';
import { type Distribution, integerQuantile } from '../../src/sim/distribution.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { empirical } from '../../src/sim/distributions/empirical.ts';
import { gamma } from '../../src/sim/distributions/gamma.ts';
import { clipped } from '../../src/sim/distributions/limits.ts';
import { p50p95 } from '../../src/sim/distributions/log-normal.ts';
import { uniform } from '../../src/sim/distributions/uniform.ts';
import { RankCorrelation } from '../../src/sim/rank-correlation.ts';
import { spearman } from './spearman.ts';

const DRAWS = 20_000;

function drawnCorrelation(first: Distribution, second: Distribution, normals: number): number {
  const stream = new RandomRoot('ranks').stream(0, 'uniforms');
  const draws = Array.from({ length: DRAWS }, (_, i) => {
    const u = stream.uniform(1, i);
    return [
      integerQuantile(first, u),
      integerQuantile(second, coupled(stream.uniform(2, i), u, normals)),
    ] as const;
  });
  return spearman(draws);
}

const smooth = p50p95({ p50: 3_000, p95: 9_000 });
const pairs: Record<string, readonly [Distribution, Distribution]> = {
  'two log-normals': [smooth, p50p95({ p50: 400, p95: 1_000 })],
  'a gamma and a uniform': [gamma({ shape: 2, mean: 300 }), uniform({ min: 1, max: 5_000 })],
  'few values': [uniform({ min: 0, max: 4 }), uniform({ min: 0, max: 6 })],
  'a third at the limit': [clipped(smooth, { max: 4_000 }), p50p95({ p50: 400, p95: 1_000 })],
  'a column of a file': [empirical([1, 1, 1, 2, 3, 5, 8]), smooth],
};

describe('a rank correlation', () => {
  it.each(Object.keys(pairs))('of %s is had within 0.02 over 20,000 draws', (name) => {
    const [first, second] = pairs[name]!;
    const ranks = new RankCorrelation(first, second);
    for (const wanted of [-0.8, -0.3, 0.1, 0.4, 0.8]) {
      const coupling = ranks.reaching(wanted);
      if (!coupling.isReached) throw new Error(`${wanted} is out of reach`);
      expect(Math.abs(drawnCorrelation(first, second, coupling.normals) - wanted)).toBeLessThan(0.02);
    }
  });

  it('of continuous draws needs what the formula for the bivariate normal says', () => {
    const ranks = new RankCorrelation(smooth, gamma({ shape: 3, mean: 90_000 }));
    for (const wanted of [-1, -0.7, -0.2, 0.05, 0.5, 0.95]) {
      const coupling = ranks.reaching(wanted);
      const exact = 2 * Math.sin((Math.PI * wanted) / 6);
      expect(coupling.isReached && Math.abs(coupling.normals - exact)).toBeLessThan(0.001);
    }
  });

  it('that ties put out of reach is refused, with the most that there is', () => {
    const coin = empirical([0, 1]);
    const ranks = new RankCorrelation(coin, smooth);
    const refused = ranks.reaching(0.9);
    // Of a coin and its own uniform: covariance 1/16, standard deviations 1/4 and 1/√12.
    const most = Math.sqrt(3) / 2;
    expect(refused.isReached).toBe(false);
    expect(refused.isReached ? 0 : Math.abs(refused.most - most)).toBeLessThan(0.005);
    expect(ranks.reaching(0.85).isReached).toBe(true);
    expect(ranks.reaching(-0.9)).toEqual({ isReached: false, most: expect.closeTo(-most, 2) });
  });

  it('of a constant is none', () => {
    expect(new RankCorrelation(constant(5), smooth).reaching(0.1)).toEqual({ isReached: false, most: 0 });
    expect(new RankCorrelation(constant(5), smooth).reaching(0)).toEqual({ isReached: true, normals: 0 });
  });
});
