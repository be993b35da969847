// How sure replications are of what they say, as a table: means, how often anything happens at all, and how
// far from the truth that may be.

import { formatPercent } from '../../base/units.ts';
import { plainFigures as figures } from '../../report/figures.ts';
import { METRICS, type Metric } from '../../study/metrics.ts';
import type { MetricSummary, ReplicatedRun } from '../../study/replicated-run.ts';
import { type Column, table } from './layout.ts';
import { METRIC_WORDS, metricFigure } from './metric-words.ts';
import type { Colours } from './terminal.ts';

const COLUMNS: readonly Column[] = [
  { head: '', align: 'left' },
  ...['mean', 'from', 'to', 'happens in', 'from', 'to'].map((head) => ({ head })),
];

export function intervalsText(run: ReplicatedRun, { bold, dim }: Colours): string {
  const rows = METRICS.filter((name) => isWorthARow(name, run.metrics[name])).map((name) => {
    const { mean, probability } = run.metrics[name];
    const share = name === 'finishedMs' ? null : probability;
    return [METRIC_WORDS[name], ...ofMean(name, mean), ...ofShare(share)];
  });
  rows.push(['killed', '', '', '', ...ofShare(run.killedProbability)]);
  const title = `How sure that is: each bound holds with ${formatPercent(run.confidence)} confidence`;
  return `${bold(title)}\n${table(COLUMNS, rows, dim)}`;
}

/** What never happened in any replication may still happen: of lost answers that is the question. */
function isWorthARow(name: Metric, { count, nonZero }: MetricSummary): boolean {
  return count > 0 && (nonZero > 0 || name === 'done' || name === 'lostWrites');
}

function ofMean(name: Metric, mean: MetricSummary['mean']): readonly string[] {
  if (mean === null) return [figures.count(null), '', ''];
  return [mean.value, mean.lower, mean.upper].map((value) => metricFigure(name, value));
}

function ofShare(share: MetricSummary['probability']): readonly string[] {
  if (share === null) return ['', '', ''];
  return [share.value, share.lower, share.upper].map(formatPercent);
}
