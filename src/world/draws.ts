// What chance decides about a job, each number by what it is for: two variants of a scenario, and two
// nights on which one job is tried, see the same draws.

import type { RandomRoot, RandomStream } from '../base/random-streams.ts';
import type { JobClass, Scenario, Sessions } from '../scenario/scenario.ts';
import { coupled, pulled } from '../sim/copula.ts';
import type { Distribution } from '../sim/distribution.ts';
import { normalQuantile } from '../sim/special-functions.ts';
import { RankedRows, type Row } from './ranked-rows.ts';
import { SessionInputs } from './session-inputs.ts';
import { Weather } from './weather.ts';

/** What a uniform is for. Numbers are for ever: a new purpose gets the next one. */
const PURPOSE = {
  input: 1,
  output: 2,
  firstToken: 3,
  perToken: 4,
  call: 5,
  fault: 6,
  backoff: 7,
  write: 8,
  shuffle: 9,
  clientBackoff: 10,
  sessionLength: 11,
} as const;

/** One job of the simulated queue. Its identity is (class, arrival night, ordinal) and never changes. */
export interface SampledJob {
  readonly id: string;
  readonly jobClass: JobClass;
  /** From 1. */
  readonly arrivalNight: number;
  /** Within its class and arrival night, from 0. */
  readonly ordinal: number;
  readonly inputTokens: number;
}

export class Draws {
  /** Absent: everything is by itself. */
  readonly weather: Weather | undefined;
  readonly #root: RandomRoot;
  readonly #replication: number;
  readonly #scenario: Scenario;
  readonly #streams: ReadonlyMap<string, RandomStream>;
  /** What is drawn with a job, once and for all its calls. */
  readonly #ofJobs: ReadonlyMap<string, RandomStream>;
  readonly #ofCalls = new Map<number, Draws>();
  readonly #sessions = new SessionInputs();
  readonly #rankedRows = new Map<JobClass, RankedRows>();

  /** @param call which of the calls that a client makes for one attempt, from 1 @param first those of call 1 */
  constructor(root: RandomRoot, replication: number, scenario: Scenario, call = 1, first?: Draws) {
    this.#root = root;
    this.#replication = replication;
    this.#scenario = scenario;
    const which = call === 1 ? '' : `/call:${call}`;
    this.#streams = new Map(
      scenario.jobs.map(({ name }) => [name, root.stream(replication, `class:${name}${which}`)] as const),
    );
    this.#ofJobs = first === undefined ? this.#streams : first.#streams;
    this.weather =
      first?.weather ??
      (scenario.weather && new Weather(scenario.weather, scenario, (name) => this.source(name)));
  }

  /** What chance decides about the calls that a client makes under the worker: the first is the attempt's own. */
  ofCall(call: number): Draws {
    if (call === 1) return this;
    let draws = this.#ofCalls.get(call);
    if (draws === undefined) {
      draws = new Draws(this.#root, this.#replication, this.#scenario, call, this);
      this.#ofCalls.set(call, draws);
    }
    return draws;
  }

  /** A source of chance that is no job's: `outages`, `slow`. */
  source(name: string): RandomStream {
    return this.#root.stream(this.#replication, `source:${name}`);
  }

  job(jobClass: JobClass, arrivalNight: number, ordinal: number): SampledJob {
    const { sessions } = jobClass;
    const id = `${jobClass.name}:${arrivalNight}:${ordinal}`;
    const job = { id, jobClass, arrivalNight, ordinal, inputTokens: 0 };
    job.inputTokens = sessions === undefined ? this.#ownInput(job) : this.#turnInput(job, sessions);
    return job;
  }

  #turnInput(job: SampledJob, sessions: Sessions): number {
    const { jobClass, arrivalNight } = job;
    const turn = (ordinal: number): SampledJob => ({ ...job, ordinal });
    return this.#sessions.of(jobClass, sessions, arrivalNight, job.ordinal, {
      lengthUniform: (session) =>
        this.#stream(jobClass).uniform(PURPOSE.sessionLength, session, arrivalNight),
      ownInput: (ordinal) => this.#ownInput(turn(ordinal)),
      firstOutput: (ordinal) => this.outputTokens(turn(ordinal), 1),
    });
  }

  /** What the job adds of its own; what its session said before comes on top. */
  #ownInput(job: SampledJob): number {
    const { tokens, sessions } = job.jobClass;
    const uniform = this.#uniform(PURPOSE.input, job, 0);
    if (tokens.kind === 'pairs') return this.#row(tokens.rows, job, uniform)[0];
    return drawTokens(sessions?.ownInput ?? tokens.input, uniform);
  }

  /** Rows of a file stay pairs in the first attempt; a retry generates anew, from the whole column. */
  outputTokens(job: SampledJob, attempt: number): number {
    const { tokens } = job.jobClass;
    if (tokens.kind === 'pairs' && attempt === 1) {
      return this.#row(tokens.rows, job, this.#uniform(PURPOSE.input, job, 0))[1];
    }
    return drawTokens(tokens.output, this.#outputUniform(job, attempt));
  }

  /** Of what makes an output long or short, the weather and the job's input each have their share. */
  #outputUniform(job: SampledJob, attempt: number): number {
    const { tokens } = job.jobClass;
    const uniform = this.#uniform(PURPOSE.output, job, attempt);
    const strength = this.weather?.outputStrength ?? 0;
    if (tokens.kind !== 'joint') return this.#inWeather(uniform, strength, job);
    const { normals } = tokens;
    const input = this.#ofJobs.get(job.jobClass.name)!.uniform(PURPOSE.input, job.ordinal, job.arrivalNight);
    if (strength === 0) return coupled(uniform, input, normals);
    const own = Math.sqrt(Math.max(0, 1 - normals * normals - strength));
    return pulled(uniform, own, normals * normalQuantile(input) + this.weather!.outputPull(job));
  }

  #inWeather(uniform: number, strength: number, job: SampledJob): number {
    if (strength === 0) return uniform;
    return pulled(uniform, Math.sqrt(1 - strength), this.weather!.outputPull(job));
  }

  #row(rows: readonly Row[], job: SampledJob, uniform: number): Row {
    const strength = this.weather?.outputStrength ?? 0;
    if (strength === 0) return rowAt(rows, uniform);
    let ranked = this.#rankedRows.get(job.jobClass);
    if (ranked === undefined) {
      ranked = new RankedRows(rows);
      this.#rankedRows.set(job.jobClass, ranked);
    }
    return ranked.at(uniform, Math.sqrt(1 - strength), this.weather!.outputPull(job));
  }

  /** @param weatherPull what the weather pulls latency by at the moment when the call begins */
  firstTokenMs(job: SampledJob, attempt: number, of: Distribution, weatherPull = 0): number {
    return this.#latencyMs(of, this.#uniform(PURPOSE.firstToken, job, attempt), weatherPull);
  }

  perTokenMs(job: SampledJob, attempt: number, of: Distribution, weatherPull = 0): number {
    return this.#latencyMs(of, this.#uniform(PURPOSE.perToken, job, attempt), weatherPull);
  }

  callMs(job: SampledJob, attempt: number, of: Distribution, weatherPull = 0): number {
    return this.#latencyMs(of, this.#uniform(PURPOSE.call, job, attempt), weatherPull);
  }

  #latencyMs(of: Distribution, uniform: number, weatherPull: number): number {
    const strength = this.weather?.latencyStrength ?? 0;
    return drawMs(of, strength === 0 ? uniform : pulled(uniform, Math.sqrt(1 - strength), weatherPull));
  }

  fault(job: SampledJob, attempt: number): number {
    return this.#uniform(PURPOSE.fault, job, attempt);
  }

  backoff(job: SampledJob, attempt: number): number {
    return this.#uniform(PURPOSE.backoff, job, attempt);
  }

  clientBackoff(job: SampledJob, attempt: number): number {
    return this.#uniform(PURPOSE.clientBackoff, job, attempt);
  }

  /** @param attempt the last one before the checkpoint: how often the job was refused or waited is no part of it */
  writeMs(job: SampledJob, attempt: number, of: Distribution, weatherPull = 0): number {
    const uniform = this.#uniform(PURPOSE.write, job, attempt);
    const strength = this.weather?.storeStrength ?? 0;
    return drawMs(of, strength === 0 ? uniform : pulled(uniform, Math.sqrt(1 - strength), weatherPull));
  }

  shuffle(job: SampledJob): number {
    return this.#uniform(PURPOSE.shuffle, job, 0);
  }

  #uniform(purpose: number, job: SampledJob, attempt: number): number {
    return this.#stream(job.jobClass).uniform(purpose, job.ordinal, job.arrivalNight, attempt);
  }

  #stream(jobClass: JobClass): RandomStream {
    return this.#streams.get(jobClass.name)!;
  }
}

function rowAt(rows: readonly (readonly [number, number])[], uniform: number): readonly [number, number] {
  return rows[Math.min(rows.length - 1, Math.floor(uniform * rows.length))]!;
}

function drawTokens(of: Distribution, uniform: number): number {
  return Math.max(0, Math.round(of.quantile(uniform)));
}

function drawMs(of: Distribution, uniform: number): number {
  return Math.max(0, of.quantile(uniform));
}
