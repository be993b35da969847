// What is measured of a played night, and in which unit. It stands here because a scenario names metrics
// in its limits, and their units decide how those are written; how they are taken from a night is written in
// `study/metrics.ts`.

/** In the order in which they are listed everywhere. */
export const METRICS = [
  'done',
  'deferred',
  'refused',
  'inadmissible',
  'failed',
  'unknown',
  'lostWrites',
  'attempts',
  'timeouts',
  'errors',
  'invalid',
  'rateLimited',
  'hiddenCalls',
  'refusalRate',
  'unsettled',
  'duplicated',
  'overspent',
  'shortfall',
  'stranded',
  'drift',
  'finishedMs',
] as const;
export type Metric = (typeof METRICS)[number];

/** Those that are not plain counts. A ratio is a fraction; of the drift either sign has a meaning. */
const UNITS: Readonly<Partial<Record<Metric, Unit>>> = {
  refusalRate: 'ratio',
  overspent: 'tokens',
  shortfall: 'tokens',
  stranded: 'tokens',
  drift: 'signed-tokens',
  finishedMs: 'duration',
};
export type Unit = 'count' | 'ratio' | 'tokens' | 'signed-tokens' | 'duration';

export function unitOf(metric: Metric): Unit {
  return UNITS[metric] ?? 'count';
}

/** Those that are figures of a pool. */
export const POOLED: ReadonlySet<Metric> = new Set(['overspent', 'shortfall', 'stranded', 'drift']);

/** Those of which nights have no sum: a ratio, a time, and what is there at a night's end. */
export const NOT_SUMMED: ReadonlySet<Metric> = new Set(['refusalRate', 'stranded', 'finishedMs']);
