// schema/ is what editors and other programs read: generated, committed, and held to the code here.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SCHEMAS, schemaText } from '../../src/cli/schema-files.ts';

test.each(Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[])(
  'schema/%s.schema.json is what the code says (rewritten by scripts/write-schemas.mjs)',
  (name) => {
    const committed = readFileSync(new URL(`../../schema/${name}.schema.json`, import.meta.url), 'utf8');
    expect(committed).toBe(schemaText(name));
  },
);

test('the schemas of the answers describe every field', () => {
  for (const name of ['plan', 'run', 'replications', 'check'] as const)
    expect(undescribed(SCHEMAS[name]())).toEqual([]);
});

/** Paths of properties that have no description, their own or that of the definition they name. */
function undescribed(schema: Record<string, unknown>): string[] {
  const definitions = (schema.$defs ?? {}) as Record<string, Record<string, unknown>>;
  const found: string[] = [];
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties, ...others } = node as { properties?: Record<string, Record<string, unknown>> };
    for (const [name, property] of Object.entries(properties ?? {})) {
      const options = [property, ...((property.anyOf ?? []) as Record<string, unknown>[])];
      const named = options.map(({ $ref }) => definitions[String($ref ?? '').replace('#/$defs/', '')]);
      const isDescribed = [...options, ...named].some((one) => one?.description !== undefined);
      if (!isDescribed) found.push(`${path}.${name}`);
      walk(property, `${path}.${name}`);
    }
    for (const [key, other] of Object.entries(others)) walk(other, `${path}.${key}`);
  };
  walk(schema, '');
  return found;
}
