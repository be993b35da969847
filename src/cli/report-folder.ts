// Puts a rendered report on the disk: whole into a folder beside the one that was named, then swapped in.
// A folder that is no report is never touched.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { InputError } from '../base/errors.ts';
import { withFile } from './file-failure.ts';
import type { WrittenFile } from './report-formats.ts';
import type { Unfinished } from './unfinished.ts';

/** What a report consists of; anything else in a folder belongs to somebody. */
const PARTS = new Set(['report.md', 'report.html', 'summary.json', 'charts']);
const CHART = /\.(vl\.json|svg|png)$/;

/** `plimsoll-report/<scenario>`: a name that is no path, whatever the scenario is called. */
export function defaultReportFolder(scenarioName: string): string {
  const name = scenarioName.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|[.-]+$/g, '');
  return join('plimsoll-report', name === '' ? 'scenario' : name);
}

/**
 * Asked before anything is played, so that nobody waits for a report that has no place.
 *
 * @throws InputError where something else lies there
 */
export function checkReportFolder(folder: string): void {
  const refuse = (message: string): never => {
    throw new InputError({ code: 'not-a-report', message, place: { flag: '--out' }, got: folder });
  };
  if (folder === '') refuse('the report needs a folder');
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) refuse('this is a file; name a folder for the report');
  if (holdsCurrentFolder(folder)) {
    refuse('this folder is, or holds, the one you are in; name a folder of its own for the report');
  }
  const stranger = withFile(folder, 'read', () => strangerIn(folder));
  if (stranger !== undefined) {
    refuse(`this folder holds ${stranger}, which is no part of a report; name an empty or a new folder`);
  }
}

function holdsCurrentFolder(folder: string): boolean {
  const way = relative(realpathSync(folder), process.cwd());
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function strangerIn(folder: string): string | undefined {
  const stranger = readdirSync(folder).find((name) => !PARTS.has(name));
  if (stranger !== undefined) return stranger;
  const charts = join(folder, 'charts');
  if (!existsSync(charts)) return undefined;
  const strangeChart = readdirSync(charts).find((name) => !CHART.test(name));
  return strangeChart === undefined ? undefined : join('charts', strangeChart);
}

/** @throws EnvironmentError where the folder cannot be written; the former report is still there then */
export function writeReport(folder: string, files: readonly WrittenFile[], unfinished: Unfinished): void {
  const exists = existsSync(folder);
  const target = exists ? realpathSync(folder) : resolve(folder);
  const fresh = `${target}.${process.pid}.part`;
  const former = `${target}.${process.pid}.former`;
  withFile(folder, 'written', () => {
    mkdirSync(dirname(target), { recursive: true });
    unfinished.add(fresh);
    mkdirSync(fresh);
    for (const { name, contents } of files) {
      const path = join(fresh, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, contents);
    }
    if (exists) renameSync(target, former);
    swapIn(fresh, target, exists ? former : undefined);
    unfinished.keep(fresh);
    if (exists) unfinished.remove(former);
  });
}

function swapIn(fresh: string, target: string, former: string | undefined): void {
  try {
    renameSync(fresh, target);
  } catch (error) {
    if (former !== undefined) renameSync(former, target);
    throw error;
  }
}
