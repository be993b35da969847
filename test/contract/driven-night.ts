// One night's script played by either driver: the same lanes, reclaimer, queue, budget and ledger, with the
// script's calls, checkpoints and ledger troubles. What comes out is the trace of every process and the result.

import { LedgerUnavailable } from '../../src/base/errors.ts';
import { Budget } from '../../src/budget/budget.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { LiveDriver } from '../../src/live/live-driver.ts';
import { TokenWatch } from '../../src/live/token-watch.ts';
import { WarnOnce } from '../../src/live/warn-once.ts';
import { Engine } from '../../src/sim/engine.ts';
import {
  type CallScript,
  envelopeOf,
  type JobScript,
  LEDGER_OPERATIONS,
  type NightScript,
} from '../../src/testing/scripts.ts';
import type { AttemptRecord, CallAnswer, DeferCause, Process } from '../../src/worker/effects.ts';
import { JobQueue } from '../../src/worker/job-queue.ts';
import { lane } from '../../src/worker/lane.ts';
import { reclaimer } from '../../src/worker/reclaimer.ts';
import { LaneBoard, type WorkerSettings } from '../../src/worker/worker-settings.ts';
import { SimulatedDriver } from '../../src/world/simulated-driver.ts';
import { EventLoop } from './event-loop.ts';

export interface DrivenNight {
  /** By process, one line per effect: when it was asked and answered, and with what. */
  readonly traces: Readonly<Record<string, readonly string[]>>;
  /** The same over all lanes, in the order in which they asked. */
  readonly order: readonly string[];
  readonly standings: readonly unknown[];
  readonly holds: readonly unknown[];
  readonly records: readonly AttemptRecord[];
  readonly unsettledCount: number;
}

const MONOTONIC_AT_OPENING_MS = 5_000_000;
const WALL_AT_OPENING_MS = 1_700_000_000_000;
const POOL = 'pool0';
const EVENTS_AT_MOST = 100_000;

/** What both drivers are given. */
class Stage {
  readonly night: NightScript;
  readonly queue: JobQueue<JobScript>;
  readonly budget: Budget;
  readonly ledger = new MemoryLedger();
  readonly board: LaneBoard;
  readonly records: AttemptRecord[] = [];
  readonly settings: WorkerSettings<JobScript>;
  readonly #traces: Record<string, string[]> = {};
  readonly #order: string[] = [];
  readonly #nowMs: () => number;
  readonly #failuresLeft = new Map<JobScript, number>();

  constructor(night: NightScript, nowMs: () => number) {
    this.night = night;
    this.#nowMs = nowMs;
    const { deadlineMs, ...limits } = night.budget;
    this.budget = new Budget({ deadlineMs: MONOTONIC_AT_OPENING_MS + deadlineMs, ...limits });
    this.queue = new JobQueue(
      night.jobs.map((job, i) => ({ job, jobId: `job${i}`, envelope: envelopeOf(night, job, 1) })),
    );
    this.board = new LaneBoard(night.lanes);
    this.settings = this.#worker();
    this.#openPools();
  }

  get clock() {
    return {
      monotonicMs: () => MONOTONIC_AT_OPENING_MS + this.#nowMs(),
      wallMs: () => WALL_AT_OPENING_MS + this.#nowMs(),
    };
  }

  /** Every process by name, as it is to be driven. */
  processes(): readonly (readonly [string, Process<JobScript>])[] {
    const sweeping = ['reclaimer', reclaimer<JobScript>(this.settings.pool!, this.board)] as const;
    const lanes = Array.from(
      { length: this.night.lanes },
      (_, i) => [`lane ${i}`, lane(this.settings, this.board, i)] as const,
    );
    return [sweeping, ...lanes].map(([name, process]) => [name, this.#traced(name, process)]);
  }

  /** The script's call, without what a driver adds to it. */
  scripted(job: JobScript, attempt: number): CallScript {
    return job.calls[(attempt - 1) % job.calls.length]!;
  }

  /** Whether the store refuses this write. */
  fails(job: JobScript): boolean {
    const left = this.#failuresLeft.get(job) ?? job.write.failures;
    if (left > 0) this.#failuresLeft.set(job, left - 1);
    return left > 0;
  }

  /** The ledger, whose nth operation of a kind has no answer where the script says so. */
  troubled(unavailable: () => unknown): Ledger {
    const asked = new Map<string, number>();
    const troubled: Record<string, unknown> = {};
    for (const operation of LEDGER_OPERATIONS) {
      troubled[operation] = (request: never) => {
        const nth = (asked.get(operation) ?? 0) + 1;
        asked.set(operation, nth);
        const isOut = this.night.outages.some((one) => one.operation === operation && one.nth === nth);
        return isOut ? unavailable() : this.ledger[operation](request);
      };
    }
    troubled.pool = (name: string) => this.ledger.pool(name);
    troubled.history = (job: string) => this.ledger.history(job);
    return troubled as unknown as Ledger;
  }

  result(): DrivenNight {
    return {
      traces: this.#traces,
      order: this.#order,
      standings: [...this.queue.standings()].map(({ jobId, triesEver, attemptsEver, standing }) => ({
        jobId,
        triesEver,
        attemptsEver,
        state: standing.state,
        cause: standing.state === 'deferred' ? standing.cause : undefined,
      })),
      holds: this.ledger.holds(),
      records: this.records,
      unsettledCount: this.board.unsettledCount,
    };
  }

  #openPools(): void {
    const { capacities, reclaim, maxLeaseMs } = this.night;
    for (let i = capacities.length - 1; i >= 0; i -= 1) {
      const parent = i + 1 < capacities.length ? { parent: `pool${i + 1}` } : {};
      this.ledger.openPool({ pool: `pool${i}`, capacity: capacities[i]!, reclaim, maxLeaseMs, ...parent });
    }
  }

  #worker(): WorkerSettings<JobScript> {
    const { leaseMs, renewEveryMs, reclaimEveryMs, attempts, backoffMs, backfill } = this.night;
    return {
      clock: this.clock,
      budget: this.budget,
      pool: { name: POOL, leaseMs, renewEveryMs, reclaimEveryMs, taker: 'me' },
      night: 1,
      hold: this.night.hold,
      envelope: (job, of) => envelopeOf(this.night, job, of),
      attempts: () => attempts,
      abandonedUsage: () => 3,
      backoff: { baseMs: backoffMs, factor: 2, maxMs: 4 * backoffMs, jitter: 'none' },
      jitter: () => 0,
      backfill,
      record: (record) => this.records.push(record),
    };
  }

  /** A process whose effects are written down, and that stands still where the script says so. */
  *#traced(name: string, process: Process<JobScript>): Process<JobScript> {
    const trace: string[] = [];
    this.#traces[name] = trace;
    let answers = 0;
    let step = process.next();
    while (step.done !== true) {
      const asked = `${this.#nowMs()} ${JSON.stringify(step.value)}`;
      this.#order.push(`${this.#nowMs()} ${name} ${step.value.kind}`);
      // A reclaimer's last sleep is cut short in production, and slept out for nothing in the simulator.
      if (name === 'reclaimer') trace.push(asked);
      const answer = yield step.value;
      if (name !== 'reclaimer')
        trace.push(`${asked} → ${this.#nowMs()} ${JSON.stringify(answer, withoutErrors)}`);
      answers += 1;
      const stall = this.night.stalls.find(
        (one) => name === `lane ${one.lane}` && one.afterAnswers === answers,
      );
      if (stall !== undefined) yield { kind: 'sleep', ms: stall.ms };
      step = process.next(answer);
    }
  }
}

/** What went wrong is told in other words by each. */
function withoutErrors(key: string, value: unknown): unknown {
  return key === 'error' ? undefined : value;
}

export function driveSimulated(night: NightScript): DrivenNight {
  const engine = new Engine();
  const stage = new Stage(night, () => engine.now);
  const driver = new SimulatedDriver<JobScript>(engine, {
    clock: stage.clock,
    queue: stage.queue,
    ledger: stage.troubled(() => ({ outcome: 'unavailable' })),
    call: ({ offer, attempt, timeoutMs }, _lane, answer) => {
      const { outcome, elapsedMs, usage, retryAfterMs } = stage.scripted(offer.job, attempt);
      const scripted: CallAnswer = outcome === 'threw' ? { outcome } : { outcome, usage, retryAfterMs };
      const ends = elapsedMs <= timeoutMs ? scripted : { outcome: 'timed-out' as const };
      engine.schedule(Math.min(elapsedMs, timeoutMs), () => answer(ends));
    },
    checkpoint: ({ offer, status, detail }, answer) => {
      engine.schedule(offer.job.write.takesMs, () => {
        if (stage.fails(offer.job)) {
          answer({ written: false, error: 'busy' });
          return;
        }
        stage.queue.checkpointed(offer, status, causeOf(detail.cause));
        answer({ written: true });
      });
    },
    laneEnded: () => {},
  });
  stage.processes().forEach(([name, process], i) => {
    if (name === 'reclaimer') driver.startReclaimer(process);
    else driver.start(process, i - 1);
  });
  let events = 0;
  while (engine.step()) {
    events += 1;
    if (events > EVENTS_AT_MOST) throw new Error(`the night goes in circles at ${engine.now} ms`);
  }
  return stage.result();
}

export async function driveLive(night: NightScript): Promise<DrivenNight> {
  const loop = new EventLoop();
  const stage = new Stage(night, () => loop.nowMs);
  const { clock, queue, budget } = stage;
  const ledger = stage.troubled(() => {
    throw new LedgerUnavailable('failed', 'the store is away');
  });
  const watch = new TokenWatch({
    clock,
    version: () => ledger.pool(POOL)!.version,
    pollMs: 60_000,
    declinesAfterMs: () => budget.declinesAfterMs(),
    hasClaimedElsewhere: () => false,
    recheckMs: 60_000,
  });
  const driver = new LiveDriver<JobScript>({
    clock,
    queue,
    patience: { clock, random: () => 0, busyWaitMs: 0 },
    warnings: new WarnOnce(() => {}),
    tokens: { ledger, taker: 'me', watch },
    beforeResuming: () => {},
    call: async (job, { attempt }) => {
      const { outcome, elapsedMs, usage, retryAfterMs } = stage.scripted(job, attempt);
      await new Promise<void>((resolve) => setTimeout(resolve, elapsedMs));
      if (outcome === 'threw') throw new Error('no answer');
      return { outcome, usage, retryAfterMs };
    },
    checkpoint: async (job) => {
      await new Promise<void>((resolve) => setTimeout(resolve, job.write.takesMs));
      if (stage.fails(job)) throw new Error('busy');
    },
    failed: () => {},
    written: () => {},
  });
  await loop.run(async () => {
    const driven = stage.processes().map(([, process]) => driver.drive(process));
    await Promise.all(driven.slice(1));
    driver.end();
    await driven[0];
  });
  return stage.result();
}

function causeOf(cause: DeferCause | 'rejected' | 'invalid' | undefined): DeferCause {
  if (cause === undefined) return 'out-of-time';
  return cause === 'rejected' || cause === 'invalid' ? 'attempts-used-up' : cause;
}
