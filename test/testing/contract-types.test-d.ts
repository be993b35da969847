// What the types promise, checked by the compiler alone: a line marked as an error must be one.

import assert from 'node:assert/strict';
import * as node from 'node:test';
import * as vitest from 'vitest';
import type { Ledger, PoolView, ReserveAnswer } from '../../src/core.ts';
import { Budget, MemoryLedger } from '../../src/core.ts';
import type { AsyncLedger, Runner } from '../../src/testing/index.ts';
import {
  asynchronous,
  budgetContract,
  ledgerContract,
  ModelLedger,
  operations,
} from '../../src/testing/index.ts';
import type { play } from '../../src/world/play.ts';
import { KeyValueServer } from './redis-like/key-value-server.ts';
import { RedisLedger } from './redis-like/redis-ledger.ts';

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
function holds<_Claim extends true>(): void {}

declare const ledger: Ledger;
declare const asyncLedger: AsyncLedger;

// An asynchronous ledger has every operation and read, with the same arguments and a promise of the same answer.
holds<Same<keyof AsyncLedger, keyof Ledger>>();
holds<Same<Parameters<AsyncLedger['reserve']>, Parameters<Ledger['reserve']>>>();
holds<Same<Awaited<ReturnType<AsyncLedger['reserve']>>, ReserveAnswer>>();
holds<Same<ReturnType<AsyncLedger['pool']>, Promise<PoolView | undefined>>>();

// The simulator takes a ledger that answers at once, so that it can never be waiting for one.
type OpenLedger = NonNullable<NonNullable<Parameters<typeof play>[1]>['openLedger']>;
export const sound: OpenLedger = () => new MemoryLedger();
// @ts-expect-error an answer that is promised is no answer
export const waiting: OpenLedger = () => asyncLedger;
// @ts-expect-error neither is assignable to the other
export const synchronous: Ledger = asyncLedger;
// @ts-expect-error neither is assignable to the other
export const promised: AsyncLedger = ledger;
export const wrapped: AsyncLedger = asynchronous(ledger);

// The runners that people have are runners as they are.
export const ofVitest: Runner = { describe: vitest.describe, it: vitest.it, expect: vitest.expect };
const expect = (actual: unknown) => ({ toEqual: (expected: unknown) => assert.deepEqual(actual, expected) });
export const ofNode: Runner = { describe: node.describe, it: node.it, expect };
// @ts-expect-error a runner without expect is none
export const halfRunner: Runner = { describe: node.describe, it: node.it };

// Contracts take ledgers of both kinds, opened at once or later, and hand `close` what `open` gave.
class OwnLedger extends MemoryLedger {
  end(): void {}
}
ledgerContract(() => ledger, ofVitest);
ledgerContract(() => asyncLedger);
ledgerContract(async () => asyncLedger, ofNode, { runs: 10, seed: 1 });
ledgerContract(() => new OwnLedger(), ofNode, { close: (own) => own.end() });
ledgerContract(() => new RedisLedger(new KeyValueServer()), ofVitest, {
  breakStore: (own) => own.server.stop(),
});
// @ts-expect-error a pool of tokens is no ledger
ledgerContract(() => new Map<string, number>(), ofVitest);
// @ts-expect-error no such option
ledgerContract(() => ledger, ofVitest, { sequences: 10 });

budgetContract((options) => new Budget(options), ofVitest);
// @ts-expect-error a promise is no budget
budgetContract(async (options) => new Budget(options), ofVitest);

// Operations are data, and the model's answers say what they are.
const model = new ModelLedger();
operations.map(({ steps }) => steps.map(({ waitMs, ...operation }) => model.perform(operation, waitMs)));
// @ts-expect-error no such operation
model.perform({ op: 'withdraw', pool: 'free', amount: 10 }, 0);
