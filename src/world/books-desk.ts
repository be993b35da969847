// Hears of every operation on the ledger in a played night: has the books watched, counts what moved, and
// puts a job back into the queue when the hold that was its claim has been reclaimed.

import type { ReserveAnswer } from '../ledger/ledger.ts';
import type { BooksWatch } from './books-watch.ts';
import type { DriftAccount } from './drift-account.ts';
import type { NightLog } from './night-log.ts';
import type { NightTally } from './night-tally.ts';
import type { LedgerAnswer, LedgerEffect } from './simulated-driver.ts';

export interface BooksDeskSetup {
  readonly watch: BooksWatch;
  readonly drift: DriftAccount;
  readonly tally: NightTally;
  readonly log: NightLog;
  className(job: string): string | undefined;
  /** The claim's hold has been closed by somebody else. */
  lapsed(job: string, tryNumber: number): void;
}

type ReserveEffect = Extract<LedgerEffect, { readonly kind: 'reserve' }>;

export class BooksDesk {
  readonly #setup: BooksDeskSetup;
  readonly #waited = new Set<string>();

  constructor(setup: BooksDeskSetup) {
    this.#setup = setup;
  }

  /** Jobs that were told at least once that tokens may come back. */
  get waited(): ReadonlySet<string> {
    return this.#waited;
  }

  moved(effect: LedgerEffect, answer: LedgerAnswer): void {
    if (answer.outcome === 'unavailable') return;
    const { watch, drift, tally, log, lapsed } = this.#setup;
    watch.moved(answer.delta);
    tally.moved(answer.delta);
    if (effect.kind === 'reserve') this.#asked(effect, answer as ReserveAnswer);
    if (!answer.already) {
      if (answer.outcome === 'granted') watch.granted(answer.hold);
      if (answer.outcome === 'renewed') watch.renewed(answer.hold);
      if (answer.outcome === 'extended') watch.extended(answer.hold);
      if (answer.outcome === 'released') {
        watch.closed(answer.hold);
        drift.closed(answer.hold);
      }
      if (answer.outcome === 'settled') {
        if (!answer.late) watch.closed(answer.hold);
        watch.settled(answer.hold, answer.delta);
        drift.closed(answer.hold);
        const className = this.#setup.className(answer.hold.job);
        if (className !== undefined) tally.settled(className, answer.hold.amount, answer.hold.actual ?? 0);
      }
      if (answer.outcome === 'reclaimed') {
        for (const hold of answer.closed) {
          watch.closed(hold);
          drift.closed(hold);
          lapsed(hold.job, tryOf(hold.id));
        }
      }
    }
    watch.agree(answer.delta);
    if (answer.delta.length > 0) {
      const id =
        effect.kind === 'reserve' ? effect.request.id : effect.kind === 'reclaim' ? undefined : effect.id;
      log.emit({
        type: 'books',
        operation: effect.kind,
        ...(id !== undefined && { id }),
        delta: answer.delta,
      });
    }
  }

  #asked({ request }: ReserveEffect, answer: ReserveAnswer): void {
    const { tally, log } = this.#setup;
    const { job, id, amount } = request;
    const outcome = answer.outcome === 'refused' ? answer.reason : answer.outcome;
    const returnable = answer.outcome === 'refused' && answer.returnable;
    if (outcome !== 'paused') tally.asked(job, answer.outcome === 'refused');
    if (returnable || outcome === 'paused') this.#waited.add(job);
    log.emit({ type: 'reserved', job, id, amount, outcome, returnable });
  }
}

/** The worker's ids are `job/night/try`. */
function tryOf(id: string): number {
  return Number(id.slice(id.lastIndexOf('/') + 1));
}
