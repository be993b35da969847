// What the memory store promises beyond the contract.

import { build } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { ask, withPool } from '../contract/short-hand.ts';

describe('a memory ledger', () => {
  it('without its journal answers as with it', () => {
    const play = (journal: boolean) => {
      const ledger = withPool(() => new MemoryLedger({ journal }));
      return [
        ask(ledger, 'a', 60),
        ask(ledger, 'b', 50),
        ledger.settle({ id: 'a', actual: 70 }),
        ledger.pool('free'),
        ledger.history('a'),
        ledger.verify(),
      ];
    };
    expect(play(false)).toEqual(play(true));
    expect(withPool(() => new MemoryLedger({ journal: false })).journal()).toEqual([]);
  });

  it('for any order of leases and renewals reclaim finds exactly what has expired', () => {
    const lease = fc.record({
      leaseMs: fc.integer({ min: 1, max: 50 }),
      renewedMs: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(fc.array(lease, { minLength: 1 }), fc.array(fc.nat(120)), (leases, looks) => {
        const ledger = withPool(() => new MemoryLedger());
        leases.forEach(({ leaseMs, renewedMs }, i) => {
          ask(ledger, `${i}`, 1, { leaseMs });
          ledger.renew({ id: `${i}`, leaseMs: renewedMs, nowMs: 5 });
        });
        for (const nowMs of looks) {
          const due = ledger.holds({ state: 'held' }).filter((hold) => nowMs > hold.leaseExpiresAtMs);
          const { closed } = ledger.reclaim({ pool: 'free', nowMs });
          expect(closed.map(({ id }) => id).toSorted()).toEqual(due.map(({ id }) => id).toSorted());
        }
      }),
    );
  });

  it('is bundled for a browser without any part of Node', async () => {
    const { metafile } = await build({
      entryPoints: ['src/ledger/memory-ledger.ts'],
      bundle: true,
      platform: 'browser',
      format: 'esm',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.some((input) => input.includes('fastest-levenshtein'))).toBe(true);
    expect(inputs.filter((input) => /^node:|stores/.test(input))).toEqual([]);
  });
});
