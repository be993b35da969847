// `plimsoll run`: plays the nights and says what became of the jobs.

import { jsonText } from '../../report/json-text.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit.ts';
import { playGiven, playingFlags } from '../playing.ts';
import { replicateGiven, replicatingFlags, replicatingOf } from '../replicating.ts';
import { readGiven, SCENARIO_WORD } from '../scenario-flags.ts';
import { replicationsText } from '../terminal/replications-text.ts';
import { runText } from '../terminal/run-text.ts';

export const run: Command = {
  name: 'run',
  describe: 'Play the nights on a simulated clock and say what becomes of the jobs',
  ...SCENARIO_WORD,
  flags: { ...playingFlags, ...replicatingFlags },
  examples: [
    ['plimsoll run nightly-free-pool', 'a shipped scenario'],
    ['plimsoll run nightly.yaml --set budget.reserve=60s', 'a file, with one setting changed'],
    ['plimsoll run nightly.yaml --trace night.jsonl', 'with an audit record of each attempt'],
    ['plimsoll run nightly.yaml --replications 200', 'how bad it may get'],
    ['plimsoll run nightly.yaml --precision 5% --metric done', 'until the mean is known well'],
  ],
  async run(given, surroundings) {
    const { terminal, interruption } = surroundings;
    const replicating = replicatingOf(given);
    if (replicating !== undefined) {
      const scenario = readGiven(given, surroundings.terminal);
      const many = await replicateGiven(scenario, replicating, surroundings);
      if (many === undefined) return interruption.code ?? EXIT.ok;
      terminal.answer(
        given.has('json') ? jsonText(many) : replicationsText(scenario, many, terminal.colours),
      );
      return interruption.code ?? EXIT.ok;
    }
    const played = await playGiven(readGiven(given, surroundings.terminal), given, surroundings);
    terminal.answer(given.has('json') ? jsonText(played.run) : runText(played, terminal.colours));
    return EXIT.ok;
  },
};
