// Makes the workers' processes of a night, each in its surroundings: the shared queue, provider, store and
// books; and clears up after one that has crashed.

import type { Hold, Ledger } from '../ledger/ledger.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Engine } from '../sim/engine.ts';
import type { AttemptRecord, Offer } from '../worker/effects.ts';
import type { JobQueue } from '../worker/job-queue.ts';
import type { PoolUse, WorkerSettings } from '../worker/worker-settings.ts';
import type { BooksDesk } from './books-desk.ts';
import type { BooksWatch } from './books-watch.ts';
import type { CallDesk } from './call-desk.ts';
import type { CheckpointDesk } from './checkpoint-desk.ts';
import { classEnvelopes } from './class-envelope.ts';
import type { ComingJobs } from './coming-jobs.ts';
import type { Draws, SampledJob } from './draws.ts';
import { ExpiredHolds } from './expired-holds.ts';
import { FleetQueue } from './fleet-queue.ts';
import type { LedgerDesk } from './ledger-desk.ts';
import { LiveClaims } from './live-claims.ts';
import type { NightLog } from './night-log.ts';
import type { NightTally } from './night-tally.ts';
import type { SharedCounter } from './shared-counter.ts';
import type { LedgerAnswer, LedgerEffect, Surroundings } from './simulated-driver.ts';
import { StrandedHolds } from './stranded-holds.ts';
import type { TripDesk } from './trip-desk.ts';
import { unsetWallMs } from './worker-clock.ts';
import { WorkerProcess } from './worker-process.ts';

export interface FactorySetup {
  readonly engine: Engine;
  readonly scenario: Scenario;
  /** From 1. */
  readonly night: number;
  readonly draws: Draws;
  /** No worker starts more lanes than there are jobs. */
  readonly jobCount: number;
  readonly books: { readonly ledger: Ledger; readonly watch: BooksWatch } | undefined;
  readonly counter: SharedCounter | undefined;
  readonly queue: JobQueue<SampledJob>;
  readonly coming: ComingJobs;
  readonly calls: CallDesk;
  readonly checkpoints: CheckpointDesk;
  readonly booksDesk: BooksDesk | undefined;
  readonly ledgerDesk: LedgerDesk | undefined;
  readonly trips: TripDesk;
  readonly tally: NightTally;
  readonly log: NightLog;
  /** A lane calls, and this hold pays for it. */
  called(lane: number, hold: string | undefined): void;
  recorded(record: AttemptRecord, lane: number): void;
  laneEnded(process: WorkerProcess, lane: number): void;
  /** Tells all workers. */
  booksMoved(): void;
}

/** How often a worker sweeps up expired holds; the default of the runtime too. */
const RECLAIM_EVERY_MS = 60_000;

export class WorkerFactory {
  readonly #setup: FactorySetup;
  readonly #queue: FleetQueue;
  readonly #claims = new LiveClaims();
  readonly #stranded: StrandedHolds;
  readonly #expired: ExpiredHolds;
  readonly #settings: Omit<WorkerSettings<SampledJob>, 'clock' | 'budget' | 'pool'>;
  readonly #lanes: number;

  constructor(setup: FactorySetup) {
    const { engine, scenario, books, queue, jobCount } = setup;
    this.#setup = setup;
    this.#lanes = Math.max(1, Math.min(scenario.lanes, jobCount));
    this.#queue = new FleetQueue({
      queue,
      coming: setup.coming,
      nowMs: () => engine.now,
      version: () => books?.ledger.pool(scenario.pool?.name ?? '')?.version,
      left: (offer) => this.#claims.ended(this.#idOf(offer)),
    });
    this.#settings = this.#ofAllWorkers();
    const leftBehind = books === undefined || books.watch.openCount === 0 ? [] : heldBy(books.ledger);
    this.#stranded = new StrandedHolds(leftBehind);
    this.#expired = new ExpiredHolds({
      engine,
      wallMs: () => unsetWallMs(scenario, setup.night, engine.now),
      changed: () => this.#tellExpired(),
    });
    this.#expired.leftBehind(leftBehind);
  }

  /** Tells what earlier nights have left behind. */
  open(): void {
    if (this.#stranded.tokens > 0) this.#tellStranded();
    if (this.#expired.tokens > 0) this.#tellExpired();
  }

  /** @param worker from 1 @param number counts the night's processes, from 0 */
  make(worker: number, number: number): WorkerProcess {
    const { engine, scenario, night } = this.#setup;
    const taker = `night-${night}/worker-${worker}/process-${number + 1}`;
    const process: WorkerProcess = new WorkerProcess({
      engine,
      scenario,
      night,
      worker,
      number,
      lanes: this.#lanes,
      firstLane: (worker - 1) * scenario.lanes,
      settings: { ...this.#settings, pool: this.#pool(taker) },
      surroundings: this.#surroundings(number, () => process),
    });
    return process;
  }

  /**
   * Clears up after a process that is gone: its writes are lost, and its jobs come back when their claims end.
   * Its calls have been cut off.
   *
   * @param backMs when its worker is back
   * @returns tokens in the holds that it leaves behind
   */
  crashed({ number }: WorkerProcess, backMs: number): number {
    const { engine, scenario, books, queue, checkpoints } = this.#setup;
    const claims = this.#queue.claimsOf(number);
    checkpoints.drop(number);
    this.#claims.gone(number);
    let stranded = 0;
    for (const { offer, takenAtMs } of claims) {
      const lapse = () => queue.lapse(offer.jobId, offer.try);
      if (books === undefined) {
        // Nobody else knows that it is free before its worker is back.
        if (backMs < scenario.window.lastsMs) engine.scheduleAt(backMs, lapse);
        continue;
      }
      const hold = books.ledger.hold(this.#idOf(offer));
      if (hold === undefined) {
        const leaseMs = scenario.pool?.leaseMs ?? 0;
        engine.scheduleAt(Math.max(engine.now, takenAtMs + leaseMs), lapse);
      } else if (hold.state === 'held') {
        stranded += hold.amount;
        this.#stranded.leftBehind(hold);
      } else {
        lapse();
      }
    }
    if (stranded > 0) this.#tellStranded();
    return stranded;
  }

  #tellStranded(): void {
    this.#setup.log.emit({ type: 'stranded', tokens: this.#stranded.tokens });
  }

  #tellExpired(): void {
    this.#setup.log.emit({ type: 'expired-unreclaimed', tokens: this.#expired.tokens });
  }

  #ofAllWorkers(): Omit<WorkerSettings<SampledJob>, 'clock' | 'budget' | 'pool'> {
    const { scenario, night, draws, counter, recorded } = this.#setup;
    const envelopes = classEnvelopes(scenario);
    return {
      night,
      hold: scenario.policy.hold ?? 'whole-job',
      envelope: (job, attempts) => envelopes.of(job.jobClass, attempts),
      attempts: (job) => job.jobClass.attempts,
      abandonedUsage: (job) => job.inputTokens,
      backoff: scenario.backoff,
      jitter: (offer, attempt) => draws.backoff(offer.job, attempt),
      backfill: counter === undefined ? scenario.backfill : 'smaller',
      record: recorded,
    };
  }

  #pool(taker: string): PoolUse | undefined {
    const { scenario, books } = this.#setup;
    const { pool, fleet } = scenario;
    if (books === undefined || pool === undefined) return undefined;
    const { name, leaseMs } = pool;
    const renewEveryMs = fleet?.renewals === false ? Number.POSITIVE_INFINITY : leaseMs / 3;
    return { name, leaseMs, renewEveryMs, reclaimEveryMs: RECLAIM_EVERY_MS, taker };
  }

  #surroundings(
    number: number,
    self: () => WorkerProcess,
  ): Omit<Surroundings<SampledJob>, 'clock' | 'beforeResuming'> {
    const { books, counter, calls, checkpoints, ledgerDesk, trips, called, laneEnded } = this.#setup;
    return {
      queue: this.#queue.offeredTo(number),
      ledger: books?.ledger,
      mayTake: () => {
        trips.look();
        return counter?.isOpen !== false;
      },
      ...(ledgerDesk && {
        ask: (effect, operate, answer) =>
          ledgerDesk.ask(effect, operate, answer, () => self().driver.isDropped),
      }),
      recheckMs: RECLAIM_EVERY_MS,
      longestCallMs: (timeoutMs) => this.#longestCallMs(timeoutMs),
      call: (effect, lane, answer) => {
        self().checkGrant(effect.timeoutMs);
        checkpoints.triedAgain(effect.offer.jobId);
        called(lane, effect.lease?.id);
        calls.call(effect, lane, answer);
      },
      connectionLost: (lane) => calls.breakOff(lane),
      checkpoint: (effect, answer) => checkpoints.write(effect, number, answer),
      booksMoved: (effect, answer) => this.#booksMoved(effect, answer, number),
      laneEnded: (lane) => laneEnded(self(), lane),
    };
  }

  /** A worker may stand still while a call is out; and a client that is handed a timeout alone takes several. */
  #longestCallMs(timeoutMs: number): number {
    const { fleet, client, clock, policy } = this.#setup.scenario;
    const standsStill =
      fleet?.pauses !== undefined || fleet?.zombies !== undefined || (clock?.suspensions.length ?? 0) > 0;
    const hasNoSignal = client !== undefined && policy.timeouts === 'fixed';
    return standsStill || hasNoSignal ? Number.POSITIVE_INFINITY : timeoutMs;
  }

  #booksMoved(effect: LedgerEffect, answer: LedgerAnswer, number: number): void {
    const { booksDesk, trips, booksMoved } = this.#setup;
    booksDesk?.moved(effect, answer);
    trips.answered(effect, answer);
    this.#keepClaims(effect, answer, number);
    this.#keepStranded(answer);
    this.#keepExpired(answer);
    booksMoved();
  }

  #keepClaims(effect: LedgerEffect, answer: LedgerAnswer, number: number): void {
    const { books, tally, log } = this.#setup;
    if (answer.outcome === 'granted' && !answer.already) {
      const { id, job } = answer.hold;
      const others = this.#claims.granted(answer.hold, number, (other) => books?.ledger.hold(other)?.state);
      if (others === 0) return;
      tally.duplicated += others;
      log.emit({ type: 'duplicated', job, id });
    } else if ((effect.kind === 'settle' || effect.kind === 'release') && answer.outcome !== 'unavailable') {
      this.#claims.ended(effect.id);
    }
  }

  #keepStranded(answer: LedgerAnswer): void {
    if (answer.outcome !== 'reclaimed') return;
    const wereStranded = answer.closed.filter((hold) => this.#stranded.closed(hold));
    if (wereStranded.length > 0) this.#tellStranded();
  }

  #keepExpired(answer: LedgerAnswer): void {
    switch (answer.outcome) {
      case 'granted':
      case 'renewed':
      case 'extended':
        if (answer.hold.state === 'held') this.#expired.held(answer.hold);
        return;
      case 'settled':
      case 'released':
        this.#expired.closed([answer.hold]);
        return;
      case 'reclaimed':
        this.#expired.closed(answer.closed);
        return;
      default:
    }
  }

  #idOf({ jobId, try: number }: Offer<SampledJob>): string {
    return `${jobId}/${this.#setup.night}/${number}`;
  }
}

/** The ledger is not asked where the books know of no open hold: on a disk that takes time. */
function heldBy(ledger: Ledger): readonly Hold[] {
  return ledger.holds({ state: 'held' });
}
