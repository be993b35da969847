// The ledger in memory: what simulations run on, and what a single process without a past may use.

import { MemoryBooks } from './memory-books.ts';
import { SynchronousLedger } from './synchronous-ledger.ts';

export interface MemoryLedgerOptions {
  /** Keep the audit trail; without it `journal()` is empty. Default: true. */
  readonly journal?: boolean;
}

export class MemoryLedger extends SynchronousLedger {
  constructor(options: MemoryLedgerOptions = {}) {
    super(new MemoryBooks({ journal: options.journal ?? true }));
  }
}
