// Plays a scenario: its nights in a row with what is carried over between them, then each of its variants
// under the same weather. The answer is the JSON of `run`.

import { RandomRoot } from '../base/random-streams.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { MemoryLedger } from '../ledger/memory-ledger.ts';
import { scenarioOf } from '../scenario/calendar.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { Admission } from './admission.ts';
import { ArrivalSchedule } from './arrival-schedule.ts';
import { BackgroundTraffic } from './background-traffic.ts';
import { type BacklogJob, openBacklog } from './backlog.ts';
import { inNight } from './broken-night.ts';
import { classExpectations } from './class-expectations.ts';
import { Draws } from './draws.ts';
import { LastEvents } from './last-events.ts';
import { playNight } from './night.ts';
import { NightTally } from './night-tally.ts';
import { ProviderIncidentTimes } from './provider-incidents.ts';
import { RunTally } from './results.ts';
import type { Played, RunResult } from './run-result.ts';
import { Troubles } from './troubles.ts';
import type { WorldEvent } from './world-event.ts';

export interface PlayOptions {
  /**
   * An empty ledger to play on: called once for the scenario (`undefined`) and once for each variant that
   * admits by envelope. Default: one in memory.
   */
  readonly openLedger?: (variant: string | undefined) => Ledger;
  /** Told of everything that happens in the scenario itself; its variants are played in silence. */
  readonly observe?: (event: WorldEvent) => void;
  /** Which draws of the scenario's seed, from 0 to 2³² − 1. Default: 0. */
  readonly replication?: number;
}

const inSilence = (): void => undefined;

/** Between two nights: which one was played last, and of which variant (`undefined`: the scenario itself). */
export interface NightPlayed {
  readonly variant: string | undefined;
  readonly night: number;
}

/** One replication of the scenario's seed. Same scenario, same answer, whatever the ledger. */
export function play(scenario: Scenario, options: PlayOptions = {}): RunResult {
  const nights = playByNight(scenario, options);
  for (;;) {
    const next = nights.next();
    if (next.done === true) return next.value;
  }
}

/** As `play`, but stops after every night, so that the caller may look up, tell how far it is, or leave. */
export function* playByNight(
  scenario: Scenario,
  options: PlayOptions = {},
): Generator<NightPlayed, RunResult> {
  const { openLedger = () => new MemoryLedger({ journal: false }), observe = inSilence } = options;
  const { replication = 0 } = options;
  const root = new RandomRoot(scenario.seed);
  const own = { variant: undefined, replication, openLedger: () => openLedger(undefined), observe };
  const played = yield* playNights(scenario, root, own);
  const compare: Record<string, Played> = {};
  for (const { name, scenario: variant } of scenario.compare) {
    const silent = { variant: name, replication, openLedger: () => openLedger(name), observe: inSilence };
    compare[name] = yield* playNights(variant, root, silent);
  }
  return { scenario: scenario.name, seed: scenario.seed, ...played, compare };
}

function* playNights(
  scenario: Scenario,
  root: RandomRoot,
  {
    variant,
    replication,
    openLedger,
    observe,
  }: {
    readonly variant: string | undefined;
    readonly replication: number;
    readonly openLedger: () => Ledger;
    readonly observe: (event: WorldEvent) => void;
  },
): Generator<NightPlayed, Played> {
  const draws = new Draws(root, replication, scenario);
  const admission = new Admission(scenario, openLedger);
  const expectations = classExpectations(scenario);
  const incidents = new ProviderIncidentTimes(scenario, draws);
  const troubles = new Troubles(scenario, draws);
  const schedule = new ArrivalSchedule(scenario, (name) => draws.source(name));
  const { background } = scenario;
  const traffic = background && new BackgroundTraffic(scenario, background, root, replication);
  const run = new RunTally(scenario.jobs.map(({ name }) => name));
  const last = new LastEvents();
  let carriedOver: readonly BacklogJob[] = [];
  for (let night = 1; night <= scenario.nights; night += 1) {
    const place = { scenario: scenario.name, seed: scenario.seed, variant, replication, night };
    const checked = <Result>(work: () => Result) => inNight(place, last, work);
    const opening = checked(() => admission.open(night));
    const { books, counter, drift } = admission;
    const backlog = openBacklog(scenario, draws, carriedOver, night, schedule);
    const tally = new NightTally();
    const tonight = scenarioOf(scenario, night);
    const setup = {
      scenario: tonight,
      night,
      draws,
      backlog,
      opening,
      expectations,
      books,
      counter,
      drift,
      tally,
    };
    const jobs = playNight({
      ...setup,
      incidents: incidents.inNight(night),
      troubles: troubles.inNight(night),
      place,
      last,
      refillsAtMs: admission.refillsAtMs(night),
      refill: () => admission.refill(),
      traffic: traffic?.inNight(night),
      observe,
    });
    checked(() => books?.watch.recount(books.ledger));
    const unsettled = books?.watch.openCount ?? 0;
    const dated = scenario.calendar?.nights[night - 1];
    const pools = checked(() => admission.figures(tally));
    run.add({ night, dated, jobs, tally, pools, quota: nightlyQuota(scenario), unsettled });
    carriedOver = jobs.filter(({ judged }) => judged.outcome !== 'done' && judged.outcome !== 'failed');
    yield { variant, night };
  }
  return run.played();
}

/** What a night and the day after it may use in all. */
function nightlyQuota({ pool }: Scenario): number | undefined {
  return pool?.refill === 'night' ? pool.quota : undefined;
}
