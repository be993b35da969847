// Holds whose lanes are late or gone, through the whole played world: what the ledger, the queue and the bill
// say in the end.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { SqliteLedger } from '../../src/stores/sqlite-ledger.ts';
import { constant, fleet, jobClass, once, played, pool, scenario, told } from './fleet-fixture.ts';

/** A ledger in a file that the test leaves behind. */
function sqliteLedger(): Ledger {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'));
  const ledger = new SqliteLedger(join(folder, 'ledger.sqlite3'));
  onTestFinished(() => {
    ledger.close();
    rmSync(folder, { recursive: true });
  });
  return ledger;
}

const STORES = { memory: () => new MemoryLedger(), SQLite: sqliteLedger };

function job(name: string, envelope: number, used: number) {
  return jobClass({
    name,
    count: 1,
    attempts: 1,
    tokens: { kind: 'independent', input: constant(used), output: constant(0) },
    envelope: { kind: 'tokens', tokens: envelope },
  });
}

const hundred = (over = {}) => pool({ capacity: 100, quota: 100, ...over });

describe.each(Object.entries(STORES))('on %s', (_name, openLedger) => {
  it('of 60, 50 and 40 out of 100, the first and the last are held and 50 is told that it is too much', () => {
    const three = scenario({
      pool: hundred(),
      lanes: 3,
      jobs: [job('a', 60, 60), job('b', 50, 50), job('c', 40, 40)],
    });
    const { events } = played(three, { openLedger });
    const asked = told(events, 'reserved').filter(({ atMs }) => atMs === 0);
    expect(asked.map(({ amount, outcome, returnable }) => [amount, outcome, returnable])).toEqual([
      [60, 'granted', false],
      [50, 'insufficient', true],
      [40, 'granted', false],
    ]);
  });
});

/**
 * Worker 1 calls for 10 s and uses 70 of the 80 that it holds; its result is durable at 10.1 s, and then it
 * stands still until 65 s. The lease ends by 25 s, the other worker's reclaimer looks at 60 s.
 */
const late = (over: Parameters<typeof scenario>[0] = {}) =>
  scenario({
    pool: hundred({ leaseMs: 15_000 }),
    jobs: [job('late', 80, 70), job('other', 60, 60)],
    fleet: fleet({ workers: 2, pauses: once(10_050, 54_950) }),
    ...over,
  });

describe.each(Object.entries(STORES))(
  'a lane that comes back after its lease, on %s',
  (_name, openLedger) => {
    it('is debited what is left, and the rest is the drift', () => {
      const { night, events } = played(late(), { openLedger });
      const books = told(events, 'books').filter(({ atMs }) => atMs > 0);
      expect(books.map(({ operation, atMs, delta }) => [operation, atMs, delta[0]?.balance])).toEqual([
        ['reclaim', 60_000, 80],
        ['reserve', 60_000, -60],
        ['settle', 65_000, -40],
        ['settle', 70_100, 0],
      ]);
      expect(night.pools.free).toMatchObject({ billed: 130, consumed: 100, shortfall: 30, drift: 30 });
      expect(night.pools.free?.driftCauses).toMatchObject({
        lateShortfall: 30,
        overspend: 0,
        neverSettled: 0,
      });
      // Its work was done and written down before anybody could take it over.
      expect(night).toMatchObject({ jobs: 2, done: 2, duplicated: 0 });
    });

    it('without anybody else leaves no drift', () => {
      const { night, events } = played(late({ jobs: [job('late', 80, 70)] }), { openLedger });
      expect(told(events, 'books').map(({ operation }) => operation)).toContain('reclaim');
      expect(night.pools.free).toMatchObject({ billed: 70, consumed: 70, shortfall: 0, drift: 0 });
    });

    it('where expired holds are charged, gets back what it did not use', () => {
      const policy = { timeouts: 'clamp', admission: 'envelope', reclaim: 'charge' } as const;
      const { night, events } = played(late({ policy, jobs: [job('late', 80, 70)] }), { openLedger });
      expect(told(events, 'books').at(-1)).toMatchObject({ operation: 'settle', delta: [{ balance: 10 }] });
      expect(night.pools.free).toMatchObject({ billed: 70, consumed: 70, refunded: 10, drift: 0 });
    });
  },
);
