// The traffic of others over a run: when they call, on every night and between them, and what each call is.
// They know nothing of the batch: whatever it does, the same calls come at the same moments.

import type { RandomRoot } from '../base/random-streams.ts';
import { openingMs } from '../scenario/calendar.ts';
import type { Background, JobClass, Scenario } from '../scenario/scenario.ts';
import { timesOf } from './arrival-schedule.ts';
import { Draws, type SampledJob } from './draws.ts';

/** No class of a scenario can have this name, so that nobody's draws are theirs. */
const NAME = '~background';

/** What comes from one opening to the next. */
export interface NightTraffic {
  readonly draws: Draws;
  readonly timeoutMs: number;
  /** From the opening, in order. */
  readonly atMs: readonly number[];
  /** The call that is made at the so-manieth of those moments, from 0. */
  call(ordinal: number): SampledJob;
}

export class BackgroundTraffic {
  readonly #scenario: Scenario;
  readonly #background: Background;
  readonly #jobClass: JobClass;
  readonly #draws: Draws;
  readonly #times: { until(endMs: number): readonly number[] };

  constructor(scenario: Scenario, background: Background, root: RandomRoot, replication: number) {
    this.#scenario = scenario;
    this.#background = background;
    this.#jobClass = classOf(background);
    this.#draws = new Draws(root, replication, { ...scenario, jobs: [this.#jobClass] });
    this.#times = timesOf(background.arrivals, () => this.#draws.source('background'));
  }

  /** Asked once for each night, in order of nights. @param night from 1 */
  inNight(night: number): NightTraffic {
    const opensMs = openingMs(this.#scenario, night);
    const nextMs = openingMs(this.#scenario, night + 1);
    // After the last night of a calendar there is a day like the others.
    const endMs = Number.isFinite(nextMs) ? nextMs : opensMs + this.#scenario.window.everyMs;
    const times = this.#times.until(endMs).filter((atMs) => atMs >= opensMs);
    return {
      draws: this.#draws,
      timeoutMs: this.#background.timeoutMs,
      atMs: times.map((atMs) => atMs - opensMs),
      call: (ordinal) => this.#draws.job(this.#jobClass, night, ordinal),
    };
  }
}

/** So that a call of theirs is drawn and limited as a call of the batch is. */
function classOf({ input, output, declaredOutput }: Background): JobClass {
  return {
    name: NAME,
    count: 0,
    arrive: 'every-night',
    slackMs: 0,
    isSlackDeclared: false,
    attempts: 1,
    tokens: { kind: 'independent', input, output },
    declaredOutput,
    envelope: { kind: 'tokens', tokens: 0 },
  };
}
