// `plimsoll ledger …`: what is done to a ledger that hosts share.

import { InputError } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import { jsonText } from '../../report/json-text.ts';
import { parsePostgresUrl } from '../../stores/postgres-driver.ts';
import { DEFAULT_SCHEMA, type Migration, migratePostgres } from '../../stores/postgres-schema.ts';
import type { Command, Given } from '../command.ts';
import { EXIT } from '../exit.ts';

const ACTIONS = ['migrate'];

export const ledger: Command = {
  name: 'ledger',
  describe: 'Make the tables of a PostgreSQL ledger, or bring them to this version',
  word: '<action>',
  wordMeans: 'migrate',
  leastWords: 1,
  mostWords: 1,
  flags: {
    ledger: {
      kind: 'text',
      value: 'postgres://…',
      describe:
        'the database; default: the environment variable PLIMSOLL_LEDGER, which no process list shows',
    },
    schema: { kind: 'text', value: 'NAME', describe: `the schema of its tables; default: ${DEFAULT_SCHEMA}` },
    json: { kind: 'switch', describe: 'what was done as JSON: { schema, from, to }' },
  },
  examples: [['PLIMSOLL_LEDGER=postgres://… plimsoll ledger migrate', 'again is a no-op; many hosts may']],
  async run(given, { terminal }) {
    checkAction(given.words[0]!);
    const url = ledgerUrl(given);
    const schema = given.text('schema') ?? DEFAULT_SCHEMA;
    const done = await migratePostgres(url, { schema });
    const text = migrationText(done, schema, parsePostgresUrl(url).shown);
    terminal.answer(given.has('json') ? jsonText({ schema, ...done }) : text);
    return EXIT.ok;
  },
};

function checkAction(action: string): void {
  if (ACTIONS.includes(action)) return;
  const meant = nearest(action, ACTIONS);
  throw new InputError({
    code: 'unknown-action',
    message: `plimsoll ledger has no "${action}"`,
    expected: ACTIONS.join(', '),
    ...(meant === undefined ? {} : { nearest: meant }),
  });
}

function ledgerUrl(given: Given): string {
  const url = given.text('ledger') ?? process.env.PLIMSOLL_LEDGER ?? '';
  if (url !== '') return url;
  throw new InputError({
    code: 'no-ledger',
    message: 'which ledger? name it with --ledger, or in the environment variable PLIMSOLL_LEDGER',
    expected: 'postgres://user:password@host:5432/database',
  });
}

function migrationText({ from, to }: Migration, schema: string, where: string): string {
  const what = `schema "${schema}" at ${where}`;
  if (from === to) return `${what} is at version ${to} already; nothing to do\n`;
  return from === 0
    ? `${what} was made, version ${to}\n`
    : `${what} was brought from version ${from} to ${to}\n`;
}
