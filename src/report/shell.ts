// Words of a command line, quoted so that a shell reads them back as they are, whatever a name holds.

/** `plimsoll <verb> <words…>` in one line. */
export function plimsollCommand(verb: string, words: readonly string[]): string {
  return ['plimsoll', verb, ...words.map(shellWord)].join(' ');
}

function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (!/\p{Cc}/u.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  return `$'${word.replace(/['\\]/g, '\\$&').replace(/\p{Cc}/gu, escapeControl)}'`;
}

function escapeControl(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
