// What the report says that neither plan nor run says by itself: shares, differences, what stands out.
// Computed once, stored in the summary, printed from there.

import type { NightResult, Played } from '../world/run-result.ts';
import { type CapacityFacts, capacityFacts } from './capacity-bounds.ts';
import { roundedTo } from './figures.ts';
import { type IncidentFacts, incidentFacts, incidentsOf } from './incidents.ts';
import type { ClassSeries } from './night-series.ts';
import type { ReportInput } from './report-input.ts';
import { describeDifferences } from './scenario-differences.ts';
import { pendingAfter } from './verdict.ts';

interface ClassFindings {
  readonly name: string;
  /** refunded ÷ held, as played: 1 − used ÷ held; null where nothing was held. */
  readonly unspentRatio: number | null;
  /** Jobs that used more than their envelope ÷ jobs that made an attempt; null where there are none. */
  readonly beyondShare: number | null;
  /** What the envelope's quantile lets go beyond: 1 − quantile; null for an envelope in plain tokens. */
  readonly beyondAllowed: number | null;
  /** The class's part of all tokens used; null where none were. */
  readonly shareOfTokens: number | null;
}

/** What envelopes held and what came of it, all classes and nights together. */
interface EnvelopeFindings {
  readonly held: number;
  readonly used: number;
  /** What came back unused ÷ what was held. */
  readonly idleRatio: number;
  /** The same as the envelopes' construction makes it; null where a class's mean does not exist. */
  readonly expectedIdleRatio: number | null;
  /** The class that has the most tokens lying idle. */
  readonly idlest: string;
}

/** One class ate the pool while another went without. */
interface Drain {
  readonly by: string;
  /** Of all tokens used. */
  readonly share: number;
  readonly starved: string;
  readonly starvedRefused: number;
}

export interface PolicyRow {
  /** Null is the scenario itself. */
  readonly name: string | null;
  /** Settings that differ from the scenario's own, in words. */
  readonly differences: readonly string[];
  readonly done: number;
  readonly failed: number;
  /** Jobs still to be done after the last night. */
  readonly pending: number;
  /** Answers and calls that were lost, to the kill or to a crash. */
  readonly cutOff: number;
  /** The latest finish; null where a night never finished. */
  readonly slowestFinishedMs: number | null;
  /** Null without a pool. */
  readonly consumed: number | null;
  /** Less than the provider bills; null without a pool. */
  readonly drift: number | null;
  readonly doneDifference: number;
  /** Done here less done by the scenario itself, night by night: pairs of nights under the same weather. */
  readonly nightDifferences: readonly number[];
  readonly cutOffDifference: number;
}

export type DeferralCause = keyof NightResult['deferCauses'];

export interface Findings {
  /** The worst case on one lane ÷ (window − reserve). */
  readonly sequentialWindows: number | null;
  readonly usableMs: number;
  /** Of the slowest night that finished, until the kill; null where a night did not finish. */
  readonly marginMs: number | null;
  /** Jobs of all classes that a call went out for on the first night; null without a pool. */
  readonly admittedFirstNight: number | null;
  /** Nights in which a job was refused. */
  readonly nightsWithRefusals: number;
  readonly capacity: CapacityFacts;
  /** Why jobs were put off, over all nights, the commonest reason first. */
  readonly deferrals: readonly { readonly cause: DeferralCause; readonly jobs: number }[];
  /** When provider, store and ledger were out of order. */
  readonly incidents: readonly IncidentFacts[];
  /** Jobs that a worker took up while another was still at work on them. */
  readonly duplicated: number;
  /** Pending after each night, in order. */
  readonly backlog: readonly number[];
  readonly classCount: number;
  /** Classes of which a job used more than its envelope. */
  readonly classesBeyond: number;
  readonly classes: readonly ClassFindings[];
  readonly envelopes: EnvelopeFindings | null;
  readonly drain: Drain | null;
  /** The scenario first, then its variants in their order; empty without variants. */
  readonly policies: readonly PolicyRow[];
}

export function findingsOf(input: ReportInput): Findings {
  const { scenario, plan, run, series } = input;
  const { worstCase } = plan;
  const usableMs = worstCase.windowMs - worstCase.reserveMs;
  const finishes = run.nights.map((night) => night.finishedMs);
  const slowest = slowestOf(finishes);
  return {
    sequentialWindows: usableMs > 0 ? roundedTo(worstCase.sequentialMs / usableMs, 1) : null,
    usableMs,
    marginMs: slowest === null ? null : worstCase.windowMs - slowest,
    admittedFirstNight: scenario.pool === undefined ? null : admittedOf(series.classes),
    nightsWithRefusals: run.nights.filter((night) => night.refused > 0).length,
    capacity: capacityFacts(scenario, plan),
    deferrals: deferralsOf(run),
    incidents: incidentFacts(incidentsOf(scenario)),
    duplicated: run.nights.reduce((total, night) => total + night.duplicated, 0),
    backlog: run.nights.map(pendingAfter),
    classCount: plan.classes.length,
    classesBeyond: series.classes.filter(({ usage }) => (usage.beyond ?? 0) > 0).length,
    classes: classFindings(input),
    envelopes: envelopeFindings(input),
    drain: scenario.pool === undefined ? null : drainOf(run, series.classes),
    policies: policyRows(input),
  };
}

function deferralsOf({ nights }: Played): Findings['deferrals'] {
  const jobs = new Map<DeferralCause, number>();
  for (const { deferCauses } of nights) {
    for (const [name, count] of Object.entries(deferCauses)) {
      const cause = name as DeferralCause;
      jobs.set(cause, (jobs.get(cause) ?? 0) + count);
    }
  }
  return [...jobs]
    .map(([cause, count]) => ({ cause, jobs: count }))
    .filter(({ jobs: count }) => count > 0)
    .sort((one, other) => other.jobs - one.jobs);
}

function admittedOf(classes: readonly ClassSeries[]): number {
  return classes.reduce((total, { admittedFirstNight }) => total + (admittedFirstNight ?? 0), 0);
}

function classFindings({ scenario, run, series }: ReportInput): readonly ClassFindings[] {
  const used = series.classes.reduce((total, { usage }) => total + usage.tokens, 0);
  return scenario.jobs.map(({ name, envelope }, index) => {
    const result = run.classes[name];
    const usage = series.classes[index]?.usage;
    const held = scenario.pool === undefined ? 0 : (result?.heldTokens ?? 0);
    return {
      name,
      unspentRatio:
        held > 0 && result !== undefined ? ratio(Math.max(0, held - result.usedTokens), held) : null,
      beyondShare: usage?.beyond == null ? null : ratio(usage.beyond, usage.jobs),
      beyondAllowed: envelope.kind === 'quantile' ? roundedTo(1 - envelope.quantile, 6) : null,
      shareOfTokens: ratio(usage?.tokens ?? 0, used),
    };
  });
}

function envelopeFindings({ scenario, plan, run }: ReportInput): EnvelopeFindings | null {
  if (scenario.pool === undefined) return null;
  const classes = plan.classes.map(({ name, expectedUnspentRatio }) => {
    const { heldTokens = 0, usedTokens = 0 } = run.classes[name] ?? {};
    const idle = Math.max(0, heldTokens - usedTokens);
    return { name, held: heldTokens, used: usedTokens, idle, expectedUnspentRatio };
  });
  const total = (of: (one: (typeof classes)[number]) => number): number =>
    classes.reduce((sum, one) => sum + of(one), 0);
  const held = total((one) => one.held);
  const idlest = most(classes, ({ idle }) => idle);
  if (held === 0 || idlest === undefined) return null;
  const isKnown = classes.every((one) => one.held === 0 || one.expectedUnspentRatio !== null);
  return {
    held,
    used: total((one) => one.used),
    idleRatio: roundedTo(total((one) => one.idle) / held, 6),
    expectedIdleRatio: isKnown
      ? roundedTo(total((one) => one.held * (one.expectedUnspentRatio ?? 0)) / held, 6)
      : null,
    idlest: idlest.name,
  };
}

function drainOf(run: Played, classes: readonly ClassSeries[]): Drain | null {
  const used = classes.reduce((total, { usage }) => total + usage.tokens, 0);
  const greediest = most(classes, ({ usage }) => usage.tokens);
  if (greediest === undefined || used === 0) return null;
  const starved = most(
    Object.entries(run.classes).filter(
      ([name, { done, refused }]) => name !== greediest.name && done === 0 && refused > 0,
    ),
    ([, { refused }]) => refused,
  );
  if (starved === undefined || greediest.usage.tokens * 2 < used) return null;
  return {
    by: greediest.name,
    share: roundedTo(greediest.usage.tokens / used, 4),
    starved: starved[0],
    starvedRefused: starved[1].refused,
  };
}

function policyRows({ scenario, run }: ReportInput): readonly PolicyRow[] {
  const variants = scenario.compare.flatMap((variant) => {
    const played = Object.hasOwn(run.compare, variant.name) ? run.compare[variant.name] : undefined;
    return played === undefined ? [] : [{ variant, played }];
  });
  if (variants.length === 0) return [];
  const own = policyRow(null, [], run, run, scenario.pool?.name);
  return [
    own,
    ...variants.map(({ variant, played }) =>
      policyRow(
        variant.name,
        describeDifferences(scenario, variant.scenario),
        played,
        run,
        variant.scenario.pool?.name,
      ),
    ),
  ];
}

function policyRow(
  name: string | null,
  differences: readonly string[],
  played: Played,
  own: Played,
  poolName: string | undefined,
): PolicyRow {
  const pool = poolName === undefined ? undefined : played.pools[poolName];
  return {
    name,
    differences,
    done: played.total.done,
    failed: played.total.failed,
    pending: pendingAfter(played.nights.at(-1)),
    cutOff: cutOffOf(played),
    slowestFinishedMs: slowestOf(played.nights.map((night) => night.finishedMs)),
    consumed: pool?.consumed ?? null,
    drift: pool?.drift ?? null,
    doneDifference: played.total.done - own.total.done,
    nightDifferences: played.nights.flatMap(({ done }, index) => {
      const night = own.nights[index];
      return night === undefined ? [] : [done - night.done];
    }),
    cutOffDifference: cutOffOf(played) - cutOffOf(own),
  };
}

function cutOffOf(played: Played): number {
  return played.total.unknown + played.total.lostWrites;
}

/** Null where a night never finished, or there was none. */
function slowestOf(finishes: readonly (number | null)[]): number | null {
  const finished = finishes.filter((finish) => finish !== null);
  if (finished.length === 0 || finished.length < finishes.length) return null;
  return finished.reduce((a, b) => Math.max(a, b));
}

function ratio(part: number, whole: number): number | null {
  return whole > 0 ? roundedTo(part / whole, 6) : null;
}

function most<Item>(items: readonly Item[], by: (item: Item) => number): Item | undefined {
  return items.reduce<Item | undefined>(
    (best, item) => (best === undefined || by(item) > by(best) ? item : best),
    undefined,
  );
}
