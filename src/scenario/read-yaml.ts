// YAML to a source tree. Numbers keep the text they were written in, keys are strings, and what YAML itself
// finds wrong is told in the words of somebody who writes scenarios.

import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from 'yaml';
import type { Place, Problem } from '../base/errors.ts';
import { type Data, type DataMap, type Path, SourceTree } from './source-tree.ts';

export interface YamlAnswer {
  /** Undefined where the text is too broken to look into. */
  readonly tree: SourceTree | undefined;
  readonly problems: readonly Problem[];
}

/** Anchors may repeat parts of a file, but not make a small file a huge one. */
const MOST_NODES = 100_000;

/** @param file as messages name it */
export function readYaml(file: string, text: string): YamlAnswer {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const problems = yamlProblems(document, text, placeAt);
  const readable = document.errors.every((error) => error.code === 'DUPLICATE_KEY');
  if (!readable || document.contents === null) return { tree: undefined, problems };
  const conversion = new Conversion(document, placeAt);
  const data = conversion.convert(document.contents, []);
  const locate = (path: Path, face: 'key' | 'value'): Place | undefined => {
    const offset = offsetOf(document, path, face);
    return offset === undefined ? undefined : placeAt(offset);
  };
  return { tree: new SourceTree(data, locate), problems: [...problems, ...conversion.problems] };
}

/** A value on its own, as on a command line: a scalar, or a list or map in brackets. */
export function readYamlValue(text: string, place: Place): { data: Data } | { problems: readonly Problem[] } {
  const document = parseDocument(text, { prettyErrors: false });
  const conversion = new Conversion(document, () => place);
  const data = document.contents === null ? null : conversion.convert(document.contents, []);
  const problems = [...yamlProblems(document, text, () => place), ...conversion.problems];
  return problems.length === 0 ? { data } : { problems };
}

function yamlProblems(document: Document, text: string, placeAt: (offset: number) => Place): Problem[] {
  const problems = [...document.errors, ...document.warnings].map((error) => {
    // Of a block scalar the parser names what comes after its sign.
    const offset = error.pos[0] - (error.message.startsWith('Block scalar header') ? 1 : 0);
    return { ...explain(error.code, error.message, text.slice(offset)), place: placeAt(offset) };
  });
  // One slip makes the parser stumble several times over the same line.
  const seen = new Set<number | undefined>();
  return problems.filter(({ place }) => {
    const first = !seen.has(place.line);
    seen.add(place.line);
    return first;
  });
}

function explain(
  code: string,
  message: string,
  rest: string,
): Pick<Problem, 'code' | 'message' | 'expected'> {
  const line = rest.split('\n', 1)[0]!.trimEnd();
  if (code === 'DUPLICATE_KEY') {
    const key = /^(?:"([^"]*)"|'([^']*)'|([^:]*?))\s*:/.exec(line);
    return {
      code: 'duplicate-key',
      message: `the key "${key?.[1] ?? key?.[2] ?? key?.[3] ?? line}" is already there`,
    };
  }
  const comparison = /^([<>|]=?\s*[^,}\]#]*)/.exec(line)?.[1]?.trimEnd();
  if (comparison !== undefined && message.includes('lock scalar')) {
    return {
      code: 'yaml',
      message: `a value that starts with "${comparison[0]}" must stand in quotes`,
      expected: `"${comparison}"`,
    };
  }
  if (code === 'MULTIPLE_DOCS')
    return { code: 'yaml', message: 'one file holds one scenario: "---" starts another' };
  if (code === 'TAB_AS_INDENT') return { code: 'yaml', message: 'indent with spaces, not with tabs' };
  if (code === 'BLOCK_AS_IMPLICIT_KEY') {
    return {
      code: 'yaml',
      message: 'two keys on one line: put maps on one line in braces, values with ": " in quotes',
    };
  }
  return { code: 'yaml', message: `this is no YAML: ${message}` };
}

/** From the parser's nodes to plain data. */
class Conversion {
  readonly problems: Problem[] = [];
  readonly #document: Document;
  readonly #placeAt: (offset: number) => Place;
  readonly #open = new Set<unknown>();
  #nodes = 0;

  constructor(document: Document, placeAt: (offset: number) => Place) {
    this.#document = document;
    this.#placeAt = placeAt;
  }

  convert(node: unknown, path: Path): Data {
    this.#nodes += 1;
    if (isAlias(node)) return this.#alias(node, path);
    if (isScalar(node)) return scalar(node);
    if (isSeq(node)) return node.items.map((item, position) => this.convert(item, [...path, position]));
    if (isMap(node)) return this.#map(node.items, path);
    return null;
  }

  #alias(
    node: { source: string; resolve: (document: Document) => Node | undefined; range?: unknown },
    path: Path,
  ): Data {
    const target = node.resolve(this.#document);
    if (target === undefined) return this.#refuse(node, 'alias', `nothing is anchored as "&${node.source}"`);
    if (this.#open.has(target)) return this.#refuse(node, 'alias', `"*${node.source}" contains itself`);
    if (this.#nodes > MOST_NODES) return this.#refuse(node, 'alias', 'aliases make this file too large');
    this.#open.add(target);
    const data = this.convert(target, path);
    this.#open.delete(target);
    return data;
  }

  #map(pairs: readonly unknown[], path: Path): Data {
    const map: DataMap = {};
    for (const pair of pairs) {
      if (!isPair(pair)) continue;
      const key = isAlias(pair.key) ? pair.key.resolve(this.#document) : pair.key;
      if (!isScalar(key)) this.#refuse(pair.key, 'wrong-type', 'a key is a word, not a list or a map');
      // The one name that plain objects would not keep as a key of their own.
      else if (key.value === '__proto__') this.#refuse(key, 'unknown-key', 'there is no key "__proto__"');
      else map[keyText(key)] = this.convert(pair.value, [...path, keyText(key)]);
    }
    return map;
  }

  #refuse(node: unknown, code: string, message: string): null {
    this.problems.push({ code, message, place: this.#placeAt(startOf(node) ?? 0) });
    return null;
  }
}

function scalar(node: { value: unknown; source?: string }): Data {
  const { value } = node;
  if (typeof value === 'number' || typeof value === 'bigint') return node.source ?? String(value);
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}

function keyText(key: { value: unknown; source?: string }): string {
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

/** Where in the text a key or value starts; an empty value has only its key. */
function offsetOf(document: Document, path: Path, face: 'key' | 'value'): number | undefined {
  let node: unknown = document.contents;
  let start = startOf(node);
  for (const [depth, step] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document);
    const isLast = depth === path.length - 1;
    if (isSeq(node) && typeof step === 'number') {
      node = node.items[step];
      if (node === undefined) return undefined;
      start = startOf(node);
    } else if (isMap(node)) {
      const pair = node.items.findLast(({ key }) => isScalar(key) && keyText(key) === step);
      if (pair === undefined) return undefined;
      const isEmpty = isScalar(pair.value) && pair.value.value === null && !pair.value.source;
      const hasValue = pair.value !== null && !isEmpty;
      start = startOf(isLast && face === 'key' ? pair.key : hasValue ? pair.value : pair.key);
      node = pair.value;
    } else return undefined;
  }
  return start;
}

function startOf(node: unknown): number | undefined {
  return (node as { range?: readonly number[] | null } | null)?.range?.[0];
}
