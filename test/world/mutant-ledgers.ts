// Ledgers with one mistake each, made in the books themselves, not only in what they answer: what the checks
// of a played run are there to find.

import type * as Words from '../../src/ledger/ledger.ts';
import { MemoryBooks } from '../../src/ledger/memory-books.ts';
import { decideSettle } from '../../src/ledger/rules/close.ts';
import { type Decision, moveRows } from '../../src/ledger/rules/decision.ts';
import { decideReclaim } from '../../src/ledger/rules/reclaim.ts';
import { decideReserve } from '../../src/ledger/rules/reserve.ts';
import { SynchronousLedger } from '../../src/ledger/synchronous-ledger.ts';

type Request<Operation extends keyof Words.Ledger> = Parameters<Words.Ledger[Operation]>[0];

/** Right in everything, under a root that the played scenario knows nothing of. */
export class SoundLedger extends SynchronousLedger {
  protected readonly books: MemoryBooks;

  constructor() {
    const books = new MemoryBooks({ journal: false });
    super(books);
    this.books = books;
  }

  override openPool(request: Words.OpenPool): Words.OpenPoolAnswer {
    const root = super.openPool({ pool: 'root', capacity: 1_000_000_000 });
    const own = super.openPool({ ...request, parent: 'root' });
    return { ...own, delta: [...root.delta, ...own.delta] };
  }

  protected load(id: string) {
    const hold = this.books.reservation(id) as Words.Hold;
    return { hold, chain: this.books.chain(hold.pool)!, rows: this.books.rowsOf(hold) };
  }

  /** Writes a decision down, as a ledger does. */
  protected carryOut<Answer extends { readonly delta: readonly Words.RowDelta[] }>({
    answer,
    moved,
    reservations,
  }: Decision<Answer>): Answer {
    for (const delta of answer.delta) this.books.moveRow(delta);
    for (const name of moved) this.books.moveVersion(name);
    for (const reservation of reservations) this.books.saveReservation(reservation);
    return answer;
  }
}

/** Another host reclaims too, and its clock is an hour ahead: holds expire under living workers. */
export class HastyLedger extends SoundLedger {
  override reclaim(request: Request<'reclaim'>): Words.ReclaimAnswer {
    return super.reclaim({ ...request, nowMs: request.nowMs + 3_600_000 });
  }
}

/** Gives back `amount − actual`, also where that is less than nothing. */
export class UnclampedRefund extends SoundLedger {
  override settle(request: Request<'settle'>): Words.SettleAnswer {
    const loaded = this.load(request.id);
    const { hold } = loaded;
    if (hold.state !== 'held' || request.actual <= hold.amount) return super.settle(request);
    const decision = decideSettle(request, loaded);
    const settled = { ...hold, state: 'settled', actual: request.actual, consumed: request.actual } as const;
    const delta = moveRows(hold.rows, {
      balance: hold.amount - request.actual,
      held: -hold.amount,
      consumed: request.actual,
    });
    const answer = { ...decision.answer, hold: settled, delta, overspent: 0 };
    return this.carryOut({ ...decision, answer, reservations: [settled] });
  }
}

/** Looks at the lease alone, not at whether the hold was settled. */
export class ReclaimOfSettled extends SoundLedger {
  override reclaim(request: Request<'reclaim'>): Words.ReclaimAnswer {
    const chain = this.books.chain(request.pool)!;
    const due = this.books
      .holds({})
      .filter(
        (hold) =>
          (hold.state === 'held' || hold.state === 'settled') && hold.leaseExpiresAtMs < request.nowMs,
      )
      .map((hold) => ({ hold, chain }));
    return this.carryOut(decideReclaim(request, chain, due));
  }
}

/** Brings a hold back to life that was reclaimed. */
export class RenewOfClosed extends HastyLedger {
  override renew(request: Request<'renew'>): Words.RenewAnswer {
    const { hold, chain } = this.load(request.id);
    if (hold.state === 'held') return super.renew(request);
    const renewed = { ...hold, state: 'held', leaseExpiresAtMs: request.nowMs + request.leaseMs } as const;
    this.books.saveReservation(renewed);
    const version = chain.reduce((sum, link) => sum + link.version, 0);
    return { outcome: 'renewed', hold: renewed, already: false, delta: [], version };
  }
}

/** Opens the next period, and forgets what is still held on the one before. */
export class RefillOfHeld extends SoundLedger {
  override refill(request: Request<'refill'>): Words.RefillAnswer {
    const before = this.pool(request.pool)!;
    const answer = super.refill(request);
    if (before.held === 0 || answer.outcome === 'stale') return answer;
    const [back] = moveRows([before], { balance: before.held, held: -before.held });
    this.books.moveRow(back!);
    return { ...answer, delta: [...answer.delta, back!] };
  }
}

/** Debits what a late settle owes once for the hold, and once more. */
export class LateSettleTwice extends HastyLedger {
  override settle(request: Request<'settle'>): Words.SettleAnswer {
    const loaded = this.load(request.id);
    if (loaded.hold.state === 'held') return super.settle(request);
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

/** Debits a hold's own pool, and none of those above it. */
export class ChainWithoutParent extends SoundLedger {
  override reserve(request: Words.Reserve): Words.ReserveAnswer {
    const chain = this.books.chain(request.pool)!.slice(0, 1);
    const rows = this.books.currentRows(this.books.chain(request.pool)!).slice(0, 1);
    return this.carryOut(decideReserve(request, chain, rows, this.books.reservation(request.id)));
  }
}
