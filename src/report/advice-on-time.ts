// What to change where time ran out: at the kill, or before the queue was empty.

import type { Scenario } from '../scenario/scenario.ts';
import type { NightResult } from '../world/run-result.ts';
import type { Advice } from './advice.ts';
import type { Findings } from './findings.ts';
import type { ReportInput } from './report-input.ts';
import type { VerdictFacts } from './verdict.ts';

/** Refused by the provider's limits, this part of all attempts or more: further lanes would earn only that. */
const MANY_REFUSALS = 0.05;

/** For nights that the kill ended. */
export function comingHome({ scenario, series }: ReportInput, facts: VerdictFacts): readonly Advice[] {
  if (facts.state !== 'cut-off' && series.grants.pastKill === 0) return [];
  const { policy, clock, budget, window } = scenario;
  if (policy.timeouts === 'fixed') return [{ kind: 'clamp', set: 'policy.timeouts=clamp' }];
  if (facts.killedWhileHung > 0 && facts.killedWhileHung === facts.killedNights) {
    return [{ kind: 'hung', nights: facts.killedWhileHung }];
  }
  if (policy.clock === 'wall' && series.fleet.clockSteps > 0) {
    return [{ kind: 'clock', set: 'policy.clock=monotonic' }];
  }
  if (clock?.suspension === 'ignore' && series.fleet.suspensions > 0) {
    return [{ kind: 'suspension', set: 'clock.suspension=shorten' }];
  }
  const fromMs = budget.reserveMs;
  const toMs = Math.min(Math.max(2 * fromMs, 1000), window.lastsMs / 2);
  if (toMs <= fromMs) return [];
  const seconds = Math.ceil(toMs / 1000);
  return [{ kind: 'reserve', fromMs, toMs: seconds * 1000, set: `budget.reserve=${seconds}s` }];
}

export function timeShort(input: ReportInput, findings: Findings): readonly Advice[] {
  const { scenario, run, series } = input;
  const { late, waiting, stranded, ledger, store, down } = series.waits;
  // A worker that hangs keeps a job on each of its lanes.
  const hung = series.fleet.hung * scenario.lanes;
  const advice: Advice[] = [];
  if (waiting > stranded) {
    const isWhole = scenario.policy.hold !== 'per-attempt';
    const set = isWhole ? 'policy.hold=per-attempt' : null;
    advice.push({ kind: 'waiting', jobs: waiting - stranded, set });
  }
  if (late > waiting + ledger + store + down + hung) {
    const lateOf = (night: NightResult): number =>
      (night.deferCauses['out-of-time'] ?? 0) + (night.deferCauses['not-reached'] ?? 0);
    advice.push(...morePace(nightWithMost(run.nights, lateOf), lateOf, input, findings));
  }
  return advice;
}

/** More time where none was long enough, else more of whatever is the slower: lanes or writers. */
function morePace(
  worst: NightResult,
  late: (night: NightResult) => number,
  { scenario, plan, series }: ReportInput,
  findings: Findings,
): readonly Advice[] {
  if (worst.done === 0) {
    const { reserveMs, capMs } = scenario.budget;
    const minutes = Math.ceil((reserveMs + 2 * Math.max(capMs, scenario.window.lastsMs)) / 60_000);
    const usableMs = scenario.window.lastsMs - reserveMs;
    return [{ kind: 'window', usableMs, toMs: minutes * 60_000, set: `window.lasts=${minutes}min` }];
  }
  const factor = growth(worst.done, late(worst));
  const lanes = plan.bounds.find(({ name }) => name === 'lanes')?.jobsPerNight ?? null;
  const writers = plan.bounds.find(({ name }) => name === 'writers')?.jobsPerNight ?? null;
  if (writers !== null && (lanes === null || writers < lanes)) {
    const to = Math.ceil(scenario.store.writers * factor);
    return [{ kind: 'writers', from: scenario.store.writers, to, set: `store.writers=${to}` }];
  }
  const { attempts, made } = series.calls;
  if (attempts.limited >= MANY_REFUSALS * made && attempts.limited > 0) return [];
  const to = Math.min(Math.ceil(scenario.lanes * factor), mostLanes(scenario, findings));
  return to <= scenario.lanes ? [] : [{ kind: 'lanes', from: scenario.lanes, to, set: `lanes=${to}` }];
}

/** On each worker: as many as the provider's limits keep busy. */
export function mostLanes(scenario: Scenario, { capacity }: Findings): number {
  if (capacity.providerLanes === null) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.floor(capacity.providerLanes / (scenario.fleet?.workers ?? 1)));
}

export function nightWithMost(
  nights: readonly NightResult[],
  of: (night: NightResult) => number,
): NightResult {
  return nights.reduce((most, night) => (of(night) > of(most) ? night : most));
}

/** How many times as much it takes to do the left ones too, at most eightfold at one go. */
function growth(done: number, left: number): number {
  return done === 0 ? 2 : Math.min(8, (done + left) / done);
}
