// The rules of the house as functions from source files to what is wrong with them: who may import whom, and
// what may be touched where.

import { codeOf, specifiersOf } from './source-text.ts';

export interface SourceFile {
  /** Below `src/`, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** What each room imports; it may also import whatever those do. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  budget: ['base'],
  ledger: ['base'],
  plan: ['base'],
  sim: ['base'],
  worker: ['budget', 'ledger', 'plan'],
  live: ['worker'],
  stores: ['ledger'],
  scenario: ['sim'],
  world: ['worker', 'scenario'],
  study: ['world'],
  usage: ['study'],
  report: ['usage'],
  testing: ['ledger', 'worker', 'scenario'],
  cli: ['report', 'stores', 'live'],
  'index.ts': ['core.ts', 'worker', 'stores', 'live'],
  'core.ts': ['report'],
};

export function wrongImports(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const room = roomOf(path);
    if (!Object.hasOwn(ARROWS, room)) return [`${path} is in no room`];
    const allowed = leftOf(room);
    return specifiersOf(text)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => resolve(path, specifier))
      .filter((target) => !allowed.has(roomOf(target)))
      .map((target) => `${path} imports ${target}`);
  });
}

/** The room itself and everything to its left. */
function leftOf(room: string): ReadonlySet<string> {
  const found = new Set([room]);
  for (const one of found) for (const left of ARROWS[one] ?? []) found.add(left);
  return found;
}

function roomOf(path: string): string {
  return path.split('/')[0]!;
}

function resolve(from: string, specifier: string): string {
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}

const NODE_ROOMS = ['stores', 'live', 'cli'];

export function nodeOutsideItsRooms(files: readonly SourceFile[]): readonly string[] {
  return files
    .filter(({ path }) => !NODE_ROOMS.includes(roomOf(path)))
    .flatMap(({ path, text }) =>
      specifiersOf(text)
        .filter((specifier) => /^(node:|better-sqlite3\b|pg\b)/.test(specifier))
        .map((specifier) => `${path} imports ${specifier}`),
    );
}

/** A user's test runner is the user's: `testing` is handed it. */
export function testToolsOutsideTheirRooms(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) =>
    specifiersOf(text)
      .filter((specifier) => /^(vitest|@vitest|@jest|jest|fast-check)(\/|$)/.test(specifier))
      .filter((specifier) => specifier !== 'fast-check' || roomOf(path) !== 'testing')
      .map((specifier) => `${path} imports ${specifier}`),
  );
}

const CLOCK_ROOMS = ['live', 'cli'];
const CLOCKS = /\bDate\b|\bperformance\b|\b(?:set|clear)(?:Timeout|Interval|Immediate)\b|\bMath\.random\b/g;

export function clocksOutsideTheirRooms(files: readonly SourceFile[]): readonly string[] {
  return touching(
    files.filter(({ path }) => !CLOCK_ROOMS.includes(roomOf(path))),
    CLOCKS,
  );
}

/** Differs between Node majors. */
export function powers(files: readonly SourceFile[]): readonly string[] {
  return touching(files, /\bMath\.pow\b|\*\*=?/g);
}

function touching(files: readonly SourceFile[], what: RegExp): readonly string[] {
  return files.flatMap(({ path, text }) =>
    [...codeOf(text).matchAll(what)].map((match) => `${path} touches ${match[0]}`),
  );
}

export function badNames(files: readonly SourceFile[]): readonly string[] {
  const isBad = (part: string) =>
    /^(utils?|helpers?|common|misc)$/.test(part) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(part);
  return files
    .filter(({ path }) => path.replace(/\.ts$/, '').split('/').some(isBad))
    .map(({ path }) => `${path} is a bad name`);
}

/** Builders of effects and parts of processes do nothing at all unless they are yielded. */
export function stepsNotYielded(files: readonly SourceFile[]): readonly string[] {
  const worker = files.filter(({ path }) => roomOf(path) === 'worker');
  const steps = new Set(worker.flatMap(({ path, text }) => stepsIn(path, codeOf(text))));
  return worker.flatMap(({ path, text }) => {
    const code = codeOf(text);
    const known = new Set([...stepsIn(path, code), ...importedNames(code)].filter((name) => steps.has(name)));
    return [...code.matchAll(/\b(\w+)(?:<[\w\s,]*>)?\(/g)]
      .filter(({ 1: name, index }) => {
        const before = code.slice(0, index);
        return known.has(name!) && !/(\byield\*|\bfunction\*|\.)\s*$/.test(before);
      })
      .map(({ 1: name }) => `${path} calls ${name} without yield*`);
  });
}

function stepsIn(path: string, code: string): readonly string[] {
  const builders = path === 'worker/ask.ts' ? code.matchAll(/\bexport const (\w+) =/g) : [];
  const parts = code.matchAll(/\bfunction\* (\w+)(?:<[\w\s,]*>)?\([^)]*\): Step</g);
  return [...builders, ...parts].map((match) => match[1]!).filter((name) => name !== 'ask');
}

function importedNames(code: string): readonly string[] {
  return [...code.matchAll(/\bimport\b([^;]*?)\bfrom\b/g)].flatMap((match) => match[1]!.match(/\w+/g) ?? []);
}
