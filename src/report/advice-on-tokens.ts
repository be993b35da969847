// What to change where tokens were short, or held and not used.

import type { NightPlan, PlannedClass } from '../plan/night-plan.ts';
import type { NightResult } from '../world/run-result.ts';
import type { Advice } from './advice.ts';
import { nightWithMost } from './advice-on-time.ts';
import type { Findings } from './findings.ts';
import type { ReportInput } from './report-input.ts';

/** At least so many jobs beyond their envelope before a class is called wrong rather than unlucky. */
const FEW_JOBS = 5;
/** The unspent ratio's trip: above this, and above what construction makes it by so much. */
const UNSPENT = 0.4;
const UNSPENT_MARGIN = 0.1;
/** From this part of all calls on. */
const MANY_FAILED = 0.1;

export function tokensShort({ scenario, plan, run }: ReportInput, findings: Findings): readonly Advice[] {
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

export function envelopesWrong({ plan, series }: ReportInput, findings: Findings): readonly Advice[] {
  return findings.classes.flatMap((found): Advice[] => {
    const { name, beyondShare, beyondAllowed, unspentRatio } = found;
    const beyond = series.classes.find((one) => one.name === name)?.usage.beyond ?? 0;
    if (beyondShare !== null && beyondAllowed !== null && beyondShare > beyondAllowed && beyond >= FEW_JOBS) {
      return [{ kind: 'overspend', class: name, share: beyondShare, allowed: beyondAllowed }];
    }
    const expected = plan.classes.find((planned) => planned.name === name)?.expectedUnspentRatio ?? null;
    if (unspentRatio === null || expected === null) return [];
    if (unspentRatio <= Math.max(UNSPENT, expected + UNSPENT_MARGIN)) return [];
    // A call that was refused, or met an error, used nothing of what was held for it.
    const { made, answered } = { ...series.calls, ...series.calls.attempts };
    if (made - answered > MANY_FAILED * made) return [];
    return [{ kind: 'unspent', class: name, ratio: unspentRatio, expected }];
  });
}

/** To two digits, upwards. */
function roundedUp(tokens: number): number {
  let step = 1;
  while (step * 100 <= tokens) step *= 10;
  return Math.ceil(tokens / step) * step;
}
