// Draws a chart as SVG text, with no browser and no canvas. Charts state their own sizes, because Vega can
// only guess the width of text; and its packages may each bring their own copy of the counters behind
// element ids, which cannot all be reset, so ids are numbered anew here. They begin with the chart's name,
// because a page holds many charts. Same chart, same bytes.

import * as vega from 'vega';
import { compile, resetIdCounter } from 'vega-lite';
import type { Chart } from './charts/chart.ts';
import { isolated } from './names.ts';

/** Charts are checked in the tests to draw without a warning; a report must not print any. */
const silent: vega.LoggerInterface = {
  level: () => silent,
  error: () => silent,
  warn: () => silent,
  info: () => silent,
  debug: () => silent,
} as vega.LoggerInterface;

/** Charts as SVG, by their names. One after another: they share Vega's counters. */
export async function drawCharts(charts: readonly Chart[]): Promise<ReadonlyMap<string, string>> {
  const drawn = new Map<string, string>();
  for (const chart of charts) drawn.set(chart.name, await draw(chart));
  return drawn;
}

async function draw(chart: Chart): Promise<string> {
  vega.resetSVGDefIds();
  resetIdCounter();
  const compiled = compile(chart.spec, { logger: silent }).spec;
  const view = new vega.View(vega.parse(compiled), { renderer: 'none', logger: silent });
  const svg = await view.toSVG();
  view.finalize();
  const plain = numberedIds(roundedNumbers(withoutRoles(svg)), chart.name);
  return `${isolated(described(plain, chart))}\n`;
}

/** The picture as a whole has a description; what Vega says of its groups is noise beside it. */
function withoutRoles(svg: string): string {
  return svg.replace(/ (?:role|aria-\w+)="[^"]*"/g, '');
}

/** The last bits of a coordinate differ between machines and show nowhere. */
function roundedNumbers(svg: string): string {
  return svg.replace(/ (?:d|transform|x2|y2)="[^"]*"/g, (attribute) =>
    attribute.replace(/-?\d+\.\d{3,}(?:e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(2)))),
  );
}

/** Ids in order of appearance. */
function numberedIds(svg: string, name: string): string {
  const ids = new Map<string, string>();
  for (const [, id] of svg.matchAll(/ id="([^"]+)"/g))
    if (id !== undefined) ids.set(id, `${name}-${ids.size}`);
  return svg
    .replace(/ id="([^"]+)"/g, (_, id: string) => ` id="${ids.get(id)}"`)
    .replace(/url\(#([^)]+)\)/g, (_, id: string) => `url(#${ids.get(id) ?? id})`);
}

/** One picture with a name and a description to whoever cannot see it. */
function described(svg: string, chart: Chart): string {
  const { name, finding, description } = chart;
  const labels = `<title id="${name}-title">${escapeXml(finding)}</title><desc id="${name}-desc">${escapeXml(description)}</desc>`;
  return svg.replace(
    /<svg ([^>]*)>/,
    (_, attributes) =>
      `<svg role="img" aria-labelledby="${name}-title" aria-describedby="${name}-desc" ${attributes}>${labels}`,
  );
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
