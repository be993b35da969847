// Reads source text just well enough to hold the house rules: what is code in it and what is not, and what it
// imports.

/** The text with comments, strings and regular expressions blanked out; what is inside `${}` is code. */
export function codeOf(text: string): string {
  return blank(text, { strings: true });
}

/** Every module that the text imports or re-exports, statically or not. */
export function specifiersOf(text: string): readonly string[] {
  const code = blank(text, { strings: false });
  const found = [
    ...code.matchAll(/\b(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])(.*?)\1/g),
    ...code.matchAll(/\bimport\s*(['"])(.*?)\1/g),
    ...code.matchAll(/\b(?:import|require)\s*\(\s*(['"`])(.*?)\1/g),
  ];
  return found.map((match) => match[2]!);
}

/** After these a slash begins a regular expression; after anything else it divides. */
const BEFORE_REGEX = /(?:^|[=(,:;![&|?{}>\n+*-]|\breturn|\bcase|\btypeof)\s*$/;

const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*|[`{}]/g;

function blank(text: string, { strings }: { readonly strings: boolean }): string {
  let out = '';
  /** For each open brace, whether it is a template's `${`. */
  const braces: boolean[] = [];
  let at = 0;
  const templateText = () => {
    const end = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(`|\$\{)/y;
    end.lastIndex = at;
    const [whole, stop] = end.exec(text) ?? [text.slice(at), ''];
    out += strings ? ' '.repeat(whole.length) : whole;
    at += whole.length;
    if (stop === '${') braces.push(true);
  };
  for (;;) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) return out + text.slice(at);
    const [token] = match;
    out += text.slice(at, match.index);
    at = match.index + token.length;
    if (token === '`') {
      out += token;
      templateText();
    } else if (token === '{') {
      braces.push(false);
      out += token;
    } else if (token === '}') {
      out += token;
      if (braces.pop() === true) templateText();
    } else if (token.startsWith('/') && !/^\/[/*]/.test(token) && !BEFORE_REGEX.test(out)) {
      out += '/';
      at = match.index + 1;
    } else {
      const isString = token.startsWith("'") || token.startsWith('"');
      out += isString && !strings ? token : ' '.repeat(token.length);
    }
  }
}
