// The same scenario is the same answer, byte for byte: played twice in one process, and on either ledger.

import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { exponential } from '../../src/sim/distributions/exponential.ts';
import { uniform } from '../../src/sim/distributions/uniform.ts';
import { SqliteLedger } from '../../src/stores/sqlite-ledger.ts';
import { play } from '../../src/world/play.ts';
import { CALM, jobClass, pool, scenario } from './scenario-fixture.ts';

/** Two classes, a tight pool, faults of every kind, holds that the kill leaves behind; and what it is compared with. */
function busy(): Scenario {
  const tokens = {
    kind: 'independent',
    input: uniform({ min: 500, max: 5_000 }),
    output: uniform({ min: 10, max: 900 }),
  } as const;
  const base = scenario({
    nights: 3,
    lanes: 7,
    window: { lastsMs: 150_000, everyMs: 3_600_000 },
    budget: { reserveMs: 500, floorMs: 1_000, capMs: 40_000, attempts: 3 },
    pool: pool({ capacity: 150_000, quota: 150_000 }),
    jobs: [
      jobClass({ name: 'light', count: 40, tokens, envelope: { kind: 'tokens', tokens: 6_000 } }),
      jobClass({ name: 'heavy', count: 12, tokens, envelope: { kind: 'tokens', tokens: 20_000 } }),
    ],
    order: 'shuffled',
    provider: {
      latency: {
        kind: 'by-token',
        firstToken: exponential({ mean: 3_000 }),
        perToken: uniform({ min: 5, max: 60 }),
      },
      hangs: 0.03,
      errors: 0.1,
      invalid: 0.1,
      usage: 'reported',
      ...CALM,
    },
    store: { write: exponential({ mean: 700 }), writers: 2, flushMs: 100 },
  });
  const counter = { ...base, policy: { ...base.policy, admission: 'shared-counter' } } as const;
  return {
    ...base,
    compare: [
      {
        name: 'fixed',
        scenario: { ...base, policy: { ...base.policy, timeouts: 'fixed', reclaim: 'charge' } },
      },
      { name: 'counter', scenario: counter },
    ],
  };
}

/** The result and every event, as they would be written to files. */
function bytesOf(openLedger?: () => Ledger): { readonly result: string; readonly events: string } {
  const lines: string[] = [];
  const result = play(busy(), {
    ...(openLedger !== undefined && { openLedger }),
    observe: (event) => lines.push(JSON.stringify(event)),
  });
  return { result: JSON.stringify(result), events: lines.join('\n') };
}

describe('the same scenario', () => {
  it('has something of everything in it', () => {
    const { total, compare, pools } = play(busy());
    for (const outcome of ['done', 'deferred', 'refused', 'failed'] as const) {
      expect([outcome, total[outcome] > 0]).toEqual([outcome, true]);
    }
    expect(compare.fixed?.total.unknown).toBeGreaterThan(0);
    expect(compare.counter?.total.refused).toBeGreaterThan(0);
    expect(pools.free?.refunded).toBeGreaterThan(0);
  });

  it('played twice in one process, is the same answer and the same bytes', () => {
    expect(play(busy())).toEqual(play(busy()));
    expect(bytesOf()).toEqual(bytesOf());
  });

  it('is the same bytes on a ledger in memory and on one in SQLite', () => {
    const opened: SqliteLedger[] = [];
    const onSqlite = bytesOf(() => {
      const ledger = new SqliteLedger(':memory:');
      opened.push(ledger);
      return ledger;
    });
    expect(onSqlite).toEqual(bytesOf(() => new MemoryLedger()));
    // One for the scenario and one for the variant that admits by envelope; the counter needs none.
    expect(opened.map((ledger) => ledger.journal().length > 100)).toEqual([true, true]);
    for (const ledger of opened) ledger.close();
  });

  it('does not depend on whether anybody listens', () => {
    expect(JSON.stringify(play(busy()))).toBe(bytesOf().result);
  });

  it('with another seed is another answer', () => {
    expect(play({ ...busy(), seed: 'another' }).nights).not.toEqual(play(busy()).nights);
  });
});
