// Text and tables that fit the terminal.

import Table from 'cli-table3';
import { WIDTH } from './terminal.ts';

export interface Column {
  readonly head: string;
  /** Default: right, since most columns are figures. */
  readonly align?: 'left' | 'right';
  /** Takes what the other columns leave; broken after commas where it must. */
  readonly wraps?: boolean;
}

const GAP = 2;
/** A column of names or of lists is at least so wide, whatever stands beside it. */
const NARROWEST = 12;

/** A number stays with its unit. */
const BETWEEN_WORDS = / (?!(?:ms|s|min|h|d)\b)/;

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};

/**
 * A table without lines, indented by two. The first column holds names; they are cut where there is no room.
 *
 * @param paintHead colours the head's cells
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  paintHead: (text: string) => string,
): string {
  const natural = columns.map(({ head }, index) =>
    Math.max(...[head, ...rows.map((row) => row[index] ?? '')].map(cellsOf)),
  );
  const room = WIDTH - GAP;
  const widths = natural.map((width) => width + GAP);
  const wrapping = columns.findIndex(({ wraps }) => wraps === true);
  let surplus = widths.reduce((sum, width) => sum + width, 0) - room;
  for (const index of wrapping < 0 ? [0] : [wrapping, 0]) {
    const taken = Math.max(0, Math.min(surplus, widths[index]! - GAP - NARROWEST));
    widths[index]! -= taken;
    surplus -= taken;
  }
  const drawn = new Table({
    head: columns.map(({ head }) => paintHead(head)),
    colWidths: widths,
    colAligns: columns.map(({ align }) => align ?? 'right'),
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP },
  });
  const lists = (cell: string, index: number): string =>
    index === wrapping ? broken(cell.split(', '), ', ', widths[index]! - GAP).join(',\n') : cell;
  drawn.push(...rows.map((row) => row.map(lists)));
  return lines(drawn.toString().split('\n'), '  ');
}

/** A paragraph, broken at its spaces; lines after the first are indented to stand below its text. */
export function paragraph(text: string, indent = '', hanging = indent): string {
  const room = WIDTH - Math.max(cellsOf(indent), cellsOf(hanging));
  return broken(text.split(BETWEEN_WORDS), ' ', room)
    .map((line, index) => `${index === 0 ? indent : hanging}${line}`)
    .join('\n');
}

/** As many parts on a line as there is room for. */
function broken(parts: readonly string[], separator: string, room: number): string[] {
  const all: string[] = [];
  let line: string | undefined;
  for (const part of parts) {
    const longer: string = line === undefined ? part : `${line}${separator}${part}`;
    if (line !== undefined && cellsOf(longer) > room) {
      all.push(line);
      line = part;
    } else line = longer;
  }
  return [...all, line ?? ''];
}

/** Parts with an empty line between them; absent ones leave no trace. Ends with a newline. */
export function page(...parts: readonly (string | undefined)[]): string {
  return `${parts.filter((part) => part !== undefined && part !== '').join('\n\n')}\n`;
}

function lines(all: readonly string[], indent: string): string {
  return all.map((line) => `${indent}${line}`.trimEnd()).join('\n');
}

/** How many cells a text takes: colours none, ideographs and emoji two. */
function cellsOf(text: string): number {
  let cells = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with an escape character
  for (const letter of text.replace(/\u001b\[\d+m/g, '')) cells += isWide(letter) ? 2 : 1;
  return cells;
}

function isWide(letter: string): boolean {
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\p{Emoji_Presentation}]/u.test(
    letter,
  );
}
