// Every family of distributions with reference values. They were computed outside the project, with mpmath
// at 50 digits, from the textbook density or quantile of each family, never from the project's own code.

import type { Distribution } from '../../../src/sim/distribution.ts';
import { exponential } from '../../../src/sim/distributions/exponential.ts';
import { gamma } from '../../../src/sim/distributions/gamma.ts';
import { clipped, truncated } from '../../../src/sim/distributions/limits.ts';
import { fromTo, logNormal, p50p95 } from '../../../src/sim/distributions/log-normal.ts';
import { mixture } from '../../../src/sim/distributions/mixture.ts';
import { pareto } from '../../../src/sim/distributions/pareto.ts';
import { quantileTable } from '../../../src/sim/distributions/quantile-table.ts';
import { uniform } from '../../../src/sim/distributions/uniform.ts';
import { weibull } from '../../../src/sim/distributions/weibull.ts';

export interface Family {
  readonly name: string;
  readonly distribution: Distribution;
  /** At `REFERENCE_P`, in order. */
  readonly quantiles: readonly number[];
  readonly mean: number;
}

export const REFERENCE_P = [0.001, 0.05, 0.3, 0.5, 0.75, 0.95, 0.99, 0.9999] as const;

export const FAMILIES: readonly Family[] = [
  {
    name: 'log-normal by p50 and p95',
    distribution: p50p95({ p50: 3000, p95: 6000 }),
    quantiles: [
      815.7701696269935, 1499.9999999999998, 2405.187934336666, 3000.0, 3986.22502184041, 6000.0,
      7996.017248343683, 14379.723010859154,
    ],
    mean: 3278.554980243738,
  },
  {
    name: 'log-normal by a range',
    distribution: fromTo({ from: 5, to: 40 }),
    quantiles: [
      2.0053253610538393, 4.999999999999999, 10.15211761545723, 14.142135623730951, 21.660866819428385, 40.0,
      61.538045583035654, 148.40854133875078,
    ],
    mean: 17.269419310868056,
  },
  {
    name: 'log-normal by mu and sigma',
    distribution: logNormal({ mu: 1.5, sigma: 0.8 }),
    quantiles: [
      0.3782553263192668, 1.202156585513994, 2.946092128143056, 4.4816890703380645, 7.687470534055233,
      16.707920719495863, 28.82025098471144, 87.81331919227638,
    ],
    mean: 6.171858449883553,
  },
  {
    name: 'log-normal by mean and sd',
    distribution: logNormal({ mean: 2, sd: 3 }),
    quantiles: [
      0.03873087602583786, 0.1860146012674707, 0.6278209021645413, 1.1094003924504583, 2.3073170625221313,
      6.616519468810436, 13.86599843456108, 62.890970458934625,
    ],
    mean: 2.0,
  },
  {
    name: 'uniform',
    distribution: uniform({ min: 2, max: 9 }),
    quantiles: [2.007, 2.35, 4.1, 5.5, 7.25, 8.65, 8.93, 8.9993],
    mean: 5.5,
  },
  {
    name: 'exponential',
    distribution: exponential({ mean: 4 }),
    quantiles: [
      0.004002001334334134, 0.20517317755020215, 1.4266997757549293, 2.772588722239781, 5.545177444479562,
      11.98292909421596, 18.420680743952364, 36.841361487905175,
    ],
    mean: 4.0,
  },
  {
    name: 'gamma, shape 0.3',
    distribution: gamma({ shape: 0.3, scale: 2 }),
    quantiles: [
      1.3945398193566689e-10, 6.422069399445924e-5, 0.025453315539897402, 0.1462622717339038,
      0.6857989216291527, 2.7446998882017732, 5.278818314141066, 13.389319590843783,
    ],
    mean: 0.6,
  },
  {
    name: 'gamma, shape 2.5',
    distribution: gamma({ shape: 2.5, mean: 7.5 }),
    quantiles: [
      0.3153189039438287, 1.7182143390926539, 4.4998621991398595, 6.527190286643291, 9.938519645743876,
      16.605746540274527, 22.62940870408348, 38.617247938584185,
    ],
    mean: 7.5,
  },
  {
    name: 'gamma, shape 40',
    distribution: gamma({ shape: 40, scale: 0.5 }),
    quantiles: [
      11.62996898229189, 15.097869597172366, 18.228835578469045, 19.83358250534455, 22.03256443853554,
      25.46986849135897, 28.082198130074328, 33.9456302786634,
    ],
    mean: 20.0,
  },
  {
    name: 'Weibull, shape 0.7',
    distribution: weibull({ shape: 0.7, scale: 2 }),
    quantiles: [
      0.00010366354338299069, 0.028724958801112917, 0.45858455803449977, 1.1847802259042677,
      3.1891918685431206, 9.588453456779305, 17.722452885478386, 47.70530550496726,
    ],
    mean: 2.5316470121145667,
  },
  {
    name: 'Weibull, shape 1.7',
    distribution: weibull({ shape: 1.7, scale: 100 }),
    quantiles: [
      1.719578096550458, 17.426577965037517, 54.52942800981061, 80.60610171859209, 121.18374966512933,
      190.67593350885926, 245.5525905318926, 369.1653984772413,
    ],
    mean: 89.22445024993242,
  },
  {
    name: 'Pareto, alpha 2.5',
    distribution: pareto({ min: 1.5, alpha: 2.5 }),
    quantiles: [
      1.500600420336286, 1.5310938672437064, 1.7300236616727798, 1.9792618661593413, 2.6116516898883724,
      4.971681026009978, 9.464360167202896, 59.71607558302722,
    ],
    mean: 2.5,
  },
  {
    name: 'Pareto, alpha 1 (no mean)',
    distribution: pareto({ min: 1.5, alpha: 1 }),
    quantiles: [
      1.5015015015015014, 1.5789473684210527, 2.142857142857143, 3.0, 6.0, 29.999999999999975,
      149.99999999999986, 15000.000000001652,
    ],
    mean: Number.POSITIVE_INFINITY,
  },
  {
    name: 'Pareto, alpha 0.8 (no mean)',
    distribution: pareto({ min: 10, alpha: 0.8 }),
    quantiles: [
      10.012514077750579, 10.662167315578529, 15.618073056129905, 23.78414230005442, 56.5685424949238,
      422.9485053762251, 3162.277660168375, 1000000.000000137,
    ],
    mean: Number.POSITIVE_INFINITY,
  },
  {
    name: 'mixture',
    distribution: mixture([
      { weight: 0.7, distribution: p50p95({ p50: 3000, p95: 6000 }) },
      { weight: 0.3, distribution: exponential({ mean: 20_000 }) },
    ]),
    quantiles: [
      66.77802531029265, 1445.3194677341326, 2625.5155088625543, 3510.128846077324, 6193.381367921156,
      35835.18993898048, 68023.94763333366, 160127.35135300714,
    ],
    mean: 8294.988486170616,
  },
  {
    name: 'clipped',
    distribution: clipped(p50p95({ p50: 3000, p95: 6000 }), { max: 8000 }),
    quantiles: [
      815.7701696269935, 1499.9999999999998, 2405.187934336666, 3000.0, 3986.22502184041, 6000.0,
      7996.017248343683, 8000.0,
    ],
    mean: 3265.4647576303137,
  },
  {
    name: 'truncated',
    distribution: truncated(p50p95({ p50: 3000, p95: 6000 }), { min: 2000, max: 8000 }),
    quantiles: [
      2002.7565490387599, 2132.8104533795563, 2739.290817825773, 3262.9099212557594, 4180.733355605071,
      5974.018865951583, 7246.171382454828, 7989.617322621791,
    ],
    mean: 3543.3294001959425,
  },
  {
    name: 'quantile table',
    distribution: quantileTable([
      { p: 0, x: 1 },
      { p: 0.5, x: 400 },
      { p: 0.95, x: 1000 },
      { p: 1, x: 2000 },
    ]),
    quantiles: [
      1.012055012022854, 1.8205642030260802, 36.4112840605216, 400.0, 665.4842383978485, 1000.0,
      1741.1011265922482, 1997.2293322020582,
    ],
    mean: 400.09842040687647,
  },
  {
    name: 'quantile table with zeros and a flat piece',
    distribution: quantileTable([
      { p: 0, x: 0 },
      { p: 0.4, x: 0 },
      { p: 0.6, x: 10 },
      { p: 0.8, x: 10 },
      { p: 1, x: 30 },
    ]),
    quantiles: [0.0, 0.0, 0.0, 5.0, 10.0, 22.795070569547768, 28.396524679204777, 29.983525340899966],
    mean: 6.640956906507349,
  },
];
