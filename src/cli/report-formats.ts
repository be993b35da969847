// Which parts of a report are wanted, and the pictures as PNG. A PNG is made here and not in the report,
// because what draws it is native, and needs a font from a file.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { EnvironmentError, InputError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import type { ReportFile } from '../report/report-input.ts';
import type { Flag } from './command.ts';

const FORMATS = ['md', 'html', 'svg', 'png'] as const;
type Format = (typeof FORMATS)[number];

export const formatFlag: Flag = {
  kind: 'text',
  value: 'md,html,svg,png',
  describe: 'which of them, apart by commas; md brings its svg along. Else md,html,svg',
};

/** What is written to the disk: text, or a picture's bytes. */
export interface WrittenFile {
  readonly name: string;
  readonly contents: string | Uint8Array;
}

/** @throws InputError for a format that there is not, with the nearest that there is */
export function parseFormats(written = 'md,html,svg'): ReadonlySet<Format> {
  return new Set(written.split(',').map((word) => formatOf(word.trim())));
}

function formatOf(word: string): Format {
  const format = FORMATS.find((known) => known === word);
  if (format !== undefined) return format;
  const meant = nearest(word, FORMATS);
  throw new InputError({
    code: 'unknown-format',
    message: 'there is no such format',
    place: { flag: '--format' },
    expected: `some of ${FORMATS.join(', ')}`,
    got: JSON.stringify(word),
    ...(meant === undefined ? {} : { nearest: meant }),
  });
}

/**
 * The files that belong to these formats; `summary.json` and the charts' specs belong to all.
 *
 * @throws EnvironmentError where a PNG is wanted and its font is not there
 */
export async function inFormats(
  files: readonly ReportFile[],
  formats: ReadonlySet<Format>,
): Promise<readonly WrittenFile[]> {
  const isWanted = (name: string): boolean => {
    if (name === 'report.md') return formats.has('md');
    if (name === 'report.html') return formats.has('html');
    return !name.endsWith('.svg') || formats.has('svg') || formats.has('md');
  };
  const kept = files.filter(({ name }) => isWanted(name)).map(({ name, text }) => ({ name, contents: text }));
  if (!formats.has('png')) return kept;
  const svgs = files.filter(({ name }) => name.endsWith('.svg'));
  const toPng = await pngMaker();
  const pngs = svgs.map(({ name, text }) => ({ name: name.replace(/svg$/, 'png'), contents: toPng(text) }));
  return [...kept, ...pngs];
}

const FONT = '@expo-google-fonts/arimo';
/** As wide as the Helvetica that the charts are measured in. */
const FACES = ['400Regular/Arimo_400Regular.ttf', '700Bold/Arimo_700Bold.ttf'];
/** Sharp on a screen with two pixels to the point, and on paper. */
const ZOOM = 2;

/**
 * SVG to PNG. Never with the machine's own fonts: the same bytes everywhere, and text on machines that have
 * none.
 */
export async function pngMaker(fontFiles: readonly string[] = faces()): Promise<(svg: string) => Uint8Array> {
  const { Resvg } = await import('@resvg/resvg-js');
  const font = { loadSystemFonts: false, fontFiles: [...fontFiles], defaultFontFamily: 'Arimo' };
  return (svg) => new Resvg(svg, { font, fitTo: { mode: 'zoom', value: ZOOM } }).render().asPng();
}

function faces(): readonly string[] {
  const { resolve } = createRequire(import.meta.url);
  return FACES.map((face) => {
    try {
      const file = resolve(`${FONT}/${face}`);
      if (existsSync(file)) return file;
    } catch {
      // Told below, in words that say what to do.
    }
    throw new EnvironmentError(
      'no-font',
      `the pictures need the font in the package ${FONT}: npm install it`,
    );
  });
}
