// Sums up what was played: a night from its jobs and its tally, a run from its nights.

import type { CalendarNight } from '../scenario/calendar.ts';
import { addDrift } from './drift-account.ts';
import type { JobAtEnd } from './night.ts';
import { addOutcomes, countOutcome, noOutcomes, type OutcomeTally } from './night-outcomes.ts';
import type { NightTally } from './night-tally.ts';
import type { ClassResult, NightResult, Played, PoolFigures } from './run-result.ts';

type Growing<Result> = { -readonly [Field in keyof Result]: Result[Field] };

export interface PlayedNight {
  readonly night: number;
  /** Where there is a calendar. */
  readonly dated: CalendarNight | undefined;
  readonly jobs: readonly JobAtEnd[];
  readonly tally: NightTally;
  readonly pools: Readonly<Record<string, PoolFigures>>;
  /** Of the pool that is refilled for this night; undefined where there is none. */
  readonly quota: number | undefined;
  /** Holds that are open when the night has ended. */
  readonly unsettled: number;
}

function nightResult(played: PlayedNight, classNames: readonly string[]): NightResult {
  const { night, jobs, tally, pools, unsettled } = played;
  const counts = noOutcomes();
  const classes = new Map<string, OutcomeTally>(classNames.map((name) => [name, noOutcomes()]));
  const deferCauses: Growing<NightResult['deferCauses']> = {};
  for (const { job, judged } of jobs) {
    countOutcome(counts, judged.outcome);
    countOutcome(classes.get(job.jobClass.name)!, judged.outcome);
    if (judged.cause !== undefined) deferCauses[judged.cause] = (deferCauses[judged.cause] ?? 0) + 1;
  }
  return {
    night,
    ...(played.dated && datesOf(played.dated)),
    ...counts,
    carriedOver: jobs.filter(({ job }) => job.arrivalNight < night).length,
    deferCauses,
    attempts: tally.attempts,
    timeouts: tally.timeouts,
    errors: tally.errors,
    invalid: tally.invalid,
    rateLimited: tally.rateLimited,
    hiddenCalls: tally.hiddenCalls,
    refusalRate: tally.refusalRate,
    unsettled,
    duplicated: tally.duplicated,
    finishedMs: tally.finishedMs,
    lastWriteMs: tally.lastWriteMs,
    alerts: tally.alerts,
    trips: tally.trips,
    firstTripMs: tally.trips[0]?.atMs ?? null,
    pools,
    classes: Object.fromEntries(classes),
    ...(tally.background && { background: { ...tally.background, quotaLeft: quotaLeft(played) } }),
  };
}

function quotaLeft({ quota, tally }: PlayedNight): number | null {
  if (quota === undefined || tally.background === undefined) return null;
  return quota - tally.billed - tally.background.tokens - tally.background.tokensAfter;
}

function datesOf({ date, opens, closes, lastsMs }: CalendarNight): Partial<NightResult> {
  return { date, opens, closes, windowMs: lastsMs };
}

/** Sums over the nights; see `RunResult` for what is summed and what is the last night's. */
export class RunTally {
  readonly #nights: NightResult[] = [];
  readonly #classes: Map<string, Growing<ClassResult>>;

  constructor(classNames: readonly string[]) {
    this.#classes = new Map(
      classNames.map((name) => [name, { ...noOutcomes(), attempts: 0, heldTokens: 0, usedTokens: 0 }]),
    );
  }

  add(played: PlayedNight): void {
    const result = nightResult(played, [...this.#classes.keys()]);
    this.#nights.push(result);
    for (const [name, total] of this.#classes) {
      const { attempts, heldTokens, usedTokens } = played.tally.class(name);
      addOutcomes(total, result.classes[name]!);
      total.attempts += attempts;
      total.heldTokens += heldTokens;
      total.usedTokens += usedTokens;
    }
  }

  played(): Played {
    const counts = noOutcomes();
    let attempts = 0;
    let unsettled = 0;
    const pools: Record<string, PoolFigures> = {};
    for (const night of this.#nights) {
      addOutcomes(counts, night);
      attempts += night.attempts;
      unsettled += night.unsettled;
      for (const [name, figures] of Object.entries(night.pools)) {
        pools[name] = addFlows(pools[name], figures);
      }
    }
    return {
      nights: this.#nights,
      total: { ...counts, attempts, unsettled },
      pools,
      classes: Object.fromEntries(this.#classes),
    };
  }
}

function addFlows(sum: PoolFigures | undefined, night: PoolFigures): PoolFigures {
  if (sum === undefined) return night;
  return {
    capacity: night.capacity,
    balance: night.balance,
    held: night.held,
    stranded: night.stranded,
    consumed: sum.consumed + night.consumed,
    refunded: sum.refunded + night.refunded,
    overspent: sum.overspent + night.overspent,
    shortfall: sum.shortfall + night.shortfall,
    billed: sum.billed + night.billed,
    drift: sum.drift + night.drift,
    driftCauses: addDrift(sum.driftCauses, night.driftCauses),
  };
}
