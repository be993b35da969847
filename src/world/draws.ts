// What chance decides about a job, each number by what it is for: two variants of a scenario, and two
// nights on which one job is tried, see the same draws.

import type { RandomRoot, RandomStream } from '../base/random-streams.ts';
import type { JobClass, Scenario } from '../scenario/scenario.ts';
import type { Distribution } from '../sim/distribution.ts';

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
  readonly #root: RandomRoot;
  readonly #replication: number;
  readonly #scenario: Scenario;
  readonly #streams: ReadonlyMap<string, RandomStream>;
  readonly #ofCalls = new Map<number, Draws>();

  /** @param call which of the calls that a client makes for one attempt, from 1 */
  constructor(root: RandomRoot, replication: number, scenario: Scenario, call = 1) {
    this.#root = root;
    this.#replication = replication;
    this.#scenario = scenario;
    const which = call === 1 ? '' : `/call:${call}`;
    this.#streams = new Map(
      scenario.jobs.map(({ name }) => [name, root.stream(replication, `class:${name}${which}`)] as const),
    );
  }

  /** What chance decides about the calls that a client makes under the worker: the first is the attempt's own. */
  ofCall(call: number): Draws {
    if (call === 1) return this;
    let draws = this.#ofCalls.get(call);
    if (draws === undefined) {
      draws = new Draws(this.#root, this.#replication, this.#scenario, call);
      this.#ofCalls.set(call, draws);
    }
    return draws;
  }

  /** A source of chance that is no job's: `outages`, `slow`. */
  source(name: string): RandomStream {
    return this.#root.stream(this.#replication, `source:${name}`);
  }

  job(jobClass: JobClass, arrivalNight: number, ordinal: number): SampledJob {
    const uniform = this.#stream(jobClass).uniform(PURPOSE.input, ordinal, arrivalNight);
    const { tokens } = jobClass;
    const inputTokens =
      tokens.kind === 'pairs' ? rowAt(tokens.rows, uniform)[0] : drawTokens(tokens.input, uniform);
    return {
      id: `${jobClass.name}:${arrivalNight}:${ordinal}`,
      jobClass,
      arrivalNight,
      ordinal,
      inputTokens,
    };
  }

  /** Rows of a file stay pairs in the first attempt; a retry generates anew, from the whole column. */
  outputTokens(job: SampledJob, attempt: number): number {
    const { tokens } = job.jobClass;
    if (tokens.kind === 'pairs' && attempt === 1) {
      return rowAt(tokens.rows, this.#uniform(PURPOSE.input, job, 0))[1];
    }
    return drawTokens(tokens.output, this.#uniform(PURPOSE.output, job, attempt));
  }

  firstTokenMs(job: SampledJob, attempt: number, of: Distribution): number {
    return drawMs(of, this.#uniform(PURPOSE.firstToken, job, attempt));
  }

  perTokenMs(job: SampledJob, attempt: number, of: Distribution): number {
    return drawMs(of, this.#uniform(PURPOSE.perToken, job, attempt));
  }

  callMs(job: SampledJob, attempt: number, of: Distribution): number {
    return drawMs(of, this.#uniform(PURPOSE.call, job, attempt));
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
  writeMs(job: SampledJob, attempt: number, of: Distribution): number {
    return drawMs(of, this.#uniform(PURPOSE.write, job, attempt));
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
