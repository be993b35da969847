// Whose fault it was that time ran out: the work itself, a ledger or a store that was away meanwhile, or lanes
// that stood idle at the end, waiting for tokens that others held. Only the first is cured by more lanes.

import type { Period } from '../world/incident-times.ts';
import type { WorldEvent } from '../world/world-event.ts';
import type { NightIncidents } from './incidents.ts';
import type { WaitSeries } from './trouble-series.ts';

/** The last part of the time before the reserve, over which lanes are looked at. */
const END_SHARE = 0.1;
/** Lanes that are busy for less than this share of it stand idle. */
const IDLE_BELOW = 0.5;
/** An outage is the reason where the time that it took would have done this part of what was left, or more. */
const WORTH_OF_LATE = 0.5;

export class WaitTally {
  readonly #lanesEach: number;
  readonly #lanes: number;
  readonly #fromMs: number;
  readonly #toMs: number;
  readonly #incidents: readonly NightIncidents[];
  /** Tonight's calls that are out: since when, by lane. */
  readonly #out = new Map<number, number>();
  readonly #waiting = new Set<string>();
  /** Workers that are gone, and since when. */
  readonly #down = new Map<number, number>();
  /** Lanes × the time that they were gone. */
  #downMs = 0;
  #busyMs = 0;
  #strandedTokens = 0;
  #waitsOnStranded = false;
  #night = 0;
  #done = 0;
  #late = 0;
  #total = { late: 0, ledger: 0, store: 0, waiting: 0, stranded: 0, down: 0 };

  constructor(setup: {
    readonly workers: number;
    readonly lanesEach: number;
    readonly usableMs: number;
    /** By night. */
    readonly incidents: readonly NightIncidents[];
  }) {
    this.#lanesEach = setup.lanesEach;
    this.#lanes = setup.workers * setup.lanesEach;
    this.#fromMs = setup.usableMs * (1 - END_SHARE);
    this.#toMs = setup.usableMs;
    this.#incidents = setup.incidents;
  }

  hear(event: WorldEvent): void {
    switch (event.type) {
      case 'opened':
        this.#close();
        this.#night = event.night;
        return;
      case 'granted':
        this.#out.set(event.lane, event.atMs);
        return;
      case 'attempt':
        this.#callEnds(event.lane, event.atMs);
        return;
      case 'crashed':
        for (const lane of this.#out.keys())
          if (Math.floor(lane / this.#lanesEach) + 1 === event.worker) this.#callEnds(lane, event.atMs);
        this.#down.set(event.worker, event.atMs);
        return;
      case 'restarted':
        this.#isBack(event.worker, event.atMs);
        return;
      case 'finished':
      case 'killed':
        for (const lane of this.#out.keys()) this.#callEnds(lane, event.atMs);
        return;
      case 'stranded':
        this.#strandedTokens = event.tokens;
        return;
      case 'reserved':
        this.#asked(event);
        return;
      case 'outcome':
        if (event.outcome === 'done') this.#done += 1;
        if (event.cause === 'out-of-time' || event.cause === 'not-reached') this.#late += 1;
        return;
      default:
        return;
    }
  }

  series(): WaitSeries {
    this.#close();
    return { ...this.#total };
  }

  #asked({ job, outcome, returnable, atMs }: Extract<WorldEvent, { readonly type: 'reserved' }>): void {
    if (outcome !== 'insufficient' || !returnable) {
      this.#waiting.delete(job);
      return;
    }
    this.#waiting.add(job);
    if (atMs >= this.#fromMs && this.#strandedTokens > 0) this.#waitsOnStranded = true;
  }

  #callEnds(lane: number, atMs: number): void {
    const sinceMs = this.#out.get(lane) ?? atMs;
    this.#out.delete(lane);
    this.#busyMs += Math.max(0, Math.min(atMs, this.#toMs) - Math.max(sinceMs, this.#fromMs));
  }

  #close(): void {
    for (const worker of this.#down.keys()) this.#isBack(worker, this.#toMs);
    const tonight = this.#incidents[this.#night - 1];
    const isIdle = this.#busyMs < IDLE_BELOW * this.#lanes * (this.#toMs - this.#fromMs);
    this.#total.late += this.#late;
    const share = this.#downMs / (this.#lanes * this.#toMs);
    if (this.#isWorthTheLate(this.#shareOf(tonight?.['ledger-outage'] ?? [])))
      this.#total.ledger += this.#late;
    else if (
      this.#isWorthTheLate(
        this.#shareOf([...(tonight?.['store-outage'] ?? []), ...(tonight?.['store-full'] ?? [])]),
      )
    )
      this.#total.store += this.#late;
    else if (isIdle && this.#waiting.size > 0) {
      this.#total.waiting += this.#late;
      if (this.#waitsOnStranded) this.#total.stranded += this.#late;
    } else if (this.#isWorthTheLate(share)) {
      this.#total.down += this.#late;
    }
    this.#out.clear();
    this.#waiting.clear();
    this.#busyMs = 0;
    this.#downMs = 0;
    this.#strandedTokens = 0;
    this.#waitsOnStranded = false;
    this.#done = 0;
    this.#late = 0;
  }

  #isBack(worker: number, atMs: number): void {
    const sinceMs = this.#down.get(worker) ?? atMs;
    this.#down.delete(worker);
    this.#downMs += this.#lanesEach * Math.max(0, Math.min(atMs, this.#toMs) - sinceMs);
  }

  /** Of the time before the reserve. */
  #shareOf(periods: readonly Period[]): number {
    const lostMs = periods.reduce(
      (total, { fromMs, toMs }) => total + Math.max(0, Math.min(toMs, this.#toMs) - fromMs),
      0,
    );
    return Math.min(1, lostMs / this.#toMs);
  }

  /** At the pace of the rest of the night. */
  #isWorthTheLate(lostShare: number): boolean {
    return lostShare > 0 && this.#done * lostShare >= WORTH_OF_LATE * this.#late * (1 - lostShare);
  }
}
