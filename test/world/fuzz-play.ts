// Plays a fuzzed night: the worker's own lanes and reclaimer, its queue, the simulated driver and a ledger in
// memory, in surroundings that follow the night's script; and audits what they come to.

import { invariant } from '../../src/base/errors.ts';
import { Budget } from '../../src/budget/budget.ts';
import type { Hold } from '../../src/ledger/ledger.ts';
import { Engine } from '../../src/sim/engine.ts';
import { envelopeOf, type JobScript, type NightScript } from '../../src/testing/scripts.ts';
import type {
  AttemptRecord,
  CallAnswer,
  CheckpointStatus,
  DeferCause,
  Process,
} from '../../src/worker/effects.ts';
import { JobQueue } from '../../src/worker/job-queue.ts';
import { lane } from '../../src/worker/lane.ts';
import { reclaimer } from '../../src/worker/reclaimer.ts';
import { LaneBoard, type WorkerSettings } from '../../src/worker/worker-settings.ts';
import { type Judged, judgeJob } from '../../src/world/night-outcomes.ts';
import { SimulatedDriver, type Surroundings } from '../../src/world/simulated-driver.ts';
import { auditedLedger, type LedgerAudit } from './audited-ledger.ts';
import { FuzzAuditor } from './fuzz-auditor.ts';
import { WaitAuditor } from './wait-auditor.ts';

type CallEffect = Parameters<Surroundings<JobScript>['call']>[0];
type CheckpointEffect = Parameters<Surroundings<JobScript>['checkpoint']>[0];

const MONOTONIC_AT_OPENING_MS = 5_000_000;
const WALL_AT_OPENING_MS = 1_700_000_000_000;
/** Night 1, as in the ids of its holds. */
const NIGHT = 1;
/** So much later than its deadline that whatever still happens in a night is over. */
const LONG_AFTER_MS = 100_000;

export interface FuzzedNight {
  readonly outcomes: ReadonlyMap<string, Judged>;
  readonly holds: readonly Hold[];
  /** What was met on the way, so that a test can tell whether its nights meet everything. */
  readonly met: ReadonlySet<string>;
}

/** @throws InvariantBroken at the first thing that must not be */
export function playFuzzNight(night: NightScript): FuzzedNight {
  return new FuzzedRun(night).play();
}

/** One process of the worker; a crashed one is never heard of again. */
interface Crew {
  readonly name: string;
  readonly driver: SimulatedDriver<JobScript>;
  readonly board: LaneBoard;
  readonly startedMs: number;
  lanesEnded: number;
  /** How often its reclaimer has looked. */
  sweeps: number;
}

class FuzzedRun {
  readonly #night: NightScript;
  readonly #engine = new Engine();
  readonly #books: LedgerAudit;
  readonly #queue: JobQueue<JobScript>;
  readonly #budget: Budget;
  readonly #auditor: FuzzAuditor;
  readonly #waits: WaitAuditor;
  readonly #calls = new Map<string, unknown>();
  readonly #writes = new Map<string, { readonly status: CheckpointStatus; readonly cause: DeferCause }>();
  readonly #failuresLeft = new Map<string, number>();
  readonly #met = new Set<string>();
  /** Somebody had a job and lost it. */
  #hasLapsed = false;
  #wallOffsetMs = 0;
  #crew: Crew | undefined;

  constructor(night: NightScript) {
    this.#night = night;
    this.#books = auditedLedger(night, {
      reclaimed: (hold) => this.#reclaimed(hold),
      moved: () => this.#waits.moved(this.#engine.now),
    });
    this.#waits = new WaitAuditor(this.#books.ledger, poolName(0), () => this.#wanted());
    const { deadlineMs, ...limits } = night.budget;
    this.#budget = new Budget({ deadlineMs: MONOTONIC_AT_OPENING_MS + deadlineMs, ...limits });
    this.#queue = new JobQueue(
      night.jobs.map((job, i) => ({ job, jobId: `job${i}`, envelope: envelopeOf(night, job, 1) })),
    );
    this.#openPools();
    this.#auditor = new FuzzAuditor({
      night,
      engine: this.#engine,
      budget: this.#budget,
      ledger: this.#books.ledger,
      pool: poolName(0),
      queue: this.#queue,
      monotonicMs: () => this.#monotonicMs(),
    });
  }

  play(): FuzzedNight {
    this.#scheduleOthers();
    this.#startCrew('first');
    const { crash } = this.#night;
    if (crash !== undefined) {
      this.#engine.schedule(crash.atMs, () => this.#crashes());
      this.#engine.schedule(crash.atMs + crash.restartAfterMs, () => this.#startCrew('second'));
    }
    const endMs = this.#night.budget.deadlineMs + LONG_AFTER_MS;
    while (this.#engine.step()) {
      invariant(this.#engine.now < endMs, 'a night comes to its end', () => `${this.#engine.now} ms`);
      const isCalm = this.#night.pauses.length === 0;
      if (isCalm && this.#engine.nextAt > this.#engine.now) this.#waits.momentPassed(this.#engine.now);
    }
    return this.#audit();
  }

  #monotonicMs(): number {
    return MONOTONIC_AT_OPENING_MS + this.#engine.now;
  }

  #wallMs(): number {
    return WALL_AT_OPENING_MS + this.#wallOffsetMs + this.#engine.now;
  }

  #openPools(): void {
    const { capacities, reclaim, maxLeaseMs } = this.#night;
    const { ledger } = this.#books;
    for (let i = capacities.length - 1; i >= 0; i -= 1) {
      const parent = i + 1 < capacities.length ? { parent: poolName(i + 1) } : {};
      ledger.openPool({ pool: poolName(i), capacity: capacities[i]!, reclaim, maxLeaseMs, ...parent });
    }
    ledger.openPool({ pool: 'sibling', capacity: 1_000, parent: poolName(capacities.length - 1) });
  }

  // ── the worker ──────────────────────────────────────────────────────────────────────────────────

  #startCrew(name: string): void {
    const night = this.#night;
    this.#freeUnheldClaims();
    const board = new LaneBoard(night.lanes);
    const driver = new SimulatedDriver<JobScript>(this.#engine, {
      clock: { monotonicMs: () => this.#monotonicMs(), wallMs: () => this.#wallMs() },
      queue: this.#queue,
      ledger: this.#books.flaky,
      call: (effect, _lane, answer) => this.#call(driver, effect, answer),
      checkpoint: (effect, answer) => this.#write(effect, answer),
      laneEnded: (number) => {
        crew.lanesEnded += 1;
        this.#waits.passedOn(`${name} ${number}`);
        this.#auditor.laneEnded(`${name} ${number}`, board);
        if (crew.lanesEnded === night.lanes) this.#auditSweeps(crew);
      },
    });
    const crew: Crew = { name, driver, board, lanesEnded: 0, startedMs: this.#engine.now, sweeps: 0 };
    this.#crew = crew;
    const settings = this.#settings(name);
    driver.startReclaimer(this.#sweeping(reclaimer(settings.pool!, board), crew));
    for (let number = 0; number < night.lanes; number += 1) {
      driver.start(this.#audited(lane(settings, board, number), crew, number), number);
    }
  }

  /**
   * What a lane would be handed first, whatever it was refused before. A job whose claim has lapsed comes back,
   * and may go again, without any current row changing, so that nobody hears of it at once: from then on
   * nothing is said. Nor where a lane that stood still puts back a job in strict order, before one that others
   * have been refused meanwhile.
   */
  #wanted(): number | undefined {
    const { backfill, hold, attempts, stalls } = this.#night;
    if (this.#hasLapsed || (backfill === 'none' && stalls.length > 0)) return undefined;
    const envelopes = [...this.#queue.standings()]
      .filter(({ standing }) => standing.state === 'waiting')
      .map(({ job }) => envelopeOf(this.#night, job, hold === 'per-attempt' ? 1 : attempts));
    return backfill === 'none' || envelopes.length === 0 ? envelopes[0] : Math.min(...envelopes);
  }

  #settings(taker: string): WorkerSettings<JobScript> {
    const { leaseMs, renewEveryMs, reclaimEveryMs, attempts, backoffMs, backfill } = this.#night;
    return {
      clock: { monotonicMs: () => this.#monotonicMs(), wallMs: () => this.#wallMs() },
      budget: this.#budget,
      pool: { name: poolName(0), leaseMs, renewEveryMs, reclaimEveryMs, taker },
      night: NIGHT,
      hold: this.#night.hold,
      envelope: (job, attempts) => envelopeOf(this.#night, job, attempts),
      attempts: () => attempts,
      abandonedUsage: () => 3,
      backoff: { baseMs: backoffMs, factor: 2, maxMs: 4 * backoffMs, jitter: 'none' },
      jitter: () => 0,
      backfill,
      record: (record, number) => this.#recorded(record, `${taker} ${number}`),
    };
  }

  #recorded(record: AttemptRecord, laneName: string): void {
    this.#met.add(record.outcome);
    this.#auditor.recorded(laneName, record);
  }

  /** A lane under the auditor's eyes, that stands still where the night says so. */
  *#audited(process: Process<JobScript>, { name, board }: Crew, number: number): Process<JobScript> {
    const laneName = `${name} ${number}`;
    let answers = 0;
    let step = process.next();
    while (step.done !== true) {
      const effect = step.value;
      const askedMs = this.#engine.now;
      this.#auditor.asked(laneName, effect, board);
      if (effect.kind === 'call') this.#waits.passedOn(laneName);
      if (effect.kind === 'tokens-returned') this.#waits.asked(laneName, effect);
      const answer = yield effect;
      // Who stands still hears of everything later.
      if (effect.kind === 'tokens-returned' && this.#night.pauses.length === 0) {
        const times = {
          askedMs,
          answeredMs: this.#engine.now,
          untilMs: effect.untilMs - MONOTONIC_AT_OPENING_MS,
        };
        this.#waits.answered(laneName, effect, answer as 'moved' | 'until', times);
      }
      this.#meets(effect.kind, answer);
      answers += 1;
      const stall = this.#night.stalls.find((one) => one.lane === number && one.afterAnswers === answers);
      if (stall !== undefined) {
        this.#met.add('stall');
        yield { kind: 'sleep', ms: stall.ms };
      }
      this.#auditor.answered(laneName, effect, answer, board);
      step = process.next(answer);
    }
  }

  *#sweeping(process: Process<JobScript>, crew: Crew): Process<JobScript> {
    let step = process.next();
    while (step.done !== true) {
      if (step.value.kind === 'reclaim') crew.sweeps += 1;
      step = process.next(yield step.value);
    }
  }

  #meets(kind: string, answer: unknown): void {
    if (typeof answer === 'string') this.#met.add(`${kind} ${answer}`);
    if (typeof answer !== 'object' || answer === null) return;
    const said = answer as Record<string, unknown>;
    this.#met.add(`${kind} ${said.reason ?? said.outcome ?? said.kind}`);
    if (said.late === true) this.#met.add('settle late');
    if (said.holdLost === true) this.#met.add('hold lost in mid-call');
  }

  #crashes(): void {
    this.#met.add('crash');
    this.#crew!.driver.drop();
    this.#auditor.restarted();
    this.#waits.restarted();
  }

  /** What a crashed process had taken and not yet reserved for; in production a lease on the take itself. */
  #freeUnheldClaims(): void {
    for (const { jobId, standing } of this.#queue.standings()) {
      if (standing.state !== 'claimed') continue;
      const id = `${jobId}/${NIGHT}/${standing.offer.try}`;
      if (this.#books.ledger.hold(id)?.state !== 'held') this.#queue.lapse(jobId, standing.offer.try);
    }
  }

  #reclaimed({ id, job }: Hold): void {
    if (!job.startsWith('job')) return;
    const before = this.#queue.standing(job);
    const tryNumber = Number(id.slice(id.lastIndexOf('/') + 1));
    this.#queue.lapse(job, tryNumber);
    this.#hasLapsed = true;
    this.#auditor.lapsed(job, tryNumber, before);
    if (this.#queue.standing(job).state === 'waiting') this.#met.add('claim lapsed');
  }

  // ── what answers it ─────────────────────────────────────────────────────────────────────────────

  #call(driver: SimulatedDriver<JobScript>, effect: CallEffect, answer: (answer: CallAnswer) => void): void {
    const { offer, attempt, timeoutMs } = effect;
    const { calls } = offer.job;
    const { outcome, elapsedMs, usage, retryAfterMs } = calls[(attempt - 1) % calls.length]!;
    this.#calls.set(offer.jobId, effect);
    this.#engine.schedule(Math.min(elapsedMs, timeoutMs), () => {
      if (driver.isDropped) return;
      this.#calls.delete(offer.jobId);
      this.#auditRenewals(effect);
      if (elapsedMs > timeoutMs) answer({ outcome: 'timed-out' });
      else answer({ outcome, usage, retryAfterMs });
    });
  }

  /** Where nothing else gets in the way, no hold is lost for want of renewing. */
  #auditRenewals({ lease }: CallEffect): void {
    const { leaseMs, renewEveryMs, maxLeaseMs, budget, stalls, pauses, wallSteps, outages, crash } =
      this.#night;
    const troubles = stalls.length + pauses.length + wallSteps.length + outages.length;
    const isCalm = troubles === 0 && crash === undefined;
    if (!isCalm || renewEveryMs >= leaseMs || maxLeaseMs < budget.deadlineMs) return;
    const state = this.#books.ledger.hold(lease!.id)?.state;
    invariant(state === 'held', 'a lease is renewed while a call is out', () => `${lease!.id} is ${state}`);
  }

  #write(
    { offer, status, detail }: CheckpointEffect,
    answer: (answer: { written: true } | { written: false; error: unknown }) => void,
  ): void {
    const { jobId, job } = offer;
    const { cause } = detail;
    const write = {
      status,
      cause: cause === undefined || cause === 'rejected' || cause === 'invalid' ? 'out-of-time' : cause,
    } as const;
    this.#writes.set(jobId, write);
    this.#engine.schedule(job.write.takesMs, () => {
      const failuresLeft = this.#failuresLeft.get(jobId) ?? job.write.failures;
      if (failuresLeft > 0) {
        this.#met.add('failed write');
        this.#failuresLeft.set(jobId, failuresLeft - 1);
        answer({ written: false, error: 'the store is busy' });
        return;
      }
      if (this.#writes.get(jobId) === write) this.#writes.delete(jobId);
      const before = this.#queue.standing(jobId);
      this.#queue.checkpointed(offer, status, write.cause);
      this.#auditor.durable(offer, status, before);
      answer({ written: true });
    });
  }

  // ── what happens beside it ──────────────────────────────────────────────────────────────────────

  #scheduleOthers(): void {
    const { strangers, turns, wallSteps, pauses } = this.#night;
    for (const { atMs, ms } of pauses) {
      this.#engine.schedule(atMs, () => {
        this.#met.add('pause of the process');
        this.#crew?.driver.pause(ms);
      });
    }
    strangers.forEach((stranger, i) => {
      // One that squats on the id of a claim to come keeps the worker from that job.
      const id = stranger.squats ? `job${i}/${NIGHT}/1` : `stranger${i}`;
      this.#engine.schedule(stranger.atMs, () => this.#strangerTakes(id, stranger));
    });
    for (const turn of turns) this.#engine.schedule(turn.atMs, () => this.#turn(turn));
    for (const { atMs, byMs } of wallSteps) {
      this.#engine.schedule(atMs, () => {
        this.#met.add('wall step');
        this.#wallOffsetMs += byMs;
      });
    }
  }

  #strangerTakes(id: string, stranger: NightScript['strangers'][number]): void {
    const { pool, amount, leaseMs, end, afterMs } = stranger;
    const { ledger } = this.#books;
    const name = pool === 'sibling' ? pool : poolName(Math.min(pool, this.#night.capacities.length - 1));
    const answer = ledger.reserve({
      id,
      pool: name,
      job: `stranger of ${id}`,
      taker: 'stranger',
      amount,
      leaseMs,
      nowMs: this.#wallMs(),
    });
    if (answer.outcome !== 'granted' || end === 'never') return;
    this.#met.add(`stranger ${end}`);
    if (end === 'settle') ledger.dispatch({ id, nowMs: this.#wallMs() });
    this.#engine.schedule(afterMs, () => {
      if (end === 'settle') ledger.settle({ id, actual: Math.floor(amount / 2), nowMs: this.#wallMs() });
      else ledger.release({ id, nowMs: this.#wallMs() });
      this.#booksMoved();
    });
  }

  #turn({ what, pool, amount }: NightScript['turns'][number]): void {
    const { ledger } = this.#books;
    const name = poolName(Math.min(pool, this.#night.capacities.length - 1));
    const { period, held, consumed } = ledger.pool(name)!;
    this.#met.add(what);
    if (what === 'refill') ledger.refill({ pool: name, period: period + 1 });
    else if (what === 'adjust') ledger.adjust({ pool: name, capacity: held + consumed + amount });
    else ledger[what]({ pool: name });
    this.#booksMoved();
  }

  #booksMoved(): void {
    this.#crew?.driver.booksMayHaveMoved();
  }

  // ── the end ─────────────────────────────────────────────────────────────────────────────────────

  #audit(): FuzzedNight {
    const { ledger, watch } = this.#books;
    const crew = this.#crew!;
    invariant(
      crew.lanesEnded === this.#night.lanes || crew.driver.isDropped,
      'no lane hangs',
      () => `${crew.lanesEnded} of ${this.#night.lanes} have ended`,
    );
    watch.recount(ledger);
    this.#auditHolds(crew);
    const outcomes = new Map<string, Judged>();
    for (const { jobId, standing } of this.#queue.standings()) {
      const judged = judgeJob(jobId, standing, {
        calls: this.#calls,
        writes: this.#writes,
        waited: new Set(),
        atTheWall: new Set(),
        counterIsEmpty: false,
      });
      outcomes.set(jobId, judged);
      this.#met.add(judged.outcome);
      const isDone = this.#auditor.done.has(jobId);
      invariant((judged.outcome === 'done') === isDone, 'a job is done where that is durable', () => jobId);
    }
    invariant(
      outcomes.size === this.#night.jobs.length,
      'every job has one outcome',
      () => `${outcomes.size}`,
    );
    return { outcomes, holds: ledger.holds(), met: this.#met };
  }

  /** Where nothing crashed and the ledger always answered, nobody has to clean up after the worker. */
  #auditHolds({ board }: Crew): void {
    const { outages, crash } = this.#night;
    if (outages.length > 0 || crash !== undefined) return;
    invariant(board.unsettledCount === 0, 'every settle was taken', () => String(board.unsettledCount));
    const holds = this.#books.ledger.holds();
    for (const { id, job, state, dispatched, actual } of holds) {
      if (!job.startsWith('job')) continue;
      invariant(
        dispatched ? actual !== undefined : state !== 'settled',
        'a hold is settled where a call may have gone out on it, and only there',
        () => `${id} is ${state}`,
      );
      invariant(state !== 'held' || this.#isLeftToReclaim(id), 'no hold is left open', () => id);
    }
  }

  /** At the opening, and steadily from then on until the last lane has ended. */
  #auditSweeps({ startedMs, sweeps }: Crew): void {
    if (this.#night.pauses.length > 0) return;
    const due = Math.max(1, Math.ceil((this.#engine.now - startedMs) / this.#night.reclaimEveryMs));
    invariant(sweeps >= due, 'a reclaimer looks at a steady pace', () => `${sweeps} times, not ${due}`);
  }

  /** A hold whose dispatch was refused because its lease had run out is left to the next reclaim. */
  #isLeftToReclaim(id: string): boolean {
    const lines = this.#books.ledger.journal().filter((line) => line.id === id);
    return lines.some(({ operation, outcome }) => operation === 'dispatch' && outcome === 'refused');
  }
}

function poolName(i: number): string {
  return `pool${i}`;
}
