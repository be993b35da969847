// Holds a scenario to its limits: plays it, looks at the planned moments, and goes on until every limit is
// decided or the budget of replications is used up.

import { InputError, type Problem } from '../../base/errors.ts';
import { formatCount } from '../../base/units.ts';
import { planNight } from '../../plan/plan-night.ts';
import type { MetricLimit } from '../../scenario/gate-schema.ts';
import type { LocatedScenario } from '../../scenario/read-scenario.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { SourceTree } from '../../scenario/source-tree.ts';
import { KEY_SCHEME } from '../../world/key-scheme.ts';
import { planInput } from '../../world/plan-input.ts';
import { playByNight } from '../../world/play.ts';
import { plannedLooks } from '../estimates/looks.ts';
import type { Stop } from '../replicate.ts';
import { type LimitResult, type ScenarioCheck, worstVerdict } from './check-result.ts';
import { isFreeOfChance } from './constant-metric.ts';
import { isMet, readPlanLimit } from './plan-limit.ts';
import { canPass, replicationsNeeded } from './replications-needed.ts';
import { WatchedLimit } from './watched-limit.ts';

export interface GateOptions {
  /** One-sided, from ½ and below 1. */
  readonly confidence: number;
  /** Replications at most, from 1. */
  readonly budget: number;
}

/** Where a gate stands, after every night. */
interface GateProgress {
  /** From 0. */
  readonly replication: number;
  readonly night: number;
  /** Replications at the next look. */
  readonly nextLook: number;
  readonly undecided: number;
}

/** A gate in which nothing is wrong, not yet played. */
export interface Gate {
  readonly scenario: Scenario;
  readonly play: () => Generator<GateProgress, ScenarioCheck, Stop>;
}

/**
 * Looks at every limit before anything is played.
 *
 * @throws InputError with all that is wrong with the limits: none at all, a field that the plan has not, one that
 *   so many replications cannot show
 */
export function openGate(located: LocatedScenario, options: GateOptions): Gate {
  const { scenario, stated, tree } = located;
  const problems: Problem[] = [];
  if (stated.gate.length === 0) problems.push(noGate(tree));
  const plan = planNight(planInput(scenario));
  const planned: (LimitResult | undefined)[] = [];
  const watched: (WatchedLimit | undefined)[] = [];
  for (const [position, limit] of stated.gate.entries()) {
    try {
      if (limit.kind === 'plan') {
        const figure = readPlanLimit(limit, position, plan, tree);
        planned[position] = plannedResult(limit.field, figure, tree.place(['gate', position, 'plan']));
      } else {
        checkBudget(limit, scenario, options, tree.place(['gate', position, limit.key]));
        watched[position] = new WatchedLimit(limit, tree.place(['gate', position, limit.key]));
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new InputError(problems);
  const results = () => stated.gate.map((_, at) => planned[at] ?? watched[at]!.result());
  const all = watched.filter((limit) => limit !== undefined);
  return { scenario, play: () => playGate(scenario, all, results, options) };
}

function noGate(tree: SourceTree): Problem {
  return {
    code: 'no-gate',
    message: 'there is no limit to be held to',
    place: tree.place([]),
    expected: 'gate: [{ metric: lostWrites, probability: "< 0.1%" }]',
  };
}

function checkBudget(
  limit: MetricLimit,
  scenario: Scenario,
  { confidence, budget }: GateOptions,
  place: Problem['place'],
): void {
  const alpha = 1 - confidence;
  if (isFreeOfChance(scenario) || canPass(limit, budget, alpha)) return;
  const needed = replicationsNeeded(limit, alpha);
  throw new InputError({
    code: 'budget',
    message: `${formatCount(budget)} replications at most cannot show this`,
    ...(place === undefined ? {} : { place }),
    expected:
      needed === Number.POSITIVE_INFINITY ? 'a limit that any number shows' : `--replications ${needed}`,
    got: JSON.stringify(limit.written),
  });
}

function plannedResult(
  field: string,
  figure: ReturnType<typeof readPlanLimit>,
  place: LimitResult['place'],
): LimitResult {
  const { value, expected } = figure;
  const threshold = expected.kind === 'is' ? expected.value : expected.limit;
  const sign = expected.kind === 'is' ? 'is' : expected.comparison;
  return {
    limit: `${field} ${sign} ${threshold}`,
    metric: null,
    pool: null,
    over: null,
    statistic: null,
    plan: field,
    verdict: isMet(figure) ? 'pass' : 'fail',
    value,
    lower: null,
    upper: null,
    threshold,
    margin: null,
    method: value === null ? 'no-data' : 'exact',
    replications: 0,
    count: 0,
    alpha: null,
    place,
  };
}

function* playGate(
  scenario: Scenario,
  limits: readonly WatchedLimit[],
  results: () => readonly LimitResult[],
  { confidence, budget }: GateOptions,
): Generator<GateProgress, ScenarioCheck, Stop> {
  const looks = plannedLooks(1 - confidence, budget);
  const undecided = () => limits.filter((limit) => !limit.isDecided).length;
  let looked = 0;
  let replication = 0;
  play: for (const look of looks) {
    for (; replication < look.replications && undecided() > 0; replication += 1) {
      const nights = playByNight({ ...scenario, compare: [] }, { replication });
      let next = nights.next();
      for (; next.done !== true; next = nights.next()) {
        const { night } = next.value;
        const answer = yield { replication, night, nextLook: look.replications, undecided: undecided() };
        if (answer === 'stop') break play;
      }
      for (const limit of limits) limit.add(scenario, next.value.nights);
      // What is the same in all of them is known after the first.
      if (replication === 0 && undecided() === 0) looked = 1;
    }
    if (undecided() === 0) break;
    for (const limit of limits) limit.look(look);
    looked = look.replications;
  }
  const limitResults = results();
  return {
    scenario: scenario.name,
    seed: scenario.seed,
    keyScheme: KEY_SCHEME,
    verdict: worstVerdict(limitResults.map(({ verdict }) => verdict)),
    replications: looked,
    limits: limitResults,
    baseline: null,
    series: seriesOf(limits, looked),
  };
}

/** Each once, though several limits may be on it. */
function seriesOf(limits: readonly WatchedLimit[], replications: number): ScenarioCheck['series'] {
  const all = new Map(limits.map((limit) => [limit.figure, limit.series(replications)] as const));
  return [...all.values()];
}
