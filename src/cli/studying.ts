// What is looked into beyond a run. Between nights the process looks up, so that a signal is heard.

import { setImmediate } from 'node:timers/promises';
import { formatCount } from '../base/units.ts';
import type { ReportInput } from '../report/report-input.ts';
import { studiedRun } from '../report/studied-run.ts';
import { type ReportStudies, studyForReport } from '../study/report-studies.ts';
import type { Flag, Given } from './command.ts';
import { roundTimes } from './microseconds.ts';
import { numberOf } from './number-flag.ts';
import { replayable } from './replay-command.ts';
import type { Terminal } from './terminal/terminal.ts';

const MOST_REPLICATIONS = 1_000_000;

export const studiesFlag: Flag = {
  kind: 'text',
  value: 'N',
  describe: 'look into everything, and play it N times where chance has a say. Else as far as is soon done',
};

/** Undefined where the flag was not given. */
export function studyReplicationsOf(given: Given): number | undefined {
  if (given.text('replications') === undefined) return undefined;
  return numberOf(given, 'replications', { fallback: 1, from: 1, upTo: MOST_REPLICATIONS });
}

export async function studyGiven(
  played: ReportInput,
  replications: number | undefined,
  terminal: Terminal,
): Promise<ReportStudies> {
  const study = studyForReport(studiedRun(played, replications));
  return roundTimes(await replayable(played.rerun, () => lookedInto(study, terminal)));
}

/** What a study finds that stops after every night that it plays. */
export async function lookedInto<Found>(study: Generator<void, Found>, terminal: Terminal): Promise<Found> {
  for (let count = 1; ; count += 1) {
    const next = study.next();
    if (next.done === true) {
      terminal.progress('');
      return next.value;
    }
    terminal.progress(`${formatCount(count)} more nights played`);
    await setImmediate();
  }
}
