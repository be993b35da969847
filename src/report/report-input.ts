// What a report is made from and what it is: plain results in, names and bytes out. Nothing here knows
// of files, so that the same report can be written to a folder, packed or shown in a page.

import type { NightPlan } from '../plan/night-plan.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { ReportStudies } from '../study/report-studies.ts';
import type { RunResult } from '../world/run-result.ts';
import type { NightSeries } from './night-series.ts';

export interface ReportInput {
  readonly scenario: Scenario;
  readonly plan: NightPlan;
  readonly run: RunResult;
  /** What a `NightRecorder` gathered while the scenario itself (none of its variants) was played. */
  readonly series: NightSeries;
  /** What was found beyond the one run; absent: nothing was looked for. */
  readonly studies?: ReportStudies | undefined;
  /**
   * What was typed after `plimsoll report`: the scenario as the user named it, then every flag that
   * changes the result. Printed, quoted for a shell, as the command that makes this report again.
   */
  readonly rerun: readonly string[];
  /** The files that the scenario was made from, itself first. */
  readonly sources: readonly SourceFile[];
}

/** Tells whether a report was made from the file that lies before you. */
export interface SourceFile {
  /** As the user or the scenario names it. */
  readonly name: string;
  /** Of its text in UTF-8, in hexadecimal: what `sha256sum` prints. */
  readonly sha256: string;
}

/** One file of a report. */
export interface ReportFile {
  /** Relative, with `/` between folders: `report.md`, `charts/outcomes.svg`. */
  readonly name: string;
  readonly text: string;
}
