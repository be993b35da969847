// PostgreSQL beside the memory store, which is held to a naive model: random sequences of everything a ledger
// can be asked, every answer and the books compared as bytes.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.ts';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import type { AnyLedger } from '../../src/testing/asynchronous.ts';
import { type Operation, type OperationSequence, operations } from '../../src/testing/operations.ts';
import { PostgresLedgers } from './postgres-ledgers.ts';
import { describeWithPostgres } from './postgres-server.ts';

const isTorture = (process.env.PLIMSOLL_TORTURE ?? '') !== '';
const STEPS_AT_LEAST = isTorture ? 1_000_000 : 10_000;
const TIMEOUT_MS = isTorture ? 6 * 3_600_000 : 5 * 60_000;

async function perform(ledger: AnyLedger, operation: Operation, nowMs: number): Promise<string> {
  try {
    return JSON.stringify(await call(ledger, operation, nowMs));
  } catch (error) {
    if (error instanceof InputError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

function call(ledger: AnyLedger, { op, ...rest }: Operation, nowMs: number): unknown {
  const request = { ...rest, nowMs } as Record<string, unknown>;
  if (op === 'reserve') request.job = `job ${request.id}`;
  if (op === 'post') {
    request.reason = 'bill';
    if (request.side === 'debit') delete request.hold;
  }
  return (ledger as unknown as Record<string, (request: unknown) => unknown>)[op]!(request);
}

async function everything(ledger: AnyLedger): Promise<string> {
  const pools = await ledger.pools();
  return JSON.stringify([
    await Promise.all(pools.map((pool) => ledger.pool(pool))),
    await Promise.all(pools.map((pool) => ledger.pool(pool, 0))),
    await ledger.holds(),
    await ledger.holds({ state: 'held', olderThanMs: 1_000_500 }),
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => ledger.history(`job ${id}`))),
    await ledger.journal(),
    await ledger.verify(),
  ]);
}

await describeWithPostgres('the ledger in PostgreSQL beside the one in memory', (url) => {
  const ledgers = new PostgresLedgers(url);

  it('for any sequence of operations both answer and keep their books alike, to the byte', {
    timeout: TIMEOUT_MS,
  }, async () => {
    let steps = 0;
    const compare = async (play: OperationSequence): Promise<void> => {
      const memory = new MemoryLedger();
      const postgres = await ledgers.borrow();
      for (const request of play.pools) {
        expect(JSON.stringify(await postgres.openPool(request))).toBe(
          JSON.stringify(memory.openPool(request)),
        );
      }
      let now = 1_000_000;
      for (const { waitMs, ...operation } of play.steps) {
        now += waitMs;
        steps += 1;
        const expected = await perform(memory, operation as Operation, now);
        expect(await perform(postgres, operation as Operation, now), JSON.stringify(operation)).toBe(
          expected,
        );
      }
      expect(await everything(postgres)).toBe(await everything(memory));
      ledgers.giveBack(postgres);
    };
    const seed = fc.readConfigureGlobal()?.seed ?? 0;
    while (steps < STEPS_AT_LEAST) {
      await fc.assert(fc.asyncProperty(operations, compare), {
        numRuns: 50,
        seed: seed + steps,
      });
    }
  });
});
