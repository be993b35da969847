// The two summaries as they are read, whole. Golden files: look at the difference, then rewrite them with
// `npx vitest run test/cli/summary-text.test.ts -u`.

import pc from 'picocolors';
import { expect, test } from 'vitest';
import { planText } from '../../src/cli/terminal/plan-text.ts';
import { replicationsText } from '../../src/cli/terminal/replications-text.ts';
import { runText } from '../../src/cli/terminal/run-text.ts';
import { planNight } from '../../src/plan/plan-night.ts';
import { NightRecorder } from '../../src/report/night-recorder.ts';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import { replicate } from '../../src/study/replicate.ts';
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

test('many replications read like this', async () => {
  const many = finished(replicate(scenario, 8));
  const text = replicationsText({ scenario, rerun: ['two-classes.yaml'] }, many, colours);
  await expect(text).toMatchFileSnapshot('../golden/replications.txt');
});

test('a run reads like this', async () => {
  const recorder = new NightRecorder(scenario, plan);
  const run = play(scenario, { observe: (event) => recorder.record(event) });
  const played = { scenario, plan, run, series: recorder.series(), rerun: ['two-classes.yaml'], sources: [] };
  await expect(runText(played, colours)).toMatchFileSnapshot('../golden/run.txt');
});

function finished<Result>(steps: Iterator<unknown, Result>): Result {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}
