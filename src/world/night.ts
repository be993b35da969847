// One night: opens the window over a backlog, lets the real worker's lanes run on the event heap against
// the modelled provider and store, and ends with the clean exit or the kill, whichever comes first.

import { InvariantBroken, invariant } from '../base/errors.ts';
import type { Ledger, RowDelta } from '../ledger/ledger.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { Engine } from '../sim/engine.ts';
import type { AttemptRecord } from '../worker/effects.ts';
import { JobQueue, type JobQueueOptions } from '../worker/job-queue.ts';
import type { ClassExpectation } from '../worker/trip-settings.ts';
import type { OpeningMove } from './admission.ts';
import { BackgroundDesk } from './background-desk.ts';
import type { NightTraffic } from './background-traffic.ts';
import type { BacklogJob } from './backlog.ts';
import { BooksDesk } from './books-desk.ts';
import type { BooksWatch } from './books-watch.ts';
import { BrokenNight, type NightPlace } from './broken-night.ts';
import { CallDesk } from './call-desk.ts';
import { CheckpointDesk } from './checkpoint-desk.ts';
import { firstHold } from './class-envelope.ts';
import { ComingJobs, comingTonight } from './coming-jobs.ts';
import type { Draws, SampledJob } from './draws.ts';
import type { DriftAccount } from './drift-account.ts';
import { Fleet } from './fleet.ts';
import type { LastEvents } from './last-events.ts';
import { LedgerDesk } from './ledger-desk.ts';
import { NightLog } from './night-log.ts';
import { type Judged, judgeJob } from './night-outcomes.ts';
import type { NightTally } from './night-tally.ts';
import { type ProviderIncidents, ProviderService } from './provider-service.ts';
import type { SharedCounter } from './shared-counter.ts';
import { TripDesk } from './trip-desk.ts';
import type { NightTroubles } from './troubles.ts';
import { WorkerFactory } from './worker-factory.ts';
import type { WorkerProcess } from './worker-process.ts';
import type { WorldEvent } from './world-event.ts';

export interface NightSetup {
  readonly scenario: Scenario;
  /** From 1. */
  readonly night: number;
  readonly draws: Draws;
  readonly backlog: readonly BacklogJob[];
  readonly opening: readonly OpeningMove[];
  /** By class: what the trip conditions are measured against. */
  readonly expectations: ReadonlyMap<string, ClassExpectation>;
  /** Present where admission is by envelope; the scenario's pool is open and refilled. */
  readonly books: { readonly ledger: Ledger; readonly watch: BooksWatch } | undefined;
  /** Present where admission is by the shared counter. */
  readonly counter: SharedCounter | undefined;
  readonly drift: DriftAccount;
  /** When something is wrong with the provider tonight. */
  readonly incidents: ProviderIncidents;
  /** What befalls workers, store and ledger tonight. */
  readonly troubles: NightTroubles;
  readonly tally: NightTally;
  readonly place: NightPlace;
  readonly last: LastEvents;
  /** When the pool is refilled in the middle of the night, from the opening; and what that moves in the books. */
  readonly refillsAtMs: readonly number[];
  refill(): readonly RowDelta[];
  /** Calls of others until the next opening; absent: there are none. */
  readonly traffic: NightTraffic | undefined;
  observe(event: WorldEvent): void;
}

export interface JobAtEnd extends Omit<BacklogJob, 'arrivesAtMs'> {
  readonly judged: Judged;
}

/** @returns every job of the backlog with what became of it, in the order of the queue */
export function playNight(setup: NightSetup): readonly JobAtEnd[] {
  return new Night(setup).play();
}

class Night {
  readonly #setup: NightSetup;
  readonly #engine = new Engine();
  readonly #log: NightLog;
  readonly #classes: ReadonlyMap<string, string>;
  readonly #queue: JobQueue<SampledJob>;
  readonly #coming: ComingJobs;
  readonly #calls: CallDesk;
  readonly #checkpoints: CheckpointDesk;
  readonly #booksDesk: BooksDesk | undefined;
  readonly #trips: TripDesk;
  readonly #factory: WorkerFactory;
  readonly #fleet: Fleet;
  readonly #background: BackgroundDesk | undefined;
  /** What pays for each lane's last call. */
  readonly #holdOfLane = new Map<number, string | undefined>();
  #isOver = false;

  constructor(setup: NightSetup) {
    const { scenario, night, draws, backlog, books, counter, tally } = setup;
    const engine = this.#engine;
    this.#setup = setup;
    this.#log = new NightLog(night, engine, setup.last, setup.observe);
    this.#classes = new Map(backlog.map(({ job }) => [job.id, job.jobClass.name]));
    this.#queue = queueOf(setup);
    const log = this.#log;
    const queue = this.#queue;
    const arrived = (job: string) => this.#arrived(job);
    this.#coming = new ComingJobs({ engine, ...comingTonight(scenario, backlog), arrived });
    const { provider: settings } = scenario;
    const { incidents, traffic } = setup;
    const beside = traffic?.draws;
    const service = new ProviderService({ engine, settings, draws, night, incidents, beside });
    this.#background = traffic && new BackgroundDesk(engine, service, traffic);
    this.#calls = new CallDesk({
      engine,
      scenario,
      service,
      draws,
      counter,
      log,
      calledUnseen: () => {
        tally.hiddenCalls += 1;
      },
      billedUnseen: (tokens, debited) => {
        tally.billed += tokens;
        tally.debited += debited;
        setup.drift.unknown('hiddenCalls', tokens - debited);
      },
    });
    const { store, ledger } = setup.troubles;
    const refusing = [...store.outages, ...store.full];
    this.#checkpoints = new CheckpointDesk({
      engine,
      store: scenario.store,
      draws,
      night,
      queue,
      log,
      refusing,
    });
    this.#booksDesk =
      books === undefined
        ? undefined
        : new BooksDesk({
            watch: books.watch,
            drift: setup.drift,
            tally,
            log,
            className: (job) => this.#classes.get(job),
            lapsed: (job, tryNumber) => {
              // A hold of an earlier night may be of a job that is long done.
              if (this.#classes.has(job)) queue.lapse(job, tryNumber);
            },
          });
    const { expectations } = setup;
    const classOf = (job: string) => this.#classes.get(job);
    this.#trips = new TripDesk({ engine, scenario, expectations, queue, log, tally, classOf });
    this.#factory = new WorkerFactory({
      engine,
      scenario,
      night,
      draws,
      jobCount: backlog.length,
      books,
      counter,
      queue,
      coming: this.#coming,
      calls: this.#calls,
      checkpoints: this.#checkpoints,
      booksDesk: this.#booksDesk,
      ledgerDesk: LedgerDesk.whereNeeded({
        engine,
        settings: scenario.ledger,
        draws,
        outages: ledger.outages,
      }),
      trips: this.#trips,
      tally,
      log,
      called: (lane, hold) => this.#holdOfLane.set(lane, hold),
      recorded: (record, lane) => this.#recorded(record, lane),
      laneEnded: (process, lane) => this.#laneEnded(process, lane),
      booksMoved: () => this.#fleet.booksMoved(),
    });
    this.#fleet = new Fleet({
      engine,
      scenario,
      night,
      troubles: setup.troubles.workers,
      log,
      makeProcess: (worker, number) => this.#factory.make(worker, number),
      crashed: (process, backMs) => {
        this.#billCutCalls(process.lanes);
        return this.#factory.crashed(process, backMs);
      },
      lanesEnded: () => this.#lanesEnded(),
    });
  }

  play(): readonly JobAtEnd[] {
    try {
      this.#open();
      while (!this.#isOver) {
        invariant(
          this.#engine.step(),
          'a night ends by its exit or its kill',
          () => 'nothing is left to happen',
        );
      }
      this.#billCutCalls();
      this.#setup.tally.lastWriteMs = this.#checkpoints.lastWriteMs;
      this.#setup.tally.background = this.#background?.figures();
      return this.#judge();
    } catch (error) {
      throw error instanceof InvariantBroken ? this.#located(error) : error;
    }
  }

  #open(): void {
    const { scenario, night, backlog, opening } = this.#setup;
    const carriedOver = backlog.filter(({ job }) => job.arrivalNight < night).length;
    const jobs = backlog.filter(({ arrivesAtMs }) => arrivesAtMs === undefined).length;
    this.#log.emit({ type: 'opened', jobs, carriedOver });
    for (const { operation, delta } of opening) this.#log.emit({ type: 'books', operation, delta });
    // Scheduled first: of two things at the deadline, the kill comes before the other.
    this.#engine.scheduleAt(scenario.window.lastsMs, () => this.#end('killed'));
    this.#coming.open();
    this.#background?.open();
    for (const atMs of this.#setup.refillsAtMs) this.#engine.scheduleAt(atMs, () => this.#refill());
    this.#trips.open();
    this.#factory.open();
    this.#fleet.open();
  }

  #arrived(job: string): void {
    this.#queue.arrived(job);
    this.#log.emit({ type: 'arrived', job });
  }

  /** Its day or month is over, at midnight. */
  #refill(): void {
    const delta = this.#setup.refill();
    this.#log.emit({ type: 'books', operation: 'refill', delta });
    this.#fleet.booksMoved();
  }

  #recorded(record: AttemptRecord, number: number): void {
    const { tally, drift } = this.#setup;
    const billed = this.#calls.takeBilled(number);
    tally.billed += billed;
    tally.debited += billed;
    const hold = this.#holdOfLane.get(number);
    if (hold !== undefined) {
      drift.attempted(hold, { outcome: record.outcome, billed, settledWith: record.tokens });
    }
    tally.attempted(this.#classes.get(record.job)!, record);
    this.#log.emit({ type: 'attempt', lane: number, billed, ...record });
  }

  /** What was under way on these lanes, or on all of them, is on the bill, and no worker knows of it. */
  #billCutCalls(lanes?: ReadonlySet<number>): void {
    const { tally, drift } = this.#setup;
    for (const { hold, billed } of this.#calls.cutOff(lanes)) {
      tally.billed += billed;
      if (hold === undefined) drift.unknown('neverSettled', billed);
      else drift.cutOff(hold, billed);
    }
  }

  #laneEnded(process: WorkerProcess, lane: number): void {
    if (process.declines) this.#log.emit({ type: 'declined', lane });
    this.#log.emit({ type: 'lane-ended', lane });
    this.#lanesEnded();
  }

  #lanesEnded(): void {
    if (!this.#fleet.hasEnded) return;
    this.#engine.schedule(this.#setup.scenario.store.flushMs, () => this.#end('finished'));
  }

  #end(how: 'finished' | 'killed'): void {
    if (how === 'finished') this.#setup.tally.finishedMs = this.#engine.now;
    this.#fleet.drop();
    this.#log.emit({ type: how });
    this.#isOver = true;
  }

  #judge(): readonly JobAtEnd[] {
    const { counter } = this.#setup;
    const loose = {
      calls: this.#calls.unfinished,
      writes: this.#checkpoints.loose,
      waited: this.#booksDesk?.waited ?? new Set<string>(),
      atTheWall: this.#calls.atTheWall,
      counterIsEmpty: counter?.isOpen === false,
    };
    return [...this.#queue.standings()].map(({ job, jobId, triesEver, attemptsEver, standing }) => {
      const judged = judgeJob(jobId, standing, loose);
      this.#log.emit({ type: 'outcome', job: jobId, class: job.jobClass.name, ...judged });
      return { job, triesEver, attemptsEver, judged };
    });
  }

  #located(error: InvariantBroken): BrokenNight {
    const { place, last } = this.#setup;
    return new BrokenNight(error, place, { atMs: this.#engine.now, events: last.list() });
  }
}

function queueOf({ scenario, backlog, books }: NightSetup): JobQueue<SampledJob> {
  const envelopes = new Map(scenario.jobs.map((one) => [one.name, firstHold(scenario, one)]));
  return new JobQueue(
    backlog.map(({ job, triesEver, attemptsEver, arrivesAtMs }) => ({
      job,
      jobId: job.id,
      envelope: envelopes.get(job.jobClass.name)!,
      class: job.jobClass.name,
      triesEver,
      attemptsEver,
      arrivesAtMs,
    })),
    books === undefined ? {} : claimsOfEarlierNights(backlog, books, scenario.pool?.name ?? ''),
  );
}

/** A hold that the kill left open is its job's claim until it is reclaimed: nobody else takes the job. */
function claimsOfEarlierNights(
  backlog: readonly BacklogJob[],
  { ledger, watch }: NonNullable<NightSetup['books']>,
  pool: string,
): JobQueueOptions {
  const claimed = new Set(backlog.map(({ job }) => job.id).filter((id) => watch.hasClaim(id)));
  if (claimed.size === 0) return {};
  return {
    elsewhere: (jobId) => ({
      triesEver: 0,
      standing: claimed.has(jobId) && watch.hasClaim(jobId) ? 'claimed' : 'free',
    }),
    version: () => ledger.pool(pool)?.version ?? 0,
  };
}
