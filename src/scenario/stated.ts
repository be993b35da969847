// What a scenario states beside what is played: facts that only a linter judges, the findings that somebody
// has accepted, and the limits that it is held to. Nothing in a night depends on them.

import type { GateLimit } from './gate-schema.ts';
import type { LintRule } from './lint-rules.ts';
import type { ScenarioRemainder } from './scenario-schema.ts';

export interface Stated {
  /** The scheduler already hands each job a deadline of its own. */
  readonly deadlinePerJob: boolean;
  /** Teams that draw on the pool, from 1. */
  readonly teams: number;
  /** The most input or output tokens that one call may have; undefined where nothing is said. */
  readonly contextTokens: number | undefined;
  readonly ledger: { readonly file: string | undefined; readonly disk: 'persistent' | 'ephemeral' };
  /** As listed. */
  readonly classes: readonly StatedOfClass[];
  readonly lint: {
    /** Replications that p99s come from, from 1. */
    readonly replications: number;
    readonly ignore: readonly Accepted[];
  };
  /** As listed. */
  readonly gate: readonly GateLimit[];
}

export interface StatedOfClass {
  /** May a job be done twice without harm? */
  readonly idempotent: boolean;
  /** Observations behind its quantiles, from 1. */
  readonly samples: number | undefined;
  /** How soon somebody waits for the answer. */
  readonly answerWithinMs: number | undefined;
  readonly mustFinishTonight: boolean;
}

/** A rule whose findings are known, with the reason why they are accepted. */
interface Accepted {
  readonly rule: LintRule;
  readonly because: string;
}

/** @param spec of a scenario in which nothing is wrong, so that none of its parts is missing */
export function statedIn({
  window,
  pool,
  provider,
  ledger,
  jobs = [],
  lint,
  gate,
}: ScenarioRemainder): Stated {
  return {
    deadlinePerJob: window?.deadlinePerJob ?? false,
    teams: pool?.teams ?? 1,
    contextTokens: provider?.context,
    ledger: { file: ledger.file, disk: ledger.disk },
    classes: jobs.flatMap((job) =>
      job === undefined
        ? []
        : {
            idempotent: job.idempotent,
            samples: job.samples,
            answerWithinMs: job.answerWithin,
            mustFinishTonight: job.mustFinishTonight,
          },
    ),
    lint,
    gate: gate.filter((limit) => limit !== undefined),
  };
}
