// From words to a command and what it was given: the help texts, and yargs behind them.

import yargs, { type Argv, type Options } from 'yargs';
import { InputError } from '../base/errors.ts';
import { checkArguments } from './check-arguments.ts';
import { type Command, type Flag, Given } from './command.ts';
import { packageVersion } from './package-root.ts';
import { WIDTH } from './terminal/terminal.ts';

/** What to do: run a command, or print a text (on stderr where a command is missing). */
export type Intent =
  | { readonly kind: 'run'; readonly command: Command; readonly given: Given }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'no-command'; readonly text: string };

/** Every value stays the text that was typed: `--seed 1e3` is no number, and a dot is no map. */
const PARSER = {
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'boolean-negation': false,
  'greedy-arrays': false,
};

/**
 * @param typed the words after `plimsoll`
 * @throws InputError with all that is wrong with them
 */
export async function parseArguments(
  typed: readonly string[],
  commands: readonly Command[],
): Promise<Intent> {
  const { command, words, asksForHelp } = checkArguments(typed, commands);
  if (command === undefined && !asksForHelp) {
    return { kind: 'no-command', text: `${await parserOf(commands).getHelp()}\n` };
  }
  let printed = '';
  const values = await parserOf(commands).parseAsync([...typed], {}, (error, _values, output) => {
    if (error !== undefined && error !== null) throw error;
    printed = output;
  });
  if (command === undefined || asksForHelp) return { kind: 'print', text: `${printed}\n` };
  return { kind: 'run', command, given: new Given(words, values) };
}

/** A new one each time: a parser keeps what it has parsed. */
function parserOf(commands: readonly Command[]): Argv {
  const parser = yargs([])
    .scriptName('plimsoll')
    .locale('en')
    .parserConfiguration(PARSER)
    .usage('$0 <command>\n\nHow many LLM jobs fit the window and the token pool, and what to hold back.')
    .epilogue('plimsoll <command> --help tells more. A first look: plimsoll run nightly-free-pool')
    .version(packageVersion())
    .help()
    .alias('help', 'h')
    .exitProcess(false)
    .wrap(WIDTH)
    .fail((message, error) => {
      // What it finds wrong, it says as an error of its own kind, or as a message alone.
      const isUsage = error === undefined || error === null || error.name === 'YError';
      throw isUsage ? new InputError({ code: 'usage', message: error?.message ?? message }) : error;
    });
  for (const command of commands) {
    parser.command(`${command.name} ${command.word}`.trimEnd(), command.describe, (inner: Argv) =>
      describeCommand(inner, command),
    );
  }
  return parser;
}

function describeCommand(parser: Argv, command: Command): Argv {
  const word = /[\w-]+/.exec(command.word)?.[0];
  if (word !== undefined) parser.positional(word, { type: 'string', describe: command.wordMeans });
  for (const [name, flag] of Object.entries(command.flags)) parser.option(name, optionOf(flag));
  for (const [line, means] of command.examples) parser.example(line, means);
  return parser.usage(`$0 ${command.name} ${command.word}\n\n${command.describe}.`).epilogue('');
}

function optionOf({ kind, describe, value }: Flag): Options {
  if (kind === 'switch') return { type: 'boolean', describe };
  const shown = value === undefined ? describe : `${value}: ${describe}`;
  // One value each: without it a list goes on to the scenario.
  return { describe: shown, nargs: 1, requiresArg: true, string: true, array: kind === 'texts' };
}
