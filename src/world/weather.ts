// The weather of a run: what calls of one time, outputs of neighbouring jobs and checkpoints of one time have in
// common. It is outside of everything that happens: whatever a scenario changes, it meets the same weather.

import type { RandomStream } from '../base/random-streams.ts';
import { openingMs } from '../scenario/calendar.ts';
import type { JobClass, Scenario, ScenarioWeather, SharedBy } from '../scenario/scenario.ts';
import { SlowProcess } from '../sim/slow-process.ts';
import type { SampledJob } from './draws.ts';

/**
 * Of each kind its strength, a share of the variance of normal scores, and what it pulls a draw by: a normal
 * whose variance is that share.
 */
export class Weather {
  /** Of latency, from 0; 0 where there is no such weather. */
  readonly latencyStrength: number;
  readonly outputStrength: number;
  readonly storeStrength: number;
  readonly #scenario: Pick<Scenario, 'window' | 'calendar'>;
  readonly #listed: ReadonlyMap<string, number>;
  readonly #latency: Influence | undefined;
  readonly #output: Influence | undefined;
  readonly #store: Influence | undefined;

  /** @param source a source of chance by its name, the same for every variant */
  constructor(
    { latency, output, store }: ScenarioWeather,
    scenario: Pick<Scenario, 'jobs' | 'window' | 'calendar'>,
    source: (name: string) => RandomStream,
  ) {
    this.latencyStrength = latency?.strength ?? 0;
    this.outputStrength = output?.strength ?? 0;
    this.storeStrength = store?.strength ?? 0;
    this.#scenario = scenario;
    this.#listed = listedBetweenNights(scenario.jobs, output?.shared);
    this.#latency =
      latency &&
      new Influence(latency.strength, latency.lastsMs, latency.shared, (of) =>
        source(`weather/latency${of}`),
      );
    this.#output =
      output &&
      new Influence(output.strength, output.lastsJobs, output.shared, (of) => source(`weather/output${of}`));
    this.#store =
      store && new Influence(store.strength, store.lastsMs, 'provider', () => source('weather/store'));
  }

  /** What pulls the latency of a call that begins now. @param night from 1 @param atMs from its opening */
  latencyPull({ name }: JobClass, night: number, atMs: number): number {
    return this.#latency === undefined ? 0 : this.#timed(this.#latency, name, night, atMs);
  }

  storePull(night: number, atMs: number): number {
    return this.#store === undefined ? 0 : this.#timed(this.#store, '', night, atMs);
  }

  /** What pulls the outputs of a job, at each of its attempts: by where it is listed, not by when it is called. */
  outputPull({ jobClass, arrivalNight, ordinal }: SampledJob): number {
    const output = this.#output;
    if (output === undefined) return 0;
    const before = output.shared === 'night' ? 0 : (arrivalNight - 1) * this.#listed.get(jobClass.name)!;
    return output.pull(jobClass.name, arrivalNight, before + ordinal);
  }

  /** Weather that is not of one night goes on between nights. */
  #timed(influence: Influence, className: string, night: number, atMs: number): number {
    const before = influence.shared === 'night' ? 0 : openingMs(this.#scenario, night);
    return influence.pull(className, night, before + atMs);
  }
}

/** One kind of weather, with a level for each thing that has its own. */
class Influence {
  readonly shared: SharedBy;
  readonly #weight: number;
  readonly #lasts: number;
  readonly #source: (of: string) => RandomStream;
  readonly #levels = new Map<string | number, SlowProcess>();

  constructor(strength: number, lasts: number, shared: SharedBy, source: (of: string) => RandomStream) {
    this.shared = shared;
    this.#weight = Math.sqrt(strength);
    this.#lasts = lasts;
    this.#source = source;
  }

  pull(className: string, night: number, position: number): number {
    const key = this.shared === 'night' ? night : this.shared === 'class' ? className : '';
    let level = this.#levels.get(key);
    if (level === undefined) {
      const of = this.shared === 'provider' ? '' : `/${this.shared}:${key}`;
      level = new SlowProcess(this.#source(of), 1, this.#lasts);
      this.#levels.set(key, level);
    }
    return this.#weight * level.at(position);
  }
}

/**
 * By class: how many places of the list one night is on from the night before. Classes that share their
 * weather are listed side by side, the first job of each under the same weather, so that it does not matter
 * to one how many jobs another has.
 */
function listedBetweenNights(
  jobs: readonly JobClass[],
  shared: SharedBy | undefined,
): ReadonlyMap<string, number> {
  const most = jobs.reduce((count, one) => Math.max(count, one.count), 0);
  return new Map(jobs.map(({ name, count }) => [name, shared === 'class' ? count : most]));
}
