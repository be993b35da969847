// Settings laid over a scenario file before it is read: flags such as `--set budget.reserve=60s`, and the
// `set` of a variant. Keys are dotted, and items of lists go by their names.

import { InputError, type Place, type Problem } from '../base/errors.ts';
import { unknownWord } from './quantity-schema.ts';
import { readYamlValue } from './read-yaml.ts';
import { type Data, isMap, type Path, SourceTree } from './source-tree.ts';

/** One value to be laid over the file's. */
export interface Override {
  /** Dotted, classes by name: `budget.reserve`, `jobs.summarize.count`. */
  readonly key: string;
  /** YAML: a scalar, or a list or map in brackets. Quote it (`JSON.stringify`) to take it as a text. */
  readonly value: string;
  /** As messages name it: `--set budget.reserve`. */
  readonly flag: string;
}

/** Maps whose keys may contain dots: what comes after is one key. */
const DOTTED_KEYS = ['quantiles', 'set'];

/**
 * Reads what stands behind `--set`: `budget.reserve=60s`.
 *
 * @throws InputError where there is no `=`, or nothing before it
 */
export function parseOverride(written: string): Override {
  const equals = written.indexOf('=');
  if (equals > 0) {
    const key = written.slice(0, equals).trim();
    return { key, value: written.slice(equals + 1), flag: `--set ${key}` };
  }
  throw new InputError({
    code: 'bad-override',
    message: 'this sets nothing',
    place: { flag: '--set' },
    expected: 'key=value, such as budget.reserve=60s',
    got: JSON.stringify(written),
  });
}

export interface OverrideAnswer {
  readonly tree: SourceTree;
  readonly problems: readonly Problem[];
}

/** Lays flags over the tree, the later over the earlier. What cannot be laid is reported and left out. */
export function applyOverrides(tree: SourceTree, overrides: readonly Override[]): OverrideAnswer {
  const problems: Problem[] = [];
  let current = tree;
  for (const { key, value, flag } of overrides) {
    const place = { flag };
    const read = readYamlValue(value, place);
    if ('problems' in read) problems.push(...read.problems);
    else {
      const answer = setByKey(current, key, read.data, place);
      if (answer instanceof SourceTree) current = answer;
      else problems.push(answer);
    }
  }
  return { tree: current, problems };
}

/** The tree with the value at a dotted key, or why there is no such place. */
export function setByKey(tree: SourceTree, key: string, value: Data, place: Place): SourceTree | Problem {
  const path = resolveKey(tree, key);
  if ('message' in path) return { ...path, place };
  const answer = tree.with(path, value, place);
  if (answer instanceof SourceTree) return answer;
  const blocked = answer.blockedAt.join('.');
  return {
    code: 'unknown-key',
    message: `"${blocked}" is a single value here, so that there is no "${key}"`,
    place,
  };
}

function resolveKey(tree: SourceTree, key: string): Path | Omit<Problem, 'place'> {
  const path: (string | number)[] = [];
  let rest = key;
  while (rest !== '') {
    const around = tree.at(path);
    if (Array.isArray(around)) {
      const item = resolveItem(around, rest);
      if (item === undefined) return noSuchItem(around, rest, path.join('.'));
      path.push(item.position);
      rest = item.rest;
    } else {
      const dot = DOTTED_KEYS.includes(String(path.at(-1))) ? -1 : rest.indexOf('.');
      const step = dot < 0 ? rest : rest.slice(0, dot);
      if (step === '' || step === '__proto__' || dot === rest.length - 1) break;
      path.push(step);
      rest = dot < 0 ? '' : rest.slice(dot + 1);
    }
  }
  if (rest === '' && path.length > 0) return path;
  return {
    code: 'unknown-key',
    message: `"${key}" is no key`,
    expected: 'a dotted key, such as budget.reserve',
  };
}

/** An item by its name, which may itself contain dots, or by its position from 0. */
function resolveItem(list: readonly Data[], rest: string): { position: number; rest: string } | undefined {
  const names = [...itemNames(list), ...list.keys()].map(String);
  // The longest first: "a.b" before "a".
  const known = names.sort((one, other) => other.length - one.length);
  const word = known.find((name) => rest === name || rest.startsWith(`${name}.`));
  if (word === undefined) return undefined;
  const named = list.findIndex((item) => itemName(item) === word);
  return { position: named >= 0 ? named : Number(word), rest: rest.slice(word.length + 1) };
}

function noSuchItem(list: readonly Data[], rest: string, where: string): Omit<Problem, 'place'> {
  const word = rest.split('.', 1)[0]!;
  const names = itemNames(list);
  const message = `${where} has nothing called "${word}"`;
  return names.length > 0
    ? unknownWord('unknown-name', message, word, names)
    : { code: 'unknown-name', message };
}

function itemNames(list: readonly Data[]): string[] {
  return list.map(itemName).filter((name) => name !== undefined);
}

function itemName(item: Data): string | undefined {
  const name = isMap(item) ? (item.class ?? item.name) : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}
