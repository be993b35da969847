// The whole report on small nights: same bytes each time, nothing that reads like a bug, names that stay
// names, and every figure from the summary.

import { createHash } from 'node:crypto';
import * as vega from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { describe, expect, test } from 'vitest';
import { createFigures } from '../../src/report/figures.ts';
import { renderReport } from '../../src/report/render-report.ts';
import type { ReportFile, ReportInput } from '../../src/report/report-input.ts';
import { calmButFor, playedText } from './played-text.ts';
import { type Toy, type ToyClass, toyInput } from './toy-nights.ts';

const HOSTILE = '</script><img src=x onerror=alert(1)> | `a`\n# "b" & [c](d) *e* \u202Egnp שלום 🚢 @all';

const ONE_CLASS: readonly ToyClass[] = [
  { name: 'summarize', count: 200, envelope: 14_000, tokens: [2_000, 13_000] },
];

const NIGHTS: Readonly<Record<string, Toy>> = {
  'tokens are short': { capacity: 5_000_000 },
  'all is well': { nights: 1, capacity: 20_000_000, classes: ONE_CLASS },
  'time is short': { nights: 3, lanes: 2, callMs: [20_000, 90_000] },
  'timeouts are fixed': {
    nights: 2,
    lanes: 4,
    capacity: 9_000_000,
    timeouts: 'fixed',
    callMs: [20_000, 115_000],
    compare: [
      { name: 'clamped', toy: { nights: 2, lanes: 4, capacity: 9_000_000, callMs: [20_000, 115_000] } },
    ],
  },
  'there are no jobs': { capacity: 5_000_000, classes: [] },
  'there is no pool': { classes: ONE_CLASS },
  'nothing is done': { nights: 1, windowMs: 1, reserveMs: 0, capMs: 1, lanes: 1, capacity: 5_000_000 },
  'one class of forty has jobs': {
    capacity: 3_000_000,
    classes: Array.from({ length: 40 }, (_, index) => ({
      name: `class-${index}`,
      count: index === 7 ? 60 : 0,
      envelope: 14_000,
      tokens: [2_000, 16_000] as const,
    })),
  },
  'forty classes have jobs': {
    nights: 30,
    capacity: 1_000_000,
    classes: Array.from({ length: 40 }, (_, index) => ({
      name: `class-${index}`,
      count: 1,
      envelope: 14_000,
      tokens: [2_000, 30_000] as const,
    })),
  },
  'there are 400 nights': {
    nights: 400,
    capacity: 100_000,
    classes: ONE_CLASS.map((one) => ({ ...one, count: 9 })),
  },
  'names are 200 characters long': {
    capacity: 3_000_000,
    classes: ['A', 'B'].map((end) => ({
      name: `${'x'.repeat(199)}${end}`,
      count: 20,
      envelope: 9_000,
      tokens: [20, 90] as const,
    })),
  },
  'names are hostile': {
    name: HOSTILE,
    capacity: 3_000_000,
    classes: [{ name: HOSTILE, count: 200, envelope: 14_000, tokens: [2_000, 24_000] }],
  },
  'much was found beyond the run': { capacity: 5_000_000, isStudied: true },
  'much was found beyond the run of forty classes': {
    capacity: 1_000_000,
    isStudied: true,
    classes: Array.from({ length: 40 }, (_, index) => ({
      name: `class-${index}`,
      count: 1,
      envelope: 14_000,
      tokens: [2_000, 30_000] as const,
    })),
  },
  'much was found beyond the run, of a hostile name': {
    name: HOSTILE,
    capacity: 3_000_000,
    isStudied: true,
    classes: [{ name: HOSTILE, count: 200, envelope: 14_000, tokens: [2_000, 24_000] }],
  },
  'an envelope exceeds the pool': {
    capacity: 3_000_000,
    classes: [...ONE_CLASS, { name: 'huge', count: 3, envelope: 9_000_000, tokens: [1, 2] }],
  },
};

/** What differs from a calm night; played in the real world. */
const TROUBLED: Readonly<Record<string, string>> = {
  'the provider is in trouble': `nights: 2
provider:
  latency: 10 s
  errors: 10%
  invalid: 5%
  limits: { requests: 20, tokens: 100k, concurrency: 6, retryAfter: false }
  outages: { at: [{ night: 1, from: 30 s, lasts: 20 s }] }
  slow: { at: [{ night: 2, from: 30 s, lasts: 20 s }], factor: 2 }
client: { attempts: 2 }
lanes: 8`,
  'workers are in trouble': `nights: 3
window: { lasts: 200 s }
fleet:
  workers: 2
  crashes: { at: [{ night: 1, worker: 1, from: 35 s }], restart: 10 s }
  pauses: { at: [{ night: 2, worker: 2, from: 35 s, lasts: 70 s }] }
  zombies: { at: [{ night: 3, worker: 1, from: 35 s }] }
clock: { steps: [{ night: 1, at: 20 s, by: 2 s }], suspensions: [{ night: 2, worker: 1, at: 20 s, lasts: 9 s }] }
pool: { name: free, tokens: 1M, lease: 60 s }`,
  'ledger and store are in trouble': `ledger: { outages: { at: [{ night: 1, from: 30 s, lasts: 30 s }] } }
store: { write: 100 ms, outages: { at: [{ night: 1, from: 100 s, lasts: 30 s }] }, full: { at: [{ night: 1, from: 200 s, lasts: 300 s }] } }`,
};

const inputs: Readonly<Record<string, ReportInput>> = {
  ...Object.fromEntries(Object.entries(NIGHTS).map(([name, toy]) => [name, toyInput(toy)])),
  ...Object.fromEntries(Object.entries(TROUBLED).map(([name, more]) => [name, playedText(calmButFor(more))])),
};
const rendered = new Map<string, readonly ReportFile[]>();
for (const [name, input] of Object.entries(inputs)) rendered.set(name, await renderReport(input));

describe.each([...rendered])('where %s', (name, files) => {
  test('the same input gives the same bytes', async () => {
    expect(await renderReport(inputs[name]!)).toEqual(files);
  });

  test('no word of a bug stands in the text or in a picture', () => {
    for (const file of files.filter((one) => !one.name.endsWith('.json'))) {
      expect(file.text, file.name).not.toMatch(/NaN|undefined|Infinity|\bnull\b|\[object/);
    }
  });

  test('each chart is drawn from at most 200 rows, one row a line', () => {
    for (const spec of specsOf(files)) {
      const rows = spec.text.split('\n').filter((line) => /^ {8,}\{.*\},?$/.test(line));
      expect(rowsOf(JSON.parse(spec.text)), spec.name).toBeLessThanOrEqual(200);
      expect(rows.length, spec.name).toBeLessThanOrEqual(200);
    }
  });

  test('each spec compiles and draws without a warning', async () => {
    for (const spec of specsOf(files)) {
      const said: unknown[] = [];
      const logger = collecting(said);
      const compiled = compile(JSON.parse(spec.text) as TopLevelSpec, { logger }).spec;
      const view = new vega.View(vega.parse(compiled), { renderer: 'none', logger });
      await view.toSVG();
      expect(said, spec.name).toEqual([]);
    }
  });

  test('each picture is 700 pixels wide, on white, with a name and a description', () => {
    for (const { text, name: file } of files.filter((one) => one.name.endsWith('.svg'))) {
      const chart = /charts\/(.*)\.svg/.exec(file)?.[1];
      expect(text).toMatch(
        new RegExp(
          `^<svg role="img" aria-labelledby="${chart}-title" aria-describedby="${chart}-desc" [^>]*width="700"`,
        ),
      );
      expect(text).toMatch(
        new RegExp(
          `<title id="${chart}-title">[^<]+</title><desc id="${chart}-desc">[^<]+</desc><rect width="700" height="\\d+" fill="#FFFFFF"`,
        ),
      );
    }
  });

  test('the page holds every picture once, and no id twice', () => {
    const page = fileOf(files, 'report.html');
    for (const { text } of files.filter((one) => one.name.endsWith('.svg'))) {
      expect(page.split(text.trimEnd())).toHaveLength(2);
    }
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of page.matchAll(/(?:href="|url\()#([^")]+)/g)) expect(ids).toContain(id);
  });

  test('the page asks for nothing and runs nothing, and says so to the browser', () => {
    const page = fileOf(files, 'report.html');
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">`,
    );
    expect(page.replace(/="[^"]*"/g, '=""')).not.toMatch(
      /<(?:script|link|img|iframe|object|base)|<[^>]* (?:style|src|on\w+)=|@import/i,
    );
    expect(style).not.toMatch(/url\(/);
  });

  test('every picture that the text shows is there, and every picture is shown', () => {
    const shown = [...textOf(files).matchAll(/\]\((charts\/[^)]+)\)/g)].map(([, file]) => file);
    const drawn = files.map((file) => file.name).filter((file) => file.endsWith('.svg'));
    expect(shown.sort()).toEqual(drawn.sort());
  });

  test('every printed figure is in summary.json, and prose has no other digits', async () => {
    const printed = new Set<number>();
    const marking = createFigures((text, value) => {
      printed.add(value);
      return `⟦${text}⟧`;
    });
    const marked = await renderReport(inputs[name]!, marking);
    const summary = new Set(numbersIn(JSON.parse(fileOf(marked, 'summary.json'))));
    const missing = [...printed].filter((value) => !summary.has(value) && !summary.has(-value));
    if (inputs[name]!.run.nights.length <= 24) expect(missing).toEqual([]);
    // The planner's warnings are in the summary word for word.
    const { warnings } = inputs[name]!.plan;
    const isWarning = (line: string): boolean => warnings.some((warning) => line.endsWith(warning));
    const unmarked = [textOf(marked), proseOf(unescaped(fileOf(marked, 'report.html')))].flatMap(
      unmarkedDigits,
    );
    expect(unmarked.filter((line) => !isWarning(line))).toEqual([]);
  });
});

describe('names', () => {
  test('stay text in Markdown, in the page, in pictures and in JSON', () => {
    const files = rendered.get('names are hostile')!;
    expect(textOf(files).replace(/```[\s\S]*?```/g, '')).not.toMatch(/@all/);
    for (const { text, name } of files.filter((file) => !file.name.endsWith('.json'))) {
      expect(text, name).not.toMatch(/<img|<script|<\/script|\u202E/);
    }
    for (const { text, name } of files.filter((file) => file.name.endsWith('.json'))) {
      expect(text, name).not.toMatch(/</);
      expect(() => JSON.parse(text)).not.toThrow();
    }
    expect(JSON.parse(fileOf(files, 'summary.json'))).toMatchObject({ scenario: { name: HOSTILE } });
  });

  test('that run from right to left are set apart from what stands around them', () => {
    for (const { text, name } of rendered.get('names are hostile')!) {
      if (name.endsWith('.json')) continue;
      const bare = text
        .replace(/<code>[\s\S]*?<\/code>|```[\s\S]*?```/g, '')
        .replace(/\u2068[^\u2069]*\u2069/g, '');
      expect(bare, name).not.toMatch(/\p{Script=Hebrew}/u);
    }
    expect(textOf(rendered.get('names are hostile')!)).toContain('\u2068שלום\u2069');
  });

  test('break no table: each row has as many cells as its head', () => {
    for (const block of textOf(rendered.get('names are hostile')!).split('\n\n')) {
      const rows = block.split('\n').filter((line) => line.startsWith('|'));
      const cells = rows.map((row) => row.replaceAll('\\|', '').split('|').length);
      expect(new Set(cells).size).toBeLessThanOrEqual(1);
    }
  });

  test('that differ only at their ends stay apart', () => {
    const text = textOf(rendered.get('names are 200 characters long')!);
    expect(text).toMatch(/x…x+A/);
    expect(text).toMatch(/x…x+B/);
  });
});

describe('sections', () => {
  const headings = (night: string): string[] =>
    [...textOf(rendered.get(night)!).matchAll(/^## (.*)$/gm)].map(([, title]) => title ?? '');

  test('come in the order in which somebody just woken needs them', () => {
    expect(headings('timeouts are fixed')).toEqual([
      'What to do',
      'The nights at a glance',
      'The worst case',
      'Envelopes and admitted jobs',
      'The edge',
      'The calls',
      'Tokens',
      'The bill and the books',
      'Policies compared',
      'Rollout',
      'Rollback and cleanup',
      'How this was made',
    ]);
  });

  test('whose data does not exist are absent, and so are their charts', () => {
    expect(headings('there is no pool')).toEqual([
      'What to do',
      'The nights at a glance',
      'The worst case',
      'The edge',
      'Rollout',
      'Rollback and cleanup',
      'How this was made',
    ]);
    const charts = rendered.get('there is no pool')!.map((file) => file.name);
    expect(charts.filter((name) => /pool|envelopes|admitted|held-consumed|policies/.test(name))).toEqual([]);
    expect(headings('there are no jobs')).toEqual(['What to do', 'Tokens', 'How this was made']);
  });

  test('of what was found beyond the run stand between the tokens and the trip conditions', () => {
    const all = headings('much was found beyond the run');
    const from = all.indexOf('Tokens');
    expect(all.slice(from, from + 5)).toEqual([
      'Tokens',
      'Refused jobs',
      'Stranded tokens',
      'The bill and the books',
      'Trip conditions',
    ]);
  });

  test('of policies say what the data says, and leave the drain to order and shares', () => {
    const text = textOf(rendered.get('timeouts are fixed')!);
    expect(text).toMatch(/- clamped: .* fewer calls or answers cut off or lost\./);
    expect(text).not.toMatch(/envelopes cure/i);
  });
});

function fileOf(files: readonly ReportFile[], name: string): string {
  return files.find((file) => file.name === name)?.text ?? '';
}

function textOf(files: readonly ReportFile[]): string {
  return fileOf(files, 'report.md');
}

function specsOf(files: readonly ReportFile[]): readonly ReportFile[] {
  return files.filter((file) => file.name.endsWith('.vl.json'));
}

function rowsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (rows, [key, item]) => rows + (key === 'values' && isRows(item) ? item.length : rowsOf(item)),
    0,
  );
}

function isRows(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every((row) => typeof row === 'object');
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

function unescaped(page: string): string {
  return page.replaceAll('&#39;', "'");
}

/** What a reader of the page reads, but for the axes of its pictures; a line to each element. */
function proseOf(page: string): string {
  return page
    .replace(/<style>[\s\S]*?<\/style>|<svg[\s\S]*?<\/svg>/g, '')
    .replace(/<pre><code>(?=plimsoll )[\s\S]*?<\/code><\/pre>/g, '')
    .replace(/<thead>.*?input tokens.*?<\/thead>\s*<tbody>[\s\S]*?<\/tbody>/g, '')
    .replace(/<[^>]*>/g, '\n')
    .replaceAll('\u00A0', ' ');
}

/** Figures that no formatter printed, apart from names, commands, p95 in heads, and what a user wrote. */
function unmarkedDigits(markdown: string): string[] {
  const prose = markdown
    .replace(/^ *```sh[\s\S]*?^ *```/gm, '')
    .replace(/^\| class \|[\s\S]*?input tokens[\s\S]*?(?=\n\n)/gm, '')
    .replace(/⟦[^⟧]*⟧/g, '')
    .replace(
      /class-\d+|\(HTTP 429\)|\(429\)|&#64;|&#39;|alert\(1\)|SHA-256|sha256sum|ledger\.sqlite3|[0-9a-f]{64}|\\u(?:202e|003c)|\bp50\b|\bp95\b|19 in 20|nights? \d+(–\d+)?/g,
      '',
    )
    .replace(/^\d+\. /gm, '');
  return prose.split('\n').filter((line) => /\d/.test(line));
}

function collecting(said: unknown[]): vega.LoggerInterface {
  const say = (...words: readonly unknown[]): vega.LoggerInterface => {
    said.push(...words);
    return logger;
  };
  const quiet = (): vega.LoggerInterface => logger;
  const logger = { level: quiet, error: say, warn: say, info: quiet, debug: quiet } as vega.LoggerInterface;
  return logger;
}
