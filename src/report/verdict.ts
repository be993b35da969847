// Does it fit, and what binds: the one sentence that the report and the terminal both begin with. Told
// from what was played; the plan's bounds only name the limit that would come first where nothing bound.

import type { NightPlan } from '../plan/night-plan.ts';
import type { NightResult, Played as PlayedRun } from '../world/run-result.ts';
import { type Binding, boundOf, type FailedEnd, mainEnds } from './binding.ts';
import { bindingText } from './binding-text.ts';
import type { BoundName } from './capacity-bounds.ts';
import { type Figures, plainFigures, roundedTo } from './figures.ts';
import type { NightSeries } from './night-series.ts';

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

export interface VerdictFacts {
  readonly state: VerdictState;
  /** Why jobs were not done in their night, most often; null where every night's jobs were all final. */
  readonly binds: Binding | null;
  /** Its part of all that was not done in its night. */
  readonly bindsShare: number | null;
  /** What jobs used up their attempts on, the commonest first. */
  readonly usedUpOn: readonly FailedEnd[];
  /** The smallest of the bounds; null where there are no jobs. */
  readonly firstLimit: BoundName | null;
  readonly nights: number;
  /** The last night that had any jobs; 0 where none had. */
  readonly lastBusyNight: number;
  /** Jobs that came in over all nights, each counted once. */
  readonly arrived: number;
  readonly done: number;
  readonly failed: number;
  /** Jobs that are still to be done after the last night. */
  readonly pending: number;
  /** Nights that left jobs to a later night. */
  readonly nightsWithPending: number;
  /** Calls that were cut off, and answers that were lost before being written, over all nights. */
  readonly cutOff: number;
  readonly lostWrites: number;
  /** Of those: by the kill, and by workers that crashed. */
  readonly killed: { readonly calls: number; readonly answers: number };
  readonly crashed: { readonly calls: number; readonly answers: number };
  readonly killedNights: number;
  /** Of those, in which a worker had hung. */
  readonly killedWhileHung: number;
  /** The latest finish of a night that finished; null where none did. */
  readonly slowestFinishedMs: number | null;
  readonly windowMs: number;
}

/** What a verdict is found on. */
export interface Played {
  readonly plan: NightPlan;
  readonly run: PlayedRun;
  readonly series: Pick<NightSeries, 'losses' | 'waits' | 'calls' | 'fleet'>;
  readonly firstLimit: BoundName | null;
}

export interface Verdict {
  readonly headline: string;
  /** Everything got done, and every night came home before the kill. */
  readonly ok: boolean;
  readonly facts: VerdictFacts;
}

export function verdict(played: Played): Verdict {
  const facts = verdictFacts(played);
  const ok = facts.state !== 'left-over' && facts.state !== 'cut-off';
  return { headline: headlineOf(facts), ok, facts };
}

function verdictFacts(played: Played): VerdictFacts {
  const { plan, run, series, firstLimit } = played;
  const { nights } = run;
  const { losses } = series;
  const bound = boundOf(played);
  const arrived = sum(nights, (night) => night.jobs - night.carriedOver);
  const pending = pendingAfter(nights.at(-1));
  const nightsWithPending = nights.filter((night) => pendingAfter(night) > 0).length;
  const killedNights = nights.filter((night) => night.finishedMs === null).length;
  const killed = { calls: losses.calls.kill, answers: losses.answers.kill };
  const finishes = nights.map((night) => night.finishedMs).filter((finished) => finished !== null);
  return {
    state: stateOf({ arrived, pending, nightsWithPending, killedNights }),
    binds: bound?.binds ?? null,
    bindsShare: bound === null ? null : roundedTo(bound.share, 4),
    usedUpOn: mainEnds(series.calls.usedUp.attempts),
    firstLimit,
    nights: nights.length,
    lastBusyNight: nights.findLast(({ jobs }) => jobs > 0)?.night ?? 0,
    arrived,
    done: run.total.done,
    failed: run.total.failed,
    pending,
    nightsWithPending,
    cutOff: run.total.unknown,
    lostWrites: run.total.lostWrites,
    killed,
    crashed: { calls: losses.calls.crash, answers: losses.answers.crash },
    killedNights,
    killedWhileHung: series.fleet.killedWhileHung,
    slowestFinishedMs: finishes.length === 0 ? null : finishes.reduce((a, b) => Math.max(a, b)),
    windowMs: plan.worstCase.windowMs,
  };
}

function stateOf(seen: {
  readonly arrived: number;
  readonly pending: number;
  readonly nightsWithPending: number;
  readonly killedNights: number;
}): VerdictState {
  const { arrived, pending, nightsWithPending, killedNights } = seen;
  if (killedNights > 0) return 'cut-off';
  if (arrived === 0) return 'nothing-to-do';
  if (pending > 0) return 'left-over';
  return nightsWithPending > 0 ? 'fits-over-nights' : 'fits';
}

/** Jobs that a night leaves to the next one: all but the done and the failed. */
export function pendingAfter(night: NightResult | undefined): number {
  return night === undefined ? 0 : night.jobs - night.done - night.failed;
}

/** What would be the first limit, for a batch that met none. */
const FIRST_LIMIT: Readonly<Record<BoundName, string>> = {
  lanes: 'Were there more jobs, lanes and time would be the first limit.',
  pool: 'Were there more jobs, the token pool would be the first limit.',
  writers: 'Were there more jobs, the checkpoint store would be the first limit.',
  provider: "Were there more jobs, the provider's rate limits would be the first limit.",
};

/** @param figures how numbers are printed; by default as they are read */
export function headlineOf(facts: VerdictFacts, figures: Figures = plainFigures): string {
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
      return sentences(
        `Fits: ${finalJobs(facts, figures)}, and ${when}.`,
        facts.firstLimit === null ? '' : FIRST_LIMIT[facts.firstLimit],
        crashText(facts, figures),
      );
    }
    case 'fits-over-nights': {
      const nights = figures.counted(facts.lastBusyNight, 'night');
      return sentences(
        `Fits, but not in one night: ${finalJobs(facts, figures)} after ${nights}.`,
        `On the way ${bindingText(facts)}.`,
        crashText(facts, figures),
      );
    }
    case 'left-over': {
      const left = `${figures.count(facts.pending)} of ${figures.counted(facts.arrived, 'job')}`;
      const verb = facts.pending === 1 ? 'is' : 'are';
      return sentences(
        `Does not fit: ${left} ${verb} left ${afterLast}.`,
        `${capitalized(bindingText(facts))}.`,
        crashText(facts, figures),
      );
    }
    case 'cut-off':
      return sentences(
        `Does not come home in time: ${cutOffText(facts, figures)}`,
        crashText(facts, figures),
      );
  }
}

function capitalized(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`;
}

function sentences(...all: readonly string[]): string {
  return all.filter((sentence) => sentence !== '').join(' ');
}

function finalJobs(facts: VerdictFacts, figures: Figures): string {
  if (facts.failed === 0) return `all ${figures.counted(facts.arrived, 'job')} are done`;
  return `of ${figures.counted(facts.arrived, 'job')} ${figures.count(facts.done)} are done and ${figures.count(facts.failed)} failed for good`;
}

function cutOffText(facts: VerdictFacts, figures: Figures): string {
  const { killed, killedNights, killedWhileHung, nights } = facts;
  const losses = lossText(killed, figures);
  const when =
    nights === 1
      ? 'the kill came before the worker had left'
      : `in ${figures.count(killedNights)} of ${figures.counted(nights, 'night')} the kill came before the worker had left`;
  const hung = killedWhileHung === 0 ? '' : ', since a worker had hung';
  return losses === ''
    ? `${when}${hung}; no answer was lost to it.`
    : `${when}${hung}, and it took ${losses}.`;
}

/** Workers that crashed, where that cost anything. */
function crashText({ crashed, binds, state }: VerdictFacts, figures: Figures): string {
  if (binds === 'crash' && state !== 'cut-off') return '';
  const losses = lossText(crashed, figures);
  return losses === '' ? '' : `Workers that crashed took ${losses} with them.`;
}

function lossText({ calls, answers }: VerdictFacts['killed'], figures: Figures): string {
  return [
    calls > 0 ? `${figures.counted(calls, 'call')} in mid-flight` : '',
    answers > 0 ? `${figures.counted(answers, 'finished answer')} not yet written` : '',
  ]
    .filter((part) => part !== '')
    .join(' and ');
}

function sum(nights: readonly NightResult[], of: (night: NightResult) => number): number {
  return nights.reduce((total, night) => total + of(night), 0);
}
