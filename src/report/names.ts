// Names come from users and may hold anything: control characters, text that runs right to left, two
// hundred letters. Here they become one line of plain text that is still told apart from its neighbours;
// escaping for Markdown or SVG comes after, at the border.

const LONGEST = 40;
const HEAD = 26;

/** One line of printable text. Marks that reorder the text around them are dropped. */
export function plainName(name: string): string {
  const line = name
    .replace(/\p{Surrogate}/gu, '\u{FFFD}')
    .replace(/[\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069]/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line === '' ? '(no name)' : line;
}

/** A plain name of at most 40 characters: its head and its tail, where names that look alike differ. */
export function shortName(name: string): string {
  const letters = [...plainName(name)];
  if (letters.length <= LONGEST) return letters.join('');
  return `${letters.slice(0, HEAD).join('')}…${letters.slice(HEAD + 1 - LONGEST).join('')}`;
}

/** Hebrew, Arabic, Syriac, Thaana, N'Ko and their like. */
const RIGHT_TO_LEFT =
  '\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC\\u{10800}-\\u{10FFF}\\u{1E800}-\\u{1EFFF}';
const RIGHT_TO_LEFT_RUN = new RegExp(
  `[${RIGHT_TO_LEFT}](?:[${RIGHT_TO_LEFT}\\s\\p{P}\\p{N}]*[${RIGHT_TO_LEFT}])?`,
  'gu',
);

/** Words that run from right to left, set apart so that they move nothing that stands around them. */
export function isolated(text: string): string {
  return text.replace(RIGHT_TO_LEFT_RUN, '\u2068$&\u2069');
}

/** Short names that stay different from one another: a second `agent…v2` becomes `agent…v2 (2)`. */
export function distinctNames(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const shown = new Map<string, string>();
  for (const name of names) {
    if (shown.has(name)) continue;
    const short = shortName(name);
    let candidate = short;
    for (let copy = 2; taken.has(candidate); copy += 1) candidate = `${short} (${copy})`;
    taken.add(candidate);
    shown.set(name, candidate);
  }
  return shown;
}
