// Drives the worker's processes on the event heap: answers each effect from its surroundings and schedules
// the resumption. The counterpart of the live driver, over the same processes, word for word. Every answer
// goes through the heap, also one that is ready at once.

import type { Clock } from '../base/clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Engine, Scheduled } from '../sim/engine.ts';
import type { Answer, Answers, CallAnswer, Effect, Process } from '../worker/effects.ts';
import type { JobQueue } from '../worker/job-queue.ts';

type Asked<Job, Kind extends Effect<Job>['kind']> = Extract<Effect<Job>, { readonly kind: Kind }>;

/** The operations on the ledger, which are answered at once. */
export type LedgerEffect = Asked<
  unknown,
  'reserve' | 'dispatch' | 'renew' | 'release' | 'settle' | 'reclaim'
>;
export type LedgerAnswer = Answers<unknown>[
  | 'reserve'
  | 'dispatch'
  | 'renew'
  | 'release'
  | 'settle'
  | 'reclaim'];

/** What answers the effects, and what is told of what happens. */
export interface Surroundings<Job> {
  readonly clock: Clock;
  readonly queue: JobQueue<Job>;
  /** Absent where no admission is played. */
  readonly ledger: Ledger | undefined;
  /** Lets the surroundings close the queue before its end. Default: always open. */
  readonly mayTake?: () => boolean;
  call(effect: Asked<Job, 'call'>, lane: number, answer: (answer: CallAnswer) => void): void;
  checkpoint(effect: Asked<Job, 'checkpoint'>, answer: (answer: Answers<Job>['checkpoint']) => void): void;
  /** After every operation on the ledger, before the worker hears of it. */
  booksMoved?(effect: LedgerEffect, answer: LedgerAnswer): void;
  laneEnded(lane: number): void;
}

/** The lanes that wait for one pool's books to move on from one version. */
interface WaitingRoom {
  readonly version: number;
  readonly wakers: Set<() => void>;
}

/** The lane number of the reclaimer, which is none. */
const NO_LANE = -1;

export class SimulatedDriver<Job> {
  readonly #engine: Engine;
  readonly #around: Surroundings<Job>;
  readonly #waiting = new Map<string, WaitingRoom>();
  #dropped = false;

  constructor(engine: Engine, surroundings: Surroundings<Job>) {
    this.#engine = engine;
    this.#around = surroundings;
  }

  /** Starts a lane, through the heap like everything else. */
  start(process: Process<Job>, lane: number): void {
    this.#resume(process, lane, undefined);
  }

  startReclaimer(process: Process<Job>): void {
    this.#resume(process, NO_LANE, undefined);
  }

  /** A crash, or the kill: the processes are never resumed again. */
  drop(): void {
    this.#dropped = true;
    this.#waiting.clear();
  }

  get isDropped(): boolean {
    return this.#dropped;
  }

  /** Somebody else may have moved the books: wakes the lanes that wait for it. */
  booksMayHaveMoved(): void {
    for (const [pool, { version, wakers }] of this.#waiting) {
      if (wakers.size === 0 || this.#version(pool) === version) continue;
      this.#waiting.delete(pool);
      for (const wake of wakers) wake();
    }
  }

  #resume(process: Process<Job>, lane: number, answer: Answer<Job>): void {
    this.#engine.schedule(0, () => this.#advance(process, lane, answer));
  }

  #advance(process: Process<Job>, lane: number, answer: Answer<Job>): void {
    if (this.#dropped) return;
    const next = process.next(answer);
    if (next.done !== true) this.#perform(process, lane, next.value);
    else if (lane !== NO_LANE) this.#around.laneEnded(lane);
  }

  #perform(process: Process<Job>, lane: number, effect: Effect<Job>): void {
    const { queue } = this.#around;
    const resume = (answer: Answer<Job>) => this.#resume(process, lane, answer);
    switch (effect.kind) {
      case 'take':
        resume(this.#around.mayTake?.() === false ? { kind: 'empty' } : queue.take(effect.bar));
        break;
      case 'leave':
        queue.leave(effect.offer, effect.leave);
        resume(undefined);
        break;
      case 'sleep':
        this.#engine.schedule(effect.ms, () => resume(undefined));
        break;
      case 'call':
        this.#call(effect, lane, resume);
        break;
      case 'checkpoint':
        this.#around.checkpoint(effect, resume);
        break;
      case 'tokens-returned':
        this.#wait(effect, resume);
        break;
      default:
        resume(this.#ask(effect));
    }
  }

  /** Renews the lease for as long as the call is out. */
  #call(effect: Asked<Job, 'call'>, lane: number, resume: (answer: CallAnswer) => void): void {
    const { lease } = effect;
    let renewal: Scheduled | undefined;
    let holdLost = false;
    this.#around.queue.attempted(effect.offer.jobId);
    // A call lasts no longer than its grant, so most never come to a renewal.
    if (lease !== undefined && lease.renewEveryMs < effect.timeoutMs) {
      const renewLater = (): void => {
        renewal = this.#engine.schedule(lease.renewEveryMs, () => {
          if (this.#dropped) return;
          const answer = this.#ask({ kind: 'renew', id: lease.id, leaseMs: lease.leaseMs });
          // A ledger that cannot answer now is asked again at the next turn: the lease may still run.
          holdLost = answer.outcome === 'refused';
          if (!holdLost) renewLater();
        });
      };
      renewLater();
    }
    this.#around.call(effect, lane, (answer) => {
      if (renewal !== undefined) this.#engine.cancel(renewal);
      resume(holdLost ? { ...answer, holdLost } : answer);
    });
  }

  #wait(effect: Asked<Job, 'tokens-returned'>, resume: (answer: 'moved' | 'until') => void): void {
    const { pool, version, untilMs } = effect;
    this.booksMayHaveMoved();
    if (this.#version(pool) !== version) {
      resume('moved');
      return;
    }
    const { wakers } = this.#waitingRoom(pool, version);
    const waitMs = untilMs - this.#around.clock.monotonicMs();
    const until =
      waitMs < Number.POSITIVE_INFINITY
        ? this.#engine.schedule(Math.max(0, waitMs), () => {
            wakers.delete(wake);
            resume('until');
          })
        : undefined;
    const wake = (): void => {
      if (until !== undefined) this.#engine.cancel(until);
      resume('moved');
    };
    wakers.add(wake);
  }

  /** Everybody in it waits at the version that the books have now: others have been woken. */
  #waitingRoom(pool: string, version: number): WaitingRoom {
    let room = this.#waiting.get(pool);
    if (room === undefined || room.version !== version) {
      room = { version, wakers: new Set() };
      this.#waiting.set(pool, room);
    }
    return room;
  }

  #ask(effect: LedgerEffect): LedgerAnswer {
    const answer = this.#operate(effect);
    this.#around.booksMoved?.(effect, answer);
    this.booksMayHaveMoved();
    return answer;
  }

  #operate(effect: LedgerEffect): LedgerAnswer {
    const { ledger, clock } = this.#around;
    if (ledger === undefined) return { outcome: 'unavailable' };
    const nowMs = clock.wallMs();
    switch (effect.kind) {
      case 'reserve':
        return ledger.reserve({ ...effect.request, nowMs });
      case 'dispatch':
        return ledger.dispatch({ id: effect.id, nowMs });
      case 'renew':
        return ledger.renew({ id: effect.id, leaseMs: effect.leaseMs, nowMs });
      case 'release':
        return ledger.release({ id: effect.id, nowMs });
      case 'settle':
        return ledger.settle({ id: effect.id, actual: effect.actual, nowMs });
      case 'reclaim':
        return ledger.reclaim({ pool: effect.pool, nowMs });
    }
  }

  #version(pool: string): number | undefined {
    return this.#around.ledger?.pool(pool)?.version;
  }
}
