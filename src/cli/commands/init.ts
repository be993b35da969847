// `plimsoll init`: a shipped scenario as a file of your own, to be changed.

import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { InputError } from '../../base/errors.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit.ts';
import { isSystemError, withFile } from '../file-failure.ts';
import { shippedPath } from '../package-root.ts';
import { scenarioText, shippedNames, shippedScenario } from '../scenario-source.ts';
import { shippedList } from '../terminal/shipped-list.ts';

export const init: Command = {
  name: 'init',
  describe: 'Copy a shipped scenario to start from; without a name, list them',
  word: '[name]',
  wordMeans: 'the shipped scenario',
  leastWords: 0,
  mostWords: 1,
  flags: { out: { kind: 'text', value: 'FILE', describe: 'where to. Else <name>.yaml' } },
  examples: [
    ['plimsoll init', 'which scenarios ship'],
    ['plimsoll init three-classes --out nightly.yaml', 'a copy under another name'],
  ],
  async run(given, { terminal }) {
    const [name] = given.words;
    if (name === undefined) {
      const scenarios = shippedNames().map((one) => ({ name: one, text: textOf(one) }));
      terminal.answer(shippedList(scenarios, terminal.colours));
      return EXIT.ok;
    }
    shippedScenario(name);
    const file = given.text('out') ?? `${name}.yaml`;
    copy(textOf(name), file);
    terminal.answer(`${file} is a copy of ${name}. Next: plimsoll plan ${asScenario(file)}\n`);
    return EXIT.ok;
  },
};

function textOf(name: string): string {
  return scenarioText(name).source.text;
}

function copy(text: string, file: string): void {
  const refuse = (): never => {
    throw new InputError({
      code: 'file-exists',
      message: 'this file exists, and is not overwritten; name another one with --out',
      place: { file },
    });
  };
  if (file === '')
    throw new InputError({ code: 'no-file', message: 'name a file', place: { flag: '--out' } });
  withFile(file, 'written', () => {
    try {
      writeFileSync(file, withModeline(text, file), { flag: 'wx' });
    } catch (error) {
      if (isSystemError(error) && error.code === 'EEXIST') refuse();
      throw error;
    }
  });
}

/** Editors complete and check a file by the schema in its first line. */
function withModeline(text: string, file: string): string {
  const folder = dirname(resolve(file));
  const schema = shippedPath('schema/scenario.schema.json');
  const way = relative(existsSync(folder) ? realpathSync(folder) : folder, schema);
  // Installed beside the file: the way to it holds on other machines too.
  const place = way.startsWith('..') ? schema : way;
  const modeline = `# yaml-language-server: $schema=${place.split(sep).join('/')}\n`;
  return modeline + text.replace(/^# yaml-language-server:.*\r?\n/m, '');
}

/** As the other commands take it for a file. */
function asScenario(file: string): string {
  return /[/\\]|\.ya?ml$/i.test(file) ? file : `./${file}`;
}
