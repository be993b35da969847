// The flags that change what is played, shared by plan, run and report, and how they are laid over the file.

import { describeProblem, InputError } from '../base/errors.ts';
import { type Override, parseOverride } from '../scenario/override.ts';
import type { Flag, Given } from './command.ts';
import { type LoadedScenario, loadScenario } from './scenario-source.ts';
import type { Terminal } from './terminal/terminal.ts';

export const SCENARIO_WORD = {
  word: '<scenario>',
  wordMeans: 'a YAML file, or the name of a shipped scenario (plimsoll init lists them)',
  leastWords: 1,
  mostWords: 1,
} as const;

export const scenarioFlags: Readonly<Record<string, Flag>> = {
  set: {
    kind: 'texts',
    value: 'KEY=VALUE',
    describe: 'set a key over the file, such as budget.reserve=60s or jobs.summarize.count=500; repeatable',
  },
  seed: { kind: 'text', value: 'TEXT', describe: "in place of the scenario's seed" },
  nights: { kind: 'text', value: 'N', describe: "in place of the scenario's nights" },
};

export interface GivenScenario extends LoadedScenario {
  /** The scenario as it was named, then every flag that changes the result: for the command that repeats it. */
  readonly rerun: readonly string[];
}

/** Says on stderr what of it may not have been meant. @param written which scenario; by default the first word */
export function readGiven(
  given: Given,
  terminal: Terminal,
  written: string = given.words[0] ?? '',
): GivenScenario {
  const sets = given.texts('set');
  const overrides: Override[] = sets.map(parseOverride);
  const rerun = [written, ...sets.flatMap((set) => ['--set', set])];
  for (const key of ['seed', 'nights']) {
    const value = given.text(key);
    if (value === undefined) continue;
    if (value === '') {
      throw new InputError({
        code: 'empty-flag',
        message: 'its value is empty',
        place: { flag: `--${key}` },
      });
    }
    overrides.push({ key, value: JSON.stringify(value), flag: `--${key}` });
    rerun.push(`--${key}`, value);
  }
  const loaded = loadScenario(written, overrides);
  sayWarnings(loaded, terminal);
  return { ...loaded, rerun };
}

export function sayWarnings({ warnings }: LoadedScenario, { say }: Pick<Terminal, 'say'>): void {
  for (const warning of warnings) say(`warning: ${describeProblem(warning)}`);
}
