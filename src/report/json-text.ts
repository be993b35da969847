// JSON for people who read diffs: what fits on a line stands on one, and rows of data always do.

const LINE = 100;
/** Lists of alike things: a chart's data, and nights, of which there may be hundreds. */
const ROWS: ReadonlySet<string> = new Set(['values', 'nights']);

/** Ends with a newline, and can stand in a script element: no `<`. Values that JSON has no word for (an unbounded mean) become null. */
export function jsonText(value: unknown): string {
  const text = indented(JSON.parse(JSON.stringify(value)), '', false);
  return `${text.replace(/[<\u2028\u2029]/g, escapeUnit)}\n`;
}

/** These stand inside strings only. */
function escapeUnit(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function indented(value: unknown, margin: string, isRow: boolean): string {
  const line = JSON.stringify(value);
  if (isRow || typeof value !== 'object' || value === null || margin.length + line.length <= LINE)
    return line;
  const inner = `${margin}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => inner + indented(item, inner, false)).join(',\n')}\n${margin}]`;
  }
  const entries = Object.entries(value).map(([key, item]) => {
    const text = ROWS.has(key) && Array.isArray(item) ? rows(item, inner) : indented(item, inner, false);
    return `${inner}${JSON.stringify(key)}: ${text}`;
  });
  return `{\n${entries.join(',\n')}\n${margin}}`;
}

function rows(items: readonly unknown[], margin: string): string {
  if (items.length === 0) return '[]';
  return `[\n${items.map((item) => `${margin}  ${indented(item, margin, true)}`).join(',\n')}\n${margin}]`;
}
