// How much a variant differs from the scenario under the same weather, as `run` tells it: night by night in one
// run, replication by replication in many.

import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import { replicationsText } from '../../src/cli/terminal/replications-text.ts';
import { runText } from '../../src/cli/terminal/run-text.ts';
import { planNight } from '../../src/plan/plan-night.ts';
import { NightRecorder } from '../../src/report/night-recorder.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { replicate } from '../../src/study/replicate.ts';
import { planInput } from '../../src/world/plan-input.ts';
import { play } from '../../src/world/play.ts';
import { toTheEnd } from '../study/to-the-end.ts';
import { pool, scenario } from '../world/scenario-fixture.ts';

const colours = pc.createColors(false);
/** Ten jobs a night on a pool with room for eight, and the same with room for all. */
const short = scenario({ nights: 2, pool: pool({ capacity: 10_000, quota: 10_000 }) });
const compared: Scenario = {
  ...short,
  compare: [
    { name: 'larger', scenario: { ...short, pool: pool() } },
    { name: 'same', scenario: short },
  ],
};

describe('variants', () => {
  test('of one run are told night by night', () => {
    const plan = planNight(planInput(compared));
    const recorder = new NightRecorder(compared, plan);
    const run = play(compared, { observe: (event) => recorder.record(event) });
    const series = recorder.series();
    const text = runText(
      { scenario: compared, plan, run, series, rerun: ['x.yaml'], sources: [] },
      colours,
    ).replace(/\s+/g, ' ');
    expect(text).toContain('larger: pool.tokens: 1M; done, night by night: +2, +2');
    expect(text).not.toContain('same:');
  });

  test('of many are told by metric, with how often they are better and worse', () => {
    const many = toTheEnd(replicate(compared, 3));
    const text = replicationsText({ scenario: compared, rerun: ['x.yaml'] }, many, colours);
    expect(text).toContain('Differences from this scenario, each replication under the same weather');
    expect(text).toMatch(/larger +done +\+2 +\+2 +\+2 +\+2 +3 +0\n/);
    expect(text).toMatch(/\n +refused +−\d+ .* 3 +0\n/);
    expect(text).toMatch(/same +no difference/);
    expect(text).not.toMatch(/answers lost +[+−±]/);
  });
});
