// How the jobs of a class come, in the moments of a run: gaps on a clock that runs with the hours of the day
// and the days of the calendar, or the moments of a file; and what an opening brings on which night.

import { formatCount, formatDuration } from '../base/units.ts';
import type { Distribution } from '../sim/distribution.ts';
import { exponential } from '../sim/distributions/exponential.ts';
import { Intensity } from '../sim/intensity.ts';
import type { ArriveSpec, VolumeSpec } from './arrival-schema.ts';
import { type Calendar, nightTimes } from './calendar.ts';
import { parseDay } from './civil-day.ts';
import type { CompileContext } from './compile-jobs.ts';
import { compileProfile, dayFactor, intensitySteps } from './compile-rhythm.ts';
import { compileTimestamps } from './compile-timestamps.ts';
import type { JobClass } from './scenario.ts';
import type { JobSpec, ScenarioRemainder } from './scenario-schema.ts';
import type { Path } from './source-tree.ts';
import { usualLengthMs } from './window-schema.ts';

export type ClassArrivals = Pick<JobClass, 'count' | 'arrive' | 'arrivals' | 'volume'>;

type ArrivingSpec = Pick<JobSpec, 'arrive' | 'volume' | 'count'>;
type ProcessSpec = Extract<ArriveSpec, { readonly kind: 'poisson' | 'gaps' }>;

/** More would sooner fill the memory than say something. */
const MOST_JOBS = 10_000_000;

/**
 * @param afterMs for how long they come after the last kill
 * @returns undefined where something is wrong, which has been reported
 */
export function compileArrivals(
  job: ArrivingSpec,
  path: Path,
  spec: ScenarioRemainder,
  context: CompileContext,
  afterMs = 0,
): ClassArrivals | undefined {
  const { arrive } = job;
  checkCount(job, path, context);
  checkVolume(job, path, spec, context);
  switch (arrive.kind) {
    case 'every-night':
      return { count: job.count ?? 0, arrive: arrive.kind, volume: nightFactors(job.volume, spec, context) };
    case 'first-night':
      return { count: job.count ?? 0, arrive: arrive.kind };
    case 'file': {
      const atMs = compileTimestamps(arrive, [...path, 'arrive'], context);
      return atMs && { count: atMs.length, arrive: 'first-night', arrivals: { kind: 'moments', atMs } };
    }
    default:
      return compileProcess(arrive, job.volume, path, spec, context, afterMs);
  }
}

/** Who comes at an opening is counted; who comes by a process or a file is not. */
function checkCount({ count, arrive }: ArrivingSpec, path: Path, { findings }: CompileContext): void {
  const isCounted = arrive.kind === 'every-night' || arrive.kind === 'first-night';
  if (findings.isBroken([...path, 'arrive']) || findings.isBroken([...path, 'count'])) return;
  if (isCounted && count === undefined) {
    const message = 'the key "count" is missing';
    findings.report(path, { code: 'missing-key', message, expected: 'count: 1200, or arrive: { … }' });
  } else if (!isCounted && count !== undefined) {
    findings.report([...path, 'count'], {
      code: 'contradiction',
      message: 'how many come is said by "arrive"',
      expected: 'one of the two',
      got: 'both',
    });
  }
}

function checkVolume(
  { volume, arrive }: ArrivingSpec,
  path: Path,
  { window }: ScenarioRemainder,
  { findings, calendar }: CompileContext,
): void {
  if (volume === undefined) return;
  const at = [...path, 'volume'];
  if (arrive.kind === 'first-night' || arrive.kind === 'file') {
    const message = 'days make no difference to what comes only once';
    findings.report(at, { code: 'contradiction', message, expected: 'a class that comes every night' });
  } else if (window !== undefined && calendar === undefined && !findings.isBroken(['window'])) {
    findings.report(at, needsCalendar('without a calendar no day is known'));
  } else if (volume.holidays !== undefined && window?.holidays.length === 0) {
    const message = 'there are no holidays';
    findings.report([...at, 'holidays'], {
      code: 'contradiction',
      message,
      expected: 'window.holidays: [2026-12-25, …]',
    });
  }
  const factors = Object.values(volume.weekdays ?? {});
  if (factors.length === 7 && factors.every((factor) => factor === 0)) {
    const message = 'the days of the week sum to nothing';
    findings.report([...at, 'weekdays'], {
      code: 'contradiction',
      message,
      expected: 'at least one above 0%',
    });
  }
}

function needsCalendar(message: string) {
  const expected = 'window: { opens: "01:30", zone: …, from: … }';
  return { code: 'contradiction', message, expected };
}

function compileProcess(
  arrive: ProcessSpec,
  volume: VolumeSpec | undefined,
  path: Path,
  spec: ScenarioRemainder,
  context: CompileContext,
  afterMs: number,
): ClassArrivals | undefined {
  const { findings, calendar } = context;
  const at = [...path, 'arrive'];
  const gaps = gapsOf(arrive, at, context);
  const profile = compileProfile(arrive.profile, [...at, 'profile'], findings);
  if (arrive.profile !== undefined && calendar === undefined && !findings.isBroken(['window'])) {
    findings.report([...at, 'profile'], needsCalendar('without a calendar no time of day is known'));
  }
  const period = runPeriod(spec, calendar, afterMs);
  if (gaps === undefined || profile === undefined || period === undefined) return undefined;
  const { fromMs, endMs } = period;
  const steady = [{ fromMs, rate: 1 }];
  const steps =
    calendar === undefined
      ? steady
      : intensitySteps({ calendar, profile, volume, holidays: spec.window?.holidays ?? [], ...period });
  const intensity = new Intensity(steps, endMs);
  const expected = intensity.total / gaps.mean();
  if (expected > MOST_JOBS) {
    findings.report(at, {
      code: 'out-of-range',
      message: 'so many jobs cannot be played',
      expected: `at most ${formatCount(MOST_JOBS)} in all nights`,
      got: `about ${expected.toPrecision(2)}`,
    });
    return undefined;
  }
  return {
    count: Math.round(expected / spec.nights),
    arrive: 'every-night',
    arrivals: { kind: 'process', gaps, intensity },
  };
}

/** At intensity 1. */
function gapsOf(
  arrive: ProcessSpec,
  at: Path,
  { findings, distributions }: CompileContext,
): Distribution | undefined {
  if (arrive.kind === 'poisson') return exponential({ mean: 1 / arrive.rate });
  const gaps = distributions.build(arrive.gaps, [...at, 'gaps'], 'duration');
  if (gaps === undefined || gaps.mean() > 0) return gaps;
  findings.report([...at, 'gaps'], {
    code: 'out-of-range',
    message: 'without a gap between them all jobs of all time come at once',
    expected: 'gaps with a mean above 0 s',
    got: formatDuration(gaps.mean()),
  });
  return undefined;
}

/** From the end of the night before the first, whose jobs the first opening finds, to the last kill. */
function runPeriod(
  { window, nights }: ScenarioRemainder,
  calendar: Calendar | undefined,
  afterMs: number,
): { readonly fromMs: number; readonly endMs: number } | undefined {
  const lastsMs = window && usualLengthMs(window);
  if (window === undefined || lastsMs === undefined) return undefined;
  const { opensMs, lastsMs: lastNightMs } = nightTimes(
    { window: { lastsMs, everyMs: window.every }, calendar },
    nights,
  );
  const fromMs = calendar?.closedBeforeMs ?? Math.min(0, lastsMs - window.every);
  return { fromMs, endMs: opensMs + lastNightMs + afterMs };
}

/** Of each night, by its day; undefined where all are alike. */
function nightFactors(
  volume: VolumeSpec | undefined,
  { window }: ScenarioRemainder,
  { calendar }: CompileContext,
): readonly number[] | undefined {
  if (volume === undefined || calendar === undefined) return undefined;
  return calendar.nights.map(({ date }) => dayFactor(Number(parseDay(date)), volume, window?.holidays ?? []));
}
