// The workers of a night: starts them, and lets them crash and come back, stand still, sleep with their
// machines and turn into zombies as the scenario says. Knows who is gone and what they left behind.

import type { Scenario } from '../scenario/scenario.ts';
import type { Engine } from '../sim/engine.ts';
import type { Period } from './incident-times.ts';
import type { NightLog } from './night-log.ts';
import type { WorkerTroubles } from './troubles.ts';
import type { WorkerProcess } from './worker-process.ts';

export interface FleetSetup {
  readonly engine: Engine;
  readonly scenario: Scenario;
  /** From 1. */
  readonly night: number;
  /** One for each worker. */
  readonly troubles: readonly WorkerTroubles[];
  readonly log: NightLog;
  /** A worker's next process, not yet started. `number` counts all processes of the night, from 0. */
  makeProcess(worker: number, number: number): WorkerProcess;
  /**
   * A process is gone with all that it had in hand.
   *
   * @param backMs when its worker is back, from the opening
   * @returns tokens in the holds that it leaves behind
   */
  crashed(process: WorkerProcess, backMs: number): number;
  /** Lanes are gone: perhaps the last ones. */
  lanesEnded(): void;
}

interface Worker {
  /** From 1. */
  readonly number: number;
  process: WorkerProcess | undefined;
  /** It crashed, and is not back before. */
  downUntilMs: number;
  /** Its machine sleeps until then. */
  asleepUntilMs: number;
}

export class Fleet {
  readonly #setup: FleetSetup;
  readonly #workers: readonly Worker[];
  #processes = 0;
  #isTerminating = false;

  constructor(setup: FleetSetup) {
    this.#setup = setup;
    this.#workers = setup.troubles.map((_, i) => ({
      number: i + 1,
      process: undefined,
      downUntilMs: Number.NEGATIVE_INFINITY,
      asleepUntilMs: Number.NEGATIVE_INFINITY,
    }));
  }

  open(): void {
    const { engine, scenario, troubles } = this.#setup;
    const { lastsMs, graceMs = 0 } = scenario.window;
    if (graceMs > 0) engine.scheduleAt(lastsMs - graceMs, () => this.#terminate());
    for (const worker of this.#workers) this.#start(worker);
    for (const worker of this.#workers) {
      this.#scheduleTroubles(worker, troubles[worker.number - 1]!);
      this.#scheduleClockFaults(worker);
    }
  }

  /** Every lane has ended, nobody is still to come back, and somebody is left to leave. */
  get hasEnded(): boolean {
    const hasLeft = this.#workers.some(({ process }) => process?.hasEnded);
    return (
      hasLeft &&
      this.#workers.every(({ process, downUntilMs }) => {
        if (process !== undefined) return process.hasEnded;
        return this.#isTerminating || downUntilMs >= this.#setup.scenario.window.lastsMs;
      })
    );
  }

  /** The kill, or the exit. */
  drop(): void {
    for (const { process } of this.#workers) process?.driver.drop();
  }

  /** The books have moved, whoever moved them. */
  booksMoved(): void {
    for (const { process } of this.#workers) process?.driver.booksMayHaveMoved();
  }

  #terminate(): void {
    this.#isTerminating = true;
    this.#setup.log.emit({ type: 'terminating' });
    for (const { process } of this.#workers) process?.terminate();
  }

  #start(worker: Worker): void {
    worker.process = this.#setup.makeProcess(worker.number, this.#processes);
    this.#processes += 1;
    worker.process.start();
  }

  #scheduleTroubles(worker: Worker, { crashes, pauses, zombies }: WorkerTroubles): void {
    const { engine } = this.#setup;
    for (const period of crashes) engine.scheduleAt(period.fromMs, () => this.#crash(worker, period));
    for (const { fromMs, toMs } of pauses) {
      engine.scheduleAt(fromMs, () => {
        if (worker.process === undefined) return;
        this.#setup.log.emit({ type: 'paused', worker: worker.number, untilMs: toMs });
        worker.process.driver.pause(toMs - engine.now);
      });
    }
    for (const { fromMs } of zombies) {
      engine.scheduleAt(fromMs, () => {
        if (worker.process === undefined) return;
        this.#setup.log.emit({ type: 'zombie', worker: worker.number });
        worker.process.driver.becomeZombie();
      });
    }
  }

  #scheduleClockFaults(worker: Worker): void {
    const { engine, scenario, night, log } = this.#setup;
    const { steps, suspensions } = scenario.clock ?? { steps: [], suspensions: [] };
    const isMeant = (one: { readonly night: number; readonly worker: number | undefined }) =>
      one.night === night && (one.worker ?? worker.number) === worker.number;
    for (const { atMs, byMs } of steps.filter(isMeant)) {
      engine.scheduleAt(atMs, () => log.emit({ type: 'clock-set', worker: worker.number, byMs }));
    }
    for (const { atMs, lastsMs } of suspensions.filter(isMeant)) {
      engine.scheduleAt(atMs, () => {
        worker.asleepUntilMs = Math.max(worker.asleepUntilMs, engine.now + lastsMs);
        log.emit({ type: 'suspended', worker: worker.number, untilMs: engine.now + lastsMs });
        worker.process?.driver.suspend(lastsMs);
      });
    }
  }

  #crash(worker: Worker, { toMs }: Period): void {
    const { engine, log, scenario, crashed } = this.#setup;
    // Who has left cannot crash, and nobody brings it back.
    if (worker.process?.hasEnded === true) return;
    worker.downUntilMs = Math.max(worker.downUntilMs, toMs);
    if (toMs < scenario.window.lastsMs) engine.scheduleAt(toMs, () => this.#comeBack(worker));
    const { process } = worker;
    worker.process = undefined;
    if (process === undefined) return;
    process.driver.drop();
    const stranded = crashed(process, worker.downUntilMs);
    log.emit({ type: 'crashed', worker: worker.number, stranded });
    this.#setup.lanesEnded();
  }

  #comeBack(worker: Worker): void {
    const { engine, log } = this.#setup;
    if (worker.process !== undefined || engine.now < worker.downUntilMs || this.#isTerminating) return;
    if (engine.now < worker.asleepUntilMs) {
      engine.scheduleAt(worker.asleepUntilMs, () => this.#comeBack(worker));
      return;
    }
    log.emit({ type: 'restarted', worker: worker.number });
    this.#start(worker);
  }
}
