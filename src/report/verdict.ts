// Does it fit, and what binds: the one sentence that the report and the terminal both begin with. Told
// from what was played; the plan's bounds only name the limit that would come first where nothing bound.

import type { CapacityBound, NightPlan } from '../plan/night-plan.ts';
import type { NightResult, RunResult } from '../world/run-result.ts';
import { type Figures, plainFigures } from './figures.ts';

type VerdictState =
  | 'nothing-to-do'
  /** Every night ended with every job final. */
  | 'fits'
  /** Jobs waited for a later night, and all were final after the last. */
  | 'fits-over-nights'
  /** Jobs were pending after the last night. */
  | 'left-over'
  /** The kill came before the worker had left. */
  | 'cut-off';

/** Why jobs were not done in their night; the commonest reason of all nights. */
type Binding = 'tokens' | 'envelope' | 'time' | 'retries' | 'holds' | 'kill';

export interface VerdictFacts {
  readonly state: VerdictState;
  /** Null where every night's jobs were all final. */
  readonly binds: Binding | null;
  /** The smallest of the plan's bounds; null where there are no jobs. */
  readonly firstLimit: CapacityBound['name'] | null;
  readonly nights: number;
  /** Jobs that came in over all nights, each counted once. */
  readonly arrived: number;
  readonly done: number;
  readonly failed: number;
  /** Jobs that are still to be done after the last night. */
  readonly pending: number;
  /** Nights that left jobs to a later night. */
  readonly nightsWithPending: number;
  /** Calls that the kill or a crash cut off, over all nights. */
  readonly cutOff: number;
  readonly lostWrites: number;
  readonly killedNights: number;
  /** The latest finish of a night that finished; null where none did. */
  readonly slowestFinishedMs: number | null;
  readonly windowMs: number;
}

export interface Verdict {
  readonly headline: string;
  /** Everything got done, and every night came home before the kill. */
  readonly ok: boolean;
  readonly facts: VerdictFacts;
}

/** @param figures how numbers are printed; by default as they are read */
export function verdict(plan: NightPlan, run: RunResult, figures: Figures = plainFigures): Verdict {
  const facts = verdictFacts(plan, run);
  const ok = facts.state !== 'left-over' && facts.state !== 'cut-off';
  return { headline: headlineOf(facts, figures), ok, facts };
}

function verdictFacts(plan: NightPlan, run: RunResult): VerdictFacts {
  const { nights } = run;
  const arrived = sum(nights, (night) => night.jobs - night.carriedOver);
  const pending = pendingAfter(nights.at(-1));
  const nightsWithPending = nights.filter((night) => pendingAfter(night) > 0).length;
  const killedNights = nights.filter((night) => night.finishedMs === null).length;
  const finishes = nights.map((night) => night.finishedMs).filter((finished) => finished !== null);
  return {
    state: stateOf({ arrived, pending, nightsWithPending, killedNights, total: run.total }),
    binds: bindingOf(nights),
    firstLimit: plan.binding,
    nights: nights.length,
    arrived,
    done: run.total.done,
    failed: run.total.failed,
    pending,
    nightsWithPending,
    cutOff: run.total.unknown,
    lostWrites: run.total.lostWrites,
    killedNights,
    slowestFinishedMs: finishes.length === 0 ? null : finishes.reduce((a, b) => Math.max(a, b)),
    windowMs: plan.worstCase.windowMs,
  };
}

function stateOf(seen: {
  readonly arrived: number;
  readonly pending: number;
  readonly nightsWithPending: number;
  readonly killedNights: number;
  readonly total: { readonly unknown: number; readonly lostWrites: number };
}): VerdictState {
  const { arrived, pending, nightsWithPending, killedNights, total } = seen;
  if (killedNights > 0 || total.unknown > 0 || total.lostWrites > 0) return 'cut-off';
  if (arrived === 0) return 'nothing-to-do';
  if (pending > 0) return 'left-over';
  return nightsWithPending > 0 ? 'fits-over-nights' : 'fits';
}

/** Jobs that a night leaves to the next one: all but the done and the failed. */
export function pendingAfter(night: NightResult | undefined): number {
  return night === undefined ? 0 : night.jobs - night.done - night.failed;
}

function bindingOf(nights: readonly NightResult[]): Binding | null {
  const cause = (name: keyof NightResult['deferCauses']): number =>
    sum(nights, (night) => night.deferCauses[name] ?? 0);
  const counts: readonly (readonly [Binding, number])[] = [
    ['tokens', sum(nights, (night) => night.refused) + cause('not-extended')],
    ['time', cause('out-of-time') + cause('not-reached')],
    ['envelope', sum(nights, (night) => night.inadmissible)],
    ['retries', cause('attempts-used-up')],
    [
      'holds',
      cause('hold-lost') +
        cause('claimed-elsewhere') +
        cause('ledger-unavailable') +
        cause('checkpoint-failed'),
    ],
    ['kill', sum(nights, (night) => night.unknown + night.lostWrites)],
  ];
  const [binds, most] = counts.reduce((first, next) => (next[1] > first[1] ? next : first));
  return most === 0 ? null : binds;
}

const BINDS: Readonly<Record<Binding, string>> = {
  tokens: 'the token pool binds: most of what was left was refused for want of tokens',
  time: 'time binds: most of what was left was not reached before the window closed',
  envelope: 'the envelopes bind: most of what was left reserves more than the whole pool holds',
  retries: 'the provider binds: most of what was left had used up its attempts',
  holds: 'the ledger binds: most of what was left had lost its hold or its checkpoint',
  kill: 'the kill binds: most of what was left was cut off by it',
};

/** What would be the first limit, for a batch that met none. */
const FIRST_LIMIT: Readonly<Record<CapacityBound['name'], string>> = {
  lanes: 'Lanes and time would be the first limit',
  pool: 'The token pool would be the first limit',
  writers: 'The checkpoint store would be the first limit',
};

function headlineOf(facts: VerdictFacts, figures: Figures): string {
  const windowText = figures.duration(facts.windowMs);
  const afterLast = facts.nights > 1 ? `after night ${figures.count(facts.nights)}` : 'after the night';
  switch (facts.state) {
    case 'nothing-to-do':
      return 'Nothing to carry: no job arrives.';
    case 'fits': {
      const finish = figures.duration(facts.slowestFinishedMs);
      const when =
        facts.nights > 1
          ? `the slowest night ends ${finish} into its ${windowText} window`
          : `the night ends ${finish} into its ${windowText} window`;
      const limit = facts.firstLimit === null ? '' : ` ${FIRST_LIMIT[facts.firstLimit]}.`;
      return `Fits: ${finalJobs(facts, figures)}, and ${when}.${limit}`;
    }
    case 'fits-over-nights': {
      const nights = figures.counted(facts.nights, 'night');
      return `Fits, but not in one night: ${finalJobs(facts, figures)} after ${nights}. On the way ${bindsText(facts)}.`;
    }
    case 'left-over': {
      const left = `${figures.count(facts.pending)} of ${figures.counted(facts.arrived, 'job')}`;
      const verb = facts.pending === 1 ? 'is' : 'are';
      return `Does not fit: ${left} ${verb} left ${afterLast}, and ${bindsText(facts)}.`;
    }
    case 'cut-off':
      return `Does not come home in time: ${cutOffText(facts, figures)}`;
  }
}

function finalJobs(facts: VerdictFacts, figures: Figures): string {
  if (facts.failed === 0) return `all ${figures.counted(facts.arrived, 'job')} are done`;
  return `of ${figures.counted(facts.arrived, 'job')} ${figures.count(facts.done)} are done and ${figures.count(facts.failed)} failed for good`;
}

function cutOffText(facts: VerdictFacts, figures: Figures): string {
  const cut = facts.cutOff > 0 ? `${figures.counted(facts.cutOff, 'call')} cut off in mid-flight` : undefined;
  const lost =
    facts.lostWrites > 0
      ? `${figures.counted(facts.lostWrites, 'finished answer')} lost before being written`
      : undefined;
  const losses = [cut, lost].filter((part) => part !== undefined).join(' and ');
  if (facts.killedNights === 0) return `${losses}.`;
  const killed =
    facts.nights === 1
      ? 'the kill came before the worker had left'
      : `in ${figures.count(facts.killedNights)} of ${figures.counted(facts.nights, 'night')} the kill came before the worker had left`;
  return losses === '' ? `${killed}; no answer was lost this time.` : `${killed}, with ${losses}.`;
}

function bindsText(facts: VerdictFacts): string {
  return facts.binds === null ? 'nothing bound' : BINDS[facts.binds];
}

function sum(nights: readonly NightResult[], of: (night: NightResult) => number): number {
  return nights.reduce((total, night) => total + of(night), 0);
}
