// What a worker is told, and what its lanes share. One object of each per process.

import type { Clock } from '../base/clock.ts';
import type { BackoffSettings } from '../budget/backoff.ts';
import type { Clamp } from '../budget/budget.ts';
import type { AttemptRecord, Bar, Offer } from './effects.ts';

export interface WorkerSettings<Job> {
  readonly clock: Clock;
  readonly budget: Clamp;
  /** Absent: the deadline alone is watched, no tokens are. */
  readonly pool: PoolUse | undefined;
  /** Part of every hold's id; the pool's current period unless the user names another. */
  readonly night: number;
  /**
   * `whole-job`: what all attempts may use is reserved before the first. `per-attempt`: what the first may
   * use, and more before each further one. Default: `whole-job`.
   */
  readonly hold?: 'whole-job' | 'per-attempt';
  /** Tokens that so many attempts of one offer may use together. Only asked where there is a pool. */
  envelope(job: Job, attempts: number): number;
  /** Attempts per offer, from 1. */
  attempts(job: Job): number;
  /** What an attempt costs that has no answer to say so. */
  abandonedUsage(job: Job): number;
  readonly backoff: BackoffSettings;
  /** A uniform from 0 (included) to 1 for the pause after an attempt. */
  jitter(offer: Offer<Job>, attempt: number): number;
  /** What a lane may take while a refused job waits for tokens. */
  readonly backfill: 'smaller' | 'none';
  /** Told of every attempt as it ends. */
  record(record: AttemptRecord, lane: number): void;
}

export interface PoolUse {
  readonly name: string;
  readonly leaseMs: number;
  /** How often the drivers renew a lease while a call is out. */
  readonly renewEveryMs: number;
  readonly reclaimEveryMs: number;
  /** Names this process in its holds: a stranger's reserve under the same id is told so. */
  readonly taker: string;
}

/** How long a lane waits before it tries a write or a settle again that the store refused. */
export const RETRY_STORE_EVERY_MS = 1_000;

/** What the lanes of one process know together. */
export class LaneBoard {
  /** Set while a refused job waits for tokens: lanes take nothing as large, until the version moves. */
  #bar: Bar | undefined;
  /** The latest version of the books that any lane has heard of. */
  #version = Number.NEGATIVE_INFINITY;
  /** Nobody calls before this moment: a provider asked to be left alone. */
  gateUntilMs = Number.NEGATIVE_INFINITY;
  lanesRunning: number;
  #isClosed = false;
  /** Settles that the store never took. */
  unsettledCount = 0;

  constructor(lanes: number) {
    this.lanesRunning = lanes;
  }

  /** A job of this size was refused at this version; void once the version moves, and if it has already. */
  raiseBar(amount: number, version: number): void {
    this.seen(version);
    if (version < this.#version) return;
    this.#bar = { amount: Math.min(amount, this.#bar?.amount ?? amount), version };
  }

  /** The books of the pool's chain stood at this version. */
  seen(version: number): void {
    if (version <= this.#version) return;
    this.#version = version;
    this.#bar = undefined;
  }

  /** A wait at this version is over: whoever was refused at it may ask again. */
  movedFrom(version: number): void {
    if (this.#bar !== undefined && this.#bar.version <= version) this.#bar = undefined;
  }

  /** A termination signal came: no job is taken up any more; what is under way goes on to its end. */
  close(): void {
    this.#isClosed = true;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get bar(): Bar | undefined {
    return this.#bar;
  }

  /** `ms` is how long the provider asked for, from `nowMs`. */
  closeGate(nowMs: number, ms: number): void {
    this.gateUntilMs = Math.max(this.gateUntilMs, nowMs + ms);
  }
}
