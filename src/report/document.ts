// The report as data: blocks of plain text, charts and tables, in order. What a section says is decided
// once; `markdown.ts` and `html.ts` only write it down, each with its own escaping.

import type { Chart } from './charts/chart.ts';

export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  /** The sentence to read if only one is read. */
  | { readonly kind: 'verdict'; readonly ok: boolean; readonly text: string }
  | { readonly kind: 'bullets'; readonly items: readonly string[] }
  | { readonly kind: 'steps'; readonly items: readonly Step[] }
  | { readonly kind: 'listing'; readonly listing: Listing }
  | { readonly kind: 'chart'; readonly chart: Chart }
  | Table;

/** Commands for a shell, or a program; to copy as it stands. */
export interface Listing {
  readonly language: 'sh' | 'js';
  readonly lines: readonly string[];
}

export interface Step {
  readonly text: string;
  readonly listing?: Listing | undefined;
}

interface Table {
  readonly kind: 'table';
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

export interface Column {
  readonly head: string;
  /** Default: right, since most columns are figures. */
  readonly align?: 'left' | 'right';
}

export function heading(level: 1 | 2 | 3, text: string): Block {
  return { kind: 'heading', level, text };
}

/** One sentence after another; empty ones leave no trace. */
export function paragraph(...sentences: readonly string[]): Block {
  return { kind: 'paragraph', text: sentences.filter((sentence) => sentence !== '').join(' ') };
}

export function verdictLine(ok: boolean, text: string): Block {
  return { kind: 'verdict', ok, text };
}

export function bullets(items: readonly string[]): Block {
  return { kind: 'bullets', items };
}

/** Numbered, each with what carries it out. */
export function steps(items: readonly Step[]): Block {
  return { kind: 'steps', items };
}

export function listing(language: Listing['language'], lines: readonly string[]): Block {
  return { kind: 'listing', listing: { language, lines } };
}

export function picture(chart: Chart | undefined): Block | undefined {
  return chart === undefined ? undefined : { kind: 'chart', chart };
}

export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): Block {
  return { kind: 'table', columns, rows };
}

/** In order; absent and empty ones leave no trace. */
export function blocks(...parts: readonly (Block | readonly Block[] | undefined)[]): readonly Block[] {
  return parts
    .flatMap((part) => (part === undefined ? [] : part))
    .filter((block) => block.kind !== 'paragraph' || block.text !== '');
}
