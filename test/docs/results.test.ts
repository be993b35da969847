// docs/results.md names every field of the results.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { replicatedJsonSchema } from '../../src/study/replicated-schema.ts';
import { planJsonSchema, runJsonSchema } from '../../src/world/result-schema.ts';

const page = readFileSync(new URL('../../docs/results.md', import.meta.url), 'utf8');

function fieldsOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties'
      ? [...Object.keys(value), ...Object.values(value).flatMap(fieldsOf)]
      : fieldsOf(value),
  );
}

test.each([
  ['plan', planJsonSchema()],
  ['run', runJsonSchema()],
  ['run --replications', replicatedJsonSchema()],
])('the page of results names every field that %s --json has', (_, schema) => {
  const fields = [...new Set(fieldsOf(schema))];
  expect(fields.length).toBeGreaterThan(10);
  expect(fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(page))).toEqual([]);
});
