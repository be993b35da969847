// `plimsoll plan`: what arithmetic says before anything is played.

import { jsonText } from '../../report/json-text.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit.ts';
import { planOf } from '../playing.ts';
import { readGiven, SCENARIO_WORD, scenarioFlags } from '../scenario-flags.ts';
import { planText } from '../terminal/plan-text.ts';

export const plan: Command = {
  name: 'plan',
  describe: 'Work out the worst case, envelopes and what the pool admits; nothing is played',
  ...SCENARIO_WORD,
  flags: {
    ...scenarioFlags,
    json: { kind: 'switch', describe: 'the whole plan as JSON (plimsoll schema plan)' },
  },
  examples: [
    ['plimsoll plan three-classes', 'a shipped scenario'],
    ['plimsoll plan nightly.yaml --set pool.tokens=20M', 'a file, with a larger pool'],
  ],
  async run(given, { terminal }) {
    const { scenario } = readGiven(given, terminal);
    const planned = planOf(scenario);
    terminal.answer(given.has('json') ? jsonText(planned) : planText(scenario, planned, terminal.colours));
    return EXIT.ok;
  },
};
