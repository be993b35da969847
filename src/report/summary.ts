// `summary.json`: everything that the report prints, before it is printed. Prose, tables and titles read
// from here alone, so that whoever doubts a sentence finds its figure under a name.

import type { NightPlan } from '../plan/night-plan.ts';
import type { Envelope, Order, Policy, Scenario, ScenarioPool } from '../scenario/scenario.ts';
import type { RunResult } from '../world/run-result.ts';
import { type Advice, adviseOn } from './advice.ts';
import { type Findings, findingsOf } from './findings.ts';
import type {
  ClassSeries,
  EdgeSeries,
  GrantSeries,
  PoolSeries,
  SignalLine,
  SignalSeries,
  WriteSeries,
} from './night-series.ts';
import type { ReportInput, SourceFile } from './report-input.ts';
import { type RolloutStep, rolloutOf } from './rollout.ts';
import { type VerdictFacts, verdict } from './verdict.ts';

export interface ReportSummary {
  readonly scenario: ScenarioFacts;
  readonly verdict: { readonly ok: boolean; readonly headline: string; readonly facts: VerdictFacts };
  readonly plan: NightPlan;
  readonly run: RunResult;
  readonly series: SeriesFacts;
  readonly findings: Findings;
  readonly advice: readonly Advice[];
  /** Empty without a pool or without jobs. */
  readonly rollout: readonly RolloutStep[];
  /** The words after `plimsoll report`. */
  readonly rerun: readonly string[];
  readonly sources: readonly SourceFile[];
}

interface ScenarioFacts {
  readonly name: string;
  readonly seed: string;
  readonly nights: number;
  readonly windowMs: number;
  readonly everyMs: number;
  readonly reserveMs: number;
  readonly floorMs: number;
  readonly capMs: number;
  readonly lanes: number;
  readonly order: Order;
  readonly backfill: Scenario['backfill'];
  readonly policy: Policy;
  readonly pool: ScenarioPool | null;
  readonly writers: number;
  readonly flushMs: number;
  readonly hangs: number;
  readonly errors: number;
  readonly invalid: number;
  readonly classes: readonly ScenarioClassFacts[];
}

interface ScenarioClassFacts {
  readonly name: string;
  readonly count: number;
  readonly arrive: 'every-night' | 'first-night';
  readonly input: string;
  readonly output: string;
  readonly envelope: Envelope;
}

/** What the series say without their points; those are in the charts' specs. */
interface SeriesFacts {
  readonly grants: Omit<GrantSeries, 'window' | 'edge'> & { readonly edgeFromMs: number };
  readonly pool: Omit<PoolSeries, 'steps' | 'refusals'> | null;
  readonly classes: readonly ClassSeries[];
  readonly writes: WriteSeries;
  readonly edge: Omit<EdgeSeries, 'bars'> | null;
  readonly signals: SignalFacts | null;
}

interface SignalFacts {
  readonly night: number;
  readonly lines: readonly Omit<SignalLine, 'points'>[];
}

export function summarize(input: ReportInput): ReportSummary {
  const { scenario, plan, run, series } = input;
  const { window: _window, edge, ...grants } = series.grants;
  const findings = findingsOf(input);
  const { ok, headline, facts } = verdict(plan, run);
  return {
    scenario: scenarioFacts(scenario),
    verdict: { ok, headline, facts },
    plan,
    run,
    series: {
      grants: { ...grants, edgeFromMs: edge.fromMs },
      pool: series.pool === null ? null : poolFacts(series.pool),
      classes: series.classes,
      writes: series.writes,
      edge: series.edge === null ? null : edgeFacts(series.edge),
      signals: series.signals === null ? null : signalFacts(series.signals),
    },
    findings,
    advice: adviseOn(input, findings, facts),
    rollout: rolloutOf(input),
    rerun: input.rerun,
    sources: input.sources,
  };
}

function poolFacts(pool: PoolSeries): Omit<PoolSeries, 'steps' | 'refusals'> {
  const { steps: _steps, refusals: _refusals, ...facts } = pool;
  return facts;
}

function edgeFacts(edge: EdgeSeries): Omit<EdgeSeries, 'bars'> {
  const { bars: _bars, ...facts } = edge;
  return facts;
}

function signalFacts({ night, lines }: SignalSeries): SignalFacts {
  return { night, lines: lines.map(({ points: _points, ...facts }) => facts) };
}

function scenarioFacts(scenario: Scenario): ScenarioFacts {
  const { window, budget, provider, store } = scenario;
  return {
    name: scenario.name,
    seed: scenario.seed,
    nights: scenario.nights,
    windowMs: window.lastsMs,
    everyMs: window.everyMs,
    reserveMs: budget.reserveMs,
    floorMs: budget.floorMs,
    capMs: budget.capMs,
    lanes: scenario.lanes,
    order: scenario.order,
    backfill: scenario.backfill,
    policy: scenario.policy,
    pool: scenario.pool ?? null,
    writers: store.writers,
    flushMs: store.flushMs,
    hangs: provider.hangs,
    errors: provider.errors,
    invalid: provider.invalid,
    classes: scenario.jobs.map((job) => ({
      name: job.name,
      count: job.count,
      arrive: job.arrive,
      input: job.tokens.input.describe(),
      output: job.tokens.output.describe(),
      envelope: job.envelope,
    })),
  };
}
