// Finds and reads the scenario that somebody named: a file, or one that ships with the package.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join } from 'node:path';
import { type EnvironmentError, InputError, type Problem } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import type { SourceFile } from '../report/report-input.ts';
import type { ScenarioIo } from '../scenario/column-files.ts';
import type { Override } from '../scenario/override.ts';
import { type LocatedScenario, readLocatedScenario, type ScenarioSource } from '../scenario/read-scenario.ts';
import { fileFailure, isSystemError, withFile } from './file-failure.ts';
import { shippedPath } from './package-root.ts';

/**
 * @param written a file (a path with a slash, or ending in .yaml or .yml), else the name of a shipped scenario
 * @throws InputError where there is none, or it is wrong; EnvironmentError where it may not be read
 */
export function loadScenario(written: string, overrides: readonly Override[] = []): LoadedScenario {
  const { path, source } = scenarioText(written);
  const sources = [hashed(source.name, source.text)];
  const beside = ioBeside(path);
  const readText = (name: string): string => {
    const text = beside.readText(name);
    sources.push(hashed(name, text));
    return text;
  };
  return { ...readLocatedScenario(source, { readText }, { overrides }), sources };
}

export interface LoadedScenario extends LocatedScenario {
  /** Every file that it was made from, the scenario first, then those that it names, as it names them. */
  readonly sources: readonly SourceFile[];
}

function hashed(name: string, text: string): SourceFile {
  return { name, sha256: createHash('sha256').update(text, 'utf8').digest('hex') };
}

/** The text of a scenario, and its path. Messages call it what the user called it. */
export function scenarioText(written: string): { readonly path: string; readonly source: ScenarioSource } {
  if (!isFileName(written)) {
    const path = shippedScenario(written);
    return { path, source: { name: `${written}.yaml`, text: readUtf8(path, path) } };
  }
  return { path: written, source: { name: written, text: readUtf8(written, written) } };
}

/** Names of the scenarios that ship, in order. */
export function shippedNames(): readonly string[] {
  const folder = shippedPath('scenarios');
  const files = withFile(folder, 'read', () => readdirSync(folder));
  return files
    .filter((file) => extname(file) === '.yaml')
    .map((file) => basename(file, '.yaml'))
    .sort();
}

/** @throws InputError for a name that does not ship, with the nearest that does */
export function shippedScenario(name: string): string {
  const names = shippedNames();
  if (names.includes(name)) return join(shippedPath('scenarios'), `${name}.yaml`);
  throw new InputError(unknownScenario(name, names));
}

function unknownScenario(name: string, names: readonly string[]): Problem {
  if (name === '') return { code: 'empty-name', message: 'which scenario? Its name is empty' };
  if (name === '-') {
    return { code: 'unknown-scenario', message: 'to read a scenario from a pipe, name /dev/stdin' };
  }
  const meant = nearest(name, names);
  return {
    code: 'unknown-scenario',
    message: `no scenario "${name}" ships with Plimsoll; a file is named with its ending or a slash, as ./${name}`,
    expected: names.join(', '),
    ...(meant === undefined ? {} : { nearest: meant }),
  };
}

function isFileName(written: string): boolean {
  return /[/\\]|\.ya?ml$/i.test(written);
}

/** Files that a scenario names lie beside it. */
function ioBeside(scenarioPath: string): ScenarioIo {
  const folder = dirname(scenarioPath);
  return {
    readText: (path) => decodeUtf8(readFileSync(isAbsolute(path) ? path : join(folder, path))),
  };
}

function readUtf8(path: string, shown: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (isSystemError(error)) throw unreadable(error, shown);
    throw error;
  }
  try {
    return decodeUtf8(bytes);
  } catch {
    throw new InputError({
      code: 'not-text',
      message: 'this is no UTF-8 text, so that it is no scenario',
      place: { file: shown },
    });
  }
}

function unreadable(error: NodeJS.ErrnoException, path: string): InputError | EnvironmentError {
  const place = { file: path };
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR': {
      const meant = nearestFile(path);
      const hint = meant === undefined ? {} : { nearest: meant };
      return new InputError({ code: 'missing-file', message: 'there is no such file', place, ...hint });
    }
    case 'EISDIR': {
      const message = 'this is a folder; name a scenario file in it';
      return new InputError({ code: 'folder', message, place });
    }
    case 'ENAMETOOLONG':
      return new InputError({ code: 'missing-file', message: 'this is too long for a file name', place });
    default:
      return fileFailure(error, 'read', path);
  }
}

/** A scenario in the same folder whose name is almost the one that was typed. */
function nearestFile(path: string): string | undefined {
  const folder = dirname(path);
  try {
    const files = readdirSync(folder).filter((file) => /\.ya?ml$/i.test(file));
    const meant = nearest(basename(path), files);
    return meant === undefined ? undefined : join(folder, meant);
  } catch {
    return undefined;
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
