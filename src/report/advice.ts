// What to change, told from what was played. Each piece of advice is data with the setting that carries it
// out, so that the report can print a command to try it; it is a next step, never a promise.

import type { NightPlan, PlannedClass } from '../plan/night-plan.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { NightResult } from '../world/run-result.ts';
import type { Findings } from './findings.ts';
import type { ReportInput } from './report-input.ts';
import type { VerdictFacts } from './verdict.ts';

export type Advice =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'clamp'; readonly set: string }
  | { readonly kind: 'reserve'; readonly fromMs: number; readonly toMs: number; readonly set: string }
  | { readonly kind: 'admission'; readonly set: string }
  | {
      readonly kind: 'drain';
      readonly by: string;
      readonly starved: string;
      readonly share: number;
      /** Null where the queue is in that order already. */
      readonly set: string | null;
    }
  | { readonly kind: 'fund'; readonly from: number; readonly set: string }
  | { readonly kind: 'pool'; readonly from: number; readonly to: number; readonly set: string }
  | {
      readonly kind: 'envelope-too-large';
      readonly class: string;
      readonly envelope: number;
      readonly capacity: number;
      readonly set: string;
    }
  | { readonly kind: 'window'; readonly usableMs: number; readonly toMs: number; readonly set: string }
  | { readonly kind: 'lanes'; readonly from: number; readonly to: number; readonly set: string }
  | { readonly kind: 'writers'; readonly from: number; readonly to: number; readonly set: string }
  | { readonly kind: 'attempts'; readonly jobs: number; readonly from: number; readonly set: string }
  | { readonly kind: 'backlog'; readonly arrivals: number; readonly carries: number }
  | {
      readonly kind: 'variant';
      readonly name: string;
      readonly differences: readonly string[];
      readonly more: number;
      /** Null where it takes more than one setting, or one that is advised already. */
      readonly set: string | null;
    }
  | {
      readonly kind: 'overspend';
      readonly class: string;
      readonly share: number;
      readonly allowed: number;
    }
  | { readonly kind: 'unspent'; readonly class: string; readonly ratio: number; readonly expected: number };

/** At least so many jobs beyond their envelope before a class is called wrong rather than unlucky. */
const FEW_JOBS = 5;
/** The unspent ratio's trip: above this, and above what construction makes it by so much. */
const UNSPENT = 0.4;
const UNSPENT_MARGIN = 0.1;

/** In the order in which to act: what loses work first, then what leaves work, then what wastes tokens. */
export function adviseOn(input: ReportInput, findings: Findings, facts: VerdictFacts): readonly Advice[] {
  const advice: Advice[] = [
    ...comingHome(input, facts),
    ...tokensShort(input, findings),
    ...timeShort(input),
    ...growing(input, findings),
    ...envelopesWrong(input, findings),
  ];
  advice.push(...betterVariant(findings, advice));
  return advice.length === 0 ? [{ kind: 'nothing' }] : advice;
}

function comingHome({ scenario, series }: ReportInput, facts: VerdictFacts): readonly Advice[] {
  if (facts.state !== 'cut-off' && series.grants.pastKill === 0) return [];
  if (scenario.policy.timeouts === 'fixed') return [{ kind: 'clamp', set: 'policy.timeouts=clamp' }];
  const fromMs = scenario.budget.reserveMs;
  const toMs = Math.min(Math.max(2 * fromMs, 1000), scenario.window.lastsMs / 2);
  if (toMs <= fromMs) return [];
  const seconds = Math.ceil(toMs / 1000);
  return [{ kind: 'reserve', fromMs, toMs: seconds * 1000, set: `budget.reserve=${seconds}s` }];
}

function tokensShort({ scenario, plan, run }: ReportInput, findings: Findings): readonly Advice[] {
  const { pool, policy } = scenario;
  if (pool === undefined) return [];
  const advice: Advice[] = [];
  const refused = run.total.refused > 0;
  if (refused && policy.admission === 'shared-counter') {
    advice.push({ kind: 'admission', set: 'policy.admission=envelope' });
  }
  if (findings.drain !== null) {
    const { by, starved, share } = findings.drain;
    const set = scenario.order === 'lightest-first' ? null : 'order=lightest-first';
    advice.push({ kind: 'drain', by, starved, share, set });
  }
  if (refused && pool.funded < 1) advice.push({ kind: 'fund', from: pool.funded, set: 'pool.funded=100%' });
  else if (refused) {
    const worst = nightWithMost(run.nights, (night) => night.refused);
    const to = roundedUp(pool.capacity + wantedTokens(worst, plan));
    advice.push({ kind: 'pool', from: pool.capacity, to, set: `pool.tokens=${to}` });
  }
  for (const planned of plan.classes) {
    const inadmissible = run.classes[planned.name]?.inadmissible ?? 0;
    if (inadmissible > 0) advice.push(...tooLarge(planned, pool.capacity, pool.funded));
  }
  return advice;
}

/** What the refused jobs of a night would have used, on average; their envelopes where no mean exists. */
function wantedTokens(night: NightResult, plan: NightPlan): number {
  return plan.classes.reduce((total, { name, meanUsedTokens, envelope }) => {
    const refused = night.classes[name]?.refused ?? 0;
    return total + refused * (meanUsedTokens ?? envelope ?? 0);
  }, 0);
}

function tooLarge(planned: PlannedClass, capacity: number, funded: number): readonly Advice[] {
  const { name, envelope } = planned;
  if (envelope === null || envelope <= capacity) return [];
  const set = `pool.tokens=${Math.ceil(envelope / funded)}`;
  return [{ kind: 'envelope-too-large', class: name, envelope, capacity, set }];
}

function timeShort({ scenario, plan, run }: ReportInput): readonly Advice[] {
  const late = (night: NightResult): number =>
    (night.deferCauses['out-of-time'] ?? 0) + (night.deferCauses['not-reached'] ?? 0);
  const exhausted = (night: NightResult): number => night.deferCauses['attempts-used-up'] ?? 0;
  const advice: Advice[] = [];
  if (run.nights.some((night) => late(night) > 0)) {
    advice.push(morePace(nightWithMost(run.nights, late), late, scenario, plan));
  }
  const jobs = run.nights.reduce((total, night) => total + exhausted(night), 0);
  if (jobs > 0) {
    const from = scenario.budget.attempts;
    advice.push({ kind: 'attempts', jobs, from, set: `budget.attempts=${from + 1}` });
  }
  return advice;
}

/** More time where none was long enough, else more of whatever is the slower: lanes or writers. */
function morePace(
  worst: NightResult,
  late: (night: NightResult) => number,
  scenario: Scenario,
  plan: NightPlan,
): Advice {
  if (worst.done === 0) {
    const { reserveMs, capMs } = scenario.budget;
    const minutes = Math.ceil((reserveMs + 2 * Math.max(capMs, scenario.window.lastsMs)) / 60_000);
    const usableMs = scenario.window.lastsMs - reserveMs;
    return { kind: 'window', usableMs, toMs: minutes * 60_000, set: `window.lasts=${minutes}min` };
  }
  const factor = growth(worst.done, late(worst));
  const lanes = plan.bounds.find(({ name }) => name === 'lanes')?.jobsPerNight ?? null;
  const writers = plan.bounds.find(({ name }) => name === 'writers')?.jobsPerNight ?? null;
  if (writers !== null && (lanes === null || writers < lanes)) {
    const to = Math.ceil(scenario.store.writers * factor);
    return { kind: 'writers', from: scenario.store.writers, to, set: `store.writers=${to}` };
  }
  const to = Math.ceil(scenario.lanes * factor);
  return { kind: 'lanes', from: scenario.lanes, to, set: `lanes=${to}` };
}

function growing({ plan }: ReportInput, findings: Findings): readonly Advice[] {
  if (!plan.backlogGrows || findings.smallestBound === null) return [];
  return [{ kind: 'backlog', arrivals: plan.arrivalsPerNight, carries: findings.smallestBound }];
}

function envelopesWrong({ plan, series }: ReportInput, findings: Findings): readonly Advice[] {
  return findings.classes.flatMap((found): Advice[] => {
    const { name, beyondShare, beyondAllowed, unspentRatio } = found;
    const beyond = series.classes.find((one) => one.name === name)?.usage.beyond ?? 0;
    if (beyondShare !== null && beyondAllowed !== null && beyondShare > beyondAllowed && beyond >= FEW_JOBS) {
      return [{ kind: 'overspend', class: name, share: beyondShare, allowed: beyondAllowed }];
    }
    const expected = plan.classes.find((planned) => planned.name === name)?.expectedUnspentRatio ?? null;
    if (unspentRatio === null || expected === null) return [];
    if (unspentRatio <= Math.max(UNSPENT, expected + UNSPENT_MARGIN)) return [];
    return [{ kind: 'unspent', class: name, ratio: unspentRatio, expected }];
  });
}

/** Settings that `--set` takes in the words in which differences are told. */
const PLAIN_SETTING = /^(policy\.\w+|order|backfill|lanes): ([\w-]+)$/;

/** The compared variant that got the most done, if that is more than the scenario did and loses no more. */
function betterVariant(findings: Findings, others: readonly Advice[]): readonly Advice[] {
  const [, ...variants] = findings.policies;
  const better = variants
    .filter(({ doneDifference, cutOffDifference }) => doneDifference > 0 && cutOffDifference <= 0)
    .reduce<(typeof variants)[number] | undefined>(
      (best, row) => (best === undefined || row.doneDifference > best.doneDifference ? row : best),
      undefined,
    );
  if (better === undefined || better.name === null) return [];
  const { name, differences, doneDifference } = better;
  const [, key, value] = PLAIN_SETTING.exec(differences.join(', ')) ?? [];
  const set = key === undefined ? null : `${key}=${value}`;
  const isSaid = others.some((advice) => 'set' in advice && advice.set === set);
  return [{ kind: 'variant', name, differences, more: doneDifference, set: isSaid ? null : set }];
}

function nightWithMost(nights: readonly NightResult[], of: (night: NightResult) => number): NightResult {
  return nights.reduce((most, night) => (of(night) > of(most) ? night : most));
}

/** How many times as much it takes to do the left ones too, at most eightfold at one go. */
function growth(done: number, left: number): number {
  return done === 0 ? 2 : Math.min(8, (done + left) / done);
}

/** To two digits, upwards. */
function roundedUp(tokens: number): number {
  let step = 1;
  while (step * 100 <= tokens) step *= 10;
  return Math.ceil(tokens / step) * step;
}
