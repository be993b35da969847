// The ledger over any store that answers at once: load, let the rule decide, write what it decided, all
// in one transaction. What the operations mean is in `rules/`, where an asynchronous store finds it too.

import { InputError } from '../base/errors.ts';
import { checkTokens } from '../base/tokens.ts';
import type { Books, Chain, HoldFilter, LoadedHold, TransactionKind } from './books.ts';
import {
  checkInteger,
  checkLeaseMs,
  checkNowMs,
  checkOpenPool,
  checkPost,
  checkReserve,
  checkTimed,
  unknownName,
} from './checks.ts';
import { historyEntry } from './history-entry.ts';
import type * as Words from './ledger.ts';
import { poolView } from './pool-view.ts';
import { decideRelease, decideSettle } from './rules/close.ts';
import type { Decision } from './rules/decision.ts';
import { decideDispatch, decideRenew } from './rules/lease.ts';
import { decideAdjust, decideOpen, decidePause, decideRefill, ownLink } from './rules/pools.ts';
import { decideCredit, decideDebit, postedBefore } from './rules/post.ts';
import { checkForce, decideReclaim } from './rules/reclaim.ts';
import { recount } from './rules/recount.ts';
import { decideExtend, decideReserve } from './rules/reserve.ts';

/** So many holds are looked through for the one that a misspelt id may have meant. */
const SUGGESTIONS_AMONG = 1000;
const RECLAIM_LIMIT = 1000;

type Request<Operation extends keyof Words.Ledger> = Parameters<Words.Ledger[Operation]>[0];

export class SynchronousLedger implements Words.Ledger {
  readonly #books: Books;

  constructor(books: Books) {
    this.#books = books;
  }

  openPool(request: Words.OpenPool): Words.OpenPoolAnswer {
    checkOpenPool(request);
    return this.#commit('setup', () => {
      const existing = this.#books.chain(request.pool);
      const parent =
        request.parent === undefined || existing !== undefined
          ? undefined
          : this.#chain(request.parent, 'unknown-parent');
      return decideOpen(request, existing, parent);
    });
  }

  reserve(request: Words.Reserve): Words.ReserveAnswer {
    checkReserve(request);
    return this.#commit('lane', () => {
      const earlier = this.#books.reservation(request.id);
      const chain = this.#chain(earlier?.pool ?? request.pool);
      return decideReserve(request, chain, this.#books.currentRows(chain), earlier);
    });
  }

  dispatch(request: Request<'dispatch'>): Words.DispatchAnswer {
    checkTimed(request);
    return this.#commit('lane', () => decideDispatch(request, this.#load(request.id)));
  }

  renew(request: Request<'renew'>): Words.RenewAnswer {
    checkTimed(request);
    checkLeaseMs('leaseMs', request.leaseMs);
    return this.#commit('lane', () => decideRenew(request, this.#load(request.id)));
  }

  extendTo(request: Request<'extendTo'>): Words.ExtendAnswer {
    checkTimed(request);
    checkTokens('total', request.total);
    return this.#commit('lane', () => decideExtend(request, this.#load(request.id)));
  }

  release(request: Request<'release'>): Words.ReleaseAnswer {
    checkNowMs(request.nowMs);
    return this.#commit('lane', () => decideRelease(request, this.#load(request.id)));
  }

  settle(request: Request<'settle'>): Words.SettleAnswer {
    checkNowMs(request.nowMs);
    checkTokens('actual', request.actual);
    return this.#commit('lane', () => decideSettle(request, this.#load(request.id)));
  }

  reclaim(request: Request<'reclaim'>): Words.ReclaimAnswer {
    checkTimed(request);
    const { pool, nowMs, force, limit = RECLAIM_LIMIT } = request;
    checkInteger('limit', limit, 1);
    return this.#commit('lane', () => {
      const chain = this.#chain(pool);
      checkForce(force, chain);
      const due = this.#books
        .openHolds(pool, limit, force === true ? undefined : nowMs)
        .map((hold) => ({ hold, chain: this.#chain(hold.pool) }));
      return decideReclaim(request, chain, due);
    });
  }

  adjust(request: Request<'adjust'>): Words.AdjustAnswer {
    checkTokens('capacity', request.capacity);
    checkNowMs(request.nowMs);
    return this.#commit('setup', () => decideAdjust(request, this.#chain(request.pool)));
  }

  refill(request: Request<'refill'>): Words.RefillAnswer {
    checkInteger('period', request.period, 0);
    checkNowMs(request.nowMs);
    return this.#commit('setup', () => decideRefill(request, this.#chain(request.pool)));
  }

  pause(request: Request<'pause'>): Words.PauseAnswer {
    checkNowMs(request.nowMs);
    return this.#commit('setup', () => decidePause(request, true, this.#chain(request.pool)));
  }

  resume(request: Request<'resume'>): Words.PauseAnswer {
    checkNowMs(request.nowMs);
    return this.#commit('setup', () => decidePause(request, false, this.#chain(request.pool)));
  }

  post(request: Words.Post): Words.PostAnswer {
    checkPost(request);
    return this.#commit('setup', () => {
      const first = this.#books.post(request.id);
      if (first !== undefined) return postedBefore(request, this.#chain(first.pool), first);
      const chain = this.#chain(request.pool);
      return request.hold === undefined
        ? decideDebit(request, chain, this.#books.currentRows(chain))
        : decideCredit(request, this.#load(request.hold));
    });
  }

  pool(name: string, period?: number): Words.PoolView | undefined {
    return this.#books.transaction('read', () => {
      const chain = this.#books.chain(name);
      if (chain === undefined) return undefined;
      const row = period === undefined ? ownLink(chain).row : this.#books.row(name, period);
      return row === undefined ? undefined : poolView(chain, row);
    });
  }

  pools(): readonly string[] {
    return this.#books.transaction('read', () => this.#books.poolNames());
  }

  hold(id: string): Words.Hold | undefined {
    const reservation = this.#books.transaction('read', () => this.#books.reservation(id));
    return reservation?.state === 'refused' ? undefined : reservation;
  }

  holds(filter: HoldFilter = {}): readonly Words.Hold[] {
    return this.#books.transaction('read', () => this.#books.holds(filter));
  }

  history(job: string): readonly Words.HistoryEntry[] {
    return this.#books.transaction('read', () => this.#books.reservationsOf(job)).map(historyEntry);
  }

  verify(): readonly Words.Discrepancy[] {
    const books = this.#books;
    return books.transaction('read', () =>
      recount(books.everyRow(), books.everyReservation(), books.everyPost()),
    );
  }

  journal(after = 0): readonly Words.JournalEntry[] {
    checkInteger('after', after, 0);
    return this.#books.transaction('read', () => this.#books.journal(after));
  }

  #commit<Answer extends { readonly delta: readonly Words.RowDelta[] }>(
    kind: TransactionKind,
    decide: () => Decision<Answer>,
  ): Answer {
    const books = this.#books;
    return books.transaction(kind, () => {
      const { answer, moved, reservations, pool, post, line } = decide();
      if (pool !== undefined) books.savePool(pool);
      for (const delta of answer.delta) books.moveRow(delta);
      for (const name of moved) books.moveVersion(name);
      for (const reservation of reservations) books.saveReservation(reservation);
      if (post !== undefined) books.savePost(post);
      if (line !== undefined) books.appendJournal(line);
      return answer;
    });
  }

  #chain(pool: string, code: 'unknown-pool' | 'unknown-parent' = 'unknown-pool'): Chain {
    const chain = this.#books.chain(pool);
    if (chain === undefined) throw unknownName(code, pool, this.#books.poolNames());
    return chain;
  }

  #load(id: string): LoadedHold {
    const books = this.#books;
    const hold = books.reservation(id);
    if (hold === undefined) throw unknownName('unknown-hold', id, books.heldIds(SUGGESTIONS_AMONG));
    if (hold.state === 'refused') {
      throw new InputError({
        code: 'refused-hold',
        message: `hold "${id}" was never granted: its reservation was refused (${hold.reason})`,
      });
    }
    return { hold, chain: this.#chain(hold.pool), rows: books.rowsOf(hold) };
  }
}
