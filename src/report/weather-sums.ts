// What weather does to sums: the output tokens of so many jobs in a row, in the order in which they are listed,
// beside the same jobs each drawn by itself. Drawn anew from the scenario, because what a night plays of its
// list is another question.

import { RandomRoot } from '../base/random-streams.ts';
import type { JobClass, Scenario, ScenarioWeather } from '../scenario/scenario.ts';
import { Draws } from '../world/draws.ts';
import { roundedTo } from './figures.ts';

/** Enough for any picture; of a longer list, its beginning. */
const MOST_JOBS = 50_000;
/** Below this there is no row of jobs to speak of. */
const LEAST_JOBS = 40;
/** Rows to a list: short enough to show a course, long enough for single draws to average out. */
const ROWS_IN_LIST = 20;
const POINTS = 96;

export interface WeatherSums {
  /** The class whose outputs are summed: of those in weather, the one that generates most. */
  readonly class: string;
  /** Jobs that were looked at, over as many nights as they took to arrive. */
  readonly jobs: number;
  /** Jobs whose outputs are summed. */
  readonly inRow: number;
  /** The greatest sum over the mean one, in this weather. */
  readonly most: number;
  /** The same of the same jobs without it. */
  readonly mostAlone: number;
  readonly points: readonly {
    /** Number of the last job of the row, from 1. */
    readonly job: number;
    /** Its row's sum over the mean one. */
    readonly weather: number;
    readonly alone: number;
  }[];
}

export type WeatherFacts = ScenarioWeather & { readonly sums: Omit<WeatherSums, 'points'> | null };

/** Charts and the summary ask for the same. */
const known = new WeakMap<Scenario, WeatherSums | undefined>();

/** Undefined where outputs have no weather, or too few jobs are listed. */
export function weatherSums(scenario: Scenario): WeatherSums | undefined {
  if (scenario.weather?.output === undefined) return undefined;
  if (!known.has(scenario)) known.set(scenario, sumsOf(scenario));
  return known.get(scenario);
}

export function weatherFacts(scenario: Scenario): WeatherFacts | null {
  if (scenario.weather === undefined) return null;
  const sums = weatherSums(scenario);
  if (sums === undefined) return { ...scenario.weather, sums: null };
  const { points: _points, ...facts } = sums;
  return { ...scenario.weather, sums: facts };
}

function sumsOf(scenario: Scenario): WeatherSums | undefined {
  const jobClass = heaviest(scenario);
  if (jobClass === undefined) return undefined;
  const nights = jobClass.arrive === 'every-night' ? scenario.nights : 1;
  const jobs = Math.min(MOST_JOBS, jobClass.count * nights);
  const inRow = roundDown(jobs / ROWS_IN_LIST);
  const weather = rows(outputs(scenario, jobClass, jobs), inRow);
  const alone = rows(outputs({ ...scenario, weather: undefined }, jobClass, jobs), inRow);
  if (weather.most === 0 || alone.most === 0) return undefined;
  return {
    class: jobClass.name,
    jobs,
    inRow,
    most: roundedTo(weather.most, 2),
    mostAlone: roundedTo(alone.most, 2),
    points: Array.from({ length: POINTS }, (_, point) => {
      const at = Math.round(((weather.sums.length - 1) * point) / (POINTS - 1));
      return {
        job: at + inRow,
        weather: roundedTo(weather.sums[at]!, 4),
        alone: roundedTo(alone.sums[at]!, 4),
      };
    }),
  };
}

function heaviest({ jobs, nights }: Scenario): JobClass | undefined {
  const listed = ({ count, arrive }: JobClass) => count * (arrive === 'every-night' ? nights : 1);
  const weight = (one: JobClass) => listed(one) * one.tokens.output.mean();
  return jobs
    .filter((one) => listed(one) >= LEAST_JOBS)
    .reduce<JobClass | undefined>(
      (most, one) => (most === undefined || weight(one) > weight(most) ? one : most),
      undefined,
    );
}

/** Of first attempts. */
function outputs(scenario: Scenario, jobClass: JobClass, jobs: number): Float64Array {
  const draws = new Draws(new RandomRoot(scenario.seed), 0, scenario);
  return Float64Array.from({ length: jobs }, (_, i) => {
    const night = 1 + Math.floor(i / jobClass.count);
    return draws.outputTokens(draws.job(jobClass, night, i % jobClass.count), 1);
  });
}

/** Sums of so many in a row, each over their mean. */
function rows(values: Float64Array, inRow: number): { readonly sums: Float64Array; readonly most: number } {
  const sums = new Float64Array(values.length - inRow + 1);
  let sum = 0;
  let total = 0;
  for (let i = 0; i < values.length; i += 1) {
    sum += values[i]! - (i < inRow ? 0 : values[i - inRow]!);
    if (i < inRow - 1) continue;
    sums[i - inRow + 1] = sum;
    total += sum;
  }
  const mean = total / sums.length;
  let most = 0;
  for (let row = 0; row < sums.length; row += 1) {
    sums[row] = mean === 0 ? 0 : sums[row]! / mean;
    most = Math.max(most, sums[row]!);
  }
  return { sums, most };
}

/** To 1, 2 or 5 times a power of ten. */
function roundDown(value: number): number {
  let power = 1;
  while (power * 10 <= value) power *= 10;
  return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1);
}
