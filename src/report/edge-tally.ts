// The last minutes of one night, lane by lane: which calls were out, which writes were under way, what the
// kill cut off. Of each lane only the latest are kept, and of all nights only the one that came closest to
// its end, so that memory does not grow with jobs or nights.

import type { WorldEvent } from '../world/world-event.ts';
import type { EdgeBar, EdgeSeries } from './night-series.ts';

/** Of one lane, calls and writes together: at least so many, and fewer than twice as many. */
const KEPT_BARS = 24;
/** What a picture can hold. */
const MOST_LANES = 10;
const MOST_BARS = 150;

type EventOf<Type extends WorldEvent['type']> = Extract<WorldEvent, { readonly type: Type }>;

export class EdgeTally {
  readonly #windowMs: number;
  readonly #lanesEach: number;
  #night: EdgeNight | undefined;
  #closest: EdgeNight | undefined;

  /** @param lanesEach how many lanes each worker has; they are numbered over all workers */
  constructor(windowMs: number, lanesEach: number) {
    this.#windowMs = windowMs;
    this.#lanesEach = lanesEach;
  }

  opened(night: number): void {
    this.#close();
    this.#night = new EdgeNight(night, this.#windowMs, this.#lanesEach);
  }

  granted(event: EventOf<'granted'>): void {
    this.#night?.granted(event);
  }

  answered(event: EventOf<'attempt'>): void {
    this.#night?.answered(event);
  }

  queued(event: EventOf<'write-queued'>): void {
    this.#night?.queued(event);
  }

  written(event: EventOf<'written'>): void {
    this.#night?.written(event);
  }

  refused(event: EventOf<'write-failed'>): void {
    this.#night?.refused(event);
  }

  /** @returns jobs whose checkpoints went with the worker */
  crashed(event: EventOf<'crashed'>): readonly string[] {
    return this.#night?.crashed(event) ?? [];
  }

  restarted(event: EventOf<'restarted'>): void {
    this.#night?.restarted(event);
  }

  ended(event: EventOf<'finished' | 'killed'>): void {
    this.#night?.ended(event);
  }

  /** Null where no call went out at all. */
  series(): EdgeSeries | null {
    this.#close();
    return this.#closest?.series() ?? null;
  }

  #close(): void {
    const night = this.#night;
    if (night === undefined || !night.hasCalls) return;
    if (this.#closest === undefined || night.isCloserThan(this.#closest)) this.#closest = night;
  }
}

interface Begun {
  readonly lane: number;
  readonly fromMs: number;
}

class EdgeNight {
  readonly #number: number;
  readonly #windowMs: number;
  readonly #lanes = new Map<number, LaneBars>();
  readonly #calls = new Map<number, Begun>();
  readonly #writes = new Map<string, Begun>();
  readonly #laneOf = new Map<string, number>();
  readonly #lanesEach: number;
  /** Lanes that worked before their worker crashed, and when it did. */
  readonly #down = new Map<number, Begun>();
  #killed = false;
  #finishedMs: number | null = null;
  #lastCallMs: number | null = null;
  #lastWriteMs: number | null = null;

  constructor(night: number, windowMs: number, lanesEach: number) {
    this.#number = night;
    this.#windowMs = windowMs;
    this.#lanesEach = lanesEach;
  }

  get hasCalls(): boolean {
    return this.#lanes.size > 0 || this.#calls.size > 0;
  }

  granted({ lane, job, atMs }: EventOf<'granted'>): void {
    this.#calls.set(lane, { lane, fromMs: atMs });
    this.#laneOf.set(job, lane);
  }

  answered({ lane, atMs, outcome }: EventOf<'attempt'>): void {
    const begun = this.#calls.get(lane);
    if (begun === undefined) return;
    this.#calls.delete(lane);
    this.#lastCallMs = atMs;
    this.#keep({ ...begun, toMs: atMs, kind: outcome === 'timed-out' ? 'timed-out' : 'answered' });
  }

  queued({ job, atMs }: EventOf<'write-queued'>): void {
    const lane = this.#laneOf.get(job);
    if (lane !== undefined) this.#writes.set(job, { lane, fromMs: atMs });
  }

  written({ job, atMs }: EventOf<'written'>): void {
    const begun = this.#writes.get(job);
    if (begun === undefined) return;
    this.#writes.delete(job);
    this.#lastWriteMs = atMs;
    this.#keep({ ...begun, toMs: atMs, kind: 'write' });
  }

  refused({ job, atMs }: EventOf<'write-failed'>): void {
    this.#dropWrite(job, atMs);
  }

  /** @returns jobs whose checkpoints went with the worker */
  crashed({ worker, atMs }: EventOf<'crashed'>): readonly string[] {
    for (const [lane, begun] of this.#calls) {
      if (!this.#isOf(worker, lane)) continue;
      this.#calls.delete(lane);
      this.#keep({ ...begun, toMs: atMs, kind: 'crashed' });
    }
    const lost = [...this.#writes].filter(([, { lane }]) => this.#isOf(worker, lane)).map(([job]) => job);
    for (const job of lost) this.#dropWrite(job, atMs);
    for (const lane of this.#lanes.keys()) {
      if (this.#isOf(worker, lane)) this.#down.set(lane, { lane, fromMs: atMs });
    }
    return lost;
  }

  restarted({ worker, atMs }: EventOf<'restarted'>): void {
    for (const [lane, begun] of this.#down) {
      if (!this.#isOf(worker, lane)) continue;
      this.#down.delete(lane);
      this.#keep({ ...begun, toMs: atMs, kind: 'down' });
    }
  }

  ended({ type, atMs }: EventOf<'finished' | 'killed'>): void {
    for (const begun of this.#down.values()) this.#keep({ ...begun, toMs: atMs, kind: 'down' });
    this.#down.clear();
    this.#killed = type === 'killed';
    if (type === 'finished') this.#finishedMs = atMs;
    this.#laneOf.clear();
  }

  /** Killed before not killed, then whoever lost more, then whoever was at work longer. */
  isCloserThan(other: EdgeNight): boolean {
    const [mine, theirs] = [this.#closeness(), other.#closeness()];
    const differs = mine.findIndex((value, index) => value !== theirs[index]);
    return differs >= 0 && (mine[differs] ?? 0) > (theirs[differs] ?? 0);
  }

  series(): EdgeSeries {
    const cut = this.#cutOff();
    const lanes = this.#shownLanes(cut);
    const all = lanes.flatMap((lane) => [...(this.#lanes.get(lane)?.bars ?? []), ...(cut.get(lane) ?? [])]);
    const fromMs = this.#fromMs(lanes, all);
    return {
      night: this.#number,
      killed: this.#killed,
      lanes: new Set([...this.#lanes.keys(), ...cut.keys()]).size,
      cutOff: this.#calls.size,
      unwritten: this.#writes.size,
      lastCallMs: this.#lastCallMs,
      lastWriteMs: this.#lastWriteMs,
      finishedMs: this.#finishedMs,
      callMarginMs: this.#lastCallMs === null ? null : this.#windowMs - this.#lastCallMs,
      writeMarginMs: this.#lastWriteMs === null ? null : this.#windowMs - this.#lastWriteMs,
      fromMs,
      spanMs: this.#windowMs - fromMs,
      shownLanes: lanes,
      bars: all
        .filter(({ toMs }) => toMs > fromMs)
        .map((bar) => ({ ...bar, fromMs: Math.max(bar.fromMs, fromMs) })),
    };
  }

  #keep(bar: EdgeBar): void {
    let lane = this.#lanes.get(bar.lane);
    if (lane === undefined) {
      lane = new LaneBars();
      this.#lanes.set(bar.lane, lane);
    }
    lane.add(bar);
  }

  #isOf(worker: number, lane: number): boolean {
    return Math.floor(lane / this.#lanesEach) + 1 === worker;
  }

  #dropWrite(job: string, atMs: number): void {
    const begun = this.#writes.get(job);
    if (begun === undefined) return;
    this.#writes.delete(job);
    this.#keep({ ...begun, toMs: atMs, kind: 'lost-write' });
  }

  #closeness(): readonly number[] {
    const lost = this.#calls.size + this.#writes.size;
    return [this.#killed ? 1 : 0, lost, Math.max(this.#lastCallMs ?? 0, this.#lastWriteMs ?? 0)];
  }

  /** By lane: what was under way when the night ended. */
  #cutOff(): ReadonlyMap<number, readonly EdgeBar[]> {
    const cut = new Map<number, EdgeBar[]>();
    const add = (kind: EdgeBar['kind']) => (begun: Begun) =>
      cut.set(begun.lane, [...(cut.get(begun.lane) ?? []), { ...begun, toMs: this.#windowMs, kind }]);
    this.#calls.forEach(add('cut-off'));
    this.#writes.forEach(add('unwritten'));
    return cut;
  }

  /** Those that lost something, then those that were at work longest; in order of their numbers. */
  #shownLanes(cut: ReadonlyMap<number, readonly EdgeBar[]>): readonly number[] {
    const all = new Set([...this.#lanes.keys(), ...cut.keys()]);
    const end = (lane: number): number => this.#lanes.get(lane)?.bars.at(-1)?.toMs ?? 0;
    return [...all]
      .sort((a, b) => (cut.get(b)?.length ?? 0) - (cut.get(a)?.length ?? 0) || end(b) - end(a) || a - b)
      .slice(0, MOST_LANES)
      .sort((a, b) => a - b);
  }

  /** As far back as all the lanes that are shown are known, and the picture holds. */
  #fromMs(lanes: readonly number[], bars: readonly EdgeBar[]): number {
    const known = lanes.map((lane) => this.#lanes.get(lane)?.knownFromMs ?? 0);
    const latest = [...bars].sort((a, b) => b.toMs - a.toMs);
    return Math.max(0, ...known, latest[MOST_BARS]?.toMs ?? 0);
  }
}

/** The latest bars of one lane, oldest first. */
class LaneBars {
  #bars: EdgeBar[] = [];
  #forgotten = 0;

  /** Before this, bars were forgotten. */
  get knownFromMs(): number {
    return this.#forgotten;
  }

  get bars(): readonly EdgeBar[] {
    return this.#bars;
  }

  add(bar: EdgeBar): void {
    this.#bars.push(bar);
    if (this.#bars.length < 2 * KEPT_BARS) return;
    this.#forgotten = Math.max(...this.#bars.slice(0, KEPT_BARS).map(({ toMs }) => toMs));
    this.#bars = this.#bars.slice(KEPT_BARS);
  }
}
