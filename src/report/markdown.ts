// The report as Markdown. Everything that is printed passes through here, so this is the one place where
// names are kept from becoming markup, table cells, mentions or commands.

import type { Block, Column, Listing, Step } from './document.ts';
import { isolated } from './names.ts';

/** Ends with a newline. Pictures are shown from `charts/`, beside the text. */
export function markdownOf(document: readonly Block[]): string {
  return `${document.map(blockText).join('\n\n')}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${escapeMarkdown(block.text)}`;
    case 'paragraph':
      return line(block.text);
    case 'verdict':
      return `**${block.ok ? '✓' : '✗'} ${escapeMarkdown(block.text.trim())}**`;
    case 'bullets':
      return block.items.map((item) => `- ${line(item)}`).join('\n');
    case 'steps':
      return block.items.map(stepText).join('\n');
    case 'listing':
      return fenced(block.listing);
    case 'chart': {
      const { name, finding, description } = block.chart;
      return `![${escapeMarkdown(`${finding}. ${description}`)}](charts/${name}.svg)`;
    }
    case 'table':
      return tableText(block.columns, block.rows);
  }
}

/** Plain text that reads as itself: no markup, no HTML, no mention, on one line. */
export function escapeMarkdown(text: string): string {
  return isolated(text.replace(/\s+/g, ' '))
    .replace(/[\\`*_{}[\]|#~$!]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;');
}

/** A sentence, also where it begins like a list, a quote or a rule. */
function line(text: string): string {
  return escapeMarkdown(text)
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replace(/^[-+=]/, '\\$&');
}

function stepText({ text, listing }: Step, index: number): string {
  const block = listing === undefined ? [] : ['', ...indent(fenced(listing))];
  return [`${index + 1}. ${line(text)}`, ...block].join('\n');
}

/** To copy, in a fence that nothing inside it can close. */
function fenced({ language, lines }: Listing): string {
  const text = lines.join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Every cell is escaped. */
function tableText(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(columns.map(({ head }) => escapeMarkdown(head))),
    row(columns.map(({ align }) => (align === 'left' ? ':---' : '---:'))),
    ...rows.map((cells) => row(cells.map(escapeMarkdown))),
  ].join('\n');
}

function indent(block: string): string[] {
  return block.split('\n').map((text) => (text === '' ? '' : `   ${text}`));
}
