// Plays a scenario: its nights in a row with what is carried over between them, then each of its variants
// under the same weather. The answer is the JSON of `run`.

import { RandomRoot } from '../base/random-streams.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { MemoryLedger } from '../ledger/memory-ledger.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { Admission } from './admission.ts';
import { type BacklogJob, openBacklog } from './backlog.ts';
import { Draws } from './draws.ts';
import { playNight } from './night.ts';
import { NightTally } from './night-tally.ts';
import { RunTally } from './results.ts';
import type { Played, RunResult } from './run-result.ts';
import type { WorldEvent } from './world-event.ts';

export interface PlayOptions {
  /**
   * An empty ledger to play on: called once for the scenario (`undefined`) and once for each variant that
   * admits by envelope. Default: one in memory.
   */
  readonly openLedger?: (variant: string | undefined) => Ledger;
  /** Told of everything that happens in the scenario itself; its variants are played in silence. */
  readonly observe?: (event: WorldEvent) => void;
}

const inSilence = (): void => undefined;

/** Between two nights: which one was played last, and of which variant (`undefined`: the scenario itself). */
export interface NightPlayed {
  readonly variant: string | undefined;
  readonly night: number;
}

/** Replication 0 of the scenario's seed. Same scenario, same answer, whatever the ledger. */
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
  const root = new RandomRoot(scenario.seed);
  const own = { variant: undefined, openLedger: () => openLedger(undefined), observe };
  const played = yield* playNights(scenario, root, own);
  const compare: Record<string, Played> = {};
  for (const { name, scenario: variant } of scenario.compare) {
    const silent = { variant: name, openLedger: () => openLedger(name), observe: inSilence };
    compare[name] = yield* playNights(variant, root, silent);
  }
  return { scenario: scenario.name, seed: scenario.seed, ...played, compare };
}

function* playNights(
  scenario: Scenario,
  root: RandomRoot,
  {
    variant,
    openLedger,
    observe,
  }: {
    readonly variant: string | undefined;
    readonly openLedger: () => Ledger;
    readonly observe: (event: WorldEvent) => void;
  },
): Generator<NightPlayed, Played> {
  const draws = new Draws(root, 0, scenario);
  const admission = new Admission(scenario, openLedger);
  const run = new RunTally(scenario.jobs.map(({ name }) => name));
  let carriedOver: readonly BacklogJob[] = [];
  for (let night = 1; night <= scenario.nights; night += 1) {
    const opening = admission.open(night);
    const { books, counter } = admission;
    const backlog = openBacklog(scenario, draws, carriedOver, night);
    const tally = new NightTally();
    const jobs = playNight({ scenario, night, draws, backlog, opening, books, counter, tally, observe });
    books?.watch.recount(books.ledger);
    const unsettled = books?.watch.openCount ?? 0;
    run.add({ night, jobs, tally, pools: admission.figures(tally), unsettled });
    carriedOver = jobs.filter(({ judged }) => judged.outcome !== 'done' && judged.outcome !== 'failed');
    yield { variant, night };
  }
  return run.played();
}
