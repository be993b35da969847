// Any ledger as an asynchronous one, so that what is written for one that travels holds one that does not: what
// the ledger answers is awaited, and what it throws is a rejection.

import type { AnyLedger, AsyncLedger } from '../ledger/async-ledger.ts';

export type { AnyLedger };

export function asynchronous(ledger: AnyLedger): AsyncLedger {
  return {
    openPool: async (request) => ledger.openPool(request),
    reserve: async (request) => ledger.reserve(request),
    dispatch: async (request) => ledger.dispatch(request),
    renew: async (request) => ledger.renew(request),
    extendTo: async (request) => ledger.extendTo(request),
    release: async (request) => ledger.release(request),
    settle: async (request) => ledger.settle(request),
    reclaim: async (request) => ledger.reclaim(request),
    adjust: async (request) => ledger.adjust(request),
    refill: async (request) => ledger.refill(request),
    pause: async (request) => ledger.pause(request),
    resume: async (request) => ledger.resume(request),
    post: async (request) => ledger.post(request),
    pool: async (name, period) => ledger.pool(name, period),
    pools: async () => ledger.pools(),
    hold: async (id) => ledger.hold(id),
    holds: async (filter) => ledger.holds(filter),
    history: async (job) => ledger.history(job),
    verify: async () => ledger.verify(),
    journal: async (after) => ledger.journal(after),
  };
}
