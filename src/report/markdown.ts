// Markdown, built from plain text. Everything that is printed passes through here, so this is the one
// place where names are kept from becoming markup, table cells, mentions or commands.

type Align = 'left' | 'right';

export interface Column {
  readonly head: string;
  /** Default: right, since most columns are figures. */
  readonly align?: Align;
}

/** Plain text that reads as itself: no markup, no HTML, no mention, on one line. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]|#~$!]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;');
}

export function heading(level: 1 | 2 | 3, text: string): string {
  return `${'#'.repeat(level)} ${escapeMarkdown(text)}`;
}

/** A paragraph, one sentence after another. */
export function paragraph(...sentences: readonly string[]): string {
  return lineStart(escapeMarkdown(sentences.filter((sentence) => sentence !== '').join(' ')));
}

/** A paragraph in bold: the sentence to read if only one is read. */
export function strong(text: string): string {
  return `**${escapeMarkdown(text.trim())}**`;
}

export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${lineStart(escapeMarkdown(item))}`).join('\n');
}

/** Numbered steps, each with the commands that carry it out. */
export function steps(
  items: readonly { readonly text: string; readonly commands: readonly string[] }[],
): string {
  return items
    .map(({ text, commands }, index) => {
      const block = commands.length === 0 ? [] : ['', ...indent(shellBlock(commands))];
      return [`${index + 1}. ${lineStart(escapeMarkdown(text))}`, ...block].join('\n');
    })
    .join('\n');
}

/** Commands to copy, in a fence that nothing inside them can close. */
export function shellBlock(commands: readonly string[]): string {
  const text = commands.join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}sh\n${text}\n${fence}`;
}

export function picture(alternative: string, file: string): string {
  return `![${escapeMarkdown(alternative)}](${file})`;
}

/** A table of plain text; every cell is escaped. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({ head }) => escapeMarkdown(head))),
    line(columns.map(({ align }) => (align === 'left' ? ':---' : '---:'))),
    ...rows.map((cells) => line(cells.map(escapeMarkdown))),
  ].join('\n');
}

/** Blocks with an empty line between them; absent ones leave no trace. */
export function blocks(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}

/** A line that begins like a list, a quote or a rule is still a sentence. */
function lineStart(text: string): string {
  return text.replace(/^(\d+)([.)])/, '$1\\$2').replace(/^[-+=]/, '\\$&');
}

function indent(block: string): string[] {
  return block.split('\n').map((line) => `   ${line}`);
}
