// A scenario written out in a test, played as the command plays it: for what only the real world brings about,
// crashes, limits, outages.

import { roundTimes } from '../../src/cli/microseconds.ts';
import { planOf } from '../../src/cli/playing.ts';
import { NightRecorder } from '../../src/report/night-recorder.ts';
import type { ReportInput } from '../../src/report/report-input.ts';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import { play } from '../../src/world/play.ts';

/** Forty jobs of ten seconds each on two lanes: done after 200 s of a window of 10 min, if nothing happens. */
const CALM = `
name: calm
seed: calm
window: { lasts: 10 min }
budget: { reserve: 30 s, floor: 3 s, cap: 60 s, attempts: 2 }
lanes: 2
pool: { name: free, tokens: 1M, lease: 5 min }
jobs:
  - { class: job, count: 40, input: 1000, output: 100, envelope: { tokens: 2200 } }
provider: { latency: 10 s }
store: { write: 100 ms }
`;

/** @param more lines that replace those of the calm night with the same key */
export function calmButFor(more: string): string {
  const keys = new Set([...more.matchAll(/^(\w+):/gm)].map(([, key]) => key));
  const kept = CALM.split(/\n(?=\w)/).filter((part) => !keys.has(/^\w+/.exec(part)?.[0] ?? ''));
  return `${kept.join('\n')}\n${more}`;
}

export function playedText(text: string): ReportInput {
  const readText = (): string => '';
  const scenario = readScenario({ name: 'toy.yaml', text }, { readText });
  const plan = planOf(scenario);
  const recorder = new NightRecorder(scenario, plan);
  const run = roundTimes(play(scenario, { observe: (event) => recorder.record(event) }));
  const series = roundTimes(recorder.series());
  return { scenario, plan, run, series, rerun: ['toy.yaml'], sources: [] };
}
