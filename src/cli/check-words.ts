// A limit and what became of it, in words: on the terminal, in JUnit's XML, in annotations, all alike.

import { formatCount, formatPercent } from '../base/units.ts';
import type { BaselineComparison, LimitResult } from '../study/gate/check-result.ts';
import type { Metric } from '../study/metrics.ts';
import { metricFigure } from './terminal/metric-words.ts';

/** `0.4% (0.1% to 1.2%) in 800 replications, 0.6% inside the limit` */
export function limitWords(limit: LimitResult): string {
  const { method, value, margin, replications, count } = limit;
  if (limit.plan !== null) return method === 'no-data' ? 'no data' : `it is ${value}`;
  if (method === 'no-data') {
    return replications === 0 ? 'not looked at' : `no data in ${counted(replications)}`;
  }
  const print = printerOf(limit);
  const known = count < replications ? `, of which ${formatCount(count)} have data` : '';
  if (method === 'exact' && replications === 1)
    return `${print(value)} in every replication${inside(margin, print)}`;
  const where = `in ${counted(replications)}${known}`;
  const what = method === 'probability-of-any' ? 'above 0 in ' : '';
  const tooFew = method === 'probability-of-any' ? '; too few differ for an interval of the mean' : '';
  return `${what}${print(value)} (${range(limit, print)}) ${where}${tooFew}${inside(margin, print)}`;
}

type Print = (value: LimitResult['value']) => string;

function printerOf({ metric, statistic, method }: LimitResult): Print {
  const isShare = statistic === 'probability' || method === 'probability-of-any';
  return (value) => {
    if (typeof value !== 'number') return String(value);
    return isShare || metric === null ? formatPercent(value) : metricFigure(metric, value);
  };
}

function range({ lower, upper }: LimitResult, print: Print): string {
  if (lower === null && upper === null) return 'no bounds yet';
  if (lower === null) return `at most ${print(upper)}`;
  return upper === null ? `at least ${print(lower)}` : `${print(lower)} to ${print(upper)}`;
}

function inside(margin: number | null, print: Print): string {
  if (margin === null) return '';
  if (margin === 0) return ', just on the limit';
  return `, ${print(Math.abs(margin))} ${margin > 0 ? 'inside' : 'outside'} the limit`;
}

export function figureName({
  metric,
  over,
  pool,
}: Pick<BaselineComparison, 'metric' | 'over' | 'pool'>): string {
  return `${metric}${pool === null ? '' : ` of ${pool}`}${over === 'worst' ? '' : ` (${over})`}`;
}

/** `12 worse (10 to 14) than 1,400; up to 14 is within the margin` */
export function comparisonWords(comparison: BaselineComparison): string {
  const { metric, method, count, baseline, worseBy, lower, upper, margin, reason } = comparison;
  if (method === 'no-data') return reason ?? 'no data';
  const print = (value: number | null) => (value === null ? 'never' : metricFigure(metric, Math.abs(value)));
  const size = worseBy === 0 ? 'the same' : `${print(worseBy)} ${(worseBy ?? 1) > 0 ? 'worse' : 'better'}`;
  const bounds =
    method === 'clopper-pearson'
      ? `; worse in ${percent(lower)} to ${percent(upper)} of replications`
      : method === 'exact'
        ? ''
        : ` (${signed(metric, lower)} to ${signed(metric, upper)})`;
  const why = reason === null ? '' : `; ${reason}`;
  return `mean ${size}${bounds} than ${print(baseline)}, in ${counted(count)}; margin ${print(margin)}${why}`;
}

function signed(metric: Metric, value: number | null): string {
  if (value === null) return 'never';
  return `${value < 0 ? '−' : '+'}${metricFigure(metric, Math.abs(value))}`;
}

function percent(value: number | null): string {
  return value === null ? 'never' : formatPercent(value);
}

function counted(replications: number): string {
  return `${formatCount(replications)} replication${replications === 1 ? '' : 's'}`;
}
