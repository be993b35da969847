// A scenario's raw data together with where each part of it was written: a line of the file, a flag of the
// command line, or an entry of `compare`. Everything that is wrong with a value can then say where it stands.

import type { Place } from '../base/errors.ts';

/** Where a value stands in the data: keys of maps and positions in lists. */
export type Path = readonly (string | number)[];

/** YAML without its types: every number stays as it was written, so that `1e3` may still be a seed. */
export type Data = string | boolean | null | Data[] | DataMap;
export type DataMap = { [key: string]: Data };

/** Where the file has this key or value; undefined where it has not. */
export type Locate = (path: Path, face: 'key' | 'value') => Place | undefined;

interface Setting {
  readonly path: Path;
  readonly place: Place;
}

/** Immutable: setting a value makes another tree. */
export class SourceTree {
  readonly data: Data;
  readonly #locate: Locate;
  readonly #settings: readonly Setting[];

  constructor(data: Data, locate: Locate, settings: readonly Setting[] = []) {
    this.data = data;
    this.#locate = locate;
    this.#settings = settings;
  }

  /**
   * The same tree with one value replaced or added; maps that are missing on the way there are made.
   *
   * @returns the path at which the way ends in something that is neither a map nor a list, where it does
   */
  with(path: Path, value: Data, place: Place): SourceTree | { readonly blockedAt: Path } {
    const data = structuredClone(this.data);
    let at: Data = data;
    for (const [depth, key] of path.slice(0, -1).entries()) {
      if (!isContainer(at)) return { blockedAt: path.slice(0, depth) };
      let next = child(at, key);
      if (next === undefined || next === null) {
        next = {};
        put(at, key, next);
      }
      at = next;
    }
    if (!isContainer(at)) return { blockedAt: path.slice(0, -1) };
    put(at, path.at(-1)!, value);
    return new SourceTree(data, this.#locate, [...this.#settings, { path, place }]);
  }

  at(path: Path): Data | undefined {
    return valueAt(this.data, path);
  }

  /** Where the value was written; where it is missing, the nearest map or list around it. */
  place(path: Path): Place {
    return this.#find(path, 'value');
  }

  /** Where the key of the value was written. */
  keyPlace(path: Path): Place {
    return this.#find(path, 'key');
  }

  /** Was this very value, or a part of it, or a whole that it is a part of, set over the file's? */
  isSet(path: Path): boolean {
    return this.#settings.some((setting) => overlaps(setting.path, path));
  }

  #find(path: Path, face: 'key' | 'value'): Place {
    const around = this.#settings.findLast((setting) => startsWith(path, setting.path));
    const written = around?.place ?? this.#locate(path, face);
    if (written !== undefined) return written;
    // A map that only exists because something inside it was set.
    const inside = this.#settings.findLast((setting) => startsWith(setting.path, path));
    if (inside !== undefined) return inside.place;
    return path.length === 0 ? {} : this.#find(path.slice(0, -1), 'value');
  }
}

export function valueAt(data: Data | undefined, path: Path): Data | undefined {
  let at = data;
  for (const key of path) {
    if (at === undefined || !isContainer(at)) return undefined;
    at = child(at, key);
  }
  return at;
}

export function isMap(data: Data | undefined): data is DataMap {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

/** Is one of the two the other, or a part of it? */
export function overlaps(one: Path, other: Path): boolean {
  return startsWith(one, other) || startsWith(other, one);
}

function startsWith(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((key, depth) => key === path[depth]);
}

function isContainer(data: Data): data is Data[] | DataMap {
  return typeof data === 'object' && data !== null;
}

function child(container: Data[] | DataMap, key: string | number): Data | undefined {
  if (Array.isArray(container)) return typeof key === 'number' ? container[key] : undefined;
  return Object.hasOwn(container, key) ? container[key] : undefined;
}

function put(container: Data[] | DataMap, key: string | number, value: Data): void {
  if (Array.isArray(container)) container[Number(key)] = value;
  else container[key] = value;
}
