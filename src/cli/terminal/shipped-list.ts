// The scenarios that ship, each with what its first comment says about it.

import { page, paragraph } from './layout.ts';
import type { Colours } from './terminal.ts';

export function shippedList(
  scenarios: readonly { readonly name: string; readonly text: string }[],
  colours: Colours,
): string {
  return page(
    'Scenarios that ship with Plimsoll:',
    scenarios
      .map(({ name, text }) => `  ${colours.bold(name)}\n${paragraph(about(text), '    ')}`)
      .join('\n'),
    'plimsoll init <name> copies one here; plimsoll run <name> plays it as it is.',
  );
}

/** The first paragraph of comments, the line for editors aside. */
function about(text: string): string {
  const lines = text.split(/\r?\n/).filter((line) => !line.startsWith('# yaml-language-server'));
  const words: string[] = [];
  for (const line of lines) {
    const comment = /^#\s*(.*)$/.exec(line)?.[1];
    if (comment === undefined) break;
    if (comment !== '') words.push(comment);
    else if (words.length > 0) break;
  }
  return words.join(' ');
}
