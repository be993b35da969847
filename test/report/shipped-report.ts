// The reports of the scenarios that ship, made in this process as the command makes them.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { roundTimes } from '../../src/cli/microseconds.ts';
import { planOf } from '../../src/cli/playing.ts';
import { NightRecorder } from '../../src/report/night-recorder.ts';
import { renderReport } from '../../src/report/render-report.ts';
import { studiedRun } from '../../src/report/studied-run.ts';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import { studyForReport } from '../../src/study/report-studies.ts';
import { play } from '../../src/world/play.ts';
import { toTheEnd } from '../study/to-the-end.ts';

const folder = fileURLToPath(new URL('../../scenarios', import.meta.url));

export const shippedNames: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.replace(/\.yaml$/, ''));

/** Text by the file's name. */
export async function renderShipped(name: string): Promise<ReadonlyMap<string, string>> {
  const file = `${name}.yaml`;
  const text = readFileSync(join(folder, file), 'utf8');
  const readText = (path: string) => readFileSync(join(folder, path), 'utf8');
  const scenario = readScenario({ name: file, text }, { readText });
  const plan = planOf(scenario);
  const recorder = new NightRecorder(scenario, plan);
  const run = roundTimes(play(scenario, { observe: (event) => recorder.record(event) }));
  const series = roundTimes(recorder.series());
  const sources = [{ name: file, sha256: createHash('sha256').update(text).digest('hex') }];
  const played = { scenario, plan, run, series, rerun: [name], sources };
  const studies = roundTimes(toTheEnd(studyForReport(studiedRun(played, undefined))));
  const files = await renderReport({ ...played, studies });
  return new Map(files.map((one) => [one.name, one.text]));
}
