// One night: opens the window over a backlog, lets the real worker's lanes run on the event heap against
// the modelled provider and store, and ends with the clean exit or the kill, whichever comes first.

import { InvariantBroken, invariant } from '../base/errors.ts';
import { Budget, type Clamp } from '../budget/budget.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { Engine } from '../sim/engine.ts';
import type { AttemptRecord } from '../worker/effects.ts';
import { JobQueue } from '../worker/job-queue.ts';
import { lane } from '../worker/lane.ts';
import { reclaimer } from '../worker/reclaimer.ts';
import { LaneBoard, type WorkerSettings } from '../worker/worker-settings.ts';
import type { OpeningMove } from './admission.ts';
import type { BacklogJob } from './backlog.ts';
import { BooksDesk } from './books-desk.ts';
import type { BooksWatch } from './books-watch.ts';
import { CallDesk } from './call-desk.ts';
import { CheckpointDesk } from './checkpoint-desk.ts';
import { classEnvelope } from './class-envelope.ts';
import type { Draws, SampledJob } from './draws.ts';
import { fixedTimeouts } from './fixed-timeouts.ts';
import { MONOTONIC_AT_OPENING_MS, nightClock } from './night-clock.ts';
import { NightLog } from './night-log.ts';
import { type Judged, judgeJob } from './night-outcomes.ts';
import type { NightTally } from './night-tally.ts';
import { Provider } from './provider.ts';
import type { SharedCounter } from './shared-counter.ts';
import { SimulatedDriver } from './simulated-driver.ts';
import type { WorldEvent } from './world-event.ts';

export interface NightSetup {
  readonly scenario: Scenario;
  /** From 1. */
  readonly night: number;
  readonly draws: Draws;
  readonly backlog: readonly BacklogJob[];
  readonly opening: readonly OpeningMove[];
  /** Present where admission is by envelope; the scenario's pool is open and refilled. */
  readonly books: { readonly ledger: Ledger; readonly watch: BooksWatch } | undefined;
  /** Present where admission is by the shared counter. */
  readonly counter: SharedCounter | undefined;
  readonly tally: NightTally;
  observe(event: WorldEvent): void;
}

export interface JobAtEnd extends BacklogJob {
  readonly judged: Judged;
}

/** How often a worker sweeps up expired holds; the default of the runtime too. */
const RECLAIM_EVERY_MS = 60_000;

/** @returns every job of the backlog with what became of it, in the order of the queue */
export function playNight(setup: NightSetup): readonly JobAtEnd[] {
  return new Night(setup).play();
}

class Night {
  readonly #setup: NightSetup;
  readonly #engine = new Engine();
  readonly #log: NightLog;
  readonly #classes: ReadonlyMap<string, string>;
  readonly #budget: Clamp;
  readonly #queue: JobQueue<SampledJob>;
  readonly #board: LaneBoard;
  readonly #calls: CallDesk;
  readonly #checkpoints: CheckpointDesk;
  readonly #booksDesk: BooksDesk | undefined;
  readonly #settings: WorkerSettings<SampledJob>;
  readonly #driver: SimulatedDriver<SampledJob>;
  #isOver = false;

  constructor(setup: NightSetup) {
    const { scenario, night, draws, backlog, books, counter, tally } = setup;
    const engine = this.#engine;
    this.#setup = setup;
    this.#log = new NightLog(night, engine, setup.observe);
    this.#classes = new Map(backlog.map(({ job }) => [job.id, job.jobClass.name]));
    this.#budget = budgetOf(scenario);
    this.#queue = queueOf(scenario, backlog);
    this.#board = new LaneBoard(Math.max(1, Math.min(scenario.lanes, backlog.length)));
    const log = this.#log;
    const queue = this.#queue;
    const provider = new Provider(scenario.provider, draws);
    this.#calls = new CallDesk({ engine, scenario, budget: this.#budget, provider, counter, log });
    this.#checkpoints = new CheckpointDesk({ engine, store: scenario.store, draws, queue, log });
    this.#booksDesk =
      books === undefined
        ? undefined
        : new BooksDesk({
            watch: books.watch,
            tally,
            log,
            className: (job) => this.#classes.get(job),
            lapsed: (job, tryNumber) => {
              // A hold of an earlier night may be of a job that is long done.
              if (this.#classes.has(job)) queue.lapse(job, tryNumber);
            },
          });
    const clock = nightClock(engine, (night - 1) * scenario.window.everyMs);
    this.#settings = this.#worker(clock);
    this.#driver = new SimulatedDriver(engine, {
      clock,
      queue,
      ledger: books?.ledger,
      mayTake: () => counter?.isOpen !== false,
      call: (effect, number, answer) => this.#calls.call(effect, number, answer),
      checkpoint: (effect, answer) => this.#checkpoints.write(effect, () => answer({ written: true })),
      booksMoved: (effect, answer) => this.#booksDesk?.moved(effect, answer),
      laneEnded: (number) => this.#laneEnded(number),
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
      this.#setup.tally.billed += this.#calls.billedIfCut();
      this.#setup.tally.lastWriteMs = this.#checkpoints.lastWriteMs;
      return this.#judge();
    } catch (error) {
      throw error instanceof InvariantBroken ? this.#located(error) : error;
    }
  }

  #open(): void {
    const { scenario, night, backlog, opening } = this.#setup;
    const carriedOver = backlog.filter(({ job }) => job.arrivalNight < night).length;
    this.#log.emit({ type: 'opened', jobs: backlog.length, carriedOver });
    for (const { operation, delta } of opening) this.#log.emit({ type: 'books', operation, delta });
    // Scheduled first: of two things at the deadline, the kill comes before the other.
    this.#engine.scheduleAt(scenario.window.lastsMs, () => this.#end('killed'));
    const { pool } = this.#settings;
    if (pool !== undefined) this.#driver.startReclaimer(reclaimer(pool, this.#board));
    const lanes = this.#board.lanesRunning;
    for (let number = 0; number < lanes; number += 1) {
      this.#driver.start(lane(this.#settings, this.#board, number), number);
    }
  }

  #worker(clock: WorkerSettings<SampledJob>['clock']): WorkerSettings<SampledJob> {
    const { scenario, night, draws, books, counter } = this.#setup;
    const { pool } = scenario;
    const envelopes = new Map(scenario.jobs.map((one) => [one.name, classEnvelope(one)]));
    return {
      clock,
      budget: this.#budget,
      pool:
        books === undefined || pool === undefined
          ? undefined
          : {
              name: pool.name,
              leaseMs: pool.leaseMs,
              renewEveryMs: pool.leaseMs / 3,
              reclaimEveryMs: RECLAIM_EVERY_MS,
              taker: `night-${night}`,
            },
      night,
      envelope: (job) => envelopes.get(job.jobClass.name)!,
      attempts: (job) => job.jobClass.attempts,
      abandonedUsage: (job) => job.inputTokens,
      backoff: scenario.backoff,
      jitter: (offer, attempt) => draws.backoff(offer.job, attempt),
      backfill: counter === undefined ? scenario.backfill : 'smaller',
      record: (record, number) => this.#recorded(record, number),
    };
  }

  #recorded(record: AttemptRecord, number: number): void {
    const { tally } = this.#setup;
    const billed = this.#calls.takeBilled(number);
    tally.billed += billed;
    tally.debited += billed;
    tally.attempted(this.#classes.get(record.job)!, record);
    this.#log.emit({ type: 'attempt', lane: number, billed, ...record });
  }

  #laneEnded(number: number): void {
    const { scenario } = this.#setup;
    if (this.#budget.callTimeout(MONOTONIC_AT_OPENING_MS + this.#engine.now) === undefined) {
      this.#log.emit({ type: 'declined', lane: number });
    }
    this.#log.emit({ type: 'lane-ended', lane: number });
    if (this.#board.lanesRunning === 0) {
      this.#engine.schedule(scenario.store.flushMs, () => this.#end('finished'));
    }
  }

  #end(how: 'finished' | 'killed'): void {
    if (how === 'finished') this.#setup.tally.finishedMs = this.#engine.now;
    this.#driver.drop();
    this.#log.emit({ type: how });
    this.#isOver = true;
  }

  #judge(): readonly JobAtEnd[] {
    const { counter } = this.#setup;
    const loose = {
      calls: this.#calls.out,
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

  #located(error: InvariantBroken): InvariantBroken {
    const { scenario, night } = this.#setup;
    const events = this.#log.lastEvents().map((event) => `  ${JSON.stringify(event)}`);
    const place = `scenario ${scenario.name}, seed ${scenario.seed}, night ${night}, ${this.#engine.now} ms after the opening`;
    return new InvariantBroken(
      error.invariant,
      [`${error.detail} (${place})`, 'the last events:', ...events].join('\n'),
      { cause: error },
    );
  }
}

function budgetOf({ policy, window, budget }: Scenario): Clamp {
  const deadlineMs = MONOTONIC_AT_OPENING_MS + window.lastsMs;
  const { reserveMs, floorMs, capMs } = budget;
  return policy.timeouts === 'fixed'
    ? fixedTimeouts(deadlineMs, capMs)
    : new Budget({ deadlineMs, reserveMs, floorMs, capMs });
}

function queueOf(scenario: Scenario, backlog: readonly BacklogJob[]): JobQueue<SampledJob> {
  const envelopes = new Map(scenario.jobs.map((one) => [one.name, classEnvelope(one)]));
  return new JobQueue(
    backlog.map(({ job, triesEver, attemptsEver }) => ({
      job,
      jobId: job.id,
      envelope: envelopes.get(job.jobClass.name)!,
      triesEver,
      attemptsEver,
    })),
  );
}
