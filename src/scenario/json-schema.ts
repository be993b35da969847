// The JSON Schema of a scenario file, for editors: completion, units, defaults and what each key means. It is
// looser than reading: what needs more than one key, or a file, only the reader can check.

import { z } from 'zod';
import { scenarioSchema } from './scenario-schema.ts';
import { type Shapes, shapes } from './shape-schema.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** A fresh object, draft 2020-12, always with the same text. */
export function scenarioJsonSchema(): Record<string, unknown> {
  const definitions: Record<string, JsonSchema> = {};
  const pending: Shapes[] = [];
  const convert = (schema: z.ZodType): JsonSchema => {
    const json = z.toJSONSchema(schema, {
      io: 'input',
      // A value in several shapes points to a definition: a mixture contains distributions in turn.
      override: ({ zodSchema, jsonSchema }) => {
        const found = shapes.get(zodSchema);
        if (found === undefined) return;
        jsonSchema.$ref = `#/$defs/${found.id}`;
        if (definitions[found.id] !== undefined) return;
        definitions[found.id] = {};
        pending.push(found);
      },
    }) as JsonSchema;
    delete json.$schema;
    return json;
  };
  const { type, properties, required, additionalProperties } = convert(scenarioSchema);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    definitions[next.id] = { anyOf: next.all().map(convert) };
  }
  const sorted = Object.entries(definitions).sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Plimsoll scenario',
    type,
    properties,
    required,
    additionalProperties,
    $defs: Object.fromEntries(sorted),
  };
}
