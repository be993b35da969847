// What a report is made from and what it is: plain results in, names and bytes out. Nothing here knows
// of files, so that the same report can be written to a folder, packed or shown in a page.

import type { NightPlan } from '../plan/night-plan.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { RunResult } from '../world/run-result.ts';
import type { NightSeries } from './night-series.ts';

export interface ReportInput {
  readonly scenario: Scenario;
  readonly plan: NightPlan;
  readonly run: RunResult;
  /** What a `NightRecorder` gathered while the scenario itself (none of its variants) was played. */
  readonly series: NightSeries;
  /**
   * What was typed after `plimsoll report`: the scenario as the user named it, then every flag that
   * changes the result. Printed, quoted for a shell, as the command that makes this report again.
   */
  readonly rerun: readonly string[];
}

/** One file of a report. */
export interface ReportFile {
  /** Relative, with `/` between folders: `report.md`, `charts/outcomes.svg`. */
  readonly name: string;
  readonly text: string;
}
