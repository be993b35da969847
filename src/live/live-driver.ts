// Drives the worker's processes in production: answers each effect by doing the thing, and resumes. The
// counterpart of the simulated driver, over the same processes, word for word.

import type { Clock } from '../base/clock.ts';
import type { AnyLedger } from '../ledger/async-ledger.ts';
import type {
  Answer,
  Answers,
  Bar,
  CallAnswer,
  CheckpointDetail,
  CheckpointStatus,
  Effect,
  EffectKind,
  Offer,
  Process,
  Unavailable,
} from '../worker/effects.ts';
import type { JobQueue } from '../worker/job-queue.ts';
import { boundedCall, type CallEnd } from './bounded-call.ts';
import { isSuperseded } from './claim-elsewhere.ts';
import { askPatiently, type Patience } from './patience.ts';
import { readProviderAnswer } from './provider-answer.ts';
import { nextRound, Pauses } from './timers.ts';
import type { TokenWatch } from './token-watch.ts';
import type { WarnOnce } from './warn-once.ts';

type Asked<Job, Kind extends EffectKind> = Extract<Effect<Job>, { readonly kind: Kind }>;

/** What a call is told. */
export interface CallContext {
  /** What the clamp granted. The signal aborts then, and the attempt counts as timed out. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** From 1; counts on over nights where the queue is told of earlier ones. */
  readonly attempt: number;
}

/** What answers the effects, and what is told of what happens. */
export interface LiveSurroundings<Job> {
  readonly clock: Clock;
  readonly queue: JobQueue<Job>;
  readonly patience: Patience;
  readonly warnings: WarnOnce;
  /** Absent where no tokens are watched. */
  readonly tokens:
    | { readonly ledger: AnyLedger; readonly taker: string; readonly watch: TokenWatch }
    | undefined;
  /** Takes a job once the claims on it are read. Default: from the queue, at once. */
  take?(bar: Bar | undefined): Promise<Answers<Job>['take']>;
  /** Called before each resumption, and so before each grant. */
  beforeResuming(): void;
  /** Told of every effect with its answer. */
  answered?(effect: Effect<Job>, answer: Answer<Job>): void;
  call(job: Job, context: CallContext): unknown;
  checkpoint(job: Job, status: CheckpointStatus, detail: CheckpointDetail): unknown;
  /** A call threw, or its answer brought an error; or a checkpoint failed. */
  failed(offer: Offer<Job>, error: unknown): void;
  /** A checkpoint is durable. */
  written(offer: Offer<Job>, status: CheckpointStatus, detail: CheckpointDetail): void;
}

/** What a process may still do once the run is ending: write down and settle what was answered. */
const WINDING_UP: ReadonlySet<EffectKind> = new Set(['leave', 'checkpoint', 'release', 'settle']);

export class LiveDriver<Job> {
  readonly #around: LiveSurroundings<Job>;
  readonly #pauses = new Pauses();
  /** Ends each call that is out. */
  readonly #aborts = new Set<() => void>();

  constructor(surroundings: LiveSurroundings<Job>) {
    this.#around = surroundings;
  }

  /**
   * Runs a process to its end, or, once the driver is ended, to its next effect that would begin something.
   *
   * @throws what is nobody's expected outcome: wrong use of the ledger, or a bug. The others must be ended.
   */
  async drive(process: Process<Job>): Promise<void> {
    try {
      let step = process.next();
      while (step.done !== true && (!this.#pauses.isEnded || WINDING_UP.has(step.value.kind))) {
        const answer = await this.#answer(process, step.value);
        this.#around.answered?.(step.value, answer);
        await nextRound();
        this.#around.beforeResuming();
        step = process.next(answer);
      }
    } finally {
      process.return();
      this.#around.tokens?.watch.passedOn(process);
    }
  }

  /** Nothing is taken up any more: whoever waits for tokens need not. */
  endWaits(): void {
    this.#around.tokens?.watch.end();
  }

  /** Aborts the calls that are out and ends every wait: nothing begins any more. */
  end(): void {
    this.#pauses.end();
    this.endWaits();
    for (const abort of this.#aborts) abort();
  }

  #answer(process: Process<Job>, effect: Effect<Job>): Promise<Answer<Job>> | Answer<Job> {
    switch (effect.kind) {
      case 'take':
        return this.#take(effect);
      case 'leave':
        return this.#around.queue.leave(effect.offer, effect.leave) as undefined;
      case 'call':
        this.#around.tokens?.watch.passedOn(process);
        return this.#call(effect);
      case 'sleep':
        return this.#pauses.pause(effect.ms) as Promise<undefined>;
      case 'checkpoint':
        return this.#checkpoint(effect);
      case 'tokens-returned':
        return this.#tokens.watch.wait(process, effect.version, effect.untilMs);
      case 'reserve':
        return this.#ask((ledger, nowMs) => ledger.reserve({ ...effect.request, nowMs }));
      case 'dispatch':
        return this.#ask((ledger, nowMs) => ledger.dispatch({ id: effect.id, nowMs }));
      case 'renew':
        return this.#renew(effect, this.#pauses);
      case 'extend-to':
        return this.#ask((ledger, nowMs) => ledger.extendTo({ id: effect.id, total: effect.total, nowMs }));
      case 'release':
        return this.#ask((ledger, nowMs) => ledger.release({ id: effect.id, nowMs }));
      case 'settle':
        return this.#ask((ledger, nowMs) => ledger.settle({ id: effect.id, actual: effect.actual, nowMs }));
      case 'reclaim':
        return this.#ask((ledger, nowMs) => ledger.reclaim({ pool: effect.pool, nowMs }));
    }
  }

  /** Reads other processes' claims in the ledger; a job whose claims cannot be read is left alone tonight. */
  async #take({ bar }: Asked<Job, 'take'>): Promise<Answers<Job>['take']> {
    const { queue, patience } = this.#around;
    const take = () => this.#around.take?.(bar) ?? queue.take(bar);
    for (;;) {
      const taken = await askPatiently<Answers<Job>['take']>(take, patience, this.#pauses);
      if ('kind' in taken) return taken;
      this.#warnUnavailable(taken);
      if (!queue.skip(bar, 'ledger-unavailable')) return { kind: 'empty' };
    }
  }

  async #call(effect: Asked<Job, 'call'>): Promise<CallAnswer> {
    const { offer, attempt, timeoutMs, lease } = effect;
    const { call, clock, queue, warnings } = this.#around;
    queue.attempted(offer.jobId);
    const endRenewals = lease === undefined ? undefined : this.#keepRenewing(lease);
    const end = await boundedCall((signal) => call(offer.job, { timeoutMs, signal, attempt }), timeoutMs, {
      clock,
      onAbort: (abort) => {
        this.#aborts.add(abort);
        return () => this.#aborts.delete(abort);
      },
    });
    const isHoldLost = endRenewals?.() ?? false;
    const answer = callAnswer(end, warnings);
    if (answer.error !== undefined) this.#around.failed(offer, answer.error);
    return isHoldLost ? { ...answer, holdLost: true } : answer;
  }

  /** Renews a lease until the returned function ends it, which says whether the hold was lost. */
  #keepRenewing(lease: NonNullable<Asked<Job, 'call'>['lease']>): () => boolean {
    const pauses = new Pauses();
    let isLost = false;
    let bug: { readonly error: unknown } | undefined;
    const renewing = async () => {
      while (!isLost) {
        await pauses.pause(lease.renewEveryMs);
        if (pauses.isEnded) return;
        const answer = await this.#renew(lease, pauses);
        // A ledger that cannot answer now is asked again at the next turn: the lease may still run.
        isLost = answer.outcome === 'refused';
      }
    };
    renewing().catch((error: unknown) => {
      bug = { error };
    });
    return () => {
      pauses.end();
      if (bug !== undefined) throw bug.error;
      return isLost;
    };
  }

  #renew({ id, leaseMs }: { readonly id: string; readonly leaseMs: number }, pauses: Pauses) {
    return this.#ask((ledger, nowMs) => ledger.renew({ id, leaseMs, nowMs }), pauses);
  }

  async #checkpoint(effect: Asked<Job, 'checkpoint'>): Promise<Answers<Job>['checkpoint']> {
    const { offer, status, detail } = effect;
    const { queue } = this.#around;
    // Somebody else may have the job by now; what they write must not be overwritten with less.
    if (status === 'done' || !(await this.#isSuperseded(offer))) {
      const failure = await this.#write(effect);
      if (failure !== undefined) return { written: false, error: failure.error };
    }
    const { cause = 'out-of-time' } = detail;
    queue.checkpointed(
      offer,
      status,
      cause === 'rejected' || cause === 'invalid' ? 'attempts-used-up' : cause,
    );
    this.#around.written(offer, status, detail);
    return { written: true };
  }

  async #write({ offer, status, detail }: Asked<Job, 'checkpoint'>): Promise<{ error: unknown } | undefined> {
    try {
      await this.#around.checkpoint(offer.job, status, detail);
      return undefined;
    } catch (error) {
      const message = `checkpoint of job ${JSON.stringify(offer.jobId)} failed and is tried again: ${String(error)}`;
      this.#around.warnings.warn({ code: 'checkpoint-failed', message });
      this.#around.failed(offer, error);
      return { error };
    }
  }

  async #isSuperseded(offer: Offer<Job>): Promise<boolean> {
    const { tokens } = this.#around;
    if (tokens === undefined) return false;
    const { ledger, taker } = tokens;
    const read = async () => ({
      outcome: 'read' as const,
      isVoid: isSuperseded(await ledger.history(offer.jobId), offer, taker),
    });
    const answer = await askPatiently(read, this.#around.patience, this.#pauses);
    return answer.outcome === 'read' && answer.isVoid;
  }

  /** One operation on the ledger, dated at each try. Lanes that wait for tokens hear of it. */
  async #ask<Answered extends { readonly outcome: string; readonly version: number }>(
    operate: (ledger: AnyLedger, nowMs: number) => Answered | Promise<Answered>,
    pauses: Pauses = this.#pauses,
  ): Promise<Answered | Unavailable> {
    const { clock, patience } = this.#around;
    const { ledger, watch } = this.#tokens;
    const answer = await askPatiently(() => operate(ledger, clock.wallMs()), patience, pauses);
    if ('version' in answer) watch.seen(answer.version);
    else this.#warnUnavailable(answer);
    return answer;
  }

  #warnUnavailable({ error }: Unavailable): void {
    const message = `the ledger could not answer, and nothing is dispatched without it: ${String(error)}`;
    this.#around.warnings.warn({ code: 'ledger-unavailable', message }, message);
  }

  get #tokens() {
    const { tokens } = this.#around;
    if (tokens === undefined) throw new Error('a process asked for a ledger that its driver does not have');
    return tokens;
  }
}

function callAnswer(end: CallEnd<unknown>, warnings: WarnOnce): CallAnswer {
  switch (end.kind) {
    case 'answered':
      return readProviderAnswer(end.value, warnings);
    case 'threw':
      return { outcome: 'threw', error: end.error };
    case 'timed-out':
      return { outcome: 'timed-out' };
  }
}
