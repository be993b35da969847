// Simulated nights, faults and races included, asked of PostgreSQL once more: what each operation answered in
// memory it must answer here, to the byte, and the books must end alike.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { InputError } from '../../src/base/errors.ts';
import type { JournalOperation, Ledger } from '../../src/ledger/ledger.ts';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import { play } from '../../src/world/play.ts';
import { tortureScenario, type Written } from '../world/torture-scenario.ts';
import { PostgresLedgers } from './postgres-ledgers.ts';
import { describeWithPostgres } from './postgres-server.ts';

const isTorture = (process.env.PLIMSOLL_TORTURE ?? '') !== '';
const OPERATIONS_AT_LEAST = isTorture ? 200_000 : 4_000;
const TIMEOUT_MS = isTorture ? 3_600_000 : 5 * 60_000;
const OPERATIONS = [
  ...['openPool', 'reserve', 'dispatch', 'renew', 'extendTo', 'release', 'settle', 'reclaim', 'adjust'],
  ...['refill', 'pause', 'resume', 'post'],
];

interface Asked {
  readonly operation: string;
  readonly request: unknown;
  readonly answer: string;
}

type Operations = Record<string, (request: unknown) => unknown>;

/** A ledger that writes down what it was asked and what it answered. */
function recorded(ledger: Ledger, log: Asked[]): Ledger {
  return new Proxy(ledger, {
    get(target, name: string) {
      const operate = (target as unknown as Operations)[name]!.bind(target);
      if (!OPERATIONS.includes(name)) return operate;
      return (request: unknown) => {
        const answer = operate(request);
        log.push({ operation: name, request, answer: JSON.stringify(answer) });
        return answer;
      };
    },
  });
}

/** The nights' operations, ledger by ledger; none where the scenario contradicts itself. */
function nightsOf(written: Written): { log: Asked[]; ledger: Ledger }[] {
  const nights: { log: Asked[]; ledger: Ledger }[] = [];
  try {
    const scenario = readScenario(
      { name: 'playback.yaml', text: stringify(written) },
      { readText: () => '' },
    );
    play(scenario, {
      openLedger: () => {
        const log: Asked[] = [];
        const ledger = new MemoryLedger();
        nights.push({ log, ledger });
        return recorded(ledger, log);
      },
    });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [];
  }
  return nights;
}

await describeWithPostgres('nights that were played in memory', (url) => {
  const ledgers = new PostgresLedgers(url);

  it('are answered alike by PostgreSQL, and leave the same books', { timeout: TIMEOUT_MS }, async () => {
    const seen = new Set<JournalOperation>();
    let count = 0;
    for (let round = 0; count < OPERATIONS_AT_LEAST; round++) {
      const seed = (fc.readConfigureGlobal()?.seed ?? 0) + round;
      const [written] = fc.sample(tortureScenario, { numRuns: 1, seed });
      for (const { log, ledger: memory } of nightsOf(written!)) {
        const postgres = await ledgers.borrow();
        for (const { operation, request, answer } of log.slice(0, 2_000)) {
          const got = await (postgres as unknown as Operations)[operation]!(request);
          expect(JSON.stringify(got), `${operation} ${JSON.stringify(request)}, seed ${seed}`).toBe(answer);
          count += 1;
        }
        if (log.length <= 2_000) {
          const journal = await postgres.journal();
          expect(JSON.stringify(journal)).toBe(JSON.stringify(memory.journal()));
          expect(JSON.stringify(await postgres.holds())).toBe(JSON.stringify(memory.holds()));
          for (const pool of memory.pools()) expect(await postgres.pool(pool)).toEqual(memory.pool(pool));
          for (const { operation } of journal) seen.add(operation);
        }
        expect(await postgres.verify()).toEqual([]);
        ledgers.giveBack(postgres);
      }
    }
    expect([...seen].toSorted()).toEqual(
      expect.arrayContaining(['dispatch', 'open-pool', 'reclaim', 'reserve', 'settle']),
    );
  });
});
