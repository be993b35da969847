// What to change where the provider turned calls away, was down, or gave no usable answer. A rate limit, an
// outage and an error each want another remedy, and a further attempt is only one of them.

import type { Scenario } from '../scenario/scenario.ts';
import type { Advice } from './advice.ts';
import { mostLanes } from './advice-on-time.ts';
import type { FailedEnd } from './binding.ts';
import type { Findings } from './findings.ts';
import type { ReportInput } from './report-input.ts';
import type { VerdictFacts } from './verdict.ts';

/** From this part of all attempts on refusals are spoken of, and from this part of all jobs on used-up attempts. */
const WORTH_ADVICE = 0.01;
/** Pauses longer than this part of the window cost more than they save. */
const LONGEST_PAUSE_SHARE = 0.1;

export function providerInTrouble(
  input: ReportInput,
  findings: Findings,
  { usedUpOn, binds, arrived }: VerdictFacts,
): readonly Advice[] {
  const { series } = input;
  const { attempts, made, usedUp, again } = series.calls;
  const isWorthIt = binds === 'retries' || usedUp.jobs >= WORTH_ADVICE * arrived;
  const endsOf = isWorthIt ? usedUpOn : [];
  const advice: Advice[] = [];
  if (endsOf.includes('limited') || (attempts.limited > 0 && attempts.limited >= WORTH_ADVICE * made)) {
    advice.push(limitsAdvice(input, findings));
  }
  if (endsOf.includes('outage')) {
    const outage = outageAdvice(input, findings);
    // What used up more of the attempts comes first.
    if (endsOf[0] === 'outage') advice.unshift(outage);
    else advice.push(outage);
  }
  const others = endsOf.filter((end) => end !== 'limited' && end !== 'outage');
  if (usedUp.jobs > 0 && others.length > 0) advice.push(attemptsAdvice(input, others));
  if (again > 0) advice.push({ kind: 'layers', again, attempts: made, set: 'client.attempts=1' });
  return advice;
}

function limitsAdvice({ scenario, series }: ReportInput, findings: Findings): Advice {
  const { attempts } = series.calls;
  const facts = { kind: 'limits', refusals: attempts.limited, from: scenario.lanes } as const;
  const to = mostLanes(scenario, findings);
  if (to < scenario.lanes) return { ...facts, to, set: `lanes=${to}` };
  const baseMs = 4 * scenario.backoff.baseMs;
  return { ...facts, to: null, ...longerPauses(scenario, baseMs, baseMs) };
}

/** Pauses that are, on average and all together, as long as the longest outage. */
function outageAdvice({ scenario, series }: ReportInput, findings: Findings): Advice {
  const outages = findings.incidents.find(({ kind }) => kind === 'outage');
  const longestMs = outages?.longestMs ?? 0;
  const facts = {
    kind: 'outage',
    count: outages?.count ?? 0,
    longestMs,
    jobs: series.calls.usedUp.jobs,
  } as const;
  const { factor, jitter } = scenario.backoff;
  const { attempts } =
    scenario.jobs.find(({ name }) => name === series.calls.usedUp.class) ?? scenario.budget;
  let sum = 0;
  let last = 1;
  for (let pause = 1; pause < attempts; pause += 1) {
    last = pause === 1 ? 1 : last * factor;
    sum += last;
  }
  const baseMs = sum === 0 ? 0 : ((jitter === 'full' ? 2 : 1) * longestMs) / sum;
  if (baseMs * last > LONGEST_PAUSE_SHARE * scenario.window.lastsMs || baseMs === 0) {
    return { ...facts, set: null };
  }
  return { ...facts, ...longerPauses(scenario, baseMs, baseMs * last) };
}

function longerPauses(
  { backoff }: Scenario,
  baseMs: number,
  maxMs: number,
): { readonly set: string; readonly also: readonly string[] } {
  const seconds = (ms: number): string => `${Math.ceil(ms / 1000)}s`;
  const also = maxMs > backoff.maxMs ? [`backoff.max=${seconds(maxMs)}`] : [];
  return { set: `backoff.base=${seconds(baseMs)}`, also };
}

/** Of the class that used up its attempts most often. */
function attemptsAdvice({ scenario, series }: ReportInput, on: readonly FailedEnd[]): Advice {
  const { usedUp } = series.calls;
  const job = scenario.jobs.find(({ name }) => name === usedUp.class);
  const from = job?.attempts ?? scenario.budget.attempts;
  const isOwn = from !== scenario.budget.attempts;
  // A name that needs quoting is left to whoever knows it.
  const isPlain = /^[\w-]+$/.test(usedUp.class ?? '');
  const key = isOwn ? `jobs.${usedUp.class}.attempts` : 'budget.attempts';
  const set = isOwn && !isPlain ? null : `${key}=${from + 1}`;
  return { kind: 'attempts', jobs: usedUp.jobs, class: usedUp.class ?? '', from, on, set };
}
