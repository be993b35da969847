// One life of a worker: a process with its clocks, its budget, its lanes and its reclaimer, from its start to
// its end or its crash. All that it shares with the others it is handed.

import { invariant } from '../base/errors.ts';
import { Budget, type Clamp } from '../budget/budget.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Engine } from '../sim/engine.ts';
import { lane } from '../worker/lane.ts';
import { reclaimer } from '../worker/reclaimer.ts';
import { SuspensionWatch } from '../worker/suspension-watch.ts';
import { LaneBoard, type WorkerSettings } from '../worker/worker-settings.ts';
import type { SampledJob } from './draws.ts';
import { fixedTimeouts } from './fixed-timeouts.ts';
import { SimulatedDriver, type Surroundings } from './simulated-driver.ts';
import { MONOTONIC_AT_OPENING_MS, type WorkerClock, workerClock } from './worker-clock.ts';
import { WorkerTime } from './worker-time.ts';

export interface ProcessSetup {
  readonly engine: Engine;
  readonly scenario: Scenario;
  /** From 1. */
  readonly night: number;
  /** From 1. */
  readonly worker: number;
  /** Tells it apart from all other processes of the night, from 0. */
  readonly number: number;
  /** How many lanes it starts. */
  readonly lanes: number;
  /** The number of its first lane; lanes are numbered over all workers. */
  readonly firstLane: number;
  readonly settings: Omit<WorkerSettings<SampledJob>, 'clock' | 'budget'>;
  readonly surroundings: Omit<Surroundings<SampledJob>, 'clock' | 'beforeResuming'>;
}

/** A microsecond: how exactly a grant keeps to the deadline. */
const TOLERANCE_MS = 1e-3;

export class WorkerProcess {
  readonly number: number;
  readonly worker: number;
  readonly lanes: ReadonlySet<number>;
  readonly board: LaneBoard;
  readonly driver: SimulatedDriver<SampledJob>;
  readonly #setup: ProcessSetup;
  readonly #time: WorkerTime;
  readonly #clock: WorkerClock;
  readonly #budget: Clamp;
  readonly #settings: WorkerSettings<SampledJob>;

  constructor(setup: ProcessSetup) {
    const { engine, scenario, night, worker, number, lanes, firstLane, settings, surroundings } = setup;
    this.#setup = setup;
    this.number = number;
    this.worker = worker;
    this.lanes = new Set(Array.from({ length: lanes }, (_, i) => firstLane + i));
    this.board = new LaneBoard(lanes);
    this.#time = new WorkerTime(engine);
    this.#clock = workerClock({ engine, time: this.#time, scenario, night, worker });
    const { budget, beforeResuming } = budgetOf(setup, this.#clock);
    this.#budget = budget;
    this.#settings = { ...settings, clock: this.#clock.ofBudget, budget };
    const clock = this.#clock.ofBudget;
    const around = { ...surroundings, clock, ...(beforeResuming && { beforeResuming }) };
    this.driver = new SimulatedDriver(engine, around, this.#time);
  }

  start(): void {
    const { pool } = this.#settings;
    if (pool !== undefined) this.driver.startReclaimer(reclaimer(pool, this.board));
    for (const number of this.lanes) this.driver.start(lane(this.#settings, this.board, number), number);
  }

  get hasEnded(): boolean {
    return this.board.lanesRunning === 0;
  }

  /** Would no call be granted any more? */
  get declines(): boolean {
    return this.#budget.callTimeout(this.#clock.ofBudget.monotonicMs()) === undefined;
  }

  /** The termination signal: once it hears of it, it takes up nothing more. */
  terminate(): void {
    this.#time.whenAwake(() => {
      this.board.close();
      this.driver.endWaits();
    });
  }

  /** Under the clamp each grant keeps within its limits, by the process's own clock. */
  checkGrant(timeoutMs: number): void {
    const { engine, scenario } = this.#setup;
    if (scenario.policy.timeouts === 'fixed') return;
    const { floorMs, capMs, reserveMs } = scenario.budget;
    const endsMs = this.#clock.ofBudget.monotonicMs() + timeoutMs;
    const isWithin =
      timeoutMs >= floorMs &&
      timeoutMs <= capMs &&
      endsMs <= this.#budget.deadlineMs - reserveMs + TOLERANCE_MS;
    invariant(
      isWithin,
      'floor ≤ grant ≤ cap, and it ends before the reserve',
      () => `granted ${timeoutMs} ms, ${engine.now} ms after the opening`,
    );
    const keepsToTheKill = scenario.policy.clock !== 'wall' && scenario.clock?.suspension !== 'ignore';
    if (!keepsToTheKill) return;
    // A suspension of up to two seconds is not told from the rounding of an uptime.
    const unseenMs = this.#time.behindMs === 0 ? TOLERANCE_MS : 2_000 + TOLERANCE_MS;
    invariant(
      engine.now + timeoutMs <= scenario.window.lastsMs - reserveMs + unseenMs,
      'a grant ends before the reserve of the window as it really is',
      () => `granted ${timeoutMs} ms, ${engine.now} ms after the opening`,
    );
  }
}

function budgetOf(
  { engine, scenario }: ProcessSetup,
  clock: WorkerClock,
): { readonly budget: Clamp; readonly beforeResuming?: () => void } {
  const { policy, window, budget: limits, clock: faults } = scenario;
  // A process that starts later is told what is left by then: on its clock that is the same moment.
  const deadlineMs = MONOTONIC_AT_OPENING_MS + window.lastsMs;
  const { reserveMs, floorMs, capMs } = limits;
  if (policy.timeouts === 'fixed') return { budget: fixedTimeouts(deadlineMs, capMs) };
  const budget = new Budget({ deadlineMs, reserveMs, floorMs, capMs });
  const isBlind = faults === undefined || faults.suspensions.length === 0 || faults.suspension === 'ignore';
  // A wall clock goes on through a suspension by itself.
  if (isBlind || policy.clock === 'wall') return { budget };
  const watch = new SuspensionWatch(clock, () => engine.now);
  return { budget, beforeResuming: () => budget.shortenBy(watch.takeGapMs()) };
}
