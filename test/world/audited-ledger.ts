// A ledger in memory as a fuzzed night sees it: watched after every operation whoever asked for it, and now
// and then without an answer for the worker.

import type { Hold, Ledger, RowDelta } from '../../src/ledger/ledger.ts';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { LEDGER_OPERATIONS, type LedgerOperation, type NightScript } from '../../src/testing/scripts.ts';
import { BooksWatch } from '../../src/world/books-watch.ts';

/** What somebody other than the worker's lanes hears of. */
export interface LedgerAudit {
  readonly ledger: Ledger;
  readonly watch: BooksWatch;
  /** As the worker's drivers see it: may answer `unavailable`. */
  readonly flaky: Ledger;
}

/** @param reclaimed is told of each hold that a reclaim has closed @param moved of every operation */
export function auditedLedger(
  night: NightScript,
  { reclaimed, moved }: { readonly reclaimed: (hold: Hold) => void; readonly moved: () => void },
): LedgerAudit {
  const books = new MemoryLedger();
  const watch = new BooksWatch();
  const heard = <Answer extends { readonly delta: readonly RowDelta[] }>(answer: Answer): Answer => {
    watch.moved(answer.delta);
    moved();
    return answer;
  };
  const ledger: Ledger = {
    openPool: (request) => heard(books.openPool(request)),
    reserve: (request) => {
      const answer = heard(books.reserve(request));
      if (answer.outcome === 'granted' && !answer.already) watch.granted(answer.hold);
      return answer;
    },
    dispatch: (request) => heard(books.dispatch(request)),
    renew: (request) => heard(books.renew(request)),
    extendTo: (request) => {
      const answer = heard(books.extendTo(request));
      if (answer.outcome === 'extended') watch.extended(answer.hold);
      return answer;
    },
    release: (request) => {
      const answer = heard(books.release(request));
      if (answer.outcome === 'released' && !answer.already) watch.closed(answer.hold);
      return answer;
    },
    settle: (request) => {
      const answer = heard(books.settle(request));
      if (!answer.already && !answer.late) watch.closed(answer.hold);
      return answer;
    },
    reclaim: (request) => {
      const answer = heard(books.reclaim(request));
      for (const hold of answer.closed) {
        watch.closed(hold);
        reclaimed(hold);
      }
      return answer;
    },
    adjust: (request) => heard(books.adjust(request)),
    refill: (request) => heard(books.refill(request)),
    pause: (request) => heard(books.pause(request)),
    resume: (request) => heard(books.resume(request)),
    post: (request) => heard(books.post(request)),
    pool: (name, period) => books.pool(name, period),
    pools: () => books.pools(),
    hold: (id) => books.hold(id),
    holds: (filter) => books.holds(filter),
    history: (job) => books.history(job),
    verify: () => books.verify(),
    journal: (after) => books.journal(after),
  };
  return { ledger, watch, flaky: withOutages(ledger, night.outages) };
}

function withOutages(ledger: Ledger, outages: NightScript['outages']): Ledger {
  const asked = new Map<LedgerOperation, number>();
  const flaky: Record<string, unknown> = { ...ledger };
  for (const operation of LEDGER_OPERATIONS) {
    flaky[operation] = (request: never) => {
      const nth = (asked.get(operation) ?? 0) + 1;
      asked.set(operation, nth);
      const outage = outages.find((one) => one.operation === operation && one.nth === nth);
      if (outage === undefined) return ledger[operation](request);
      if (outage.tookEffect) ledger[operation](request);
      return { outcome: 'unavailable' };
    };
  }
  // A driver hands on what the ledger answers; in production `unavailable` is its own word for a throw.
  return flaky as unknown as Ledger;
}
