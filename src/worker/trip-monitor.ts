// The four trip conditions, watched over a sliding window of what the ledger and the queue report. Pure: it
// reads no clock and does nothing but say which condition tripped. The same code in production and in the
// simulator.

import { binomialUpperTail } from '../base/binomial.ts';
import { SlidingSums } from './sliding-sums.ts';
import {
  type ClassExpectation,
  DEFAULT_TRIPS,
  TRIP_ACTIONS,
  type Trip,
  type TripReading,
  type TripSignal,
  type TripSubject,
  type TripThresholds,
} from './trip-settings.ts';

/** What the monitor is told. */
export type TripEvent =
  /**
   * A job asked for its envelope and was answered. Asks on a paused pool are not told; a job's asks after its
   * first refusal may be told, and count for nothing.
   */
  | { readonly type: 'asked'; readonly job: string; readonly isRefused: boolean }
  /** A hold was settled, once. `actual` may be above `held`. */
  | { readonly type: 'settled'; readonly class: string; readonly held: number; readonly actual: number }
  /** The oldest job of the class that waits has waited since then; undefined: none waits. */
  | { readonly type: 'waiting'; readonly class: string; readonly sinceMs: number | undefined };

export interface TripMonitorOptions {
  /** Who refuses. Default: null, there is no pool. */
  readonly pool?: string | null;
  readonly thresholds?: Partial<TripThresholds>;
  /** By class. Default: nothing is known of any. */
  readonly classes?: ReadonlyMap<string, ClassExpectation>;
}

/** The tail of usage that an envelope covers unless something else is said. */
const DEFAULT_QUANTILE = 0.95;

/** Where the values of one settled hold stand in its class's sums. */
const OVERSPENT = 0;
const HELD = 1;
const UNSPENT = 2;

interface ClassWatch {
  readonly expected: ClassExpectation;
  readonly settled: SlidingSums;
  waitingSinceMs: number | undefined;
}

export class TripMonitor {
  readonly #pool: string | null;
  readonly #thresholds: TripThresholds;
  readonly #expected: ReadonlyMap<string, ClassExpectation>;
  readonly #classes = new Map<string, ClassWatch>();
  readonly #asked: SlidingSums;
  readonly #everRefused = new Set<string>();
  readonly #told = new Set<string>();

  constructor({ pool = null, thresholds = {}, classes = new Map() }: TripMonitorOptions = {}) {
    this.#pool = pool;
    this.#thresholds = { ...DEFAULT_TRIPS, ...thresholds };
    this.#expected = classes;
    this.#asked = new SlidingSums(this.#thresholds.windowMs, 1);
    for (const name of classes.keys()) this.#class(name);
  }

  /**
   * @param nowMs not before that of any earlier call
   * @returns what this event is the first to alert or to trip: each signal once per class or pool
   */
  hear(event: TripEvent, nowMs: number): readonly Trip[] {
    switch (event.type) {
      case 'asked':
        if (this.#everRefused.has(event.job)) return [];
        if (event.isRefused) this.#everRefused.add(event.job);
        this.#asked.add(nowMs, event.isRefused ? 1 : 0);
        return this.#judge([this.#refusalRate()], nowMs);
      case 'settled': {
        const { held, actual } = event;
        const unspent = Math.max(0, held - actual);
        this.#class(event.class).settled.add(nowMs, actual > held ? 1 : 0, held, unspent);
        const overspend = this.#overspend(event.class);
        return [
          ...this.#alert(overspend, nowMs),
          ...this.#judge([this.#unspentRatio(event.class), overspend], nowMs),
        ];
      }
      case 'waiting': {
        this.#class(event.class).waitingSinceMs = event.sinceMs;
        const age = this.#queueAge(event.class, nowMs);
        return age === undefined ? [] : this.#judge([age], nowMs);
      }
    }
  }

  /** How every signal stands: the pool's first, then each class's; an age only where slack is declared. */
  readings(nowMs: number): readonly TripReading[] {
    this.#asked.forget(nowMs);
    const readings = this.#pool === null ? [] : [this.#refusalRate()];
    for (const [name, { settled }] of this.#classes) {
      settled.forget(nowMs);
      if (this.#pool !== null) readings.push(this.#unspentRatio(name), this.#overspend(name));
      const age = this.#queueAge(name, nowMs);
      if (age !== undefined) readings.push(age);
    }
    return readings;
  }

  #judge(readings: readonly TripReading[], atMs: number): readonly Trip[] {
    return readings.flatMap((reading) => (reading.isTripped ? this.#once('trip', reading, atMs) : []));
  }

  /** Any overspend at all, however few events there are. */
  #alert(overspend: TripReading, atMs: number): readonly Trip[] {
    return (overspend.figure ?? 0) > 0 ? this.#once('alert', { ...overspend, threshold: 0 }, atMs) : [];
  }

  #once(level: Trip['level'], reading: TripReading, atMs: number): readonly Trip[] {
    const { signal, class: ofClass, pool, figure, threshold } = reading;
    const key = `${level} ${signal} ${ofClass ?? ''}`;
    if (figure === null || this.#told.has(key)) return [];
    this.#told.add(key);
    return [{ level, signal, class: ofClass, pool, atMs, figure, threshold, action: TRIP_ACTIONS[signal] }];
  }

  #refusalRate(): TripReading {
    const { count: events } = this.#asked;
    const threshold = this.#thresholds.refusalRate;
    return this.#rate('refusal-rate', this.#ofPool, events, ratio(this.#asked.sum(0), events), threshold);
  }

  #unspentRatio(name: string): TripReading {
    const { settled, expected } = this.#class(name);
    const { unspentRatio, unspentAboveExpected } = this.#thresholds;
    const threshold =
      expected.unspentRatio === undefined
        ? unspentRatio
        : Math.max(unspentRatio, withoutDust(expected.unspentRatio + unspentAboveExpected));
    const figure = ratio(settled.sum(UNSPENT), settled.sum(HELD));
    return this.#rate('unspent-ratio', ofClass(name), settled.count, figure, threshold);
  }

  /** Beyond the threshold by more than bad luck explains: one-sided, exact. */
  #overspend(name: string): TripReading {
    const { settled, expected } = this.#class(name);
    const threshold = complement(expected.quantile ?? DEFAULT_QUANTILE);
    const figure = ratio(settled.sum(OVERSPENT), settled.count);
    const reading = this.#rate('overspend', ofClass(name), settled.count, figure, threshold);
    if (!reading.isTripped) return reading;
    const chance = binomialUpperTail(settled.sum(OVERSPENT), settled.count, threshold);
    return { ...reading, isTripped: chance < complement(this.#thresholds.overspendConfidence) };
  }

  #queueAge(name: string, nowMs: number): TripReading | undefined {
    const { expected, waitingSinceMs } = this.#class(name);
    if (expected.slackMs === undefined) return undefined;
    const threshold = this.#thresholds.queueAgeOfSlack;
    const figure = waitingSinceMs === undefined ? null : (nowMs - waitingSinceMs) / expected.slackMs;
    return {
      signal: 'queue-age',
      ...ofClass(name),
      events: figure === null ? 0 : 1,
      figure,
      threshold,
      isTripped: figure !== null && figure > threshold,
    };
  }

  #rate(
    signal: TripSignal,
    subject: TripSubject,
    events: number,
    figure: number | null,
    threshold: number,
  ): TripReading {
    const says = events >= this.#thresholds.leastEvents && figure !== null;
    return { signal, ...subject, events, figure, threshold, isTripped: says && figure > threshold };
  }

  get #ofPool(): TripSubject {
    return { class: null, pool: this.#pool };
  }

  #class(name: string): ClassWatch {
    let watch = this.#classes.get(name);
    if (watch === undefined) {
      const settled = new SlidingSums(this.#thresholds.windowMs, 3);
      watch = { expected: this.#expected.get(name) ?? {}, settled, waitingSinceMs: undefined };
      this.#classes.set(name, watch);
    }
    return watch;
  }
}

function ofClass(name: string): TripSubject {
  return { class: name, pool: null };
}

function complement(fraction: number): number {
  return withoutDust(1 - fraction);
}

/** 1 − 0.95 is 0.05. */
function withoutDust(fraction: number): number {
  return Math.round(fraction * 1e12) / 1e12;
}

/** Null where nothing happened. */
function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
