#!/usr/bin/env node
// The command line: finds out what was asked for, does it, and ends with a code that scripts can rely on.

import type { Command } from './command.ts';
import { check } from './commands/check.ts';
import { init } from './commands/init.ts';
import { leases } from './commands/leases.ts';
import { ledger } from './commands/ledger.ts';
import { lint } from './commands/lint.ts';
import { plan } from './commands/plan.ts';
import { refusals } from './commands/refusals.ts';
import { replayNight } from './commands/replay-night.ts';
import { report } from './commands/report.ts';
import { run } from './commands/run.ts';
import { schema } from './commands/schema.ts';
import { validate } from './commands/validate.ts';
import { EXIT, type ExitCode, explain } from './exit.ts';
import { fileFailure } from './file-failure.ts';
import { Interruption } from './interruption.ts';
import { parseArguments } from './parse-arguments.ts';
import { processTerminal } from './terminal/terminal.ts';
import { Unfinished } from './unfinished.ts';

const COMMANDS: readonly Command[] = [
  plan,
  run,
  check,
  report,
  replayNight,
  refusals,
  leases,
  lint,
  init,
  validate,
  schema,
  ledger,
];
const SIGNALS = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated } as const;
/** Nobody is left to read anything. */
const HUNG_UP = 129;

const typed = process.argv.slice(2);
const terminal = processTerminal();
const unfinished = new Unfinished();
const interruption = new Interruption();

process.on('exit', () => unfinished.removeAll());
for (const [signal, code] of Object.entries(SIGNALS)) {
  process.on(signal, () => {
    terminal.progress('');
    if (!interruption.hear(code)) process.exit(code);
  });
}
process.on('SIGHUP', () => process.exit(HUNG_UP));
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever read the answer has read enough of it: `plimsoll run … | head`.
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  process.exit(explain(fileFailure(error, 'written', 'standard output'), typed, terminal));
});
process.stderr.on('error', () => {
  // Nobody is left to be told anything.
});

// Set, not called: what stands in a pipe is still to be written.
process.exitCode = await main();

async function main(): Promise<ExitCode> {
  try {
    const intent = await parseArguments(typed, COMMANDS);
    switch (intent.kind) {
      case 'print':
        terminal.answer(intent.text);
        return EXIT.ok;
      case 'no-command':
        terminal.say(intent.text);
        return EXIT.badInput;
      case 'run':
        return await intent.command.run(intent.given, { terminal, unfinished, interruption });
    }
  } catch (error) {
    terminal.progress('');
    return explain(error, typed, terminal);
  }
}
