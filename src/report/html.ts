// The report as one page: everything inside, nothing fetched, nothing that runs. Everything that is printed
// passes through here, so this is the one place where names are kept from becoming markup.

import { sha256Base64 } from './digest.ts';
import type { Block, Column, Listing, Step } from './document.ts';
import { STYLE } from './html-style.ts';
import { isolated } from './names.ts';
import { keepUnits } from './text-width.ts';

/** @param pictures SVG by the chart's name; ids in them differ from chart to chart */
export async function htmlOf(
  title: string,
  document: readonly Block[],
  pictures: ReadonlyMap<string, string>,
): Promise<string> {
  const policy = `default-src 'none'; style-src 'sha256-${await sha256Base64(STYLE)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${inlineText(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${new PageWriter(pictures).page(document)}
</main>
</body>
</html>
`;
}

/** Plain text that reads as itself, in an element and in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** For reading, not for copying: a number stays with its unit, and no name moves what stands around it. */
function inlineText(text: string): string {
  return escapeHtml(isolated(keepUnits(text)));
}

class PageWriter {
  readonly #pictures: ReadonlyMap<string, string>;
  /** What a box that scrolls is called to whoever cannot see it: the heading above, and which one it is. */
  #section = '';
  #boxes = 0;

  constructor(pictures: ReadonlyMap<string, string>) {
    this.#pictures = pictures;
  }

  page(document: readonly Block[]): string {
    const sections = document.flatMap((block) =>
      block.kind === 'heading' && block.level === 2 ? [block.text] : [],
    );
    const first = document.findIndex((block) => block.kind === 'heading' && block.level === 2);
    const top = first < 0 ? document : document.slice(0, first);
    const rest = first < 0 ? [] : document.slice(first);
    return [
      ...top.map((block) => this.#block(block)),
      contents(sections),
      ...rest.map((block) => this.#block(block)),
    ].join('\n');
  }

  #block(block: Block): string {
    switch (block.kind) {
      case 'heading':
        return this.#heading(block.level, block.text);
      case 'paragraph':
        return `<p>${inlineText(block.text)}</p>`;
      case 'verdict':
        return `<p class="verdict${block.ok ? ' fits' : ''}"><b>${block.ok ? '✓' : '✗'}</b> ${inlineText(block.text)}</p>`;
      case 'bullets':
        return `<ul>\n${block.items.map((item) => `<li>${inlineText(item)}</li>`).join('\n')}\n</ul>`;
      case 'steps':
        return `<ol>\n${block.items.map((step) => this.#step(step)).join('\n')}\n</ol>`;
      case 'listing':
        return listingHtml(block.listing);
      case 'chart':
        return `<div class="chart" tabindex="0" role="group" aria-label="${this.#boxName('Chart')}">${(this.#pictures.get(block.chart.name) ?? '').trimEnd()}</div>\n<p class="hint">Tap the chart to enlarge it.</p>`;
      case 'table':
        return this.#table(block.columns, block.rows);
    }
  }

  #heading(level: 1 | 2 | 3, text: string): string {
    this.#section = text;
    this.#boxes = 0;
    const id = level === 2 ? ` id="${sectionId(text)}"` : '';
    return `<h${level}${id}>${inlineText(text)}</h${level}>`;
  }

  #step({ text, listing }: Step): string {
    const block = listing === undefined ? '' : `\n${listingHtml(listing)}\n`;
    return `<li>${inlineText(text)}${block}</li>`;
  }

  #table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
    const side = (index: number): string => (columns[index]?.align === 'left' ? ' class="left"' : '');
    const head = columns.map(({ head }, index) => `<th scope="col"${side(index)}>${inlineText(head)}</th>`);
    const body = rows.map((cells) => {
      const row = cells.map((cell, index) =>
        index === 0
          ? `<th scope="row"${side(index)}>${inlineText(cell)}</th>`
          : `<td${side(index)}>${inlineText(cell)}</td>`,
      );
      return `<tr>${row.join('')}</tr>`;
    });
    return `<div class="table" tabindex="0" role="group" aria-label="${this.#boxName('Table')}"><table>\n<thead><tr>${head.join('')}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table></div>`;
  }

  #boxName(what: string): string {
    this.#boxes += 1;
    return inlineText(`${what} ${this.#boxes} of: ${this.#section}`);
  }
}

/** Links to the sections, for whoever was woken for one of them. */
function contents(sections: readonly string[]): string {
  if (sections.length === 0) return '';
  const links = sections.map((text) => `<li><a href="#${sectionId(text)}">${escapeHtml(text)}</a></li>`);
  return `<nav aria-label="Sections">\n<ul>\n${links.join('\n')}\n</ul>\n</nav>`;
}

/** Sections have titles of the report's own, never a user's. */
function sectionId(text: string): string {
  return text.toLowerCase().replace(/[^a-z]+/g, '-');
}

function listingHtml({ lines }: Listing): string {
  return `<pre><code>${escapeHtml(lines.join('\n'))}</code></pre>`;
}
