// Holds a scenario to the rules: what in it will go wrong, or should not be run this way, each finding with
// its place and the figure behind it. What somebody has accepted, and why, is told beside.

import type { Place } from '../../base/errors.ts';
import { planNight } from '../../plan/plan-night.ts';
import { LINT_RULES, type LintRule } from '../../scenario/lint-rules.ts';
import type { LocatedScenario } from '../../scenario/read-scenario.ts';
import { planInput } from '../../world/plan-input.ts';
import { BOOKS_RULES } from './books-rules.ts';
import { finalWritesP99 } from './final-writes.ts';
import { FIT_RULES } from './fit-rules.ts';
import { jobRuntimeP99 } from './job-runtimes.ts';
import { LEASE_RULES } from './lease-rules.ts';
import { PARALLEL_RULES } from './parallel-rules.ts';
import type { Figure, LintInput, Rule } from './rule.ts';
import { TIME_RULES } from './time-rules.ts';
import { TOKEN_RULES } from './token-rules.ts';
import { TRIP_RULES } from './trip-rules.ts';

export interface LintFinding {
  readonly rule: LintRule;
  readonly place: Place;
  readonly message: string;
  readonly why: string;
  /** Null for what is either so or not. */
  readonly figure: Figure | null;
}

export interface LintResult {
  readonly scenario: string;
  /** What p99s come from. */
  readonly replications: number;
  /** As they stand in the file. */
  readonly findings: readonly LintFinding[];
  /** What the scenario accepts, in its order. */
  readonly ignored: readonly {
    readonly rule: LintRule;
    readonly because: string;
    /** None: there is nothing to accept any more. */
    readonly findings: readonly LintFinding[];
  }[];
}

const RULES: Readonly<Record<LintRule, Rule>> = {
  ...TIME_RULES,
  ...FIT_RULES,
  ...LEASE_RULES,
  ...TOKEN_RULES,
  ...PARALLEL_RULES,
  ...TRIP_RULES,
  ...BOOKS_RULES,
};

/** @param played told of each replication that has been played, from 0 */
export function lint(
  { scenario, stated, tree }: LocatedScenario,
  played: (replication: number) => void = () => undefined,
): LintResult {
  const { replications, ignore } = stated.lint;
  const planned = planInput(scenario);
  const input: LintInput = {
    scenario,
    stated,
    planInput: planned,
    plan: planNight(planned),
    isWritten: (path) => tree.at(path) !== undefined,
    finalWritesMs: () => finalWritesP99(scenario, replications),
    jobRuntimeMs: () => jobRuntimeP99(scenario, replications, played),
  };
  const all = LINT_RULES.flatMap((rule) => {
    const { why, find } = RULES[rule];
    return find(input).map(
      ({ path, or, message, figure = null }): LintFinding => ({
        rule,
        place: tree.place(or !== undefined && !input.isWritten(path) ? or : path),
        message,
        why,
        figure,
      }),
    );
  });
  const accepted = new Set(ignore.map(({ rule }) => rule));
  return {
    scenario: scenario.name,
    replications,
    findings: all.filter(({ rule }) => !accepted.has(rule)).toSorted(byPlace),
    ignored: ignore.map(({ rule, because }) => ({
      rule,
      because,
      findings: all.filter((finding) => finding.rule === rule),
    })),
  };
}

/** Top down; what a flag has set comes last. */
function byPlace({ place: one }: LintFinding, { place: other }: LintFinding): number {
  const line = (place: Place) => place.line ?? Number.MAX_SAFE_INTEGER;
  return line(one) - line(other) || (one.column ?? 0) - (other.column ?? 0);
}
