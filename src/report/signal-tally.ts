// The trip conditions over one night, each beside its threshold. A chart shows one night, so of all nights
// only the most alarming is kept: most trips, then the figure that came closest to its threshold.

import { TRIP_SIGNALS, type TripSignal } from '../worker/trip-settings.ts';
import type { WorldEvent } from '../world/world-event.ts';
import type { SignalLine, SignalPoint, SignalSeries } from './night-series.ts';

/** A window is drawn in so many equal stretches. */
export const SIGNAL_SLOTS = 40;

type Sampled = Extract<WorldEvent, { readonly type: 'signal' }>;

export class SignalTally {
  readonly #windowMs: number;
  readonly #leastEvents: number;
  #night: SignalNight | undefined;
  #worst: SignalNight | undefined;

  /** @param leastEvents a rate of fewer says nothing */
  constructor(windowMs: number, leastEvents: number) {
    this.#windowMs = windowMs;
    this.#leastEvents = leastEvents;
  }

  opened(night: number): void {
    this.#close();
    this.#night = new SignalNight(night, this.#windowMs);
  }

  tripped(): void {
    if (this.#night !== undefined) this.#night.trips += 1;
  }

  sampled(event: Sampled): void {
    const isAge = event.signal === 'queue-age';
    this.#night?.sampled(event, isAge || event.events >= this.#leastEvents);
  }

  series(): SignalSeries | null {
    this.#close();
    return this.#worst?.series() ?? null;
  }

  #close(): void {
    const night = this.#night;
    if (night === undefined || night === this.#worst || !night.hasSignals) return;
    if (this.#worst === undefined || night.isWorseThan(this.#worst)) this.#worst = night;
  }
}

class SignalNight {
  readonly #number: number;
  readonly #windowMs: number;
  readonly #lines = new Map<TripSignal, LineTally>();
  trips = 0;

  constructor(number: number, windowMs: number) {
    this.#number = number;
    this.#windowMs = windowMs;
  }

  get hasSignals(): boolean {
    return this.#lines.size > 0;
  }

  sampled(event: Sampled, says: boolean): void {
    let line = this.#lines.get(event.signal);
    if (line === undefined) {
      line = new LineTally(this.#windowMs);
      this.#lines.set(event.signal, line);
    }
    if (says) line.sampled(event);
  }

  isWorseThan(other: SignalNight): boolean {
    if (this.trips !== other.trips) return this.trips > other.trips;
    return this.#highestShare > other.#highestShare;
  }

  get #highestShare(): number {
    return Math.max(0, ...[...this.#lines.values()].map(({ highest }) => highest?.share ?? 0));
  }

  series(): SignalSeries {
    const lines = TRIP_SIGNALS.flatMap((signal) => this.#lines.get(signal)?.line(signal) ?? []);
    return { night: this.#number, lines };
  }
}

/** One signal; of several classes that which is closest to its threshold at the time. */
class LineTally {
  readonly #windowMs: number;
  readonly #points: (SignalPoint | undefined)[] = new Array(SIGNAL_SLOTS).fill(undefined);
  highest: (SignalPoint & Pick<SignalLine, 'figure' | 'threshold' | 'class' | 'pool'>) | undefined;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  sampled({ atMs, figure, threshold, class: ofClass, pool }: Sampled): void {
    // A threshold of 0 is no measure of how far away a figure is.
    if (figure === null || threshold === 0) return;
    const share = figure / threshold;
    const index = Math.max(
      0,
      Math.min(SIGNAL_SLOTS - 1, Math.ceil((atMs / this.#windowMs) * SIGNAL_SLOTS) - 1),
    );
    const point = this.#points[index];
    const middleMs = ((index + 0.5) / SIGNAL_SLOTS) * this.#windowMs;
    if (point === undefined || share > point.share) this.#points[index] = { atMs: middleMs, share };
    if (this.highest === undefined || share > this.highest.share) {
      this.highest = { atMs, share, figure, threshold, class: ofClass, pool };
    }
  }

  line(signal: TripSignal): SignalLine {
    const { figure = null, threshold = null, class: ofClass = null, pool = null } = this.highest ?? {};
    const points = this.#points.filter((point) => point !== undefined);
    return { signal, figure, threshold, class: ofClass, pool, share: this.highest?.share ?? null, points };
  }
}
