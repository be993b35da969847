import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { scenarioJsonSchema } from '../../src/scenario/json-schema.ts';
import { scenarios } from '../../src/testing/scenarios.ts';
import { edit, NIGHTLY, SMALLEST } from './nightly.ts';

const schema = scenarioJsonSchema();
const validator = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
const isValid = (text: string) => validator.safeParse(parse(text)).success;

test('the committed schema is the one that is generated', () => {
  const committed = readFileSync(new URL('../../schema/scenario.schema.json', import.meta.url), 'utf8');
  expect(committed).toBe(`${JSON.stringify(schema, null, 2)}\n`);
});

describe('an editor that knows the schema', () => {
  test('accepts the scenario of the documentation and the smallest one', () => {
    expect(validator.safeParse(parse(NIGHTLY)).error).toBeUndefined();
    expect(isValid(SMALLEST)).toBe(true);
    expect(isValid(edit(NIGHTLY, 'p50: 3000', 'p50: 3k'))).toBe(true);
    expect(isValid(edit(NIGHTLY, '{ p50: 3000, p95: 6000, max: 8000 }', '500 to 8000'))).toBe(true);
  });

  test('accepts calendars and arrivals as the shipped scenario writes them, and marks what is none', () => {
    const shipped = readFileSync(new URL('../../scenarios/clock-change.yaml', import.meta.url), 'utf8');
    expect(validator.safeParse(parse(shipped)).error).toBeUndefined();
    for (const [piece, replacement] of [
      ['closes: "03:30"', 'closes: 3 h'],
      ['poisson: 1300 per day', 'poisson: 1300'],
      ['refill: day', 'refill: week'],
      ['sat: 80%', 'sat: 80'],
      ['{ shape: 0.3, mean: 4 min }', '{ shape: 0.3, mean: 4 }'],
    ] as const) {
      expect(isValid(edit(shipped, piece, replacement)), replacement).toBe(false);
    }
  });

  test('for any valid scenario accepts it, however it is written', () => {
    fc.assert(
      fc.property(scenarios, ({ written }) => {
        expect(validator.safeParse(written).error).toBeUndefined();
      }),
    );
  });

  test.each([
    ['lanes: 8', 'lane: 8'],
    ['lanes: 8', 'lanes: -1'],
    ['lanes: 8', 'lanes: eight'],
    ['lasts: 50 min', 'lasts: 50'],
    ['lasts: 50 min', 'lasts: 50 m'],
    ['tokens: 10M', 'tokens: 10 s'],
    ['hangs: 0.5%', 'hangs: 0.005'],
    ['order: listed', 'order: heaviest'],
    ['file: trace.csv, ', ''],
    ['p50: 3000', 'p5: 3000'],
    ['p50: 0.9 s', 'p50: 0.9'],
    ['{ p50: 20 ms, p95: 200 ms }', '{ mixture: [{ weight: 1, of: { p50: 1 s } }] }'],
    ['lease: 15 min', 'lease: 15'],
  ])('marks %j → %j', (piece, replacement) => {
    expect(isValid(edit(NIGHTLY, piece, replacement))).toBe(false);
  });

  test('shows what every key means, and the default of every key that has one', () => {
    const properties = schema.properties as Record<
      string,
      { description?: string; default?: unknown; $ref?: string }
    >;
    for (const [key, property] of Object.entries(properties)) expect(property.description, key).toBeTruthy();
    expect(properties.nights?.default).toBe(1);
    const budget = properties.budget as unknown as { properties: Record<string, { default?: unknown }> };
    expect(Object.values(budget.properties).map((property) => property.default)).toEqual([
      '45 s',
      '3 s',
      '120 s',
      3,
    ]);
  });
});
