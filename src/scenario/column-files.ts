// Numbers from the columns of CSV files. A file is read and split once, however many columns and variants
// use it; a cell that is no number is told by its line.

// The package's browser build, which carries its own buffers: the same code runs on Node and in a page.
import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import type { Place, Problem } from '../base/errors.ts';
import { parseMoment } from './civil-day.ts';
import { unknownWord } from './quantity-schema.ts';

/** What the scenario room reads files through. */
export interface ScenarioIo {
  /**
   * The text of a file that a scenario names, UTF-8.
   *
   * @param path as the scenario has it; a relative one is relative to the scenario's own folder
   * @throws anything where it cannot be read; an error with the code `ENOENT` means that it is not there
   */
  readText(path: string): string;
}

/** `moments`: dates with times of day, in milliseconds since 1970; as UTC where they have no offset. */
type CellKind = 'tokens' | 'numbers' | 'moments';

export interface ColumnRequest {
  readonly file: string;
  readonly column: string;
  readonly kind: CellKind;
  /** Where the scenario names the file and the column. */
  readonly filePlace: Place;
  readonly columnPlace: Place;
}

export type ColumnAnswer = { readonly values: readonly number[] } | { readonly problems: readonly Problem[] };

interface Row {
  /** 1-based; the last one, where a quoted cell spans several. */
  readonly line: number;
  readonly cells: readonly string[];
}

type Table = { readonly header: readonly string[]; readonly rows: readonly Row[] };
type TableAnswer = Table | { readonly problem: Problem };

export class ColumnFiles {
  readonly #io: ScenarioIo;
  readonly #folder: string;
  readonly #tables = new Map<string, TableAnswer>();

  /** @param scenarioFile as messages name it; files beside it are named like it */
  constructor(io: ScenarioIo, scenarioFile: string) {
    this.#io = io;
    this.#folder = /^.*[/\\]/.exec(scenarioFile)?.[0] ?? '';
  }

  read({ file, column, kind, filePlace, columnPlace }: ColumnRequest): ColumnAnswer {
    const table = this.#table(file);
    if ('problem' in table) return { problems: [{ place: filePlace, ...table.problem }] };
    const position = table.header.indexOf(column);
    if (position < 0) {
      const message = `${this.#display(file)} has no column "${column}"`;
      return {
        problems: [{ ...unknownWord('unknown-column', message, column, table.header), place: columnPlace }],
      };
    }
    const values: number[] = [];
    const wrong: Row[] = [];
    for (const row of table.rows) {
      const value = cellValue(row.cells[position] ?? '', kind);
      if (value === undefined) wrong.push(row);
      else values.push(value);
    }
    const first = wrong[0];
    if (first === undefined) return { values };
    const others = wrong.length === 1 ? '' : `, and ${wrong.length - 1} more like it`;
    const cell = first.cells[position] ?? '';
    return {
      problems: [
        {
          code: kind === 'moments' ? 'not-a-moment' : 'not-a-number',
          message: `column "${column}" has no ${NOUN[kind].noun} here${others}`,
          place: { file: this.#display(file), line: first.line },
          expected: NOUN[kind].expected,
          got: cell === '' ? 'an empty cell' : JSON.stringify(cell),
        },
      ],
    };
  }

  #table(file: string): TableAnswer {
    let table = this.#tables.get(file);
    if (table === undefined) {
      table = this.#load(file);
      this.#tables.set(file, table);
    }
    return table;
  }

  #load(file: string): TableAnswer {
    let text: string;
    try {
      text = this.#io.readText(file);
    } catch (error) {
      return { problem: unreadable(this.#display(file), error) };
    }
    const problem = (code: string, message: string, place?: Place): TableAnswer => ({
      problem: { code, message, ...(place === undefined ? {} : { place }) },
    });
    try {
      const [first, ...rows] = splitRows(text);
      if (first === undefined) return problem('empty-file', `${this.#display(file)} is empty`);
      if (rows.length === 0) return problem('empty-file', `${this.#display(file)} has a header, but no rows`);
      return { header: first.cells.map((cell) => cell.trim()), rows };
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      const line = Number(error.lines);
      return problem('csv', `this is no CSV: ${error.message}`, { file: this.#display(file), line });
    }
  }

  #display(file: string): string {
    return /^([/\\]|[a-z]:)/i.test(file) ? file : `${this.#folder}${file}`;
  }
}

function splitRows(text: string): Row[] {
  const records = parse(text, { bom: true, info: true, skip_empty_lines: true }) as unknown as {
    readonly info: { readonly lines: number };
    readonly record: readonly string[];
  }[];
  return records.map(({ info, record }) => ({ line: info.lines, cells: record }));
}

const NOUN: Readonly<Record<CellKind, { readonly noun: string; readonly expected: string }>> = {
  tokens: { noun: 'number of tokens', expected: 'a whole number, 0 or more' },
  numbers: { noun: 'number', expected: 'a number, 0 or more' },
  moments: {
    noun: 'moment',
    expected:
      'a date with a time, such as 2026-11-30 01:30:15.5; for numbers give the unit beside the column',
  },
};

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function cellValue(cell: string, kind: CellKind): number | undefined {
  const written = cell.trim();
  if (kind === 'moments') return parseMoment(written);
  if (!DECIMAL.test(written)) return undefined;
  const value = Number(written);
  const fits = kind === 'tokens' ? Number.isSafeInteger(value) : Number.isFinite(value);
  // −0 is 0 to every reader but Object.is.
  return fits && value >= 0 ? value + 0 : undefined;
}

function unreadable(file: string, error: unknown): Problem {
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'ENOENT') return { code: 'missing-file', message: `there is no file ${file}` };
  const reason = error instanceof Error ? error.message : String(error);
  return { code: 'unreadable-file', message: `${file} cannot be read: ${reason}` };
}
