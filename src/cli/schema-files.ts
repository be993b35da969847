// The JSON Schemas by name, and their text as it stands in schema/.

import { scenarioJsonSchema } from '../scenario/json-schema.ts';
import { checkJsonSchema } from '../study/gate/check-schema.ts';
import { replicatedJsonSchema } from '../study/replicated-schema.ts';
import { planJsonSchema, runJsonSchema } from '../world/result-schema.ts';

export const SCHEMAS = {
  scenario: scenarioJsonSchema,
  plan: planJsonSchema,
  run: runJsonSchema,
  replications: replicatedJsonSchema,
  check: checkJsonSchema,
} as const;

export function schemaText(name: keyof typeof SCHEMAS): string {
  return `${JSON.stringify(SCHEMAS[name](), null, 2)}\n`;
}
