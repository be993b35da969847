// `plimsoll lint`: what in a scenario will go wrong, or should not be run this way.

import { formatCount } from '../../base/units.ts';
import { jsonText } from '../../report/json-text.ts';
import { lint as lintScenario } from '../../study/lint/lint.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit.ts';
import { roundTimes } from '../microseconds.ts';
import { readGiven, SCENARIO_WORD, scenarioFlags } from '../scenario-flags.ts';
import { lintText } from '../terminal/lint-text.ts';

export const lint: Command = {
  name: 'lint',
  describe: 'Hold a scenario to the rules that nights like it have taught; exits 1 on findings',
  ...SCENARIO_WORD,
  flags: {
    ...scenarioFlags,
    json: { kind: 'switch', describe: 'the findings as JSON (docs/lint.md)' },
  },
  examples: [
    ['plimsoll lint nightly.yaml', 'a file'],
    ['plimsoll lint nightly.yaml --set lint.replications=1000', 'p99s from more replications'],
  ],
  async run(given, { terminal }) {
    const located = readGiven(given, terminal);
    const all = formatCount(located.stated.lint.replications);
    const result = lintScenario(located, (replication) =>
      terminal.progress(`replication ${formatCount(replication + 1)} of ${all} played`),
    );
    terminal.progress('');
    terminal.answer(given.has('json') ? jsonText(roundTimes(result)) : lintText(result, terminal.colours));
    return result.findings.length === 0 ? EXIT.ok : EXIT.failed;
  },
};
