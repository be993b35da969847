// `plimsoll schema`: the JSON Schemas of what goes in and what comes out.

import { InputError } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit.ts';
import { SCHEMAS, schemaText } from '../schema-files.ts';

export const schema: Command = {
  name: 'schema',
  describe: 'Print a JSON Schema: of scenario files, or of what plan, run and check answer with --json',
  word: '[of]',
  wordMeans: 'scenario (the default), plan, run, replications or check',
  leastWords: 0,
  mostWords: 1,
  flags: {},
  examples: [['plimsoll schema > scenario.schema.json', 'for an editor']],
  async run(given, { terminal }) {
    const [name = 'scenario'] = given.words;
    const names = Object.keys(SCHEMAS);
    if (!Object.hasOwn(SCHEMAS, name)) {
      const meant = nearest(name, names);
      throw new InputError({
        code: 'unknown-schema',
        message: `there is no schema of "${name}"`,
        expected: names.join(', '),
        ...(meant === undefined ? {} : { nearest: meant }),
      });
    }
    terminal.answer(schemaText(name as keyof typeof SCHEMAS));
    return EXIT.ok;
  },
};
