// Writes schema/*.schema.json from the code, after a build. A test holds the two together.

import { writeFileSync } from 'node:fs';
import { SCHEMAS, schemaText } from '../dist/cli/schema-files.js';

for (const name of Object.keys(SCHEMAS)) {
  const file = new URL(`../schema/${name}.schema.json`, import.meta.url);
  writeFileSync(file, schemaText(name));
}
