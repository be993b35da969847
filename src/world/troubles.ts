// What befalls a run's workers, store and ledger, and when: told night by night, each source of trouble by
// its own draws, so that one more worker or one more outage moves nothing for the others.

import type { Incidents, Scenario, WorkerIncidents } from '../scenario/scenario.ts';
import type { Draws } from './draws.ts';
import { IncidentTimes, longAgoMs, type Period } from './incident-times.ts';

/** One worker's night. */
export interface WorkerTroubles {
  /** Gone with all its lanes, and back at the end of each. */
  readonly crashes: readonly Period[];
  readonly pauses: readonly Period[];
  /** From a begin on its calls never come back to it. */
  readonly zombies: readonly Period[];
}

export interface NightTroubles {
  /** One for each worker. */
  readonly workers: readonly WorkerTroubles[];
  readonly store: { readonly outages: readonly Period[]; readonly full: readonly Period[] };
  readonly ledger: { readonly outages: readonly Period[] };
}

/** Is any of these periods under way? */
export function isWithin(periods: readonly Period[], atMs: number): boolean {
  return periods.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
}

export class Troubles {
  readonly #workers: readonly { readonly [Source in keyof WorkerTroubles]: IncidentTimes }[];
  readonly #outages: IncidentTimes;
  readonly #full: IncidentTimes;
  readonly #ledgerOutages: IncidentTimes;

  constructor(scenario: Scenario, draws: Draws) {
    const { window, calendar, fleet, store, ledger } = scenario;
    const times = (label: string, incidents: Incidents | undefined) =>
      new IncidentTimes({
        incidents,
        window,
        calendar,
        stream: draws.source(label),
        sinceMs: longAgoMs(incidents),
      });
    this.#workers = Array.from({ length: fleet?.workers ?? 1 }, (_, i) => {
      const worker = i + 1;
      const source = (name: keyof WorkerTroubles) =>
        times(`worker:${worker}:${name}`, ofWorker(fleet?.[name], worker));
      return { crashes: source('crashes'), pauses: source('pauses'), zombies: source('zombies') };
    });
    this.#outages = times('store:outages', store.outages);
    this.#full = times('store:full', store.full);
    this.#ledgerOutages = times('ledger:outages', ledger?.outages);
  }

  /** @param night from 1, never a smaller one than before */
  inNight(night: number): NightTroubles {
    const full = this.#full.inNight(night);
    return {
      workers: this.#workers.map(({ crashes, pauses, zombies }) => ({
        crashes: crashes.inNight(night),
        pauses: pauses.inNight(night),
        zombies: zombies.inNight(night),
      })),
      store: { outages: this.#outages.inNight(night), full },
      // The books lie on the same disk.
      ledger: { outages: [...this.#ledgerOutages.inNight(night), ...full] },
    };
  }
}

function ofWorker(incidents: WorkerIncidents | undefined, worker: number): Incidents | undefined {
  return incidents && { ...incidents, at: incidents.at.filter((one) => one.worker === worker) };
}
