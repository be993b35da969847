// Reports in the formats that were asked for, and pictures whose text is really there.

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inFormats, parseFormats, pngMaker } from '../../src/cli/report-formats.ts';
import { emptyFolder, plimsoll } from './command-line.ts';
import { SCENARIO } from './scenario-text.ts';

const FILES = ['report.md', 'report.html', 'summary.json', 'charts/a.vl.json', 'charts/a.svg'].map(
  (name) => ({
    name,
    text: '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>',
  }),
);

/** Nothing but a word, black on white. */
const WORD =
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40"><rect width="200" height="40" fill="#fff"/><text x="4" y="28" font-size="24" font-family="Helvetica, sans-serif">plimsoll</text></svg>';

async function namesIn(formats: string | undefined): Promise<readonly string[]> {
  return (await inFormats(FILES, parseFormats(formats))).map(({ name }) => name);
}

describe('formats', () => {
  test('are Markdown, a page and SVG unless told otherwise', async () => {
    expect(await namesIn(undefined)).toEqual(FILES.map(({ name }) => name));
  });

  test('bring nothing that was not asked for, but for the figures, and the pictures of the Markdown', async () => {
    expect(await namesIn('html')).toEqual(['report.html', 'summary.json', 'charts/a.vl.json']);
    expect(await namesIn('md')).toEqual(['report.md', 'summary.json', 'charts/a.vl.json', 'charts/a.svg']);
    expect(await namesIn('png')).toEqual(['summary.json', 'charts/a.vl.json', 'charts/a.png']);
    expect(await namesIn(' html , svg')).not.toContain('report.md');
  });

  test('that there are not are refused, with the nearest that there is', () => {
    expect(() => parseFormats('md,pgn')).toThrow(
      /--format: there is no such format \(expected some of md, html, svg, png, got "pgn"\)\. Did you mean "png"\?/,
    );
    expect(() => parseFormats('')).toThrow(/no such format/);
  });
});

describe('a PNG', () => {
  test('has the letters of its text, from the font in the package', async () => {
    expect(darkPixels(await pixelsOf(WORD, await pngMaker()))).toBeGreaterThan(500);
  });

  test('would have none without that font: the machine is not asked for its own', async () => {
    expect(darkPixels(await pixelsOf(WORD, await pngMaker([])))).toBe(0);
  });

  test('sets bold text in the bold face', async () => {
    const toPng = await pngMaker();
    const bold = WORD.replace('<text', '<text font-weight="bold"');
    const regular = darkPixels(await pixelsOf(WORD, toPng));
    expect(darkPixels(await pixelsOf(bold, toPng))).toBeGreaterThan(regular * 1.2);
  });

  test('of a chart is twice as large as the chart, so that it is sharp', async () => {
    const png = (await pngMaker())(WORD);
    const size = Buffer.from(png);
    expect([size.readUInt32BE(16), size.readUInt32BE(20)]).toEqual([400, 80]);
  });
});

test('the command writes the page and the pictures, and nothing else', async () => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'two.yaml'), SCENARIO);
  const words = ['report', 'two.yaml', '--out', 'here', '--format', 'html,png'];
  const { code, stdout, stderr } = await plimsoll(words, { cwd });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/The report lies in here\/report\.html \(\d+ files\)\.\n$/);
  expect(readdirSync(join(cwd, 'here')).sort()).toEqual(['charts', 'report.html', 'summary.json']);
  const endings = readdirSync(join(cwd, 'here', 'charts')).map((name) => name.replace(/^[^.]*/, ''));
  expect(new Set(endings)).toEqual(new Set(['.png', '.vl.json']));
  const again = await plimsoll([...words.slice(0, -1), 'md'], { cwd });
  expect([again.code, readdirSync(join(cwd, 'here')).sort()]).toEqual([
    0,
    ['charts', 'report.md', 'summary.json'],
  ]);
});

/** Red, green, blue, alpha of each pixel, by the library's own decoder: a picture in a picture. */
async function pixelsOf(svg: string, toPng: (svg: string) => Uint8Array): Promise<Uint8Array> {
  const { Resvg } = await import('@resvg/resvg-js');
  const data = Buffer.from(toPng(svg)).toString('base64');
  const frame = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="80"><image width="400" height="80" href="data:image/png;base64,${data}"/></svg>`;
  return new Resvg(frame, { font: { loadSystemFonts: false } }).render().pixels;
}

function darkPixels(pixels: Uint8Array): number {
  let dark = 0;
  for (let at = 0; at < pixels.length; at += 4) if ((pixels[at] ?? 255) < 128) dark += 1;
  return dark;
}
