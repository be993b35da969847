// `summary.json`: everything that the report prints, before it is printed. Prose, tables and titles read
// from here alone, so that whoever doubts a sentence finds its figure under a name.

import type { NightPlan } from '../plan/night-plan.ts';
import type {
  Envelope,
  JobClass,
  Order,
  Policy,
  ProviderLimits,
  Scenario,
  ScenarioPool,
} from '../scenario/scenario.ts';
import type { ReportStudies } from '../study/report-studies.ts';
import type { RunResult } from '../world/run-result.ts';
import { type Advice, adviseOn } from './advice.ts';
import { type CalendarFacts, calendarFacts } from './calendar-days.ts';
import { type Findings, findingsOf } from './findings.ts';
import type {
  ClassSeries,
  EdgeSeries,
  GrantSeries,
  PoolSeries,
  SignalLine,
  SignalSeries,
  StrandedSeries,
  WriteSeries,
} from './night-series.ts';
import type { ReportInput, SourceFile } from './report-input.ts';
import { type RolloutStep, rolloutOf } from './rollout.ts';
import type { CallSeries, FleetSeries, LossSeries, WaitSeries } from './trouble-series.ts';
import { type VerdictFacts, verdict } from './verdict.ts';
import { type WeatherFacts, weatherFacts } from './weather-sums.ts';

export interface ReportSummary {
  readonly scenario: ScenarioFacts;
  readonly verdict: { readonly ok: boolean; readonly headline: string; readonly facts: VerdictFacts };
  readonly plan: NightPlan;
  readonly run: RunResult;
  readonly series: SeriesFacts;
  readonly findings: Findings;
  /** Null where the scenario has none. */
  readonly weather: WeatherFacts | null;
  /** Absent where the scenario has none. */
  readonly calendar?: CalendarFacts | undefined;
  /** Null where nothing was looked for beyond the one run. */
  readonly studies: ReportStudies | null;
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
  /** On each worker. */
  readonly lanes: number;
  readonly workers: number;
  readonly order: Order;
  readonly backfill: Scenario['backfill'];
  readonly policy: Policy;
  readonly pool: ScenarioPool | null;
  readonly writers: number;
  readonly flushMs: number;
  readonly hangs: number;
  readonly errors: number;
  readonly invalid: number;
  readonly limits: ProviderLimits | null;
  readonly client: { readonly attempts: number; readonly timeoutMs: number } | null;
  /** Whatever else the scenario lets happen, in words. */
  readonly troubles: readonly string[];
  readonly classes: readonly ScenarioClassFacts[];
}

interface ScenarioClassFacts {
  readonly name: string;
  readonly count: number;
  /** `one-by-one`: by a process of its own; `by-trace`: at the moments of a file. */
  readonly arrive: 'every-night' | 'first-night' | 'one-by-one' | 'by-trace';
  readonly input: string;
  readonly output: string;
  readonly envelope: Envelope;
}

/** What the series say without their points; those are in the charts' specs. */
interface SeriesFacts {
  readonly grants: Omit<GrantSeries, 'window' | 'edge'> & { readonly edgeFromMs: number };
  readonly calls: Omit<CallSeries, 'slots' | 'outages'>;
  readonly losses: LossSeries;
  readonly waits: WaitSeries;
  readonly fleet: FleetSeries;
  readonly pool: Omit<PoolSeries, 'steps' | 'refusals'> | null;
  readonly classes: readonly ClassSeries[];
  readonly writes: WriteSeries;
  readonly edge: Omit<EdgeSeries, 'bars'> | null;
  readonly signals: SignalFacts | null;
  readonly stranded: Omit<StrandedSeries, 'points'> | null;
}

interface SignalFacts {
  readonly night: number;
  readonly lines: readonly Omit<SignalLine, 'points'>[];
}

export function summarize(input: ReportInput): ReportSummary {
  const { scenario, plan, run, series } = input;
  const { window: _window, edge, ...grants } = series.grants;
  const { slots: _slots, outages: _outages, ...calls } = series.calls;
  const findings = findingsOf(input);
  const firstLimit = findings.capacity.binding;
  const { ok, headline, facts } = verdict({ plan, run, series, firstLimit });
  return {
    scenario: scenarioFacts(scenario),
    verdict: { ok, headline, facts },
    plan,
    run,
    series: {
      grants: { ...grants, edgeFromMs: edge.fromMs },
      calls,
      losses: series.losses,
      waits: series.waits,
      fleet: series.fleet,
      pool: series.pool === null ? null : poolFacts(series.pool),
      classes: series.classes,
      writes: series.writes,
      edge: series.edge === null ? null : edgeFacts(series.edge),
      signals: series.signals === null ? null : signalFacts(series.signals),
      stranded: series.stranded === null ? null : strandedFacts(series.stranded),
    },
    findings,
    weather: weatherFacts(scenario),
    calendar: calendarFacts(scenario),
    studies: input.studies ?? null,
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

function strandedFacts(stranded: StrandedSeries): Omit<StrandedSeries, 'points'> {
  const { points: _points, ...facts } = stranded;
  return facts;
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
    workers: scenario.fleet?.workers ?? 1,
    order: scenario.order,
    backfill: scenario.backfill,
    policy: scenario.policy,
    pool: scenario.pool ?? null,
    writers: store.writers,
    flushMs: store.flushMs,
    hangs: provider.hangs,
    errors: provider.errors,
    invalid: provider.invalid,
    limits: provider.limits ?? null,
    client:
      scenario.client === undefined
        ? null
        : { attempts: scenario.client.attempts, timeoutMs: scenario.client.timeoutMs },
    troubles: troublesOf(scenario),
    classes: scenario.jobs.map((job) => ({
      name: job.name,
      count: job.count,
      arrive: howTheyCome(job),
      input: job.tokens.input.describe(),
      output: job.tokens.output.describe(),
      envelope: job.envelope,
    })),
  };
}

function troublesOf({ provider, store, ledger, fleet, clock, weather }: Scenario): readonly string[] {
  const troubles: readonly (readonly [unknown, string])[] = [
    [provider.outages, 'outages of the provider'],
    [provider.slow, 'slow periods of the provider'],
    [provider.slowdown, 'a provider that slows down with the calls that it has'],
    [weather, 'weather (slow and fast times that calls or writes have in common)'],
    [fleet?.crashes, 'workers that crash'],
    [fleet?.pauses, 'workers that stand still'],
    [fleet?.zombies, 'workers that hang'],
    [fleet?.renewals === false ? fleet : undefined, 'leases that nobody renews'],
    [clock?.steps.length ? clock : undefined, 'wall clocks that are set'],
    [clock?.suspensions.length ? clock : undefined, 'machines that are suspended'],
    [store.outages, 'a checkpoint store that takes nothing'],
    [store.full, 'a disk that is full'],
    [ledger?.outages, 'a token ledger that does not answer'],
  ];
  return troubles.filter(([set]) => set !== undefined).map(([, words]) => words);
}

function howTheyCome({ arrive, arrivals }: JobClass): ScenarioClassFacts['arrive'] {
  if (arrivals === undefined) return arrive;
  return arrivals.kind === 'process' ? 'one-by-one' : 'by-trace';
}
