// Ledgers that are right as long as nobody else is there: they read, travel, and then write what they decided on
// what they had read.

import type { AsyncLedger } from '../../src/ledger/async-ledger.ts';
import type * as Words from '../../src/ledger/ledger.ts';
import { asynchronous } from '../../src/testing/asynchronous.ts';
import { SoundLedger } from './mutant-ledgers.ts';

type Request<Operation extends keyof Words.Ledger> = Parameters<Words.Ledger[Operation]>[0];

async function travel(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** Gives its books out and takes them back, as a store without transactions does. */
class BareLedger extends SoundLedger {
  /** What the row had when it was read is written over what it has by now. */
  overwrite(row: Words.BooksRow, as: Words.BooksRow): void {
    this.books.moveRow({
      pool: row.pool,
      period: row.period,
      capacity: 0,
      balance: as.balance - row.balance,
      held: as.held - row.held,
      consumed: as.consumed - row.consumed,
      refunded: 0,
      overspent: 0,
      shortfall: 0,
    });
  }
}

/** Two that read the same balance both write what is left of it after their own debit. */
export function lostUpdate(): AsyncLedger {
  const ledger = new BareLedger();
  return {
    ...asynchronous(ledger),
    reserve: async (request: Words.Reserve) => {
      const read = ledger.pool(request.pool);
      await travel();
      const answer = ledger.reserve(request);
      if (answer.outcome !== 'granted' || answer.already || read === undefined) return answer;
      const { amount } = request;
      const row = ledger.pool(request.pool)!;
      ledger.overwrite(row, { ...read, balance: read.balance - amount, held: read.held + amount });
      return answer;
    },
  };
}

/** Two that both find an id unused both debit for it. */
export function idCheckedFirst(): AsyncLedger {
  const ledger = new SoundLedger();
  const known = new Set<string>();
  return {
    ...asynchronous(ledger),
    reserve: async (request: Words.Reserve) => {
      if (known.has(request.id)) return ledger.reserve(request);
      await travel();
      const id = known.has(request.id) ? `${request.id} again` : request.id;
      known.add(request.id);
      return ledger.reserve({ ...request, id });
    },
  };
}

/** Two that both find a hold open both settle it. */
export function settleCheckedFirst(): AsyncLedger {
  const ledger = new SoundLedger();
  return {
    ...asynchronous(ledger),
    settle: async (request: Request<'settle'>) => {
      const wasOpen = ledger.hold(request.id)?.state === 'held';
      await travel();
      const answer = ledger.settle(request);
      return wasOpen ? { ...answer, already: false, differs: false } : answer;
    },
  };
}

/** Looks up the version after it was refused, and so tells of a change that it did not see. */
export function versionReadLate(): AsyncLedger {
  const ledger = new SoundLedger();
  return {
    ...asynchronous(ledger),
    reserve: async (request: Words.Reserve) => {
      const answer = ledger.reserve(request);
      if (answer.outcome !== 'refused' || answer.already) return answer;
      await travel();
      return { ...answer, version: ledger.pool(request.pool)!.version };
    },
  };
}
