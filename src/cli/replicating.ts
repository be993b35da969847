// `run --replications`, `--precision`, `--time-limit`: plays a scenario many times over, in this process, one after
// the other. Between nights the process looks up, so that a signal is heard.

import { setImmediate } from 'node:timers/promises';
import { InputError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { formatCount, formatPercent } from '../base/units.ts';
import { plimsollCommand } from '../report/shell.ts';
import { metricNamed } from '../scenario/gate-schema.ts';
import { METRICS, type Metric } from '../study/metrics.ts';
import { precisionReached } from '../study/precise-means.ts';
import { replicate } from '../study/replicate.ts';
import type { ReplicatedRun } from '../study/replicated-run.ts';
import type { Flag, Given, Surroundings } from './command.ts';
import { roundTimes } from './microseconds.ts';
import { numberOf } from './number-flag.ts';
import { confidenceFlag, confidenceOf, percentOf, USUAL_CONFIDENCE } from './percent-flag.ts';
import { Progress } from './progress.ts';
import { replayable } from './replay-command.ts';
import type { GivenScenario } from './scenario-flags.ts';
import { TimeLimit, timeLimitFlag, timeLimitOf } from './time-limit.ts';

export const replicatingFlags: Readonly<Record<string, Flag>> = {
  replications: {
    kind: 'text',
    value: 'N',
    describe: 'play it N times with other draws, and say where the worst nights lie',
  },
  precision: {
    kind: 'text',
    value: 'PERCENT',
    describe: 'play it until the mean of each --metric is so precise (half-width ÷ mean), at most N times',
  },
  metric: { kind: 'texts', value: 'NAME', describe: 'for --precision; repeatable. Default: done' },
  'time-limit': timeLimitFlag,
  confidence: confidenceFlag,
};

const MOST_REPLICATIONS = 1_000_000;
/** Of those who ask for a precision and name no number. */
const MOST_FOR_PRECISION = 10_000;

export interface Replicating {
  /** At most. */
  readonly replications: number;
  readonly confidence: number;
  readonly precision: { readonly share: number; readonly metrics: readonly Metric[] } | undefined;
  /** +∞: none. */
  readonly timeLimitMs: number;
}

/** Undefined where no flag asks for it: one run is wanted, whole. @throws InputError */
export function replicatingOf(given: Given): Replicating | undefined {
  const share = percentOf(given, 'precision', { above: 0, upTo: 1 });
  const timeLimitMs = timeLimitOf(given);
  const metrics = given.texts('metric').map(readMetric);
  if (metrics.length > 0 && share === undefined) throw goesWith('metric', '--precision');
  if (given.text('replications') === undefined && share === undefined && timeLimitMs === undefined) {
    if (given.text('confidence') === undefined) return undefined;
    throw goesWith('confidence', '--replications, --precision or --time-limit');
  }
  const fallback = share === undefined ? MOST_REPLICATIONS : MOST_FOR_PRECISION;
  const replications = numberOf(given, 'replications', { fallback, from: 1, upTo: MOST_REPLICATIONS });
  for (const flag of ['trace', 'ledger']) {
    if (given.text(flag) === undefined) continue;
    throw new InputError({
      code: 'contradiction',
      message: `--${flag} is of one run, and --replications plays many; plimsoll replay-night plays one of them again`,
      place: { flag: `--${flag}` },
    });
  }
  return {
    replications,
    confidence: confidenceOf(given),
    precision: share === undefined ? undefined : { share, metrics: metrics.length > 0 ? metrics : ['done'] },
    timeLimitMs: timeLimitMs ?? Number.POSITIVE_INFINITY,
  };
}

function goesWith(flag: string, others: string): InputError {
  return new InputError({
    code: 'contradiction',
    message: `this goes with ${others}`,
    place: { flag: `--${flag}` },
  });
}

function readMetric(written: string): Metric {
  const metric = metricNamed(written);
  if (metric !== undefined) return metric;
  const meant = nearest(written, METRICS);
  throw new InputError({
    code: 'unknown-metric',
    message: 'there is no such metric',
    place: { flag: '--metric' },
    expected: METRICS.join(', '),
    got: JSON.stringify(written),
    ...(meant === undefined ? {} : { nearest: meant }),
  });
}

/** Undefined where it was interrupted before the first replication was over. */
export async function replicateGiven(
  { scenario, rerun }: GivenScenario,
  asked: Replicating,
  { terminal, interruption }: Surroundings,
): Promise<ReplicatedRun | undefined> {
  const { replications, confidence, precision } = asked;
  const isPrecise = precision && precisionReached(precision.metrics, precision.share, 1 - confidence);
  let reached = false;
  const isEnough: Parameters<typeof replicate>[2] = {
    confidence,
    isEnough: (record) => {
      reached = isPrecise?.(record) ?? false;
      return reached;
    },
  };
  interruption.listen();
  const timeLimit = new TimeLimit(asked.timeLimitMs);
  const progress = new Progress(terminal);
  const run = await replayable(rerun, async () => {
    const nights = replicate(scenario, replications, isEnough);
    for (let next = nights.next(); ; ) {
      if (next.done === true) return next.value;
      const { replication, night } = next.value;
      progress.show(replication, replications, `night ${formatCount(night)}`);
      await setImmediate();
      if (interruption.code !== undefined && replication === 0) return undefined;
      const isOver = interruption.code !== undefined || timeLimit.isOver;
      next = nights.next(isOver ? 'stop' : undefined);
    }
  });
  progress.clear();
  if (run === undefined) {
    terminal.say('interrupted before the first replication was over');
    return undefined;
  }
  const end = endOf(run.replications, asked, { isInterrupted: interruption.code !== undefined, reached });
  const again = plimsollCommand('run', sameAgain(rerun, run));
  if (end !== undefined) terminal.say(`${end}; the same again:\n  ${again}`);
  return roundTimes(run);
}

/** The words of the command that gives the same answer, however it came to its number of replications. */
export function sameAgain(
  rerun: readonly string[],
  { replications, confidence }: ReplicatedRun,
): readonly string[] {
  const sure =
    confidence === USUAL_CONFIDENCE ? [] : ['--confidence', `${Number((confidence * 100).toPrecision(12))}%`];
  return [...rerun, '--replications', String(replications), ...sure];
}

/** What ended it, where that was not the number asked for. */
function endOf(
  count: number,
  { replications, precision }: Replicating,
  { isInterrupted, reached }: { readonly isInterrupted: boolean; readonly reached: boolean },
): string | undefined {
  const after = `after ${formatCount(count)} replication${count === 1 ? '' : 's'}`;
  if (reached && precision !== undefined) return `precise to ${formatPercent(precision.share)} ${after}`;
  if (isInterrupted) return `interrupted ${after}`;
  if (count < replications) return `the time limit came ${after}`;
  if (precision !== undefined) return `not precise to ${formatPercent(precision.share)} ${after}`;
  return undefined;
}
