// Tokens that nobody can use, over one night: in holds of workers that are gone, and in holds that have expired.
// A chart shows one night, so of all nights only the worst is kept: most refusals while much of the pool was
// stranded, then most tokens stranded at once.

import { PHANTOM_SHARE, StrandedWatch } from '../study/stranded-time.ts';
import type { WorldEvent } from '../world/world-event.ts';
import { roundedTo } from './figures.ts';
import type { PhantomStretch, StrandedPoint, StrandedSeries } from './night-series.ts';

const STEP_SLOTS = 100;
const MOST_STRETCHES = 20;

interface StrandedNight {
  readonly night: number;
  readonly points: readonly StrandedPoint[];
  readonly phantoms: readonly PhantomStretch[];
  readonly phantomRefusals: number;
  /** Where most tokens are stranded. */
  readonly most: StrandedPoint;
  readonly mostExpired: number;
}

export class StrandedTally {
  readonly #windowMs: number;
  readonly #capacity: number;
  #night = 0;
  #watch: StrandedWatch | undefined;
  #worst: StrandedNight | undefined;
  #tokenMinutes = 0;
  #phantomRefusals = 0;
  #phantomNights = 0;

  /** @param capacity of the pool */
  constructor(windowMs: number, capacity: number) {
    this.#windowMs = windowMs;
    this.#capacity = capacity;
  }

  hear(event: WorldEvent): void {
    if (event.type === 'opened') {
      this.#close();
      this.#night = event.night;
      this.#watch = new StrandedWatch(this.#capacity);
    }
    this.#watch?.hear(event);
  }

  /** Null where no token was ever in such a hold. */
  series(): StrandedSeries | null {
    this.#close();
    const worst = this.#worst;
    if (worst === undefined) return null;
    return {
      night: worst.night,
      capacity: this.#capacity,
      points: worst.points,
      phantoms: worst.phantoms.slice(0, MOST_STRETCHES),
      mostTokens: worst.most.tokens,
      mostShare: this.#shareOf(worst.most.tokens),
      mostAtMs: worst.most.atMs,
      mostExpiredTokens: worst.mostExpired,
      alarmShare: PHANTOM_SHARE,
      alarmTokens: Math.floor(this.#capacity * PHANTOM_SHARE),
      tokenMinutes: Math.round(this.#tokenMinutes),
      phantomRefusals: this.#phantomRefusals,
      phantomNights: this.#phantomNights,
    };
  }

  #shareOf(tokens: number): number {
    return this.#capacity === 0 ? 0 : roundedTo(tokens / this.#capacity, 4);
  }

  #close(): void {
    const found = this.#watch?.result();
    this.#watch = undefined;
    if (found === undefined) return;
    this.#tokenMinutes += found.tokenMinutes;
    this.#phantomRefusals += found.phantomRefusals;
    if (found.phantomRefusals > 0) this.#phantomNights += 1;
    const [first] = found.steps;
    if (first === undefined) return;
    const most = found.steps.reduce((best, step) => (step.tokens > best.tokens ? step : best), first);
    const night: StrandedNight = {
      night: this.#night,
      points: thinned(found.steps, this.#windowMs),
      phantoms: found.phantoms.map(({ fromMs, toMs, refusals }) => ({ fromMs, toMs, refusals })),
      phantomRefusals: found.phantomRefusals,
      most,
      mostExpired: found.steps.reduce((least, step) => Math.max(least, step.expiredTokens), 0),
    };
    if (this.#worst === undefined || isWorse(night, this.#worst)) this.#worst = night;
  }
}

function isWorse(one: StrandedNight, other: StrandedNight): boolean {
  if (one.phantomRefusals !== other.phantomRefusals) return one.phantomRefusals > other.phantomRefusals;
  if (one.most.tokens !== other.most.tokens) return one.most.tokens > other.most.tokens;
  return one.mostExpired > other.mostExpired;
}

/** Where there are more than a picture can show: of each stretch, the most that there was of each. */
function thinned(steps: readonly StrandedPoint[], windowMs: number): readonly StrandedPoint[] {
  const all = steps.map(({ atMs, tokens, expiredTokens }) => ({ atMs, tokens, expiredTokens }));
  if (all.length <= STEP_SLOTS) return all;
  const slots = new Map<number, StrandedPoint>();
  let before: StrandedPoint = { atMs: 0, tokens: 0, expiredTokens: 0 };
  for (const step of all) {
    const slot = Math.min(STEP_SLOTS - 1, Math.floor((step.atMs / windowMs) * STEP_SLOTS));
    const known = slots.get(slot) ?? before;
    slots.set(slot, {
      atMs: (slot * windowMs) / STEP_SLOTS,
      tokens: Math.max(known.tokens, step.tokens),
      expiredTokens: Math.max(known.expiredTokens, step.expiredTokens),
    });
    before = step;
  }
  return [...[...slots].sort(([a], [b]) => a - b).map(([, point]) => point), before];
}
