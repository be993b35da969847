// The ledger as far as it is a service: how long an operation takes, how much longer beside others, and when
// there is no answer. What the operations mean is the real ledger's business.

import type { Scenario } from '../scenario/scenario.ts';
import type { Engine } from '../sim/engine.ts';
import type { Draws } from './draws.ts';
import type { Period } from './incident-times.ts';
import type { LedgerAnswer, LedgerEffect } from './simulated-driver.ts';
import { isWithin } from './troubles.ts';

export interface LedgerDeskSetup {
  readonly engine: Engine;
  readonly settings: Scenario['ledger'];
  readonly draws: Draws;
  readonly outages: readonly Period[];
}

const UNAVAILABLE: LedgerAnswer = { outcome: 'unavailable' };

export class LedgerDesk {
  readonly #setup: LedgerDeskSetup;
  /** By hold, or by pool for a reclaim: operations so far, which tell their draws apart. */
  readonly #asked = new Map<string, number>();
  #underWay = 0;

  /** Undefined where every operation is answered at once tonight. */
  static whereNeeded(setup: LedgerDeskSetup): LedgerDesk | undefined {
    const isInstant = setup.settings === undefined || setup.settings.latency.mean() === 0;
    return isInstant && setup.outages.length === 0 ? undefined : new LedgerDesk(setup);
  }

  private constructor(setup: LedgerDeskSetup) {
    this.#setup = setup;
  }

  /**
   * An operation is done when its time is over, and answered at once then: one whose process is gone by then
   * is never done. During an outage there is no answer, and nothing is done.
   *
   * @param isGone has the process that asked crashed?
   */
  ask(
    effect: LedgerEffect,
    operate: () => LedgerAnswer,
    answer: (answer: LedgerAnswer) => void,
    isGone: () => boolean,
  ): void {
    const { engine } = this.#setup;
    if (this.#isOut()) {
      answer(UNAVAILABLE);
      return;
    }
    const takesMs = this.#takesMs(effect);
    if (takesMs === 0) {
      answer(operate());
      return;
    }
    this.#underWay += 1;
    engine.schedule(takesMs, () => {
      this.#underWay -= 1;
      if (isGone()) return;
      answer(this.#isOut() ? UNAVAILABLE : operate());
    });
  }

  #isOut(): boolean {
    return isWithin(this.#setup.outages, this.#setup.engine.now);
  }

  #takesMs(effect: LedgerEffect): number {
    const { settings, draws } = this.#setup;
    if (settings === undefined) return 0;
    const subject = subjectOf(effect);
    const ordinal = (this.#asked.get(subject) ?? 0) + 1;
    this.#asked.set(subject, ordinal);
    const uniform = draws.source(`ledger:${subject}`).uniform(1, ordinal);
    return Math.max(0, settings.latency.quantile(uniform)) * (1 + settings.contention * this.#underWay);
  }
}

function subjectOf(effect: LedgerEffect): string {
  if (effect.kind === 'reserve') return effect.request.id;
  return effect.kind === 'reclaim' ? `reclaim:${effect.pool}` : effect.id;
}
