// Ledgers with one mistake each, made in the books themselves and not only in what they answer: what a contract
// is there to find. Some of them were real ones.

import type { Reservation } from '../../src/ledger/books.ts';
import type * as Words from '../../src/ledger/ledger.ts';
import { MemoryBooks } from '../../src/ledger/memory-books.ts';
import { decideRelease, decideSettle } from '../../src/ledger/rules/close.ts';
import { type Decision, moveRows } from '../../src/ledger/rules/decision.ts';
import { decideDispatch } from '../../src/ledger/rules/lease.ts';
import { decideReclaim } from '../../src/ledger/rules/reclaim.ts';
import { decideExtend, decideReserve } from '../../src/ledger/rules/reserve.ts';
import { SynchronousLedger } from '../../src/ledger/synchronous-ledger.ts';

type Request<Operation extends keyof Words.Ledger> = Parameters<Words.Ledger[Operation]>[0];
type Moved = { readonly delta: readonly Words.RowDelta[] };

/** Right in everything, with its books open to those that are not. */
export class SoundLedger extends SynchronousLedger {
  protected readonly books: MemoryBooks;

  constructor() {
    const books = new MemoryBooks({ journal: true });
    super(books);
    this.books = books;
  }

  protected load(id: string) {
    const hold = this.books.reservation(id);
    if (hold === undefined || hold.state === 'refused') return undefined;
    return { hold, chain: this.books.chain(hold.pool)!, rows: this.books.rowsOf(hold) };
  }

  /** Writes a decision down, as a ledger does. */
  protected carryOut<Answer extends Moved>(decision: Decision<Answer>, line = decision.line): Answer {
    const { answer, moved, reservations } = decision;
    for (const delta of answer.delta) this.books.moveRow(delta);
    for (const name of moved) this.books.moveVersion(name);
    for (const reservation of reservations) this.books.saveReservation(reservation);
    if (line !== undefined) this.books.appendJournal({ ...line, delta: answer.delta });
    return answer;
  }
}

/** Gives back `amount − actual`, also where that is less than nothing. */
export class RefundWithoutClamp extends SoundLedger {
  override settle(request: Request<'settle'>): Words.SettleAnswer {
    const loaded = this.load(request.id);
    if (loaded?.hold.state !== 'held' || !(request.actual > loaded.hold.amount)) return super.settle(request);
    const decision = decideSettle(request, loaded);
    const { amount, rows } = loaded.hold;
    const hold = { ...decision.answer.hold, consumed: request.actual, overspent: 0 };
    const delta = moveRows(rows, {
      balance: amount - request.actual,
      held: -amount,
      consumed: request.actual,
    });
    const answer = { ...decision.answer, hold, delta, overspent: 0 };
    return this.carryOut({ ...decision, answer, reservations: [hold] });
  }
}

/** Looks at the lease alone, not at whether the hold was settled. */
export class ReclaimOfSettled extends SoundLedger {
  override reclaim(request: Request<'reclaim'>): Words.ReclaimAnswer {
    const chain = this.books.chain(request.pool);
    if (chain === undefined || request.force || request.limit !== undefined) return super.reclaim(request);
    const due = this.books
      .holds({})
      .filter(({ state }) => state === 'held' || state === 'settled')
      .filter(({ leaseExpiresAtMs }) => request.nowMs > leaseExpiresAtMs)
      .map((hold) => ({ hold, chain: this.books.chain(hold.pool)! }));
    return this.carryOut(decideReclaim(request, chain, due));
  }
}

/** Reclaims a hold in the very last moment of its lease. */
export class ReclaimTooEarly extends SoundLedger {
  override reclaim(request: Request<'reclaim'>): Words.ReclaimAnswer {
    return super.reclaim({ ...request, nowMs: request.nowMs + 1 });
  }
}

/** By force, gives back what a call may still be spending. */
export class ForceRefunds extends SoundLedger {
  override reclaim(request: Request<'reclaim'>): Words.ReclaimAnswer {
    if (request.force !== true) return super.reclaim(request);
    return super.reclaim({ ...request, nowMs: Number.MAX_SAFE_INTEGER });
  }
}

/** Brings a hold back to life that is closed. */
export class RenewOfClosed extends SoundLedger {
  override renew(request: Request<'renew'>): Words.RenewAnswer {
    const loaded = this.load(request.id);
    if (loaded === undefined || loaded.hold.state === 'held') return super.renew(request);
    const leaseExpiresAtMs = request.nowMs + request.leaseMs;
    const hold = { ...loaded.hold, state: 'held', leaseExpiresAtMs } as const;
    this.books.saveReservation(hold);
    return { outcome: 'renewed', hold, already: false, delta: [], version: 0 };
  }
}

/** Takes the new lease as it is asked for. */
export class RenewShortens extends SoundLedger {
  override renew(request: Request<'renew'>): Words.RenewAnswer {
    const answer = super.renew(request);
    if (answer.outcome === 'refused') return answer;
    const hold = { ...answer.hold, leaseExpiresAtMs: request.nowMs + request.leaseMs };
    this.books.saveReservation(hold);
    return { ...answer, hold };
  }
}

/** Lets a token of each row slip while it renews, and tells nobody. */
export class RenewMovesBooks extends SoundLedger {
  override renew(request: Request<'renew'>): Words.RenewAnswer {
    const answer = super.renew(request);
    if (answer.outcome === 'refused') return answer;
    for (const row of moveRows(answer.hold.rows, { balance: 1, held: -1 })) this.books.moveRow(row);
    return answer;
  }
}

/** Opens the next period, and forgets what is still held on the one before. */
export class RefillResetsHeld extends SoundLedger {
  override refill(request: Request<'refill'>): Words.RefillAnswer {
    const before = this.pool(request.pool);
    const answer = super.refill(request);
    if (before === undefined || before.held === 0 || answer.outcome === 'stale') return answer;
    const [back] = moveRows([before], { balance: before.held, held: -before.held });
    this.books.moveRow(back!);
    return { ...answer, delta: [...answer.delta, back!] };
  }
}

/** Fills the current period up again. */
export class RefillAgain extends SoundLedger {
  override refill(request: Request<'refill'>): Words.RefillAnswer {
    const answer = super.refill(request);
    const row = this.pool(request.pool)!;
    if (answer.outcome !== 'stale' || row.consumed === 0) return answer;
    const [more] = moveRows([row], { balance: row.consumed, consumed: -row.consumed });
    this.books.moveRow(more!);
    return { ...answer, outcome: 'refilled', already: false, delta: [more!] };
  }
}

/** Debits what a late settle owes once for the hold, and once more. */
export class LateSettleTwice extends SoundLedger {
  override settle(request: Request<'settle'>): Words.SettleAnswer {
    const loaded = this.load(request.id);
    if (loaded === undefined || loaded.hold.state === 'held') return super.settle(request);
    const decision = decideSettle(request, loaded);
    const delta = decision.answer.delta.map((row) => ({
      ...row,
      balance: 2 * row.balance,
      consumed: 2 * row.consumed,
    }));
    const hold = { ...decision.answer.hold, consumed: 2 * decision.answer.hold.consumed };
    return this.carryOut({ ...decision, answer: { ...decision.answer, hold, delta }, reservations: [hold] });
  }
}

/** Takes from each row of the chain what that row still has. */
export class LateSettleRowByRow extends SoundLedger {
  override settle(request: Request<'settle'>): Words.SettleAnswer {
    const loaded = this.load(request.id);
    if (loaded === undefined || loaded.hold.state === 'held' || loaded.hold.charged)
      return super.settle(request);
    const decision = decideSettle(request, loaded);
    if (decision.answer.already) return super.settle(request);
    const used = Math.min(request.actual, loaded.hold.amount);
    const delta = decision.answer.delta.map((row, i) => {
      const debited = Math.min(used, loaded.rows[i]!.balance);
      return { ...row, balance: -debited, consumed: debited, shortfall: used - debited };
    });
    return this.carryOut({ ...decision, answer: { ...decision.answer, delta } });
  }
}

/** Settles whatever state the hold is in, every time. */
export class SettleTwice extends SoundLedger {
  override settle(request: Request<'settle'>): Words.SettleAnswer {
    const loaded = this.load(request.id);
    if (loaded?.hold.state !== 'settled') return super.settle(request);
    const { actual, ...open } = loaded.hold;
    return this.carryOut(decideSettle(request, { ...loaded, hold: { ...open, state: 'held' } }));
  }
}

/** Settles on the rows that are current by then. */
export class SettleOnCurrentRows extends SoundLedger {
  override settle(request: Request<'settle'>): Words.SettleAnswer {
    const loaded = this.load(request.id);
    if (loaded?.hold.state !== 'held') return super.settle(request);
    const rows = this.books.currentRows(loaded.chain);
    const decision = decideSettle(request, { ...loaded, hold: { ...loaded.hold, rows } });
    return this.carryOut(decision);
  }
}

/** Debits a hold's own pool, and none of those above it. */
export class ChainWithoutParent extends SoundLedger {
  override reserve(request: Words.Reserve): Words.ReserveAnswer {
    const whole = this.books.chain(request.pool);
    if (whole === undefined || whole.length === 1) return super.reserve(request);
    const rows = this.books.currentRows(whole).slice(0, 1);
    return this.carryOut(decideReserve(request, whole.slice(0, 1), rows, this.books.reservation(request.id)));
  }
}

/** Grants what is left in part. */
export class GrantsInPart extends SoundLedger {
  override reserve(request: Words.Reserve): Words.ReserveAnswer {
    const balance = this.pool(request.pool)?.balance ?? 0;
    const isShort = request.amount > balance && balance > 0 && this.load(request.id) === undefined;
    return super.reserve(isShort ? { ...request, amount: balance } : request);
  }
}

/** Debits again for an id that it knows. */
export class DuplicateIdDebits extends SoundLedger {
  override reserve(request: Words.Reserve): Words.ReserveAnswer {
    const answer = super.reserve(request);
    if (answer.outcome !== 'granted' || !answer.already || answer.hold.state !== 'held') return answer;
    const { amount, rows } = answer.hold;
    const delta = moveRows(rows, { balance: -amount, held: amount });
    for (const row of delta) this.books.moveRow(row);
    return { ...answer, delta };
  }
}

/** Asks anew for an id that was refused before. */
export class RefusedIdForgotten extends SoundLedger {
  override reserve(request: Words.Reserve): Words.ReserveAnswer {
    const earlier = this.books.reservation(request.id);
    const chain = this.books.chain(request.pool);
    if (earlier?.state !== 'refused' || chain === undefined) return super.reserve(request);
    return this.carryOut(decideReserve(request, chain, this.books.currentRows(chain), undefined));
  }
}

/** Takes a stranger's reservation under the same id for a repeat. */
export class TakerNotCompared extends SoundLedger {
  override reserve(request: Words.Reserve): Words.ReserveAnswer {
    const earlier: Reservation | undefined = this.books.reservation(request.id);
    return super.reserve(earlier === undefined ? request : { ...request, taker: earlier.taker });
  }
}

/** Looks only at whether the hold's own pool is paused. */
export class PauseOfParentIgnored extends SoundLedger {
  override reserve(request: Words.Reserve): Words.ReserveAnswer {
    const chain = this.books.chain(request.pool);
    if (chain === undefined || this.books.reservation(request.id) !== undefined)
      return super.reserve(request);
    const [own, ...above] = chain;
    const awake = above.map((link) => ({ ...link, pool: { ...link.pool, paused: false } }));
    return this.carryOut(decideReserve(request, [own!, ...awake], this.books.currentRows(chain), undefined));
  }
}

/** Answers a repeated refusal with the version of today. */
export class RefusalWithNewVersion extends SoundLedger {
  override reserve(request: Words.Reserve): Words.ReserveAnswer {
    const answer = super.reserve(request);
    return { ...answer, version: this.pool(request.pool)?.version ?? answer.version };
  }
}

/** Nobody hears that the pool was paused. */
export class VersionNotMovedByPause extends SoundLedger {
  #pauses = 0;

  override pause(request: Request<'pause'>): Words.PauseAnswer {
    const answer = super.pause(request);
    if (!answer.already) this.#pauses += 1;
    return { ...answer, version: answer.version - this.#pauses };
  }

  override pool(name: string, period?: number): Words.PoolView | undefined {
    const view = super.pool(name, period);
    return view && { ...view, version: view.version - this.#pauses };
  }
}

/** Takes the capacity for no limit of what one hold may have. */
export class ExtendPastCapacity extends SoundLedger {
  override extendTo(request: Request<'extendTo'>): Words.ExtendAnswer {
    const loaded = this.load(request.id);
    if (loaded === undefined || !(request.total > 0)) return super.extendTo(request);
    const rows = loaded.rows.map((row) => ({ ...row, capacity: request.total, balance: request.total }));
    return this.carryOut(decideExtend(request, { ...loaded, rows }));
  }
}

/** Extends a hold whose row is closed, on that row. */
export class ExtendOnClosedRow extends SoundLedger {
  override extendTo(request: Request<'extendTo'>): Words.ExtendAnswer {
    const loaded = this.load(request.id);
    if (loaded === undefined) return super.extendTo(request);
    const chain = loaded.chain.map((link, i) => ({ ...link, row: loaded.rows[i]! }));
    return this.carryOut(decideExtend(request, { ...loaded, chain }));
  }
}

/** Gives back what a call may be spending. */
export class ReleaseAfterDispatch extends SoundLedger {
  override release(request: Request<'release'>): Words.ReleaseAnswer {
    const loaded = this.load(request.id);
    if (loaded === undefined) return super.release(request);
    return this.carryOut(decideRelease(request, { ...loaded, hold: { ...loaded.hold, dispatched: false } }));
  }
}

/** Sends a call out on a hold that anybody may reclaim. */
export class DispatchPastLease extends SoundLedger {
  override dispatch(request: Request<'dispatch'>): Words.DispatchAnswer {
    const loaded = this.load(request.id);
    if (loaded === undefined) return super.dispatch(request);
    return this.carryOut(decideDispatch({ nowMs: Math.min(request.nowMs, 0) }, loaded));
  }
}

/** Gives back as much as is asked for. */
export class CreditWithoutLimit extends SoundLedger {
  override post(request: Words.Post): Words.PostAnswer {
    const answer = super.post(request);
    if (request.side !== 'credit' || answer.already || answer.moved === request.amount) return answer;
    const more = request.amount - answer.moved;
    const delta = moveRows(this.load(request.hold!)!.hold.rows, { balance: more, consumed: -more });
    for (const row of delta) this.books.moveRow(row);
    return { ...answer, moved: request.amount, delta };
  }
}

/** Lowers the capacity below what is out. */
export class AdjustBelowUse extends SoundLedger {
  override adjust(request: Request<'adjust'>): Words.AdjustAnswer {
    const row = this.pool(request.pool);
    const use = row === undefined ? 0 : row.held + row.consumed;
    return super.adjust(request.capacity < use ? { ...request, capacity: use } : request);
  }
}

/** Writes nothing down of a settle that comes late. */
export class JournalForgetsLateSettle extends SoundLedger {
  override journal(after?: number): readonly Words.JournalEntry[] {
    return super.journal(after).filter(({ detail }) => detail?.startsWith('late') !== true);
  }
}

/** Takes a broken amount for none. */
export class BrokenAmountIsNone extends SoundLedger {
  override reserve(request: Words.Reserve): Words.ReserveAnswer {
    return super.reserve({ ...request, amount: Number(request.amount) || 0 });
  }
}
