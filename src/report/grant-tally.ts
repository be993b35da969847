// What the clamp gave: counts over all nights, and the window's end in small stretches, since that is
// where grants shrink and lanes are declined.

import type { Scenario } from '../scenario/scenario.ts';
import type { DeclinedSlot, GrantSeries, GrantSlot, GrantView } from './night-series.ts';

const SLOTS = 60;
/** Doubles as `deadline − now` loses the last bits; a microsecond is no overrun. */
const MICROSECOND_MS = 0.001;

export class GrantTally {
  readonly #windowMs: number;
  readonly #budget: Scenario['budget'];
  readonly #views: { readonly window: ViewTally; readonly edge: ViewTally };
  #full = 0;
  #shrunk = 0;
  #declined = 0;
  #intoReserve = 0;
  #pastKill = 0;
  #shortestMs = Number.POSITIVE_INFINITY;

  constructor(windowMs: number, budget: Scenario['budget']) {
    this.#windowMs = windowMs;
    this.#budget = budget;
    const edgeMs = Math.max(0, windowMs - 3 * (budget.capMs + budget.reserveMs));
    this.#views = { window: new ViewTally(0, windowMs), edge: new ViewTally(edgeMs, windowMs) };
  }

  granted(atMs: number, timeoutMs: number): void {
    if (timeoutMs < this.#budget.capMs) this.#shrunk += 1;
    else this.#full += 1;
    const endMs = atMs + timeoutMs - MICROSECOND_MS;
    if (endMs > this.#windowMs - this.#budget.reserveMs) this.#intoReserve += 1;
    if (endMs > this.#windowMs) this.#pastKill += 1;
    this.#shortestMs = Math.min(this.#shortestMs, timeoutMs);
    this.#views.window.granted(atMs, timeoutMs);
    this.#views.edge.granted(atMs, timeoutMs);
  }

  declined(atMs: number): void {
    this.#declined += 1;
    this.#views.window.declined(atMs);
    this.#views.edge.declined(atMs);
  }

  series(): GrantSeries {
    return {
      full: this.#full,
      shrunk: this.#shrunk,
      declined: this.#declined,
      intoReserve: this.#intoReserve,
      pastKill: this.#pastKill,
      shortestMs: Number.isFinite(this.#shortestMs) ? this.#shortestMs : null,
      window: this.#views.window.view(),
      edge: this.#views.edge.view(),
    };
  }
}

class ViewTally {
  readonly #fromMs: number;
  readonly #toMs: number;
  readonly #slots: (GrantSlot | undefined)[] = new Array(SLOTS).fill(undefined);
  readonly #declinedSlots: (DeclinedSlot | undefined)[] = new Array(SLOTS).fill(undefined);

  constructor(fromMs: number, toMs: number) {
    this.#fromMs = fromMs;
    this.#toMs = toMs;
  }

  granted(atMs: number, timeoutMs: number): void {
    if (atMs < this.#fromMs) return;
    const index = this.#slotOf(atMs);
    const slot = this.#slots[index];
    const longest = slot === undefined || timeoutMs > slot.timeoutMs ? { atMs, timeoutMs } : slot;
    this.#slots[index] = {
      atMs: longest.atMs,
      timeoutMs: longest.timeoutMs,
      count: (slot?.count ?? 0) + 1,
    };
  }

  declined(atMs: number): void {
    if (atMs < this.#fromMs) return;
    const index = this.#slotOf(atMs);
    const slot = this.#declinedSlots[index];
    this.#declinedSlots[index] = {
      atMs: Math.min(slot?.atMs ?? atMs, atMs),
      count: (slot?.count ?? 0) + 1,
    };
  }

  view(): GrantView {
    return {
      fromMs: this.#fromMs,
      slots: this.#slots.filter((slot) => slot !== undefined),
      declinedSlots: this.#declinedSlots.filter((slot) => slot !== undefined),
    };
  }

  #slotOf(atMs: number): number {
    const share = (atMs - this.#fromMs) / (this.#toMs - this.#fromMs);
    return Math.min(SLOTS - 1, Math.floor(share * SLOTS));
  }
}
