// `plimsoll validate`: is it a scenario, and if not, all that is wrong with it.

import { formatCount } from '../../base/units.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { Command } from '../command.ts';
import { EXIT, type ExitCode, explain } from '../exit.ts';
import { sayWarnings } from '../scenario-flags.ts';
import { loadScenario } from '../scenario-source.ts';

export const validate: Command = {
  name: 'validate',
  describe: 'Check scenario files and list all that is wrong with them',
  word: '<scenario..>',
  wordMeans: 'YAML files, or names of shipped scenarios',
  leastWords: 1,
  mostWords: Number.POSITIVE_INFINITY,
  flags: {},
  examples: [['plimsoll validate nightly.yaml weekly.yaml', 'two files']],
  async run(given, { terminal }) {
    let worst: ExitCode = EXIT.ok;
    for (const written of given.words) {
      try {
        const loaded = loadScenario(written);
        sayWarnings(loaded, terminal);
        const found = describe(loaded.scenario);
        terminal.answer(`${terminal.colours.green('✓')} ${written}: ok, ${found}\n`);
      } catch (error) {
        const code = explain(error, ['validate', written], terminal);
        worst = worst === EXIT.ok || code > worst ? code : worst;
      }
    }
    return worst;
  },
};

function describe({ jobs, compare }: Scenario): string {
  const arriving = jobs.reduce((sum, { count }) => sum + count, 0);
  const variants = compare.length === 0 ? '' : `, ${counted(compare.length, 'variant')}`;
  return `${counted(arriving, 'job')} in ${counted(jobs.length, 'class', 'classes')}${variants}`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
