// Text on its way into PostgreSQL and back. Ids, jobs and pools may be any text, and PostgreSQL's text has no
// U+0000. The two lowest characters are written as pairs, which keeps the order of any two texts.

const NUL = '\u0000';
const ONE = '\u0001';
const WRITTEN_NUL = `${ONE}${ONE}`;
const WRITTEN_ONE = `${ONE}\u0002`;

export function toStored(text: string): string {
  if (!text.includes(NUL) && !text.includes(ONE)) return text;
  return text.replaceAll(ONE, WRITTEN_ONE).replaceAll(NUL, WRITTEN_NUL);
}

export function fromStored(stored: string): string {
  if (!stored.includes(ONE)) return stored;
  let text = '';
  for (let i = 0; i < stored.length; i++) {
    if (stored[i] !== ONE) text += stored[i];
    else text += stored[++i] === ONE ? NUL : ONE;
  }
  return text;
}
