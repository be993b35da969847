// How close each trip condition comes to its threshold in a run: its highest figure, as a share of the threshold.

import { TRIP_SIGNALS, type TripSignal } from '../worker/trip-settings.ts';
import type { WorldEvent } from '../world/world-event.ts';

/** Of a run; null: there never were enough events to say. */
export type Peaks = Readonly<Record<TripSignal, number | null>>;

/** Listens to a played run. */
export class SignalPeaks {
  readonly #leastEvents: number;
  readonly #highest = new Map<TripSignal, number>();

  /** @param leastEvents a rate of fewer says nothing */
  constructor(leastEvents: number) {
    this.#leastEvents = leastEvents;
  }

  hear(event: WorldEvent): void {
    // What trips between two samples may be back below its threshold at the next.
    if (event.type === 'tripped') this.#rise(event.signal, event.figure, event.threshold);
    else if (event.type === 'signal') {
      const says = event.signal === 'queue-age' || event.events >= this.#leastEvents;
      if (says && event.figure !== null) this.#rise(event.signal, event.figure, event.threshold);
    }
  }

  peaks(): Peaks {
    const all = TRIP_SIGNALS.map((signal) => [signal, this.#highest.get(signal) ?? null] as const);
    return Object.fromEntries(all) as Peaks;
  }

  #rise(signal: TripSignal, figure: number, threshold: number): void {
    // A threshold of 0 is no measure of how far away a figure is.
    if (threshold === 0) return;
    this.#highest.set(signal, Math.max(this.#highest.get(signal) ?? 0, figure / threshold));
  }
}
