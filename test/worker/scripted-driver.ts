// Plays one night of the worker's processes in virtual time: calls and, where a test wants it, any other
// effect are answered by a script, the rest by a real queue and a real ledger in memory. Small on purpose:
// neither of the drivers that ship.

import type { Clock } from '../../src/base/clock.ts';
import { Budget, type BudgetOptions } from '../../src/budget/budget.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import type {
  Answer,
  AttemptRecord,
  CallAnswer,
  CheckpointDetail,
  CheckpointStatus,
  Effect,
  EffectKind,
  Process,
} from '../../src/worker/effects.ts';
import { JobQueue, type JobQueueOptions } from '../../src/worker/job-queue.ts';
import { lane } from '../../src/worker/lane.ts';
import { reclaimer } from '../../src/worker/reclaimer.ts';
import { LaneBoard, type WorkerSettings } from '../../src/worker/worker-settings.ts';

export interface TestJob {
  readonly id: string;
  readonly envelope: number;
}

type Asked<Kind extends EffectKind> = Extract<Effect<TestJob>, { readonly kind: Kind }>;

export interface Night {
  readonly jobs: readonly TestJob[];
  readonly budget: Omit<BudgetOptions, 'deadlineMs'> & { readonly deadlineMs: number };
  readonly ledger?: Ledger;
  readonly lanes?: number;
  readonly attempts?: number;
  /** Default: of the whole job. Per attempt, each may use an equal share of the job's envelope. */
  readonly hold?: 'whole-job' | 'per-attempt';
  readonly backfill?: 'smaller' | 'none';
  readonly leaseMs?: number;
  readonly backoffMs?: number;
  readonly queue?: JobQueueOptions;
  readonly withReclaimer?: boolean;
  /** Default: an `ok` that takes 1,000 ms. */
  readonly call?: (effect: Asked<'call'>, night: PlayedNight) => CallAnswer & { readonly takesMs?: number };
  /** Answers an effect in place of queue, store and ledger; undefined leaves it to them. */
  readonly answer?: (effect: Effect<TestJob>, night: PlayedNight) => Answer<TestJob> | 'left-to-them';
  /** Things that happen by themselves, at milliseconds from the opening. */
  readonly happenings?: readonly { readonly atMs: number; readonly happen: (night: PlayedNight) => void }[];
}

/** The pool of every test. */
export const POOL = 'pool';
const OPENS_AT_MONOTONIC_MS = 7_000;
const OPENS_AT_WALL_MS = 1_800_000_000_000;

export function poolOf(capacity: number): MemoryLedger {
  const ledger = new MemoryLedger();
  ledger.openPool({ pool: POOL, capacity });
  return ledger;
}

interface Event {
  readonly atMs: number;
  readonly happen: () => void;
}

interface Waiter {
  readonly version: number;
  readonly wake: (answer: 'moved' | 'until') => void;
}

/** Plays a night to its end. All times are milliseconds from its opening. */
export function playNight(night: Night): PlayedNight {
  const played = new PlayedNight(night);
  played.play();
  return played;
}

export class PlayedNight {
  nowMs = 0;
  readonly effects: { readonly atMs: number; readonly lane: number; readonly effect: Effect<TestJob> }[] = [];
  readonly calls: { readonly job: string; readonly atMs: number; readonly grantedMs: number }[] = [];
  readonly writes: [job: string, status: CheckpointStatus, cause?: CheckpointDetail['cause']][] = [];
  readonly details: CheckpointDetail[] = [];
  readonly records: AttemptRecord[] = [];
  readonly queue: JobQueue<TestJob>;
  readonly board: LaneBoard;
  readonly clock: Clock;
  readonly #night: Night;
  readonly #events: Event[] = [];
  #waiters: Waiter[] = [];

  constructor(night: Night) {
    this.#night = night;
    this.clock = {
      monotonicMs: () => OPENS_AT_MONOTONIC_MS + this.nowMs,
      wallMs: () => OPENS_AT_WALL_MS + this.nowMs,
    };
    this.queue = new JobQueue(
      night.jobs.map((job) => ({ job, jobId: job.id, envelope: job.envelope })),
      night.queue,
    );
    this.board = new LaneBoard(night.lanes ?? 1);
  }

  play(): void {
    const settings = this.#settings();
    for (const { atMs, happen } of this.#night.happenings ?? []) {
      this.#at(atMs, () => {
        happen(this);
        this.#booksMoved();
      });
    }
    if (this.#night.withReclaimer === true && settings.pool !== undefined) {
      this.#resume(reclaimer(settings.pool, this.board), -1, undefined);
    }
    for (let i = 0; i < this.board.lanesRunning; i += 1) {
      this.#resume(lane(settings, this.board, i), i, undefined);
    }
    for (let steps = 0; this.board.lanesRunning > 0; steps += 1) {
      const event = this.#events.shift();
      if (event === undefined || steps > 100_000) throw new Error('a lane hangs or spins');
      this.nowMs = event.atMs;
      event.happen();
    }
  }

  /** What each job stands at, in words: `done`, `deferred out-of-time`, … */
  get standings(): Record<string, string> {
    const words: Record<string, string> = {};
    for (const { jobId, standing } of this.queue.standings()) {
      words[jobId] = standing.state === 'deferred' ? `${standing.state} ${standing.cause}` : standing.state;
    }
    return words;
  }

  /** The kinds of effects that were yielded, in order, takes aside. */
  get kinds(): string[] {
    return this.effects.map(({ effect }) => effect.kind).filter((kind) => kind !== 'take');
  }

  #settings(): WorkerSettings<TestJob> {
    const { budget, ledger, attempts = 1, leaseMs = 900_000, backoffMs = 1_000, backfill } = this.#night;
    return {
      clock: this.clock,
      budget: new Budget({ ...budget, deadlineMs: OPENS_AT_MONOTONIC_MS + budget.deadlineMs }),
      pool:
        ledger === undefined
          ? undefined
          : { name: POOL, leaseMs, renewEveryMs: leaseMs / 3, reclaimEveryMs: 60_000, taker: 'us' },
      night: 1,
      ...(this.#night.hold !== undefined && { hold: this.#night.hold }),
      envelope: (job, of) => (job.envelope * of) / attempts,
      attempts: () => attempts,
      abandonedUsage: () => 11,
      backoff: { baseMs: backoffMs, factor: 2, maxMs: 60_000, jitter: 'none' },
      jitter: () => 0,
      backfill: backfill ?? 'smaller',
      record: (record) => this.records.push(record),
    };
  }

  #at(atMs: number, happen: () => void): void {
    const later = this.#events.findIndex((event) => event.atMs > atMs);
    this.#events.splice(later === -1 ? this.#events.length : later, 0, { atMs, happen });
  }

  #resume(process: Process<TestJob>, laneNumber: number, answer: Answer<TestJob>, afterMs = 0): void {
    this.#at(this.nowMs + afterMs, () => {
      const next = process.next(answer);
      if (next.done === true) return;
      this.effects.push({ atMs: this.nowMs, lane: laneNumber, effect: next.value });
      this.#perform(process, laneNumber, next.value);
    });
  }

  #perform(process: Process<TestJob>, laneNumber: number, effect: Effect<TestJob>): void {
    const resume = (answer: Answer<TestJob>, afterMs = 0) =>
      this.#resume(process, laneNumber, answer, afterMs);
    const scripted = this.#night.answer?.(effect, this) ?? 'left-to-them';
    if (scripted !== 'left-to-them') {
      resume(scripted);
      return;
    }
    switch (effect.kind) {
      case 'take':
        resume(this.queue.take(effect.bar));
        break;
      case 'leave':
        this.queue.leave(effect.offer, effect.leave);
        resume(undefined);
        break;
      case 'sleep':
        resume(undefined, effect.ms);
        break;
      case 'call': {
        this.calls.push({ job: effect.offer.jobId, atMs: this.nowMs, grantedMs: effect.timeoutMs });
        const { takesMs = 1_000, ...answer } = this.#night.call?.(effect, this) ?? { outcome: 'ok' as const };
        resume(answer, takesMs);
        break;
      }
      case 'checkpoint': {
        const { cause } = effect.detail;
        this.writes.push(
          cause === undefined
            ? [effect.offer.jobId, effect.status]
            : [effect.offer.jobId, effect.status, cause],
        );
        this.details.push(effect.detail);
        const standsFor = cause === undefined || cause === 'rejected' || cause === 'invalid';
        this.queue.checkpointed(effect.offer, effect.status, standsFor ? 'attempts-used-up' : cause);
        resume({ written: true });
        break;
      }
      case 'tokens-returned':
        this.#wait(effect, resume);
        break;
      default:
        resume(this.#ask(effect));
        this.#booksMoved();
    }
  }

  #ask(
    effect: Asked<'reserve' | 'dispatch' | 'renew' | 'extend-to' | 'release' | 'settle' | 'reclaim'>,
  ): Answer<TestJob> {
    const ledger = this.#night.ledger!;
    const nowMs = this.clock.wallMs();
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

  #wait({ version, untilMs }: Asked<'tokens-returned'>, resume: (answer: 'moved' | 'until') => void): void {
    if (this.#version() !== version) {
      resume('moved');
      return;
    }
    const waiter = { version, wake: resume };
    this.#waiters.push(waiter);
    this.#at(untilMs - OPENS_AT_MONOTONIC_MS, () => {
      if (!this.#waiters.includes(waiter)) return;
      this.#waiters = this.#waiters.filter((other) => other !== waiter);
      resume('until');
    });
  }

  #booksMoved(): void {
    const version = this.#version();
    const awake = this.#waiters.filter((waiter) => waiter.version !== version);
    this.#waiters = this.#waiters.filter((waiter) => waiter.version === version);
    for (const { wake } of awake) wake('moved');
  }

  #version(): number {
    return this.#night.ledger?.pool(POOL)?.version ?? 0;
  }
}
