// What a rule of the linter is: what it looks at, and what it finds.

import type { NightPlan } from '../../plan/night-plan.ts';
import type { PlanInput } from '../../plan/plan-night.ts';
import type { LintRule } from '../../scenario/lint-rules.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { Path } from '../../scenario/source-tree.ts';
import type { Stated } from '../../scenario/stated.ts';

export interface Figure {
  readonly measured: number;
  /** What it should not go beyond, or not stay below, as the rule has it. */
  readonly limit: number;
  readonly unit: 'ms' | 'tokens' | 'ratio' | 'count';
}

export interface LintInput {
  readonly scenario: Scenario;
  readonly stated: Stated;
  readonly planInput: PlanInput;
  readonly plan: NightPlan;
  /** Does the file, or a flag, have this key, or is its value a default? */
  isWritten(path: Path): boolean;
  /** p99 over the replications of what the last checkpoints of a night take, in milliseconds. */
  finalWritesMs(): number;
  /** p99 of how long a job keeps its hold, in milliseconds; undefined where no job was held. */
  jobRuntimeMs(): number | undefined;
}

export interface Found {
  /** The value that the finding is about. */
  readonly path: Path;
  /** Where that is a default: another that it follows from. */
  readonly or?: Path;
  /** With the figures that make it so. */
  readonly message: string;
  /** Undefined for what is either so or not. */
  readonly figure?: Figure;
}

export interface Rule {
  /** Why anybody should care, in a sentence. */
  readonly why: string;
  find(input: LintInput): readonly Found[];
}

/** A group of rules, by their ids. */
export type Rules = Readonly<Partial<Record<LintRule, Rule>>>;
