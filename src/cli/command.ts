// What a command is to the entry: its words and flags as data, so that they can be checked before anything
// runs, and the function that does the work.

import type { ExitCode } from './exit.ts';
import type { Interruption } from './interruption.ts';
import type { Terminal } from './terminal/terminal.ts';
import type { Unfinished } from './unfinished.ts';

export type Flag = {
  readonly describe: string;
  /** `text` takes one value, `texts` one value each time it is given, `switch` none. */
  readonly kind: 'text' | 'texts' | 'switch';
  /** What stands for its value in the help: FILE. */
  readonly value?: string;
};

export interface Command {
  readonly name: string;
  readonly describe: string;
  /** The words after the name, as the help shows them: `<scenario>`, `[name]`, `<scenario...>`. */
  readonly word: string;
  readonly wordMeans: string;
  readonly leastWords: number;
  readonly mostWords: number;
  readonly flags: Readonly<Record<string, Flag>>;
  readonly examples: readonly (readonly [command: string, means: string])[];
  run(given: Given, surroundings: Surroundings): Promise<ExitCode>;
}

export interface Surroundings {
  readonly terminal: Terminal;
  readonly unfinished: Unfinished;
  readonly interruption: Interruption;
}

/** What was typed after the command's name, checked against the command. */
export class Given {
  readonly words: readonly string[];
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(words: readonly string[], values: Readonly<Record<string, unknown>>) {
    this.words = words;
    this.#values = values;
  }

  /** A flag that takes one value. */
  text(flag: string): string | undefined {
    const value = this.#values[flag];
    return typeof value === 'string' ? value : undefined;
  }

  /** A flag that may be repeated, in the order given. */
  texts(flag: string): readonly string[] {
    const values = this.#values[flag];
    return Array.isArray(values) ? values.map(String) : [];
  }

  /** A switch. */
  has(flag: string): boolean {
    return this.#values[flag] === true;
  }
}
