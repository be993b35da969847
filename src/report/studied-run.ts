// What a report's studies begin with: the run that it is made from, and what was gathered while it was played.

import type { StudiedRun } from '../study/report-studies.ts';
import type { ReportInput } from './report-input.ts';

/** @param replications of each study, whole; undefined: as many as are soon played */
export function studiedRun(
  { scenario, run, series }: ReportInput,
  replications: number | undefined,
): StudiedRun {
  return {
    scenario,
    run,
    stranded: {
      strandedTokenMinutes: series.stranded?.tokenMinutes ?? 0,
      phantomRefusals: series.stranded?.phantomRefusals ?? 0,
    },
    peaks: series.signals === null ? undefined : series.signalPeaks,
    replications,
  };
}
