// One attempt of the worker on its way to the provider, through a client that may retry by itself: several
// calls then, of which the worker hears the last one's answer, and which may go on when it has given up.

import { backoffMs } from '../budget/backoff.ts';
import type { RetryingClient } from '../scenario/scenario.ts';
import type { Engine, Scheduled } from '../sim/engine.ts';
import type { CallAnswer } from '../worker/effects.ts';
import type { Draws, SampledJob } from './draws.ts';
import type { PlayedCall } from './provider.ts';
import type { ProviderService, ServedCall } from './provider-service.ts';
import type { SharedCounter } from './shared-counter.ts';

export interface ErrandSetup {
  readonly engine: Engine;
  readonly service: ProviderService;
  readonly draws: Draws;
  readonly counter: SharedCounter | undefined;
  /** Absent: the call goes out as it is, and ends with its grant. */
  readonly client: RetryingClient | undefined;
  /** The worker hands over a signal that ends when the grant does; without, the grant as a timeout alone. */
  readonly hasSignal: boolean;
  /** The client calls once more, under an attempt that the worker counts once. */
  calledAgain(order: Ordered, call: number): void;
  /** Tokens on the bill of calls that the worker never hears of; `debited` by the shared counter all the same. */
  billedUnseen(tokens: number, debited: number): void;
}

export interface Ordered {
  readonly job: SampledJob;
  readonly lane: number;
  /** Counts on over nights, from 1. */
  readonly attempt: number;
  readonly timeoutMs: number;
  /** The hold that it is made on. */
  readonly hold: string | undefined;
}

/** What the worker hears. */
export interface ErrandEnd {
  readonly answer: CallAnswer;
  /** Tokens on the bill for what the answer is about: the last call, as far as it went. */
  readonly billed: number;
  /** The shared counter had less left than that. */
  readonly isAtTheWall: boolean;
}

/** Common clients wait as long as the provider asks for up to here; beyond, they fall back on their own pauses. */
const OBEYS_UP_TO_MS = 60_000;

export class Errand {
  readonly ordered: Ordered;
  readonly #setup: ErrandSetup;
  readonly #answer: (end: ErrandEnd) => void;
  readonly #startedMs: number;
  #calls = 0;
  #current: ServedCall | undefined;
  /** Of the call that is out: tokens on the bill already. */
  #billedOfCurrent = 0;
  #next: Scheduled | undefined;
  #grantEnd: Scheduled | undefined;
  #isAnswered = false;
  #isOver = false;

  constructor(setup: ErrandSetup, ordered: Ordered, answer: (end: ErrandEnd) => void) {
    this.ordered = ordered;
    this.#setup = setup;
    this.#answer = answer;
    this.#startedMs = setup.engine.now;
  }

  /** Once. */
  begin(): void {
    const { hasSignal, client } = this.#setup;
    if (hasSignal && client?.honoursSignal === false) this.#watchGrant();
    this.#call();
  }

  /** Nothing more comes of it. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The worker and its client are gone. @returns tokens on the bill that the worker would have heard of */
  cut(): number {
    if (this.#isOver) return 0;
    const { engine, service } = this.#setup;
    this.#end();
    if (this.#current === undefined) return 0;
    service.end(this.#current);
    const { played, startedMs } = this.#current;
    const owed = played.billedIfCut(engine.now - startedMs) - this.#billedOfCurrent;
    if (!this.#isAnswered) return owed;
    this.#setup.billedUnseen(owed, 0);
    return 0;
  }

  #call(): void {
    const { engine, service, counter } = this.#setup;
    const { job, attempt } = this.ordered;
    this.#calls += 1;
    if (counter?.isOpen === false) {
      this.#finish({ answer: { outcome: 'rejected' }, billed: 0, isAtTheWall: true });
      return;
    }
    if (this.#calls > 1) this.#setup.calledAgain(this.ordered, this.#calls);
    const { remainingMs, timerMs } = this.#limits();
    const timerEndsAtHeaders = this.#setup.client?.timerEndsAtHeaders === true;
    this.#current = service.begin({
      job,
      attempt,
      call: this.#calls,
      grantedMs: timerEndsAtHeaders ? remainingMs : Math.min(timerMs, remainingMs),
      firstWithinMs: Math.min(timerMs, remainingMs),
    });
    this.#billedOfCurrent = 0;
    const { played } = this.#current;
    const isBySignal = played.outcome === 'timed-out' && played.elapsedMs >= remainingMs;
    this.#next = engine.schedule(played.elapsedMs, () => this.#callEnded(played, isBySignal));
  }

  /** What ends the next call: the grant by its signal, the client by its timer. */
  #limits(): { readonly remainingMs: number; readonly timerMs: number } {
    const { client } = this.#setup;
    const { timeoutMs } = this.ordered;
    if (client === undefined) return { remainingMs: timeoutMs, timerMs: timeoutMs };
    return { remainingMs: this.#remainingMs(), timerMs: Math.min(client.timeoutMs, timeoutMs) };
  }

  /** Until the signal ends the errand; +∞ where none does. */
  #remainingMs(): number {
    const { engine, client, hasSignal } = this.#setup;
    if (!hasSignal || client?.honoursSignal === false) return Number.POSITIVE_INFINITY;
    // To the bit as it was granted, where nothing has passed.
    return this.ordered.timeoutMs - (engine.now - this.#startedMs);
  }

  #callEnded(played: PlayedCall, isBySignal: boolean): void {
    const { service, counter, client } = this.#setup;
    if (this.#current !== undefined) service.end(this.#current);
    this.#current = undefined;
    const owed = played.billed - this.#billedOfCurrent;
    const billed = counter === undefined ? owed : counter.debit(owed);
    const isAtTheWall = billed < owed;
    const mayRetry =
      !isBySignal && !isAtTheWall && this.#calls < (client?.attempts ?? 1) && isRetried(played);
    if (mayRetry && this.#isGivenUpNow()) this.#giveUp(billed);
    else if (this.#isAnswered || mayRetry) {
      this.#setup.billedUnseen(billed, counter === undefined ? 0 : billed);
    }
    if (mayRetry) {
      this.#pause(played.retryAfterMs);
      return;
    }
    const { outcome, usage, retryAfterMs } = played;
    const answer = { outcome, usage, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    this.#finish({ answer: isAtTheWall ? { outcome: 'rejected' } : answer, billed, isAtTheWall });
  }

  #pause(retryAfterMs: number | undefined): void {
    const { engine, client, draws } = this.#setup;
    const { job, attempt } = this.ordered;
    if (client === undefined) return;
    const uniform = draws.ofCall(this.#calls).clientBackoff(job, attempt);
    const pauseMs =
      retryAfterMs !== undefined && retryAfterMs <= OBEYS_UP_TO_MS
        ? retryAfterMs
        : backoffMs(this.#calls, uniform, client.backoff);
    const remainingMs = this.#remainingMs();
    if (pauseMs < remainingMs) this.#next = engine.schedule(pauseMs, () => this.#call());
    else this.#next = engine.schedule(Math.max(0, remainingMs), () => this.#finish(TIMED_OUT));
  }

  /** The worker waits no longer than its grant, whether or not the client listens. */
  #watchGrant(): void {
    const { engine } = this.#setup;
    this.#grantEnd = engine.schedule(this.ordered.timeoutMs, () => {
      // After whatever else is due now: an answer exactly at the grant is in time.
      this.#grantEnd = engine.schedule(0, () => this.#giveUp(this.#billSoFar()));
    });
  }

  /** The client's timer and the grant end at the same moment: the worker has waited for that call. */
  #isGivenUpNow(): boolean {
    if (this.#grantEnd === undefined || this.#isAnswered) return false;
    return this.#setup.engine.now >= this.#startedMs + this.ordered.timeoutMs;
  }

  #giveUp(billed: number): void {
    this.#isAnswered = true;
    if (this.#grantEnd !== undefined) this.#setup.engine.cancel(this.#grantEnd);
    this.#answer({ ...TIMED_OUT, billed });
  }

  /** Of the call that is out, as far as it went; what comes after it nobody hears of. */
  #billSoFar(): number {
    const { engine, counter } = this.#setup;
    if (this.#current === undefined) return 0;
    const { played, startedMs } = this.#current;
    const billed = Math.min(played.billedIfCut(engine.now - startedMs), played.billed);
    this.#billedOfCurrent = billed;
    return counter === undefined ? billed : counter.debit(billed);
  }

  #finish(end: ErrandEnd): void {
    const wasAnswered = this.#isAnswered;
    this.#isAnswered = true;
    this.#end();
    if (!wasAnswered) this.#answer(end);
  }

  #end(): void {
    const { engine } = this.#setup;
    this.#isOver = true;
    if (this.#next !== undefined) engine.cancel(this.#next);
    if (this.#grantEnd !== undefined) engine.cancel(this.#grantEnd);
  }
}

const TIMED_OUT: ErrandEnd = { answer: { outcome: 'timed-out' }, billed: 0, isAtTheWall: false };

/** What clients try again by themselves: refusals, server errors, their own timeouts. */
function isRetried({ outcome }: PlayedCall): boolean {
  return outcome === 'rate-limited' || outcome === 'server-error' || outcome === 'timed-out';
}
