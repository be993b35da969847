// Plays the gates of scenarios one after the other, until each is decided, or somebody or the time stops it.

import { setImmediate } from 'node:timers/promises';
import { InputError, type Problem } from '../base/errors.ts';
import { formatCount } from '../base/units.ts';
import { againstBaseline, type Baseline } from '../study/gate/baseline.ts';
import { type CheckResult, type ScenarioCheck, worstVerdict } from '../study/gate/check-result.ts';
import { type Gate, openGate } from '../study/gate/gate.ts';
import type { Given, Surroundings } from './command.ts';
import { Progress } from './progress.ts';
import { replayable } from './replay-command.ts';
import { readGiven } from './scenario-flags.ts';
import type { Terminal } from './terminal/terminal.ts';
import { TimeLimit } from './time-limit.ts';

export interface Checking {
  readonly confidence: number;
  readonly budget: number;
  /** +∞: none. */
  readonly timeLimitMs: number;
  readonly baseline: { readonly earlier: Baseline; readonly margin: number } | undefined;
}

export interface OpenedGate {
  readonly gate: Gate;
  readonly rerun: readonly string[];
}

/** Reads all that was named, and looks at every limit. @throws InputError with all that is wrong in any of them */
export function openGates(
  given: Given,
  { confidence, budget }: Checking,
  terminal: Terminal,
): readonly OpenedGate[] {
  const problems: Problem[] = [];
  const gates = given.words.flatMap((written) => {
    try {
      const { rerun, ...located } = readGiven(given, terminal, written);
      return { gate: openGate(located, { confidence, budget }), rerun };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
      return [];
    }
  });
  if (problems.length > 0) throw new InputError(problems);
  return gates;
}

export async function playGates(
  gates: readonly OpenedGate[],
  checking: Checking,
  surroundings: Surroundings,
): Promise<CheckResult> {
  const { confidence, budget, baseline } = checking;
  surroundings.interruption.listen();
  const timeLimit = new TimeLimit(checking.timeLimitMs);
  const scenarios: ScenarioCheck[] = [];
  for (const gate of gates) {
    const check = await playGate(gate, timeLimit, surroundings);
    scenarios.push(
      baseline === undefined
        ? check
        : againstBaseline(check, baseline.earlier, { margin: baseline.margin, confidence }),
    );
  }
  return { verdict: worstVerdict(scenarios.map(({ verdict }) => verdict)), confidence, budget, scenarios };
}

async function playGate(
  { gate, rerun }: OpenedGate,
  timeLimit: TimeLimit,
  { terminal, interruption }: Surroundings,
): Promise<ScenarioCheck> {
  const progress = new Progress(terminal);
  const check = await replayable(rerun, async () => {
    const nights = gate.play();
    for (let next = nights.next(); ; ) {
      if (next.done === true) return next.value;
      const { replication, nextLook, undecided } = next.value;
      const limits = `${formatCount(undecided)} undecided`;
      progress.show(replication, nextLook, `${limits} in ${gate.scenario.name}`);
      await setImmediate();
      const isOver = interruption.code !== undefined || timeLimit.isOver;
      next = nights.next(isOver ? 'stop' : undefined);
    }
  });
  progress.clear();
  return check;
}
