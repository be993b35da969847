// A provider's outages and slow periods over the nights of a run.

import type { Incidents, Scenario } from '../scenario/scenario.ts';
import type { Draws } from './draws.ts';
import { IncidentTimes, longAgoMs } from './incident-times.ts';
import type { ProviderIncidents } from './provider-service.ts';

export class ProviderIncidentTimes {
  readonly #outages: IncidentTimes;
  readonly #slow: IncidentTimes;

  constructor(scenario: Scenario, draws: Draws) {
    const { provider, window, calendar } = scenario;
    const times = (incidents: Incidents | undefined, name: string) =>
      new IncidentTimes({
        incidents,
        stream: draws.source(name),
        window,
        calendar,
        sinceMs: longAgoMs(incidents),
      });
    this.#outages = times(provider.outages, 'provider-outages');
    this.#slow = times(provider.slow, 'provider-slow');
  }

  /** @param night from 1, never a smaller one than before */
  inNight(night: number): ProviderIncidents {
    return { outages: this.#outages.inNight(night), slow: this.#slow.inNight(night) };
  }
}
