// What metrics are called on a terminal, and how their figures are printed there.

import { plainFigures as figures } from '../../report/figures.ts';
import type { Metric } from '../../study/metrics.ts';

export const METRIC_WORDS: Readonly<Record<Metric, string>> = {
  done: 'done',
  deferred: 'deferred',
  refused: 'refused',
  inadmissible: 'inadmissible',
  failed: 'failed',
  unknown: 'cut off',
  lostWrites: 'answers lost',
  attempts: 'calls',
  timeouts: 'timed out',
  errors: 'errors',
  invalid: 'invalid',
  rateLimited: 'rate-limited',
  hiddenCalls: 'hidden calls',
  refusalRate: 'refusal rate',
  unsettled: 'unsettled',
  duplicated: 'duplicated',
  overspent: 'overspent',
  shortfall: 'shortfall',
  stranded: 'stranded',
  drift: 'drift',
  finishedMs: 'ended after',
};

/** A figure between the metric's values, such as a mean: to three digits, whole from a thousand on. */
export function metricFigure(name: Metric, value: number | null): string {
  if (value === null) return figures.count(null);
  if (name === 'finishedMs') return figures.duration(value);
  if (name === 'refusalRate') return figures.percent(value);
  if (!Number.isFinite(value) || Math.abs(value) >= 1000) return figures.count(Math.round(value));
  return String(Number(value.toPrecision(3)));
}
