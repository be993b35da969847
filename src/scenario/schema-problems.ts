// What the schema found wrong, in the words of the file: where it stands, what was expected, what was there
// instead. And what is left of the data without it, so that one mistake does not hide the next.

import type { z } from 'zod';
import type { Problem } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import type { SchemaProblem } from './quantity-schema.ts';
import { remainderSchema, type ScenarioRemainder, scenarioSchema } from './scenario-schema.ts';
import { type Data, isMap, overlaps, type Path, type SourceTree, valueAt } from './source-tree.ts';

export interface StructureAnswer {
  /** Everything that could be understood. A list keeps its length: what was wrong in it is undefined. */
  readonly spec: ScenarioRemainder;
  readonly problems: readonly Problem[];
  /** Was this value, a part of it or the whole around it found wrong? */
  readonly isBroken: (path: Path) => boolean;
}

type Issue = z.core.$ZodIssue;

export function readStructure(tree: SourceTree): StructureAnswer | { readonly problems: readonly Problem[] } {
  const strict = scenarioSchema.safeParse(tree.data);
  if (strict.success) return { spec: strict.data, problems: [], isBroken: () => false };
  const { issues } = strict.error;
  const problems = issues.flatMap((issue) => describe(issue, tree));
  const spec = remainder(tree.data, issues);
  if (spec === undefined) return { problems };
  const broken = issues.flatMap(wrongPaths);
  return { spec, problems, isBroken: (path) => broken.some((wrong) => overlaps(wrong, path)) };
}

/** Takes out what is wrong until the rest can be read. */
function remainder(original: Data, found: readonly Issue[]): ScenarioRemainder | undefined {
  const data = structuredClone(original);
  let issues = found;
  while (issues.flatMap(wrongPaths).filter((path) => remove(data, path)).length > 0) {
    const result = remainderSchema.safeParse(data);
    if (result.success) return result.data;
    issues = result.error.issues;
  }
  return undefined;
}

/** Removes a value; where it is already missing, the whole that cannot be read without it. Was there one? */
function remove(data: Data, path: Path): boolean {
  const key = path.at(-1);
  if (key === undefined) return false;
  const around = path.slice(0, -1);
  const container = valueAt(data, around) as Record<string | number, unknown> | undefined;
  const holds = typeof container === 'object' && container !== null && Object.hasOwn(container, key);
  if (!holds || container[key] === undefined) return remove(data, around);
  if (Array.isArray(container)) container[Number(key)] = undefined;
  else delete container[key];
  return true;
}

function wrongPaths(issue: Issue): Path[] {
  const path = pathOf(issue);
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
}

function pathOf(issue: Issue): Path {
  return issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
}

function describe(issue: Issue, tree: SourceTree): Problem[] {
  const path = pathOf(issue);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownKey(key, path, issue.message.split(' '), tree));
  }
  const value = tree.at(path);
  const own = issue.code === 'custom' ? (issue.params?.problem as SchemaProblem | undefined) : undefined;
  if (value === undefined) return [missing(path, own?.expected ?? issue.message, tree)];
  const place = tree.place(path);
  const got = showData(value);
  if (own?.code === 'unknown-key') return [{ ...own, place: tree.keyPlace(path) }];
  if (own !== undefined) return [{ ...own, message: named(path, tree, own.message), place, got }];
  const expected = issue.message;
  if (issue.code === 'invalid_value' && typeof value === 'string') {
    // One letter is close to everything short: "m" would be told to be "ms".
    const meant = value.length > 1 ? nearest(value, issue.values.map(String)) : undefined;
    const message = named(path, tree, 'there is no such choice');
    return [
      {
        code: 'unknown-word',
        message,
        place,
        expected,
        got,
        ...(meant === undefined ? {} : { nearest: meant }),
      },
    ];
  }
  return [
    {
      code: 'wrong-type',
      message: named(path, tree, 'this is the wrong kind of value'),
      place,
      expected,
      got,
    },
  ];
}

function unknownKey(key: string, around: Path, known: readonly string[], tree: SourceTree): Problem {
  const meant = nearest(key, known);
  const where = around.length === 0 ? 'a scenario' : nameOf(around, tree);
  return {
    code: 'unknown-key',
    message: `${where} has no key "${key}"`,
    place: tree.keyPlace([...around, key]),
    expected: known.join(', '),
    ...(meant === undefined ? {} : { nearest: meant }),
  };
}

function missing(path: Path, expected: string, tree: SourceTree): Problem {
  const around = path.slice(0, -1);
  const where = around.length === 0 ? 'the scenario' : nameOf(around, tree);
  return {
    code: 'missing-key',
    message: `${where} lacks the key "${path.at(-1) ?? ''}"`,
    place: tree.place(around),
    expected,
  };
}

/** A message about a value, which begins with its name, unless the flag that set it already says it. */
export function named(path: Path, tree: SourceTree, message: string): string {
  const name = nameOf(path, tree);
  const flag = tree.place(path).flag;
  return flag?.endsWith(` ${name}`) || flag === `--${name}` ? message : `${name}: ${message}`;
}

/** `jobs.summarize.input.p50`: as flags and `compare` would call it. */
function nameOf(path: Path, tree: SourceTree): string {
  if (path.length === 0) return 'the scenario';
  const named = path.map((key, depth) => {
    if (typeof key !== 'number') return key;
    const item = tree.at(path.slice(0, depth + 1));
    const name = isMap(item) ? (item.class ?? item.name) : undefined;
    return typeof name === 'string' ? name : String(key);
  });
  return named.join('.');
}

function showData(data: Data): string {
  if (data === null) return 'nothing';
  if (Array.isArray(data)) return 'a list';
  if (typeof data === 'object') return 'a map';
  return typeof data === 'string' ? JSON.stringify(data) : String(data);
}
