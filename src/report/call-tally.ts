// What came of the attempts, over all nights and over the night with the most that came to nothing; and on
// what jobs used up theirs. An outage, a rate limit and a slow answer look alike in the outcomes, and each asks
// for another remedy.

import type { Period } from '../world/incident-times.ts';
import type { WorldEvent } from '../world/world-event.ts';
import type { AttemptCounts, AttemptEnd, CallSeries, CallSlot } from './trouble-series.ts';

type EventOf<Type extends WorldEvent['type']> = Extract<WorldEvent, { readonly type: Type }>;

const SLOTS = 40;
/** What a picture can hold. */
const MOST_OUTAGES = 20;

export class CallTally {
  readonly #windowMs: number;
  readonly #outages: readonly (readonly Period[])[];
  readonly #total = noAttempts();
  readonly #usedUp = { jobs: 0, attempts: noAttempts() };
  readonly #usedUpByClass = new Map<string, number>();
  /** Tonight's jobs: their attempts that came to nothing. */
  readonly #failedOf = new Map<string, Growing>();
  #again = 0;
  #night: CallNight | undefined;
  #worst: CallNight | undefined;

  /** @param outages the provider's, by night */
  constructor(windowMs: number, outages: readonly (readonly Period[])[]) {
    this.#windowMs = windowMs;
    this.#outages = outages;
  }

  hear(event: WorldEvent): void {
    switch (event.type) {
      case 'opened':
        this.#close();
        this.#night = { night: event.night, failed: 0, slots: new Map() };
        this.#failedOf.clear();
        return;
      case 'granted':
        // Until its end is heard.
        this.#total.unheard += 1;
        return;
      case 'attempt':
        this.#total.unheard -= 1;
        this.#attempted(event);
        return;
      case 'called-again':
        this.#again += 1;
        return;
      case 'outcome':
        if (event.cause === 'attempts-used-up') this.#usedUpBy(event);
        return;
      default:
        return;
    }
  }

  series(): CallSeries {
    this.#close();
    const [most] = [...this.#usedUpByClass].sort(([, one], [, other]) => other - one);
    const made = Object.values(this.#total).reduce((sum, count) => sum + count, 0);
    const night = this.#worst?.night ?? 0;
    return {
      attempts: { ...this.#total },
      made,
      failed: made - this.#total.answered,
      again: this.#again,
      usedUp: {
        jobs: this.#usedUp.jobs,
        attempts: { ...this.#usedUp.attempts },
        class: most?.[0] ?? null,
      },
      night,
      outages: (this.#outages[night - 1] ?? []).slice(0, MOST_OUTAGES),
      slots: [...(this.#worst?.slots ?? [])]
        .sort(([one], [other]) => one - other)
        .map(
          ([slot, counts]): CallSlot => ({
            fromMs: (slot * this.#windowMs) / SLOTS,
            toMs: ((slot + 1) * this.#windowMs) / SLOTS,
            ...counts,
          }),
        ),
    };
  }

  #attempted(event: EventOf<'attempt'>): void {
    const end = this.#endOf(event);
    this.#total[end] += 1;
    const night = this.#night;
    if (night !== undefined) {
      const slot = Math.min(SLOTS - 1, Math.floor((event.atMs / this.#windowMs) * SLOTS));
      const counts = night.slots.get(slot) ?? noAttempts();
      counts[end] += 1;
      night.slots.set(slot, counts);
      if (end !== 'answered') night.failed += 1;
    }
    if (end === 'answered') return;
    const failed = this.#failedOf.get(event.job) ?? noAttempts();
    failed[end] += 1;
    this.#failedOf.set(event.job, failed);
  }

  #endOf({ night, atMs, elapsedMs, outcome }: EventOf<'attempt'>): AttemptEnd {
    switch (outcome) {
      case 'ok':
        return 'answered';
      case 'rate-limited':
        return 'limited';
      case 'server-error': {
        const isOut = (this.#outages[night - 1] ?? []).some(
          ({ fromMs, toMs }) => fromMs <= atMs && atMs - elapsedMs < toMs,
        );
        return isOut ? 'outage' : 'error';
      }
      case 'timed-out':
        return 'timeout';
      case 'invalid':
        return 'invalid';
      case 'rejected':
        return 'unpaid';
      case 'threw':
        return 'other';
    }
  }

  #usedUpBy({ job, class: className }: EventOf<'outcome'>): void {
    this.#usedUp.jobs += 1;
    this.#usedUpByClass.set(className, (this.#usedUpByClass.get(className) ?? 0) + 1);
    const failed = this.#failedOf.get(job) ?? noAttempts();
    for (const end of Object.keys(failed) as AttemptEnd[]) this.#usedUp.attempts[end] += failed[end];
  }

  #close(): void {
    const night = this.#night;
    this.#night = undefined;
    if (night === undefined || night.slots.size === 0) return;
    if (this.#worst === undefined || night.failed > this.#worst.failed) this.#worst = night;
  }
}

type Growing = { -readonly [End in keyof AttemptCounts]: number };

interface CallNight {
  readonly night: number;
  /** Attempts that came to nothing. */
  failed: number;
  readonly slots: Map<number, Growing>;
}

function noAttempts(): Growing {
  return {
    answered: 0,
    invalid: 0,
    limited: 0,
    outage: 0,
    error: 0,
    timeout: 0,
    unpaid: 0,
    other: 0,
    unheard: 0,
  };
}
