// How a line of the audit trail looks to its reader, whichever store kept it.

import type { JournalLine } from './books.ts';
import type { JournalEntry } from './ledger.ts';

/** Facts that the operation did not have leave no key behind. */
export function journalEntry(sequence: number, line: JournalLine): JournalEntry {
  const { atMs, operation, pool, id, job, amount, outcome, detail, delta } = line;
  return {
    sequence,
    ...(atMs !== undefined && { atMs }),
    operation,
    ...(pool !== undefined && { pool }),
    ...(id !== undefined && { id }),
    ...(job !== undefined && { job }),
    ...(amount !== undefined && { amount }),
    outcome,
    ...(detail !== undefined && { detail }),
    delta,
  };
}
