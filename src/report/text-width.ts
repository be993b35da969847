// How wide text will be, without a canvas to measure it on: the advance widths of Helvetica (the Adobe
// Core 14 metrics, which Arial and Liberation Sans share). One table for every host, so that a picture
// has the same bytes wherever it is drawn.

const WIDTHS: Readonly<Record<number, string>> = {
  191: "'",
  222: 'ijl',
  260: '|',
  278: ' \u00A0!,./:;I[\\]ft',
  333: '()-`r',
  334: '{}',
  355: '"',
  389: '*',
  469: '^',
  500: 'Jcksvxyz',
  556: '#$0123456789?L_abdeghnopqu',
  584: '+<=>~±−',
  611: 'FTZ',
  667: '&ABEKPSVXY',
  722: 'CDHNRUw',
  778: 'GOQ',
  833: 'Mm',
  889: '%',
  944: 'W',
  1000: '…—',
  1015: '@',
};
const ADVANCE: ReadonlyMap<string, number> = new Map(
  Object.entries(WIDTHS).flatMap(([width, letters]) => [...letters].map((letter) => [letter, Number(width)])),
);
/** Letters outside the table: as wide as they get, ideographs and emoji included. */
const UNKNOWN = 1000;
const BOLD = 1.07;

export interface TextStyle {
  readonly sizePx: number;
  readonly bold?: boolean;
}

/** The width of one line in pixels. */
export function textWidthPx(text: string, style: TextStyle): number {
  let thousandths = 0;
  for (const letter of text) thousandths += ADVANCE.get(letter) ?? UNKNOWN;
  return (thousandths / 1000) * style.sizePx * (style.bold === true ? BOLD : 1);
}

/** Breaks text at its spaces into lines that fit; a word that is wider than a line is cut. */
export function wrapText(text: string, style: TextStyle, maxPx: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of keepUnits(text)
    .split(' ')
    .flatMap((part) => cutToFit(part, style, maxPx))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidthPx(longer, style) > maxPx) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

/** One line that fits; where it would not, its middle gives way, since names differ at their ends. */
export function fitText(text: string, style: TextStyle, maxPx: number): string {
  if (textWidthPx(text, style) <= maxPx) return text;
  const letters = [...text];
  for (let kept = letters.length - 1; kept > 0; kept -= 1) {
    const tail = Math.floor(kept / 3);
    const cut = `${letters.slice(0, kept - tail).join('')}…${letters.slice(letters.length - tail).join('')}`;
    if (textWidthPx(cut, style) <= maxPx) return cut;
  }
  return '…';
}

/** `34 min 18 s` stays on one line. */
export function keepUnits(text: string): string {
  return text
    .replace(/(?<=\d) (?=(?:ms|s|min|h|d)\b)/g, '\u00A0')
    .replace(/(?<=\b(?:min|h|d)) (?=\d)/g, '\u00A0');
}

function cutToFit(word: string, style: TextStyle, maxPx: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const letter of word) {
    if (piece !== '' && textWidthPx(piece + letter, style) > maxPx) {
      pieces.push(piece);
      piece = '';
    }
    piece += letter;
  }
  return [...pieces, piece];
}
