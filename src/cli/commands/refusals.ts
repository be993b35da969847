// `plimsoll refusals`: why jobs were refused, and the smallest change of each kind that admits them all.

import { jsonText } from '../../report/json-text.ts';
import { studyRefusals } from '../../study/refusals.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit.ts';
import { numberOf } from '../number-flag.ts';
import { replayable } from '../replay-command.ts';
import { readGiven, SCENARIO_WORD, scenarioFlags } from '../scenario-flags.ts';
import { lookedInto } from '../studying.ts';
import { refusalsText } from '../terminal/refusals-text.ts';

const MOST_REPLICATIONS = 0xffffffff;

export const refusals: Command = {
  name: 'refusals',
  describe: 'Say why jobs are refused, and the smallest changes after which none is, each one played',
  ...SCENARIO_WORD,
  flags: {
    replication: { kind: 'text', value: 'R', describe: 'which one, from 0 (the default: what run plays)' },
    ...scenarioFlags,
    json: { kind: 'switch', describe: 'as JSON (docs/results.md)' },
  },
  examples: [['plimsoll refusals head-of-line --set policy.admission=envelope', 'a shipped scenario']],
  async run(given, { terminal }) {
    const { scenario, rerun } = readGiven(given, terminal);
    const replication = numberOf(given, 'replication', { fallback: 0, from: 0, upTo: MOST_REPLICATIONS });
    const found = await replayable(rerun, () => lookedInto(studyRefusals(scenario, replication), terminal));
    terminal.answer(
      given.has('json') ? jsonText(found) : refusalsText(scenario.name, found, terminal.colours),
    );
    return EXIT.ok;
  },
};
