// The two ways out: the answer on stdout, everything else on stderr. Colours only where somebody looks at
// them, asked of each stream by itself, because either may be a pipe.

import type { WriteStream } from 'node:tty';
import pc from 'picocolors';

/** Every answer fits a terminal of this width. */
export const WIDTH = 80;

export type Colours = ReturnType<typeof pc.createColors>;

export interface Terminal {
  /** Of stdout. */
  readonly colours: Colours;
  readonly errorColours: Colours;
  /** Writes the answer, as it is. */
  answer(text: string): void;
  /** A line on stderr. */
  say(line: string): void;
  /** How far it is, on a line that is written over; nothing where nobody looks. An empty text clears it. */
  progress(text: string): void;
}

export function processTerminal(): Terminal {
  return {
    colours: pc.createColors(hasColours(process.stdout)),
    errorColours: pc.createColors(hasColours(process.stderr)),
    answer: (text) => {
      process.stdout.write(text);
    },
    say: (line) => {
      process.stderr.write(`${line}\n`);
    },
    progress: (text) => {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
    },
  };
}

/** picocolors' own test colours pipes too, in every continuous integration. */
function hasColours(stream: WriteStream): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = process.env;
  if (NO_COLOR !== '') return false;
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0';
  return stream.isTTY === true && TERM !== 'dumb';
}
