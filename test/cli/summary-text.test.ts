// The two summaries as they are read, whole. Golden files: look at the difference, then rewrite them with
// `npx vitest run test/cli/summary-text.test.ts -u`.

import pc from 'picocolors';
import { expect, test } from 'vitest';
import { planText } from '../../src/cli/terminal/plan-text.ts';
import { runText } from '../../src/cli/terminal/run-text.ts';
import { planNight } from '../../src/plan/plan-night.ts';
import { NightRecorder } from '../../src/report/night-recorder.ts';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import { planInput } from '../../src/world/plan-input.ts';
import { play } from '../../src/world/play.ts';
import { SCENARIO } from './scenario-text.ts';

const scenario = readScenario(
  { name: 'two-classes.yaml', text: SCENARIO },
  { readText: () => expect.unreachable('it names no file') },
);
const plan = planNight(planInput(scenario));
const colours = pc.createColors(false);

test('a plan reads like this', async () => {
  await expect(planText(scenario, plan, colours)).toMatchFileSnapshot('../golden/plan.txt');
});

test('a run reads like this', async () => {
  const recorder = new NightRecorder(scenario, plan);
  const run = play(scenario, { observe: (event) => recorder.record(event) });
  const played = { scenario, plan, run, series: recorder.series(), rerun: ['two-classes.yaml'] };
  await expect(runText(played, colours)).toMatchFileSnapshot('../golden/run.txt');
});
