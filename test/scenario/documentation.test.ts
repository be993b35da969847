// docs/scenario.md, held to what reading does: its examples, its table of keys, its messages.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeProblem } from '../../src/base/errors.ts';
import { scenarioJsonSchema } from '../../src/scenario/json-schema.ts';
import { edit, files, NIGHTLY, problemsOf, read, SMALLEST, TRACE } from './nightly.ts';

const page = readFileSync(new URL('../../docs/scenario.md', import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text!);

interface JsonSchema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly default?: unknown;
  readonly required?: readonly string[];
}

/** Every key down to distributions, dotted; with its default, `required`, or nothing. */
function keysOf(schema: JsonSchema, prefix = ''): [string, string][] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = `${prefix}${key}`;
    const own: [string, string] = [
      name,
      schema.required?.includes(key) ? 'required' : JSON.stringify(property.default),
    ];
    return [own, ...keysOf(inside(property), `${name}.`)];
  });
}

/** Into lists, and into the first map that a value may be, unless that is a distribution. */
function inside(schema: JsonSchema): JsonSchema {
  if (schema.items !== undefined) return schema.items;
  if (schema.$ref === undefined) return schema;
  const { $defs } = scenarioJsonSchema() as { $defs: Record<string, JsonSchema> };
  const id = schema.$ref.split('/').at(-1)!;
  if (!['pool', 'envelope', 'limits', 'slowdown', 'client', 'weather', 'background'].includes(id)) return {};
  return $defs[id]!.anyOf!.find(({ properties }) => properties !== undefined)!;
}

/** The rows of the tables of keys: the key and its default. */
const rows = new Map(
  [...page.matchAll(/^\| `([\w.]+)` \| .* \| (.*?) \| .* \|$/gm)].map(([, key, fallback]) => [
    key!,
    fallback!.replaceAll('`', ''),
  ]),
);
const sections = [
  'window',
  'budget',
  'pool',
  'jobs',
  'backoff',
  'provider',
  'client',
  'store',
  'ledger',
  'weather',
  'background',
  'fleet',
  'clock',
  'policy',
  'trips',
  'lint',
  'compare',
];
const elsewhere = ['jobs.from.file', 'jobs.from.input', 'jobs.from.output'];

describe('the page', () => {
  test('shows scenarios that are read as they stand', () => {
    const [nightly, smallest] = blocks('yaml');
    expect(JSON.stringify(read(nightly!))).toBe(JSON.stringify(read(NIGHTLY)));
    expect(JSON.stringify(read(smallest!))).toBe(JSON.stringify(read(SMALLEST)));
  });

  test('has a row for every key, and none for a key that does not exist', () => {
    const keys = keysOf(scenarioJsonSchema()).map(([key]) => key);
    const documented = keys.filter((key) => !sections.includes(key) && !elsewhere.includes(key));
    expect([...rows.keys()].toSorted()).toEqual(documented.toSorted());
  });

  test('gives the default that is used, where a key has one', () => {
    for (const [key, fallback] of keysOf(scenarioJsonSchema())) {
      const documented = rows.get(key);
      if (documented === undefined || fallback === undefined || key === 'jobs.envelope') continue;
      expect(`${key}: ${documented.replace(/^required, or from$/, '')}`).toBe(
        `${key}: ${fallback.replaceAll('"', '')}`,
      );
    }
  });

  test('has distributions that can be read', () => {
    const table = page.slice(page.indexOf('## Distributions'), page.indexOf('A stated quantile'));
    const written = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`(.*?)`/g)].map(([, example]) => example!),
    );
    expect(written.length).toBeGreaterThan(12);
    const io = files({ 'calls.csv': 'seconds\n1\n2\n' });
    for (const example of written) {
      const isDuration = /\d m?s\b|unit:/.test(example);
      const text = isDuration
        ? edit(SMALLEST, 'whole-grant', example)
        : edit(SMALLEST, '[]', `[{ class: a, count: 1, input: ${example}, output: 1 }]`);
      expect(() => read(text, io), example).not.toThrow();
    }
  });

  test('shows overrides that can be used', () => {
    const settings = blocks('sh').flatMap((block) => [...block.matchAll(/--set (?:'(.*?)'|(\S+))/g)]);
    expect(settings.length).toBe(6);
    for (const [, quoted, bare] of settings)
      expect(() => read(NIGHTLY, undefined, [(quoted ?? bare)!])).not.toThrow();
  });

  test('quotes messages word for word', () => {
    let text = edit(NIGHTLY, 'lasts: 50 min', 'lasts: 50 m');
    text = edit(text, 'lanes: 8', 'lane: 8');
    text = edit(text, 'p50: 3000', 'p50: 9000');
    const lines = TRACE.split('\r\n');
    while (lines.length < 4710) lines.push('1,1,1');
    const problems = problemsOf(text, files({ 'trace.csv': [...lines, '1,1,n/a'].join('\n') }));
    expect(blocks('text')).toEqual([`${problems.map(describeProblem).join('\n')}\n`]);
  });
});
