// Plays a scenario for run and report: on the ledger that was asked for, listened to by the report's
// recorder and, if wanted, by a trace. Between nights the process looks up, so that a signal is heard.

import { setImmediate } from 'node:timers/promises';
import { formatCount } from '../base/units.ts';
import type { NightPlan } from '../plan/night-plan.ts';
import { planNight } from '../plan/plan-night.ts';
import { NightRecorder } from '../report/night-recorder.ts';
import type { ReportInput } from '../report/report-input.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { planInput } from '../world/plan-input.ts';
import { playByNight } from '../world/play.ts';
import type { RunResult } from '../world/run-result.ts';
import type { Flag, Given, Surroundings } from './command.ts';
import { Ledgers, ledgerFlag, parseLedger } from './ledger-choice.ts';
import { roundTimes } from './microseconds.ts';
import { replayable } from './replay-command.ts';
import { type GivenScenario, scenarioFlags } from './scenario-flags.ts';
import type { Terminal } from './terminal/terminal.ts';
import { TraceFile, traceFlag } from './trace-file.ts';

/** The flags of every command that plays. */
export const playingFlags: Readonly<Record<string, Flag>> = {
  ...scenarioFlags,
  json: { kind: 'switch', describe: 'the whole result as JSON (plimsoll schema run)' },
  ledger: ledgerFlag,
  trace: traceFlag,
};

export function planOf(scenario: Scenario): NightPlan {
  return roundTimes(planNight(planInput(scenario)));
}

/** Plays what was given, and answers all that a summary or a report is made from. */
export async function playGiven(
  { scenario, rerun, sources }: GivenScenario,
  given: Given,
  { terminal, unfinished }: Surroundings,
): Promise<ReportInput> {
  const choice = parseLedger(given.text('ledger'));
  const tracePath = given.text('trace');
  const trace = tracePath === undefined ? undefined : new TraceFile(tracePath, unfinished);
  const ledgers = new Ledgers(choice, unfinished);
  if (choice.kind === 'sqlite' && !hasBooks(scenario)) {
    terminal.say(
      'note: --ledger changes nothing here: nothing in this scenario admits by envelope from a pool',
    );
  }
  const plan = planOf(scenario);
  const recorder = new NightRecorder(scenario, plan);
  const nights = playByNight(scenario, {
    openLedger: (variant) => ledgers.open(variant),
    observe: (event) => {
      recorder.record(event);
      trace?.write(event);
    },
  });
  const run = await replayable(rerun, () => allNights(nights, scenario, terminal));
  ledgers.finish();
  trace?.finish();
  return { scenario, plan, run: roundTimes(run), series: roundTimes(recorder.series()), rerun, sources };
}

async function allNights(
  nights: ReturnType<typeof playByNight>,
  scenario: Scenario,
  terminal: Terminal,
): Promise<RunResult> {
  for (;;) {
    const next = nights.next();
    if (next.done === true) {
      terminal.progress('');
      return next.value;
    }
    const { night, variant } = next.value;
    const all = scenario.compare.find(({ name }) => name === variant)?.scenario.nights ?? scenario.nights;
    const whose = variant === undefined ? '' : `${variant}: `;
    terminal.progress(`${whose}night ${formatCount(night)} of ${formatCount(all)} played`);
    await setImmediate();
  }
}

function hasBooks(scenario: Scenario): boolean {
  const all = [scenario, ...scenario.compare.map((variant) => variant.scenario)];
  return all.some(({ pool, policy }) => pool !== undefined && policy.admission === 'envelope');
}
