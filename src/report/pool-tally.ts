// The pool's books over time, from the deltas of the row that is current tonight. A chart shows one night,
// so of all nights only the tightest is kept: most asks refused, then the smallest share left free.

import type { ReserveAnswer, RowDelta } from '../ledger/ledger.ts';
import type { ScenarioPool } from '../scenario/scenario.ts';
import type { PoolSeries, PoolStep, RefusalSlot } from './night-series.ts';

const STEP_SLOTS = 120;
const REFUSAL_SLOTS = 60;

type AskOutcome = 'granted' | 'id-reused' | Extract<ReserveAnswer, { outcome: 'refused' }>['reason'];

export class PoolTally {
  readonly #windowMs: number;
  readonly #pool: ScenarioPool;
  /** Of the row that is current, where it is not the night's own. */
  #period = 0;
  #night: PoolNight | undefined;
  #tightest: PoolNight | undefined;

  constructor(windowMs: number, pool: ScenarioPool) {
    this.#windowMs = windowMs;
    this.#pool = pool;
  }

  opened(night: number): void {
    this.#close();
    const before = this.#night?.now;
    this.#night =
      this.#night !== undefined && this.#night.number === night
        ? this.#night
        : new PoolNight(night, this.#windowMs, this.#pool.refill === 'night' ? undefined : before);
  }

  reserved(atMs: number, outcome: AskOutcome, returnable: boolean): void {
    // More than the whole pool is a fault of the envelope; the pool is not short for that.
    if (outcome === 'insufficient') this.#night?.refused(atMs, returnable);
  }

  moved(atMs: number, delta: readonly RowDelta[]): void {
    for (const row of delta) {
      if (row.pool !== this.#pool.name) continue;
      // The pool may be opened or refilled a moment before its night is.
      if (this.#pool.refill === 'night' && row.period !== this.#night?.number) {
        if (row.period <= (this.#night?.number ?? 0) || row.capacity === 0) continue;
        this.#close();
        this.#night = new PoolNight(row.period, this.#windowMs, undefined);
      }
      this.#night ??= new PoolNight(1, this.#windowMs, undefined);
      if (this.#pool.refill !== 'night') {
        if (row.period < this.#period) continue;
        // Full again: what moves in the row before is none of today's.
        if (row.period > this.#period) this.#night.renewed();
        this.#period = row.period;
      }
      this.#night.moved(atMs, row);
    }
  }

  series(): PoolSeries | null {
    this.#close();
    return this.#tightest?.series() ?? null;
  }

  #close(): void {
    const night = this.#night;
    if (night === undefined || night === this.#tightest || night.capacity === 0) return;
    if (this.#tightest === undefined || night.isTighterThan(this.#tightest)) this.#tightest = night;
  }
}

class PoolNight {
  readonly number: number;
  readonly #windowMs: number;
  readonly #steps: (PoolStep | undefined)[] = new Array(STEP_SLOTS).fill(undefined);
  readonly #refusals: (RefusalSlot | undefined)[] = new Array(REFUSAL_SLOTS).fill(undefined);
  #first: PoolStep | undefined;
  now: PoolStep;
  #least: PoolStep | undefined;
  #mostHeld = 0;
  #refused = 0;
  #waits = 0;

  /** @param before the books as the night before left them, where this row goes on */
  constructor(number: number, windowMs: number, before: PoolStep | undefined) {
    this.number = number;
    this.#windowMs = windowMs;
    this.now = before === undefined ? { atMs: 0, free: 0, held: 0, consumed: 0 } : { ...before, atMs: 0 };
    if (before !== undefined) this.#keep();
  }

  get capacity(): number {
    return this.now.free + this.now.held + this.now.consumed;
  }

  /** A new row begins. */
  renewed(): void {
    this.now = { ...this.now, free: 0, held: 0, consumed: 0 };
  }

  moved(atMs: number, row: RowDelta): void {
    this.now = {
      atMs,
      free: this.now.free + row.balance,
      held: this.now.held + row.held,
      consumed: this.now.consumed + row.consumed,
    };
    if (this.capacity > 0) this.#keep();
  }

  refused(atMs: number, returnable: boolean): void {
    if (returnable) {
      this.#waits += 1;
      return;
    }
    this.#refused += 1;
    const index = slotOf(atMs, this.#windowMs, REFUSAL_SLOTS);
    const slot = this.#refusals[index];
    this.#refusals[index] = { atMs: slot?.atMs ?? atMs, count: (slot?.count ?? 0) + 1 };
  }

  isTighterThan(other: PoolNight): boolean {
    if (this.#refused !== other.#refused) return this.#refused > other.#refused;
    return this.#freeShare() < other.#freeShare();
  }

  series(): PoolSeries {
    const steps = this.#steps.filter((step) => step !== undefined);
    const first = this.#first ?? this.now;
    const least = this.#least ?? this.now;
    return {
      night: this.number,
      capacity: this.capacity,
      steps: [
        ...(first.atMs < (steps[0]?.atMs ?? 0) ? [first] : []),
        ...steps,
        ...(steps.at(-1) === this.now ? [] : [this.now]),
      ],
      refusals: this.#refusals.filter((slot) => slot !== undefined),
      refused: this.#refused,
      waits: this.#waits,
      leastFree: least.free,
      leastFreeAtMs: least.atMs,
      mostHeld: this.#mostHeld,
      consumed: this.now.consumed,
    };
  }

  #keep(): void {
    this.#first ??= this.now;
    const index = slotOf(this.now.atMs, this.#windowMs, STEP_SLOTS);
    const step = this.#steps[index];
    if (step === undefined || this.now.free <= step.free) this.#steps[index] = this.now;
    if (this.#least === undefined || this.now.free < this.#least.free) this.#least = this.now;
    this.#mostHeld = Math.max(this.#mostHeld, this.now.held);
  }

  #freeShare(): number {
    return this.capacity === 0 ? 1 : (this.#least?.free ?? this.now.free) / this.capacity;
  }
}

function slotOf(atMs: number, windowMs: number, slots: number): number {
  return Math.max(0, Math.min(slots - 1, Math.floor((atMs / windowMs) * slots)));
}
