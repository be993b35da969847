// The time series of a played scenario as plain data, already aggregated: what the recorder gathers and
// the charts draw. Every list is bounded, however many nights and jobs were played.

import type { Peaks } from '../study/signal-peaks.ts';
import type { TripSignal } from '../worker/trip-settings.ts';
import type { CallSeries, FleetSeries, LossSeries, WaitSeries } from './trouble-series.ts';

/** One stretch of time, over all nights: its longest grant, and how many there were. */
export interface GrantSlot {
  /** When the longest grant of this stretch was given, from the opening. */
  readonly atMs: number;
  readonly timeoutMs: number;
  readonly count: number;
}

export interface DeclinedSlot {
  /** When the first lane of this stretch was declined. */
  readonly atMs: number;
  readonly count: number;
}

/** Part of the window in equal stretches; those without a grant are left out. */
export interface GrantView {
  /** Where it begins; it goes on to the end of the window. */
  readonly fromMs: number;
  readonly slots: readonly GrantSlot[];
  readonly declinedSlots: readonly DeclinedSlot[];
}

export interface GrantSeries {
  /** Grants of the whole cap, over all nights. */
  readonly full: number;
  /** Grants below the cap. */
  readonly shrunk: number;
  /** Lanes that were told to stop because less than the floor was left. */
  readonly declined: number;
  /** Grants that could run into the reserve: `at + timeout > window − reserve`. */
  readonly intoReserve: number;
  /** Grants that could run past the kill. */
  readonly pastKill: number;
  /** The shortest grant; null where there was none. */
  readonly shortestMs: number | null;
  readonly window: GrantView;
  /** The last minutes alone, finer. */
  readonly edge: GrantView;
}

/** The books at one moment. */
export interface PoolStep {
  readonly atMs: number;
  readonly free: number;
  readonly held: number;
  readonly consumed: number;
}

export interface RefusalSlot {
  readonly atMs: number;
  readonly count: number;
}

/** One night's books: of all nights the one that came closest to an empty pool. */
export interface PoolSeries {
  readonly night: number;
  readonly capacity: number;
  /** In order of time; of each stretch the moment with the fewest free tokens, then the night's end. */
  readonly steps: readonly PoolStep[];
  /** Asks that were turned away for the night, over time. */
  readonly refusals: readonly RefusalSlot[];
  readonly refused: number;
  /** Asks that were told to wait for tokens to come back. */
  readonly waits: number;
  readonly leastFree: number;
  readonly leastFreeAtMs: number;
  readonly mostHeld: number;
  /** At the night's end. */
  readonly consumed: number;
}

/** Tokens of one job and night, all attempts together, over the jobs that made any attempt. */
export interface UsageSeries {
  readonly jobs: number;
  /** To three digits; null where no job made an attempt. */
  readonly p50: number | null;
  readonly p95: number | null;
  readonly max: number | null;
  /** Of all these jobs together. */
  readonly tokens: number;
  /** Jobs that used more than the envelope; null without a pool. */
  readonly beyond: number | null;
  /**
   * Jobs by usage as a share of the envelope: 20 bins of a tenth, the upper end included, from 0 to 2, then
   * one for all above. Empty without a pool.
   */
  readonly bins: readonly number[];
}

export interface ClassSeries {
  readonly name: string;
  /** Jobs that a call went out for on the first night; null without a pool. */
  readonly admittedFirstNight: number | null;
  readonly usage: UsageSeries;
}

export interface WriteSeries {
  /** The most checkpoints that were queued or being written at once. */
  readonly peak: number;
  readonly peakNight: number;
  readonly peakAtMs: number;
  /** From being queued to being durable; null where nothing was written. */
  readonly longestMs: number | null;
  /** Checkpoints that the kill found unwritten, over all nights. */
  readonly unwritten: number;
}

/** One call or one write of a lane. */
export interface EdgeBar {
  /** From 0. */
  readonly lane: number;
  readonly fromMs: number;
  /** The window's end for what was still under way then. */
  readonly toMs: number;
  /**
   * `timed-out`: its grant was used up; `cut-off` and `unwritten`: the kill found it under way; `crashed` and
   * `lost-write`: its worker crashed, or the store did not take it; `down`: the worker is gone.
   */
  readonly kind:
    | 'answered'
    | 'timed-out'
    | 'write'
    | 'cut-off'
    | 'unwritten'
    | 'crashed'
    | 'lost-write'
    | 'down';
}

/** The last minutes of one night: of all nights the one that came closest to its end. */
export interface EdgeSeries {
  readonly night: number;
  readonly killed: boolean;
  /** Lanes that had a call that night. */
  readonly lanes: number;
  /** Calls that were under way when the night ended. */
  readonly cutOff: number;
  /** Checkpoints that were not durable when it ended. */
  readonly unwritten: number;
  /** When the last call that ended did so; null where none did. */
  readonly lastCallMs: number | null;
  readonly lastWriteMs: number | null;
  /** When the worker had left; null where the kill came first. */
  readonly finishedMs: number | null;
  /** From the end of the last call, and of the last write, to the kill. */
  readonly callMarginMs: number | null;
  readonly writeMarginMs: number | null;
  /** From here on the bars are complete. */
  readonly fromMs: number;
  /** From there to the kill. */
  readonly spanMs: number;
  readonly shownLanes: readonly number[];
  readonly bars: readonly EdgeBar[];
}

/** How far a signal is from its threshold: 1 is at it, more is above. */
export interface SignalPoint {
  /** The middle of the stretch whose highest this is. */
  readonly atMs: number;
  readonly share: number;
}

/** One trip condition over the night; of several classes that which is closest to its threshold at the time. */
export interface SignalLine {
  readonly signal: TripSignal;
  /** What it was where it came closest, and whose; null where there never were enough events. */
  readonly figure: number | null;
  readonly threshold: number | null;
  readonly class: string | null;
  readonly pool: string | null;
  /** figure ÷ threshold. */
  readonly share: number | null;
  readonly points: readonly SignalPoint[];
}

/** Of all nights the one with most trips, then that which came closest to one. */
export interface SignalSeries {
  readonly night: number;
  readonly lines: readonly SignalLine[];
}

/** From then on, until the next point or the night's end. */
export interface StrandedPoint {
  readonly atMs: number;
  /** In holds whose worker is gone. */
  readonly tokens: number;
  /** In holds whose lease has ended and that nobody has closed, whoever holds them. */
  readonly expiredTokens: number;
}

/** Asks were turned away from the first to the last of these moments while much of the pool was stranded. */
export interface PhantomStretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly refusals: number;
}

/** Of all nights the one with most asks turned away while much was stranded, then that with most stranded. */
export interface StrandedSeries {
  readonly night: number;
  readonly capacity: number;
  readonly points: readonly StrandedPoint[];
  readonly phantoms: readonly PhantomStretch[];
  readonly mostTokens: number;
  /** Of the pool. */
  readonly mostShare: number;
  readonly mostAtMs: number;
  readonly mostExpiredTokens: number;
  /** Above this share of the pool an ask that is turned away is an alarm. */
  readonly alarmShare: number;
  readonly alarmTokens: number;
  /** Tokens × the minutes that they were stranded, over all nights. */
  readonly tokenMinutes: number;
  /** Asks turned away above the alarm, over all nights, and the nights in which there were any. */
  readonly phantomRefusals: number;
  readonly phantomNights: number;
}

export interface NightSeries {
  readonly grants: GrantSeries;
  readonly calls: CallSeries;
  readonly losses: LossSeries;
  readonly waits: WaitSeries;
  readonly fleet: FleetSeries;
  /** Null without a pool. */
  readonly pool: PoolSeries | null;
  /** In the scenario's order. */
  readonly classes: readonly ClassSeries[];
  readonly writes: WriteSeries;
  /** Null where no call went out. */
  readonly edge: EdgeSeries | null;
  /** Null where no signal was sampled. */
  readonly signals: SignalSeries | null;
  /** Over all nights. */
  readonly signalPeaks: Peaks;
  /** Null where no token was ever stranded, and no hold expired before it was closed. */
  readonly stranded: StrandedSeries | null;
}
