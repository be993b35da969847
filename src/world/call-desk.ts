// Answers the workers' calls in a played night: lets the provider play the call, and debits the shared counter
// where that is the policy. Knows which calls are out, and what they will be billed.

import type { Scenario } from '../scenario/scenario.ts';
import type { Engine } from '../sim/engine.ts';
import type { CallAnswer, Effect } from '../worker/effects.ts';
import type { Draws, SampledJob } from './draws.ts';
import { Errand, type ErrandSetup } from './errand.ts';
import type { NightLog } from './night-log.ts';
import type { ProviderService } from './provider-service.ts';
import type { SharedCounter } from './shared-counter.ts';

export type CallEffect = Extract<Effect<SampledJob>, { readonly kind: 'call' }>;

export interface CallDeskSetup {
  readonly engine: Engine;
  readonly scenario: Scenario;
  readonly service: ProviderService;
  readonly draws: Draws;
  readonly counter: SharedCounter | undefined;
  readonly log: NightLog;
  /** A client has called once more under an attempt that its worker counts once. */
  calledUnseen(): void;
  /** Tokens on the bill of calls that no worker hears of; `debited` by the shared counter all the same. */
  billedUnseen(tokens: number, debited: number): void;
}

/** What a call that nobody hears the end of is billed. */
export interface CutBill {
  /** Undefined where no hold pays for it. */
  readonly hold: string | undefined;
  readonly billed: number;
}

export class CallDesk {
  readonly #setup: CallDeskSetup;
  readonly #errands: ErrandSetup;
  /** By lane; lanes are numbered over all workers. */
  readonly #out = new Map<number, Errand>();
  /** By lane: the bill of its last call, which has ended, until its record is made. */
  readonly #ended = new Map<number, CutBill>();
  /** Given up by the worker, and still under way in the client. */
  readonly #forsaken = new Map<Errand, number>();
  /** Jobs whose last call was cut off with its worker. */
  readonly #cut = new Set<string>();
  readonly #atTheWall = new Set<string>();

  constructor(setup: CallDeskSetup) {
    this.#setup = setup;
    const { engine, service, draws, counter, scenario, log } = setup;
    this.#errands = {
      engine,
      service,
      draws,
      counter,
      client: scenario.client,
      // A loop that does not look at the deadline hands its timeout to the client, and waits.
      hasSignal: scenario.policy.timeouts === 'clamp',
      calledAgain: ({ job, lane, attempt }, call) => {
        log.emit({ type: 'called-again', job: job.id, lane, attempt, call });
        setup.calledUnseen();
      },
      billedUnseen: (tokens, debited) => setup.billedUnseen(tokens, debited),
    };
  }

  /** Jobs with a call that nobody knows the end of. */
  get unfinished(): ReadonlySet<string> {
    const out = [...this.#out.values()].map(({ ordered }) => ordered.job.id);
    return new Set([...this.#cut, ...out]);
  }

  /** Jobs whose call needed more than the shared counter had left. */
  get atTheWall(): ReadonlySet<string> {
    return this.#atTheWall;
  }

  call(effect: CallEffect, lane: number, answer: (answer: CallAnswer) => void): void {
    const { offer, attempt, timeoutMs, lease } = effect;
    const { job, jobId } = offer;
    const hold = lease?.id;
    this.#cut.delete(jobId);
    this.#setup.log.emit({ type: 'granted', job: jobId, lane, attempt, timeoutMs });
    const ordered = { job, lane, attempt, timeoutMs, hold };
    const errand = new Errand(this.#errands, ordered, (end) => {
      this.#out.delete(lane);
      if (!errand.isOver) this.#forsaken.set(errand, lane);
      if (end.isAtTheWall) this.#atTheWall.add(jobId);
      this.#ended.set(lane, { hold, billed: end.billed });
      answer(end.answer);
    });
    this.#out.set(lane, errand);
    errand.begin();
  }

  /** The connection of what the lane has out is gone, and the provider hears of it. */
  breakOff(lane: number): void {
    const errand = this.#out.get(lane);
    if (errand === undefined) return;
    this.#out.delete(lane);
    this.#ended.set(lane, { hold: errand.ordered.hold, billed: errand.cut() });
  }

  /** Tokens on the bill for the lane's last call; told once. */
  takeBilled(lane: number): number {
    const billed = this.#ended.get(lane)?.billed ?? 0;
    this.#ended.delete(lane);
    return billed;
  }

  /**
   * Cuts off whatever these lanes have out; by default, all. What is on the bill for it, and for ends that no
   * worker has heard of.
   */
  cutOff(lanes?: ReadonlySet<number>): readonly CutBill[] {
    const isCut = (lane: number) => lanes === undefined || lanes.has(lane);
    const bills: CutBill[] = [];
    for (const [lane, errand] of this.#out) {
      if (!isCut(lane)) continue;
      const { job, hold } = errand.ordered;
      this.#cut.add(job.id);
      this.#out.delete(lane);
      bills.push({ hold, billed: errand.cut() });
    }
    for (const [lane, bill] of this.#ended) {
      if (!isCut(lane)) continue;
      this.#ended.delete(lane);
      bills.push(bill);
    }
    for (const [errand, lane] of this.#forsaken) {
      if (!isCut(lane)) continue;
      this.#forsaken.delete(errand);
      errand.cut();
    }
    return bills;
  }
}
