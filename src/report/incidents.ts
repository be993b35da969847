// When provider, store and ledger were out of order in the played nights. No event tells of it; the same draws
// are asked once more, and give the same answer.

import { RandomRoot } from '../base/random-streams.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { Draws } from '../world/draws.ts';
import type { Period } from '../world/incident-times.ts';
import { ProviderIncidentTimes } from '../world/provider-incidents.ts';
import { Troubles } from '../world/troubles.ts';
import { roundedTo } from './figures.ts';

/** In the order in which they are listed. */
const INCIDENT_KINDS = ['outage', 'slow', 'store-outage', 'store-full', 'ledger-outage'] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** Periods of a night, none beyond its window, by their kind. */
export type NightIncidents = Readonly<Record<IncidentKind, readonly Period[]>>;

/** All periods of one kind. */
export interface IncidentFacts {
  readonly kind: IncidentKind;
  readonly count: number;
  /** Nights that met one. */
  readonly nights: number;
  /** Within the windows, all together. */
  readonly lastsMs: number;
  /** The longest of them. */
  readonly longestMs: number;
}

/** Night by night, those of the first draws of the scenario's seed: what `play` plays by default. */
export function incidentsOf(scenario: Scenario): readonly NightIncidents[] {
  const draws = new Draws(new RandomRoot(scenario.seed), 0, scenario);
  const provider = new ProviderIncidentTimes(scenario, draws);
  const troubles = new Troubles(scenario, draws);
  const clipped = (periods: readonly Period[]): readonly Period[] =>
    periods.map(({ fromMs, toMs }) => ({
      fromMs: roundedTo(fromMs, 3),
      toMs: roundedTo(Math.min(toMs, scenario.window.lastsMs), 3),
    }));
  return Array.from({ length: scenario.nights }, (_, index) => {
    const { outages, slow } = provider.inNight(index + 1);
    const { store, ledger } = troubles.inNight(index + 1);
    return {
      outage: clipped(outages),
      slow: clipped(slow),
      'store-outage': clipped(store.outages),
      'store-full': clipped(store.full),
      // A full disk takes the ledger along, and is told of by itself.
      'ledger-outage': clipped(ledger.outages.slice(0, ledger.outages.length - store.full.length)),
    };
  });
}

/** Kinds that never came are left out. */
export function incidentFacts(nights: readonly NightIncidents[]): readonly IncidentFacts[] {
  return INCIDENT_KINDS.flatMap((kind) => {
    const periods = nights.flatMap((night) => night[kind]);
    if (periods.length === 0) return [];
    const lengths = periods.map(({ fromMs, toMs }) => toMs - fromMs);
    return [
      {
        kind,
        count: periods.length,
        nights: nights.filter((night) => night[kind].length > 0).length,
        lastsMs: roundedTo(
          lengths.reduce((sum, one) => sum + one, 0),
          3,
        ),
        longestMs: roundedTo(
          lengths.reduce((most, one) => Math.max(most, one), 0),
          3,
        ),
      },
    ];
  });
}
