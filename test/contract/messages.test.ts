// What our own stores say beyond the contract: an error names the word that was probably meant, and the journal
// has details for people. A ledger of somebody else's may use other words.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger, OpenPool } from '../../src/ledger/ledger.ts';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { SqliteLedger } from '../../src/stores/sqlite-ledger.ts';
import { ask, withPool } from './short-hand.ts';

const stores: readonly [string, () => { readonly ledger: Ledger; close(): void }][] = [
  ['memory', () => ({ ledger: new MemoryLedger(), close: () => {} })],
  [
    'SQLite',
    () => {
      const ledger = new SqliteLedger(':memory:');
      return { ledger, close: () => ledger.close() };
    },
  ],
];

describe.each(stores)('the ledger in %s', (_store, open) => {
  let ledger: Ledger;
  let close: () => void;
  beforeEach(() => {
    const opened = open();
    close = opened.close;
    ledger = withPool(() => opened.ledger);
  });
  afterEach(() => close());

  it('names the option that was probably meant', () => {
    const misspelt = { pool: 'other', capacity: 100, maxLeaseMS: 5 } as OpenPool;
    expect(() => ledger.openPool(misspelt)).toThrow(/no option "maxLeaseMS".*Did you mean "maxLeaseMs"\?/);
    const post = { id: 'p', pool: 'free', side: 'debet' as 'debit', amount: 1, reason: 'bill' };
    expect(() => ledger.post(post)).toThrow('Did you mean "debit"?');
  });

  it('names the pool and the parent that were probably meant', () => {
    expect(() => ask(ledger, 'a', 1, { pool: 'fee' })).toThrow('Did you mean "free"?');
    expect(() => ledger.openPool({ pool: 'team', capacity: 1, parent: 'fre' })).toThrow(
      'Did you mean "free"?',
    );
  });

  it('names the hold that was probably meant', () => {
    ask(ledger, 'night/1', 10);
    expect(() => ledger.settle({ id: 'nihgt/1', actual: 0 })).toThrow(
      'there is no hold "nihgt/1" (got nihgt/1). Did you mean "night/1"?',
    );
  });

  it('says what a capacity must be at least', () => {
    ask(ledger, 'a', 65);
    expect(() => ledger.adjust({ pool: 'free', capacity: 64 })).toThrow('at least 65');
  });

  it('tells in the journal why, and what was settled before', () => {
    ask(ledger, 'a', 60);
    ask(ledger, 'b', 50);
    ledger.settle({ id: 'a', actual: 20 });
    ledger.settle({ id: 'a', actual: 3 });
    expect(ledger.journal(2).map(({ detail }) => detail)).toEqual([
      'insufficient',
      undefined,
      'settled before with 20',
    ]);
  });
});
