// A scenario file, read: YAML, overrides, structure, meaning, variants. All that is wrong is found before
// anything is said, so that a file is mended in one go.

import { InputError, type Problem } from '../base/errors.ts';
import { ColumnFiles, type ScenarioIo } from './column-files.ts';
import { compileScenario } from './compile-scenario.ts';
import { Findings } from './findings.ts';
import { applyOverrides, type Override, type OverrideAnswer, setByKey } from './override.ts';
import { readYaml } from './read-yaml.ts';
import type { Scenario } from './scenario.ts';
import type { ScenarioRemainder } from './scenario-schema.ts';
import { readStructure } from './schema-problems.ts';
import { type Data, type Path, SourceTree } from './source-tree.ts';
import { type Stated, statedIn } from './stated.ts';

export interface ScenarioSource {
  /** As messages name it: usually the path of the file. */
  readonly name: string;
  /** YAML. */
  readonly text: string;
}

export interface ReadOptions {
  /** Laid over the file in order, before it is read. */
  readonly overrides?: readonly Override[];
}

export interface LocatedScenario {
  readonly scenario: Scenario;
  readonly stated: Stated;
  /** What was made of the scenario or its files that nobody may have meant; each once. */
  readonly warnings: readonly Problem[];
  /** The file's values with every override, each with its place. */
  readonly tree: SourceTree;
}

/** What a variant may not set: it is the same scenario, played beside itself once. */
const FIXED_IN_VARIANTS = ['compare', 'name', 'gate'];

/**
 * Reads a scenario and its variants, every default filled in.
 *
 * @param io hands in the files that it names
 * @throws InputError with every problem found, each with its place
 */
export function readScenario(source: ScenarioSource, io: ScenarioIo, options: ReadOptions = {}): Scenario {
  return readLocatedScenario(source, io, options).scenario;
}

/** As `readScenario`, with what is needed to speak about the scenario: where its values stand, and more. */
export function readLocatedScenario(
  source: ScenarioSource,
  io: ScenarioIo,
  options: ReadOptions = {},
): LocatedScenario {
  const yaml = readYaml(source.name, source.text);
  if (yaml.tree === undefined) {
    throw new InputError(yaml.problems.length > 0 ? yaml.problems : emptyFile(source.name));
  }
  const reader = new Reader(source.name, io);
  const overridden = applyOverrides(yaml.tree, options.overrides ?? []);
  const base = reader.read(overridden.tree);
  const variants = reader.readVariants(overridden.tree, base);
  const { scenario, spec } = base;
  // Where YAML itself was wrong there now is nothing; that this is no value either need not be said.
  const said = new Set(yaml.problems.map(({ place }) => JSON.stringify(place)));
  const later = [...base.problems, ...variants.problems].filter(
    ({ place }) => !said.has(JSON.stringify(place)),
  );
  const all = [...yaml.problems, ...overridden.problems, ...later];
  if (all.length > 0 || scenario === undefined || spec === undefined) {
    throw new InputError(inOrder(all, source.name));
  }
  return {
    scenario: { ...scenario, compare: variants.scenarios },
    stated: statedIn(spec),
    warnings: distinct([...base.warnings, ...variants.warnings]),
    tree: overridden.tree,
  };
}

interface Reading {
  readonly scenario: Scenario | undefined;
  readonly spec: ScenarioRemainder | undefined;
  readonly isBroken: (path: Path) => boolean;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

interface Variants {
  readonly scenarios: Scenario['compare'];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

class Reader {
  readonly #defaultName: string;
  /** Shared by all variants, so that each file is read once. */
  readonly #columns: ColumnFiles;

  constructor(file: string, io: ScenarioIo) {
    this.#defaultName = /([^/\\]+?)(\.ya?ml)?$/i.exec(file)?.[1] ?? 'scenario';
    this.#columns = new ColumnFiles(io, file);
  }

  read(tree: SourceTree): Reading {
    const structure = readStructure(tree);
    if (!('spec' in structure)) {
      const { problems } = structure;
      return { scenario: undefined, spec: undefined, isBroken: () => true, problems, warnings: [] };
    }
    const { spec, isBroken } = structure;
    const findings = new Findings(tree, isBroken);
    const scenario = compileScenario(spec, this.#defaultName, findings, this.#columns);
    const problems = [...structure.problems, ...findings.problems];
    const { warnings } = findings;
    return { scenario: problems.length === 0 ? scenario : undefined, spec, isBroken, problems, warnings };
  }

  /** @param base what is wrong with it, and so with all variants, is not said again */
  readVariants(tree: SourceTree, base: Reading): Variants {
    const scenarios: { name: string; scenario: Scenario }[] = [];
    const problems: Problem[] = [];
    const warnings: Problem[] = [];
    const said = new Set(base.problems.map((problem) => JSON.stringify(problem)));
    const compare = base.spec?.compare ?? [];
    for (const [position, variant] of compare.entries()) {
      if (variant === undefined) continue;
      const { name } = variant;
      if (compare.findIndex((other) => other?.name === name) < position) {
        const place = tree.place(['compare', position, 'name']);
        problems.push({
          code: 'duplicate-name',
          message: 'there already is a variant of this name',
          place,
          got: name,
        });
      }
      const settled = settle(tree, position, Object.entries(variant.set), base.isBroken);
      const { scenario, problems: own, warnings: ownWarnings } = this.read(settled.tree);
      warnings.push(...ownWarnings);
      const fresh = [...settled.problems, ...own].filter((problem) => !said.has(JSON.stringify(problem)));
      problems.push(
        ...fresh.map((problem) => ({ ...problem, message: `variant ${name}: ${problem.message}` })),
      );
      if (scenario !== undefined) scenarios.push({ name, scenario });
    }
    return { scenarios, problems, warnings };
  }
}

/** The tree with a variant's settings laid over it; each is located at its key in the variant. */
function settle(
  base: SourceTree,
  position: number,
  settings: readonly [string, unknown][],
  isBroken: (path: Path) => boolean,
): OverrideAnswer {
  const problems: Problem[] = [];
  let tree = base;
  for (const [key, value] of settings) {
    const place = base.keyPlace(['compare', position, 'set', key]);
    const section = key.split('.', 1)[0]!;
    if (FIXED_IN_VARIANTS.includes(section)) {
      problems.push({ code: 'unknown-key', message: `a variant cannot set "${key}"`, place });
      continue;
    }
    const answer = setByKey(tree, key, value as Data, place);
    if (answer instanceof SourceTree) tree = answer;
    // In a section that is wrong itself there may be nothing to find.
    else if (!isBroken([section])) problems.push(answer);
  }
  return { tree, problems };
}

function distinct(warnings: readonly Problem[]): readonly Problem[] {
  return [...new Map(warnings.map((warning) => [JSON.stringify(warning), warning])).values()];
}

/** As they stand in the file; what stands elsewhere comes after. */
function inOrder(problems: readonly Problem[], file: string): Problem[] {
  const position = ({ place }: Problem): number =>
    place?.file === file ? (place.line ?? 0) * 1e6 + (place.column ?? 0) : Number.POSITIVE_INFINITY;
  return problems.toSorted((one, other) => {
    const [first, second] = [position(one), position(other)];
    return first === second ? 0 : first - second;
  });
}

function emptyFile(file: string): Problem {
  return {
    code: 'empty-file',
    message: 'this file holds no scenario',
    place: { file, line: 1, column: 1 },
    expected: 'at least window, jobs and provider',
  };
}
