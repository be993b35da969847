// Drives the worker's processes on the event heap: answers each effect from its surroundings and schedules
// the resumption. The counterpart of the live driver, over the same processes, word for word. Every answer
// goes through the heap, also one that is ready at once.

import type { Clock } from '../base/clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Engine } from '../sim/engine.ts';
import type { Answer, Answers, CallAnswer, Effect, Process } from '../worker/effects.ts';
import type { JobQueue } from '../worker/job-queue.ts';
import { type InLine, TokenLine } from '../worker/token-line.ts';
import { WorkerTime, type WorkerTimer } from './worker-time.ts';

type Asked<Job, Kind extends Effect<Job>['kind']> = Extract<Effect<Job>, { readonly kind: Kind }>;

/** The operations on the ledger. */
export type LedgerEffect = Asked<
  unknown,
  'reserve' | 'dispatch' | 'renew' | 'extend-to' | 'release' | 'settle' | 'reclaim'
>;
export type LedgerAnswer = Answers<unknown>[
  | 'reserve'
  | 'dispatch'
  | 'renew'
  | 'extend-to'
  | 'release'
  | 'settle'
  | 'reclaim'];

/** The queue as one process sees it. */
export type OfferedJobs<Job> = Pick<JobQueue<Job>, 'take' | 'leave' | 'attempted' | 'hasClaimedElsewhere'>;

/** What answers the effects, and what is told of what happens. */
export interface Surroundings<Job> {
  readonly clock: Clock;
  readonly queue: OfferedJobs<Job>;
  /** Absent where no admission is played. */
  readonly ledger: Ledger | undefined;
  /** Lets the surroundings close the queue before its end. Default: always open. */
  readonly mayTake?: () => boolean;
  /**
   * Lets an operation on the ledger take a while, or fail. Default: it is done, and answered, at once.
   *
   * @param operate does it
   */
  ask?(effect: LedgerEffect, operate: () => LedgerAnswer, answer: (answer: LedgerAnswer) => void): void;
  /** Before each resumption, and so before each grant. */
  beforeResuming?(): void;
  /** How long a call may be out that is granted so much. Default: its grant. */
  longestCallMs?(timeoutMs: number): number;
  /** A suspension has broken the connection of a lane's call. */
  connectionLost?(lane: number): void;
  /** While jobs are claimed elsewhere, lanes that wait look again so often. Default: never. */
  readonly recheckMs?: number;
  call(effect: Asked<Job, 'call'>, lane: number, answer: (answer: CallAnswer) => void): void;
  checkpoint(effect: Asked<Job, 'checkpoint'>, answer: (answer: Answers<Job>['checkpoint']) => void): void;
  /** After every operation on the ledger, before the worker hears of it. */
  booksMoved?(effect: LedgerEffect, answer: LedgerAnswer): void;
  laneEnded(lane: number): void;
}

/** A lane that waits for the books to move. */
interface Waiter extends InLine {
  end(answer: 'moved' | 'until'): void;
}

const TIMED_OUT: CallAnswer = { outcome: 'timed-out' };

/** The lane number of the reclaimer, which is none. */
const NO_LANE = -1;

export class SimulatedDriver<Job> {
  readonly #engine: Engine;
  readonly #around: Surroundings<Job>;
  readonly #time: WorkerTime;
  readonly #line = new TokenLine<Waiter>();
  /** The pool for whose tokens the lanes wait. */
  #pool: string | undefined;
  /** Ends each call that is out, as one whose connection is gone. */
  readonly #breaks = new Set<() => void>();
  #dropped = false;
  #isStuck = false;

  /** @param time of this process; default: it never stands still */
  constructor(engine: Engine, surroundings: Surroundings<Job>, time = new WorkerTime(engine)) {
    this.#engine = engine;
    this.#around = surroundings;
    this.#time = time;
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
    this.#line.clear();
  }

  get isDropped(): boolean {
    return this.#dropped;
  }

  /** Its lanes hang for ever, and nobody gives up their holds: they are renewed as long as the ledger lets them. */
  becomeZombie(): void {
    this.#isStuck = true;
  }

  /** The process stands still for a while, and all its timers are due when it goes on. */
  pause(forMs: number): void {
    this.#time.pause(forMs);
  }

  /** Its machine sleeps for a while. No connection survives that, and who waits looks again on waking. */
  suspend(forMs: number): void {
    this.#time.suspend(forMs);
    const breaks = [...this.#breaks];
    this.#breaks.clear();
    for (const breakOff of breaks) breakOff();
    this.#time.whenAwake(() => this.#wakeAll('moved'));
  }

  /** Nothing is taken up any more: whoever waits for tokens need not. */
  endWaits(): void {
    this.#time.whenAwake(() => this.#wakeAll('until'));
  }

  #wakeAll(answer: 'moved' | 'until'): void {
    for (const waiter of this.#line.clear()) waiter.end(answer);
  }

  /** Somebody else may have moved the books: whoever is first in line asks again. */
  booksMayHaveMoved(): void {
    if (this.#pool === undefined || this.#line.size === 0) return;
    const version = this.#version(this.#pool);
    if (version !== undefined) this.#line.moved(version);
  }

  #resume(process: Process<Job>, lane: number, answer: Answer<Job>): void {
    this.#engine.schedule(0, () => this.#advance(process, lane, answer));
  }

  #advance(process: Process<Job>, lane: number, answer: Answer<Job>): void {
    if (!this.#time.isAwake) {
      this.#time.whenAwake(() => this.#advance(process, lane, answer));
      return;
    }
    if (this.#dropped || (this.#isStuck && lane !== NO_LANE)) return;
    this.#around.beforeResuming?.();
    const next = process.next(answer);
    if (next.done !== true) this.#perform(process, lane, next.value);
    else this.#end(process, lane);
  }

  #end(process: Process<Job>, lane: number): void {
    if (lane === NO_LANE) return;
    this.#around.laneEnded(lane);
    this.#line.passedOn(process);
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
        this.#time.after(effect.ms, () => resume(undefined));
        break;
      case 'call':
        this.#line.passedOn(process);
        this.#call(effect, lane, resume);
        break;
      case 'checkpoint':
        this.#around.checkpoint(effect, resume);
        break;
      case 'tokens-returned':
        this.#wait(process, effect, resume);
        break;
      default:
        this.#ask(effect, resume);
    }
  }

  /** Renews the lease for as long as the call is out. */
  #call(effect: Asked<Job, 'call'>, lane: number, resume: (answer: CallAnswer) => void): void {
    const { lease, timeoutMs } = effect;
    const endsMs = this.#engine.now + timeoutMs;
    this.#around.queue.attempted(effect.offer.jobId);
    const renewals = lease === undefined ? undefined : this.#keepRenewing(lease, timeoutMs);
    let isOver = false;
    /** What the process learns once it is awake: after a pause that was longer than the grant, that it timed out. */
    const end = (answer: CallAnswer, wasAwake: boolean): void => {
      if (isOver || this.#isStuck) return;
      isOver = true;
      this.#breaks.delete(breakOff);
      const holdLost = renewals?.end() ?? false;
      const heard = !wasAwake && this.#engine.now > endsMs ? TIMED_OUT : answer;
      resume(holdLost ? { ...heard, holdLost } : heard);
    };
    const breakOff = (): void => {
      this.#around.connectionLost?.(lane);
      this.#time.whenAwake(() => end({ outcome: 'threw' }, true));
    };
    this.#breaks.add(breakOff);
    this.#around.call(effect, lane, (answer) => {
      const wasAwake = this.#time.isAwake;
      this.#time.whenAwake(() => end(answer, wasAwake));
    });
  }

  /** Renews until it is ended, or the hold is lost, which its end tells. */
  #keepRenewing(
    { id, leaseMs, renewEveryMs }: NonNullable<Asked<Job, 'call'>['lease']>,
    timeoutMs: number,
  ): { end(): boolean } | undefined {
    // A call lasts no longer than its grant, so most never come to a renewal.
    const longestMs = this.#around.longestCallMs?.(timeoutMs) ?? timeoutMs;
    if (renewEveryMs > longestMs || renewEveryMs === Number.POSITIVE_INFINITY) return undefined;
    let timer: WorkerTimer | undefined;
    let holdLost = false;
    let isOver = false;
    const renewLater = (): void => {
      timer = this.#time.after(renewEveryMs, () => {
        if (this.#dropped || isOver) return;
        this.#ask({ kind: 'renew', id, leaseMs }, (answer) => {
          // A ledger that cannot answer now is asked again at the next turn: the lease may still run.
          holdLost = answer.outcome === 'refused';
          if (!holdLost && !isOver) renewLater();
        });
      });
    };
    renewLater();
    return {
      end: () => {
        isOver = true;
        if (timer !== undefined) this.#time.cancel(timer);
        return holdLost;
      },
    };
  }

  #wait(
    process: Process<Job>,
    { pool, version, untilMs }: Asked<Job, 'tokens-returned'>,
    resume: (answer: 'moved' | 'until') => void,
  ): void {
    this.booksMayHaveMoved();
    if (this.#version(pool) !== version) {
      resume('moved');
      return;
    }
    const waitMs = untilMs - this.#around.clock.monotonicMs();
    if (waitMs <= 0) {
      resume('until');
      return;
    }
    const timers: WorkerTimer[] = [];
    const waiter: Waiter = {
      lane: process,
      version,
      letGo: () => waiter.end('moved'),
      end: (answer) => {
        for (const timer of timers) this.#time.cancel(timer);
        resume(answer);
      },
    };
    const wakeAfter = (ms: number, answer: 'moved' | 'until'): void => {
      timers.push(
        this.#time.after(ms, () => {
          this.#line.leave(waiter);
          waiter.end(answer);
        }),
      );
    };
    const { queue, recheckMs } = this.#around;
    if (waitMs < Number.POSITIVE_INFINITY) wakeAfter(waitMs, 'until');
    // Who has a job elsewhere may be done with it without a trace in these books.
    if (recheckMs !== undefined && recheckMs < waitMs && queue.hasClaimedElsewhere)
      wakeAfter(recheckMs, 'moved');
    this.#pool = pool;
    this.#line.join(waiter);
  }

  #ask(effect: LedgerEffect, answered: (answer: LedgerAnswer) => void): void {
    const operate = (): LedgerAnswer => {
      const answer = this.#operate(effect);
      this.#around.booksMoved?.(effect, answer);
      this.booksMayHaveMoved();
      return answer;
    };
    if (this.#around.ask === undefined) answered(operate());
    else this.#around.ask(effect, operate, answered);
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
      case 'extend-to':
        return ledger.extendTo({ id: effect.id, total: effect.total, nowMs });
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
