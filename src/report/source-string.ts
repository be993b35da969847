// A name as a program writes it: nothing in it ends the string, the line or the reader's trust in what it
// sees.

/** In double quotes. Controls, line ends, marks that reorder text and `<` are written as escapes. */
export function sourceString(text: string): string {
  return JSON.stringify(text).replace(/[<\p{C}\p{Zl}\p{Zp}]/gu, (letter) =>
    letter
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
