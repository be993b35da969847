// Counts what happens in one night: attempts by outcome, tokens billed, what moved in each pool's books.

import type { RowDelta } from '../ledger/ledger.ts';
import type { AttemptRecord } from '../worker/effects.ts';
import type { Trip } from '../worker/trip-settings.ts';
import type { BackgroundResult, TripResult } from './run-result.ts';

/** What moved in one pool's books in one night, whichever of its rows it was. */
export interface PoolFlow {
  consumed: number;
  refunded: number;
  overspent: number;
  shortfall: number;
}

export interface ClassTally {
  attempts: number;
  heldTokens: number;
  usedTokens: number;
}

export class NightTally {
  attempts = 0;
  timeouts = 0;
  errors = 0;
  invalid = 0;
  rateLimited = 0;
  /** Calls that a client made beyond one for each attempt. */
  hiddenCalls = 0;
  /** Jobs taken up while another worker was still at work on them. */
  duplicated = 0;
  billed = 0;
  /** What the shared counter could be debited with. */
  debited = 0;
  lastWriteMs: number | null = null;
  finishedMs: number | null = null;
  /** Where others call beside the batch; what is left for them is known when all is billed. */
  background: Omit<BackgroundResult, 'quotaLeft'> | undefined;
  readonly alerts: TripResult[] = [];
  readonly trips: TripResult[] = [];
  readonly classes = new Map<string, ClassTally>();
  readonly #flows = new Map<string, PoolFlow>();
  readonly #askers = new Set<string>();
  readonly #refusedAskers = new Set<string>();

  /** Jobs that were refused for want of tokens ÷ jobs that asked; waiting for a paused pool counts as neither. */
  get refusalRate(): number | null {
    return this.#askers.size === 0 ? null : this.#refusedAskers.size / this.#askers.size;
  }

  attempted(className: string, record: AttemptRecord): void {
    this.attempts += 1;
    this.class(className).attempts += 1;
    if (record.outcome === 'timed-out') this.timeouts += 1;
    if (record.outcome === 'server-error') this.errors += 1;
    if (record.outcome === 'invalid') this.invalid += 1;
    if (record.outcome === 'rate-limited') this.rateLimited += 1;
  }

  asked(job: string, isRefused: boolean): void {
    this.#askers.add(job);
    if (isRefused) this.#refusedAskers.add(job);
  }

  tripped({ level, ...trip }: Trip): void {
    (level === 'trip' ? this.trips : this.alerts).push(trip);
  }

  settled(className: string, held: number, used: number): void {
    const tally = this.class(className);
    tally.heldTokens += held;
    tally.usedTokens += used;
  }

  moved(delta: readonly RowDelta[]): void {
    for (const change of delta) {
      const flow = this.flow(change.pool);
      flow.consumed += change.consumed;
      flow.refunded += change.refunded;
      flow.overspent += change.overspent;
      flow.shortfall += change.shortfall;
    }
  }

  flow(pool: string): PoolFlow {
    let flow = this.#flows.get(pool);
    if (flow === undefined) {
      flow = { consumed: 0, refunded: 0, overspent: 0, shortfall: 0 };
      this.#flows.set(pool, flow);
    }
    return flow;
  }

  class(name: string): ClassTally {
    let tally = this.classes.get(name);
    if (tally === undefined) {
      tally = { attempts: 0, heldTokens: 0, usedTokens: 0 };
      this.classes.set(name, tally);
    }
    return tally;
  }
}
