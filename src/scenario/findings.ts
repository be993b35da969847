// What is found wrong while a scenario is put together: each problem with its place, and nothing said about
// values that were already found wrong, or that only look wrong because a broken one fell back to a default.

import { InputError, type Problem } from '../base/errors.ts';
import { named } from './schema-problems.ts';
import type { Path, SourceTree } from './source-tree.ts';

type Finding = Omit<Problem, 'place'>;

export class Findings {
  readonly tree: SourceTree;
  readonly problems: Problem[] = [];
  /** What can be played as it is, but may not be what was meant. */
  readonly warnings: Problem[] = [];
  readonly #isBroken: (path: Path) => boolean;

  constructor(tree: SourceTree, isBroken: (path: Path) => boolean) {
    this.tree = tree;
    this.#isBroken = isBroken;
  }

  /** Reports at the value's place; the message begins with its name. */
  report(path: Path, finding: Finding): void {
    const message = named(path, this.tree, finding.message);
    this.problems.push({ ...finding, message, place: this.tree.place(path) });
  }

  /** Warns at the value's place; the message begins with its name. */
  warn(path: Path, finding: Finding): void {
    const message = named(path, this.tree, finding.message);
    this.warnings.push({ ...finding, message, place: this.tree.place(path) });
  }

  /**
   * Reports a contradiction between values, unless one of them is broken. It stands at the first one that
   * was set over the file's, else at the first that is written down at all.
   */
  contradiction(paths: readonly [Path, ...Path[]], finding: Omit<Finding, 'code'>): void {
    if (paths.some(this.#isBroken)) return;
    const written = paths.filter((path) => this.tree.at(path) !== undefined);
    const path = written.find((one) => this.tree.isSet(one)) ?? written[0] ?? paths[0];
    this.problems.push({
      code: 'contradiction',
      ...finding,
      message: named(paths[0], this.tree, finding.message),
      place: this.tree.place(path),
    });
  }

  isBroken(path: Path): boolean {
    return this.#isBroken(path);
  }

  /** What `make` answers; where it refuses bad input, its problems are reported at the value's place. */
  locate<Value>(path: Path, make: () => Value): Value | undefined {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      for (const problem of error.problems) this.report(path, problem);
      return undefined;
    }
  }
}
