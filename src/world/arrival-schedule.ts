// When the jobs of a run come that come by themselves, told night by night: those of the night itself, and
// those that came since the night before was over, which its opening finds.

import type { RandomStream } from '../base/random-streams.ts';
import { nightTimes } from '../scenario/calendar.ts';
import type { Arrivals, Scenario } from '../scenario/scenario.ts';
import { ArrivalProcess } from '../sim/arrival-process.ts';

/** What a class's uniforms are for, in a stream of its own. */
const PURPOSE = { gap: 1 } as const;

export class ArrivalSchedule {
  readonly #scenario: Scenario;
  readonly #classes: ReadonlyMap<string, { until(endMs: number): readonly number[] }>;

  /** @param source a source of chance by its name */
  constructor(scenario: Scenario, source: (name: string) => RandomStream) {
    this.#scenario = scenario;
    this.#classes = new Map(
      scenario.jobs.flatMap(({ name, arrivals }) =>
        arrivals === undefined ? [] : [[name, timesOf(arrivals, () => source(`arrivals:${name}`))] as const],
      ),
    );
  }

  /**
   * Of one class, in order, from tonight's opening; at most 0 where the job was there before. Asked once for
   * each night, in order of nights.
   *
   * @param night from 1
   * @returns undefined where its jobs do not come by themselves
   */
  inNight(className: string, night: number): readonly number[] | undefined {
    const { opensMs, lastsMs } = nightTimes(this.#scenario, night);
    const times = this.#classes.get(className)?.until(opensMs + lastsMs);
    return times?.map((atMs) => atMs - opensMs);
  }
}

/** Since the first opening, in order; each is told once. @param source asked for where chance decides */
export function timesOf(
  arrivals: Arrivals,
  source: () => RandomStream,
): { until(endMs: number): readonly number[] } {
  if (arrivals.kind === 'process') {
    const stream = source();
    const { gaps, intensity } = arrivals;
    return new ArrivalProcess({
      gaps,
      intensity,
      uniform: (ordinal) => stream.uniform(PURPOSE.gap, ordinal),
    });
  }
  const { atMs } = arrivals;
  let told = 0;
  return {
    until: (endMs) => {
      const from = told;
      while (told < atMs.length && atMs[told]! <= endMs) told += 1;
      return atMs.slice(from, told);
    },
  };
}
