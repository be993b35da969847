// How a command ends: the code for scripts, and for people one message that says what is wrong and what to
// do about it. Stacks are for those who look for a bug, and only when asked for.

import { describeProblem, EnvironmentError, InputError, InvariantBroken } from '../base/errors.ts';
import { fileFailure, isSystemError } from './file-failure.ts';
import { packageVersion } from './package-root.ts';
import type { Terminal } from './terminal/terminal.ts';
import { withoutCredentials } from './without-credentials.ts';

export const EXIT = {
  ok: 0,
  failed: 1,
  badInput: 2,
  inconclusive: 3,
  invariantBroken: 4,
  environment: 5,
  bug: 70,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Says on stderr what went wrong, and answers the exit code. */
export function explain(error: unknown, typed: readonly string[], terminal: Terminal): ExitCode {
  const say = (text: string) => terminal.say(withoutCredentials(text));
  const debug = (process.env.PLIMSOLL_DEBUG ?? '') !== '';
  if (debug && error instanceof Error) say(error.stack ?? error.message);
  const { red } = terminal.errorColours;
  if (error instanceof InputError) {
    for (const problem of error.problems) say(`${red('error:')} ${describeProblem(problem)}`);
    return EXIT.badInput;
  }
  if (error instanceof InvariantBroken) {
    say(`${red('error:')} ${error.message}`);
    say(bugReport(typed));
    return EXIT.invariantBroken;
  }
  const failure = isSystemError(error) ? fileFailure(error, 'used') : error;
  if (failure instanceof EnvironmentError) {
    say(`${red('error:')} ${failure.message}`);
    return EXIT.environment;
  }
  say(`${red('error:')} a bug in Plimsoll, not in your input: ${firstLine(error)}`);
  say(bugReport(typed));
  return EXIT.bug;
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.split('\n', 1)[0] ?? text;
}

function bugReport(typed: readonly string[]): string {
  const debug = 'run it again with PLIMSOLL_DEBUG=1 for the stack';
  const system = `plimsoll ${packageVersion()}, node ${process.version}, ${process.platform} ${process.arch}`;
  return `Please report it, with the scenario and these lines (${debug}):\n  ${system}\n  plimsoll ${typed.join(' ')}`;
}
