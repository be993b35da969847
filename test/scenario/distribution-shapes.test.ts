// Every way in which a distribution may be written, held to the distribution that it stands for.

import { expect, test } from 'vitest';
import type { Distribution } from '../../src/sim/distribution.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { empirical } from '../../src/sim/distributions/empirical.ts';
import { exponential } from '../../src/sim/distributions/exponential.ts';
import { gamma } from '../../src/sim/distributions/gamma.ts';
import { clipped, truncated } from '../../src/sim/distributions/limits.ts';
import { fromTo, logNormal, p50p95 } from '../../src/sim/distributions/log-normal.ts';
import { mixture } from '../../src/sim/distributions/mixture.ts';
import { pareto } from '../../src/sim/distributions/pareto.ts';
import { quantileTable } from '../../src/sim/distributions/quantile-table.ts';
import { uniform } from '../../src/sim/distributions/uniform.ts';
import { weibull } from '../../src/sim/distributions/weibull.ts';
import { edit, files, read, SMALLEST } from './nightly.ts';

const io = files({ 'a.csv': 'tokens,seconds\n5,0.5\n9,1.5\n7,2\n' });

function same(one: Distribution, other: Distribution): void {
  expect(one.describe()).toBe(other.describe());
  for (const p of [0, 0.05, 0.5, 0.9, 0.95, 0.999]) expect(one.quantile(p)).toBe(other.quantile(p));
}

test.each<[string, Distribution]>([
  ['3000', constant(3000)],
  ['1.5k', constant(1500)],
  ['0', constant(0)],
  ['{ p50: 300, p95: 300 }', p50p95({ p50: 300, p95: 300 })],
  ['300 to 300', fromTo({ from: 300, to: 300 })],
  ['{ uniform: { min: 5, max: 5 } }', uniform({ min: 5, max: 5 })],
  ['500 to 8000', fromTo({ from: 500, to: 8000 })],
  ['{ p50: 3000, p95: 6000 }', p50p95({ p50: 3000, p95: 6000 })],
  [
    '{ p50: 3k, p95: 6k, min: 100, max: 8k }',
    clipped(p50p95({ p50: 3000, p95: 6000 }), { min: 100, max: 8000 }),
  ],
  [
    '{ p50: 3k, p95: 6k, max: 8k, truncate: true }',
    truncated(p50p95({ p50: 3000, p95: 6000 }), { max: 8000 }),
  ],
  [
    '{ p50: 3k, p95: 6k, max: 8k, truncate: false }',
    clipped(p50p95({ p50: 3000, p95: 6000 }), { max: 8000 }),
  ],
  [
    '{ quantiles: { 100%: 2000, 0%: 0, 50%: 400 } }',
    quantileTable([
      { p: 0, x: 0 },
      { p: 0.5, x: 400 },
      { p: 1, x: 2000 },
    ]),
  ],
  ['{ uniform: { min: 10, max: 20 } }', uniform({ min: 10, max: 20 })],
  ['{ exponential: { mean: 12.5 } }', exponential({ mean: 12.5 })],
  ['{ logNormal: { mean: 300, sd: 50 } }', logNormal({ mean: 300, sd: 50 })],
  ['{ gamma: { shape: 2, mean: 300 } }', gamma({ shape: 2, mean: 300 })],
  [
    '{ gamma: { shape: 2.5, scale: 100 }, max: 900 }',
    clipped(gamma({ shape: 2.5, scale: 100 }), { max: 900 }),
  ],
  ['{ weibull: { shape: 1.5, scale: 300 } }', weibull({ shape: 1.5, scale: 300 })],
  [
    '{ pareto: { min: 100, alpha: 2.5 }, max: 10k }',
    clipped(pareto({ min: 100, alpha: 2.5 }), { max: 10_000 }),
  ],
  [
    '{ mixture: [{ weight: 70%, of: 100 }, { weight: 30%, of: { p50: 300, p95: 900 } }, { weight: 0, of: 1 }] }',
    mixture([
      { weight: 0.7, distribution: constant(100) },
      { weight: 0.3, distribution: p50p95({ p50: 300, p95: 900 }) },
    ]),
  ],
  ['{ file: a.csv, column: tokens }', empirical([5, 9, 7])],
])('of tokens: %s', (written, expected) => {
  const job = `[{ class: a, count: 1, input: ${written}, output: 1 }]`;
  same(read(edit(SMALLEST, '[]', job), io).jobs[0]!.tokens.input, expected);
});

test.each<[string, Distribution]>([
  ['45 s', constant(45_000)],
  ['5 s to 40 s', fromTo({ from: 5000, to: 40_000 })],
  ['{ p50: 0.9 s, p95: 3 s, max: 1 min }', clipped(p50p95({ p50: 900, p95: 3000 }), { max: 60_000 })],
  [
    '{ quantiles: { 0%: 1 ms, 100%: 2 s } }',
    quantileTable([
      { p: 0, x: 1 },
      { p: 1, x: 2000 },
    ]),
  ],
  ['{ exponential: { mean: 3 s } }', exponential({ mean: 3000 })],
  ['{ pareto: { min: 1 s, alpha: 3 } }', pareto({ min: 1000, alpha: 3 })],
  [
    '{ mixture: [{ weight: 9, of: 1 s }, { weight: 1, of: { uniform: { min: 1 s, max: 1 min } } }] }',
    mixture([
      { weight: 9, distribution: constant(1000) },
      { weight: 1, distribution: uniform({ min: 1000, max: 60_000 }) },
    ]),
  ],
  ['{ file: a.csv, column: seconds, unit: s }', empirical([500, 1500, 2000])],
])('of durations: %s', (written, expected) => {
  const { latency } = read(edit(SMALLEST, 'whole-grant', written), io).provider;
  if (latency.kind !== 'direct') throw new Error('latency is not direct');
  same(latency.call, expected);
});
