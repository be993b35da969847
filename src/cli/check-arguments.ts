// Looks at what was typed before yargs does, because yargs lets much of it pass: it turns a repeated flag
// into a list and `--json=maybe` into false, and it has no suggestion for a misspelt flag.

import { InputError, type Problem } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import type { Command, Flag } from './command.ts';

/** Flags that every command has. */
const COMMON: Readonly<Record<string, Flag>> = {
  help: { kind: 'switch', describe: 'Show this help' },
  version: { kind: 'switch', describe: 'Show the version' },
};

export interface Checked {
  /** Undefined where none was named. */
  readonly command: Command | undefined;
  /** The words after the command's name. */
  readonly words: readonly string[];
  /** Help or the version was asked for: nothing else matters. */
  readonly asksForHelp: boolean;
}

/** @throws InputError with every flag and word that is wrong */
export function checkArguments(typed: readonly string[], commands: readonly Command[]): Checked {
  const everyFlag = Object.assign({}, ...commands.map(({ flags }) => flags), COMMON) as Record<string, Flag>;
  const [name, ...words] = new Scan(typed, everyFlag).words;
  const asksForHelp = typed.some((word) => word === '--help' || word === '-h' || word === '--version');
  const command = commands.find((one) => one.name === name);
  if (command === undefined) {
    if (name === undefined && (asksForHelp || typed.length === 0)) {
      return { command: undefined, words, asksForHelp };
    }
    throw new InputError(name === undefined ? noCommand() : unknownCommand(name, commands));
  }
  const { problems } = new Scan(typed, { ...command.flags, ...COMMON });
  // Behind a misspelt flag stands its value, which is no word too many.
  if (problems.length === 0 && !asksForHelp) problems.push(...wordProblems(command, words));
  if (problems.length > 0) throw new InputError(problems);
  return { command, words, asksForHelp };
}

/** One walk over what was typed, given the flags there are. */
class Scan {
  readonly words: string[] = [];
  readonly problems: Problem[] = [];
  readonly #flags: Readonly<Record<string, Flag>>;
  readonly #seen = new Set<string>();

  constructor(typed: readonly string[], flags: Readonly<Record<string, Flag>>) {
    this.#flags = flags;
    for (let index = 0; index < typed.length; index += 1) {
      const word = typed[index]!;
      if (word === '--') {
        this.words.push(...typed.slice(index + 1));
        return;
      }
      if (word === '-h') continue;
      if (!word.startsWith('-') || word === '-') this.words.push(word);
      else if (this.#takesNext(word, typed[index + 1])) index += 1;
    }
  }

  /** Checks a flag. Does its value come in the next word? */
  #takesNext(word: string, next: string | undefined): boolean {
    const [written, value] = splitFlag(word);
    const name = written.replace(/^--/, '');
    const flag = Object.hasOwn(this.#flags, name) && written.startsWith('--') ? this.#flags[name] : undefined;
    if (flag === undefined) {
      this.problems.push(unknownFlag(written, value, Object.keys(this.#flags)));
      return false;
    }
    if (this.#seen.has(name) && flag.kind !== 'texts') {
      this.problems.push({ code: 'repeated-flag', message: 'given twice', place: { flag: written } });
    }
    this.#seen.add(name);
    if (flag.kind === 'switch' && value !== undefined) {
      this.problems.push({
        code: 'flag-value',
        message: 'this flag takes no value',
        place: { flag: written },
        got: JSON.stringify(value),
      });
    }
    if (flag.kind === 'switch' || value !== undefined) return false;
    if (next !== undefined && (!next.startsWith('-') || /^-[\d.]/.test(next))) return true;
    this.problems.push(noValue(written, next));
    return false;
  }
}

function splitFlag(word: string): readonly [name: string, value: string | undefined] {
  const equals = word.indexOf('=');
  return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
}

function unknownFlag(written: string, value: string | undefined, known: readonly string[]): Problem {
  const name = written.replace(/^-+/, '');
  const meant = nearest(name, known);
  const isKey = name.includes('.');
  return {
    code: 'unknown-flag',
    message: isKey
      ? `there is no such flag; a key of the scenario is set with --set ${name}=${value ?? '…'}`
      : 'there is no such flag',
    place: { flag: written },
    ...(isKey ? {} : { expected: known.map((one) => `--${one}`).join(', ') }),
    ...(meant === undefined ? {} : { nearest: `--${meant}` }),
  };
}

function noValue(written: string, next: string | undefined): Problem {
  return {
    code: 'no-value',
    message: 'this flag takes a value',
    place: { flag: written },
    expected: next === undefined ? 'one behind it' : `${written}=${next} if that is meant`,
    got: next === undefined ? 'none' : JSON.stringify(next),
  };
}

function noCommand(): Problem {
  return { code: 'no-command', message: 'which command? plimsoll --help lists them' };
}

function unknownCommand(name: string, commands: readonly Command[]): Problem {
  const names = commands.map((command) => command.name);
  const meant = nearest(name, names);
  return {
    code: 'unknown-command',
    message: `there is no command "${name}"`,
    expected: names.join(', '),
    ...(meant === undefined ? {} : { nearest: meant }),
  };
}

function wordProblems(command: Command, words: readonly string[]): Problem[] {
  const usage = `plimsoll ${command.name} ${command.word}`.trimEnd();
  if (words.length < command.leastWords) {
    return [
      {
        code: 'missing-word',
        message: `plimsoll ${command.name}: ${command.word} is missing: ${command.wordMeans}`,
      },
    ];
  }
  return words.slice(command.mostWords).map((word): Problem => {
    const isSetting = /^[\w.-]+=/.test(word) && Object.hasOwn(command.flags, 'set');
    return {
      code: 'surplus-word',
      message: `"${word}" is one word too many`,
      expected: usage,
      ...(isSetting ? { nearest: `--set ${word}` } : {}),
    };
  });
}
