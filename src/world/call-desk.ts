// Answers a worker's calls in a played night: checks the grant, lets the provider play the call, and debits
// the shared counter where that is the policy. Knows which calls are out, and what they will be billed.

import { invariant } from '../base/errors.ts';
import type { Clamp } from '../budget/budget.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Engine } from '../sim/engine.ts';
import type { CallAnswer, Effect } from '../worker/effects.ts';
import type { SampledJob } from './draws.ts';
import { MONOTONIC_AT_OPENING_MS } from './night-clock.ts';
import type { NightLog } from './night-log.ts';
import type { PlayedCall, Provider } from './provider.ts';
import type { SharedCounter } from './shared-counter.ts';

export type CallEffect = Extract<Effect<SampledJob>, { readonly kind: 'call' }>;

export interface CallDeskSetup {
  readonly engine: Engine;
  readonly scenario: Scenario;
  readonly budget: Clamp;
  readonly provider: Provider;
  readonly counter: SharedCounter | undefined;
  readonly log: NightLog;
}

/** A microsecond: how exactly a grant keeps to the deadline. */
const TOLERANCE_MS = 1e-3;

export class CallDesk {
  readonly #setup: CallDeskSetup;
  readonly #out = new Map<string, { readonly startedMs: number; readonly played: PlayedCall }>();
  readonly #atTheWall = new Set<string>();
  /** What a lane's last call is billed, until its record is made. */
  readonly #billedToLane = new Map<number, number>();

  constructor(setup: CallDeskSetup) {
    this.#setup = setup;
  }

  /** Calls that have not ended. */
  get out(): ReadonlyMap<string, unknown> {
    return this.#out;
  }

  /** Jobs whose call needed more than the shared counter had left. */
  get atTheWall(): ReadonlySet<string> {
    return this.#atTheWall;
  }

  call(effect: CallEffect, lane: number, answer: (answer: CallAnswer) => void): void {
    const { engine, provider, counter, log } = this.#setup;
    const { offer, attempt, timeoutMs } = effect;
    const { jobId } = offer;
    this.#checkGrant(timeoutMs);
    log.emit({ type: 'granted', job: jobId, lane, attempt, timeoutMs });
    if (counter?.isOpen === false) {
      this.#hitTheWall(jobId, lane, 0, answer);
      return;
    }
    const played = provider.call(offer.job, attempt, timeoutMs);
    this.#out.set(jobId, { startedMs: engine.now, played });
    engine.schedule(played.elapsedMs, () => {
      this.#out.delete(jobId);
      const billed = counter === undefined ? played.billed : counter.debit(played.billed);
      if (billed < played.billed) {
        this.#hitTheWall(jobId, lane, billed, answer);
      } else {
        this.#billedToLane.set(lane, billed);
        answer({ outcome: played.outcome, usage: played.usage });
      }
    });
  }

  /** Tokens on the bill for the lane's last call; told once. */
  takeBilled(lane: number): number {
    const billed = this.#billedToLane.get(lane) ?? 0;
    this.#billedToLane.delete(lane);
    return billed;
  }

  /** Tokens on the bill for the calls that are out, if all are cut off now. */
  billedIfCut(): number {
    let billed = 0;
    for (const { startedMs, played } of this.#out.values()) {
      billed += played.billedIfCut(this.#setup.engine.now - startedMs);
    }
    return billed;
  }

  #hitTheWall(jobId: string, lane: number, billed: number, answer: (answer: CallAnswer) => void): void {
    this.#atTheWall.add(jobId);
    this.#billedToLane.set(lane, billed);
    answer({ outcome: 'rejected' });
  }

  #checkGrant(timeoutMs: number): void {
    const { engine, scenario, budget } = this.#setup;
    if (scenario.policy.timeouts === 'fixed') return;
    const { floorMs, capMs, reserveMs } = scenario.budget;
    const endsMs = MONOTONIC_AT_OPENING_MS + engine.now + timeoutMs;
    invariant(
      timeoutMs >= floorMs && timeoutMs <= capMs && endsMs <= budget.deadlineMs - reserveMs + TOLERANCE_MS,
      'floor ≤ grant ≤ cap, and it ends before the reserve',
      () => `granted ${timeoutMs} ms, ${engine.now} ms after the opening`,
    );
  }
}
