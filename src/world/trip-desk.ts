// Watches the trip conditions of a played night with the monitor that production uses: tells the log and the
// tally of each trip, sheds where the scenario says so, and samples every signal for the charts. One monitor
// hears the whole night, however many workers play it.

import type { Scenario } from '../scenario/scenario.ts';
import type { Engine } from '../sim/engine.ts';
import type { JobQueue } from '../worker/job-queue.ts';
import { TripMonitor } from '../worker/trip-monitor.ts';
import type { ClassExpectation, Trip } from '../worker/trip-settings.ts';
import { type TripReaction, TripWatch, tabledReaction } from '../worker/trip-watch.ts';
import type { SampledJob } from './draws.ts';
import type { NightLog } from './night-log.ts';
import type { NightTally } from './night-tally.ts';
import type { LedgerAnswer, LedgerEffect } from './simulated-driver.ts';

export interface TripDeskSetup {
  readonly engine: Engine;
  readonly scenario: Scenario;
  readonly expectations: ReadonlyMap<string, ClassExpectation>;
  readonly queue: JobQueue<SampledJob>;
  readonly log: NightLog;
  readonly tally: NightTally;
  classOf(job: string): string | undefined;
}

/** How many samples of each signal a window has. */
const SAMPLES = 100;

export class TripDesk {
  readonly #setup: TripDeskSetup;
  readonly #watch: TripWatch<SampledJob>;

  constructor(setup: TripDeskSetup) {
    const { scenario, expectations, queue, classOf } = setup;
    const { pool, policy, trips } = scenario;
    const hasBooks = pool !== undefined && policy.admission === 'envelope';
    this.#setup = setup;
    this.#watch = new TripWatch({
      monitor: new TripMonitor({
        pool: hasBooks ? pool.name : null,
        thresholds: trips,
        classes: expectations,
      }),
      queue,
      openedAtMs: 0,
      classes: [...expectations.keys()],
      classOf,
      told: (trip) => this.#told(trip),
    });
  }

  /** Samples the signals until the night is over. */
  open(): void {
    const { engine, scenario } = this.#setup;
    const everyMs = scenario.window.lastsMs / SAMPLES;
    const sample = (): void => {
      this.#sample();
      engine.schedule(everyMs, sample);
    };
    engine.schedule(everyMs, sample);
  }

  /** Before a job is taken. */
  look(): void {
    this.#watch.look(this.#setup.engine.now);
  }

  answered(effect: LedgerEffect, answer: LedgerAnswer): void {
    this.#watch.answered(effect, answer, this.#setup.engine.now);
  }

  #told(trip: Trip): TripReaction {
    const { log, tally, scenario } = this.#setup;
    const { level, atMs: _atMs, ...told } = trip;
    tally.tripped(trip);
    log.emit({ type: level === 'trip' ? 'tripped' : 'alerted', ...told });
    return scenario.trips.onTrip === 'shed' ? tabledReaction(trip) : 'none';
  }

  #sample(): void {
    const { engine, log } = this.#setup;
    for (const { isTripped: _isTripped, ...reading } of this.#watch.readings(engine.now)) {
      log.sample({ type: 'signal', ...reading });
    }
  }
}
