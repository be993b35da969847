// `plimsoll report`: plays the nights and writes what there is to read about them into a folder.

import { join } from 'node:path';
import { jsonText } from '../../report/json-text.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit.ts';
import { playGiven, playingFlags } from '../playing.ts';
import { checkReportFolder, defaultReportFolder, writeReport } from '../report-folder.ts';
import { formatFlag, inFormats, parseFormats } from '../report-formats.ts';
import { readGiven, SCENARIO_WORD } from '../scenario-flags.ts';
import { studiesFlag, studyGiven, studyReplicationsOf } from '../studying.ts';
import { runText } from '../terminal/run-text.ts';

export const report: Command = {
  name: 'report',
  describe: 'Play the nights and write a report with charts',
  ...SCENARIO_WORD,
  flags: {
    out: {
      kind: 'text',
      value: 'FOLDER',
      describe: 'where to; a former report there is replaced. Else plimsoll-report/<scenario>',
    },
    format: formatFlag,
    replications: studiesFlag,
    ...playingFlags,
  },
  examples: [
    ['plimsoll report nightly-free-pool', 'into plimsoll-report/nightly-free-pool'],
    ['plimsoll report nightly.yaml --out docs/load-line', 'into a folder of your own'],
    ['plimsoll report nightly.yaml --format html', 'one page to send around'],
    ['plimsoll report nightly.yaml --replications 50', 'with everything that takes longer to find out'],
  ],
  async run(given, surroundings) {
    const { terminal, unfinished } = surroundings;
    const scenario = readGiven(given, surroundings.terminal);
    const folder = given.text('out') ?? defaultReportFolder(scenario.scenario.name);
    const formats = parseFormats(given.text('format'));
    const replications = studyReplicationsOf(given);
    checkReportFolder(folder);
    const played = await playGiven(scenario, given, surroundings);
    const studies = await studyGiven(played, replications, terminal);
    // Only now: Vega takes longer to load than most nights to play.
    const { renderReport } = await import('../../report/render-report.ts');
    const files = await inFormats(await renderReport({ ...played, studies }), formats);
    writeReport(folder, files, unfinished);
    const first = files.find(({ name }) => name.startsWith('report.'))?.name ?? '';
    const place = `The report lies in ${join(folder, first)} (${files.length} files).`;
    if (given.has('json')) {
      terminal.answer(jsonText(played.run));
      terminal.say(place);
    } else {
      terminal.answer(`${runText(played, terminal.colours)}\n${place}\n`);
    }
    return EXIT.ok;
  },
};
