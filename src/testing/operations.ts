// Random sequences of ledger operations over a small world: few pools, few ids, few amounts, so that
// repeats, collisions, late calls and empty pools come up all the time.

import fc from 'fast-check';
import type { OpenPool } from '../ledger/ledger.ts';

/**
 * One call of a ledger, as data. A reservation is made for the job `job ID`; a post's reason is `bill`; `hold`
 * is named by credits only.
 */
export type Operation =
  | {
      readonly op: 'reserve';
      readonly id: string;
      readonly pool: string;
      readonly taker: string;
      readonly amount: number;
      readonly leaseMs: number;
    }
  | { readonly op: 'dispatch' | 'release'; readonly id: string }
  | { readonly op: 'renew'; readonly id: string; readonly leaseMs: number }
  | { readonly op: 'extendTo'; readonly id: string; readonly total: number }
  | { readonly op: 'settle'; readonly id: string; readonly actual: number }
  | { readonly op: 'reclaim'; readonly pool: string; readonly limit: number; readonly force: boolean }
  | { readonly op: 'adjust'; readonly pool: string; readonly capacity: number }
  | { readonly op: 'refill'; readonly pool: string; readonly period: number }
  | { readonly op: 'pause' | 'resume'; readonly pool: string }
  | {
      readonly op: 'post';
      readonly id: string;
      readonly pool: string;
      readonly side: 'debit' | 'credit';
      readonly amount: number;
      readonly hold: string;
    };

/** `waitMs` passes before the operation; it is negative where somebody sets the clock back. */
export type TimedOperation = Operation & { readonly waitMs: number };

export interface OperationSequence {
  /** Opened before the first step, in this order. */
  readonly pools: readonly OpenPool[];
  /** At most 50, some 23 on average. */
  readonly steps: readonly TimedOperation[];
}

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const amount = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 130 }) },
);
// Leases and waits are round, so that an operation often comes at the very end of a lease.
const leaseMs = fc.constantFrom(100, 200, 300, 1000);
const capacity = fc.integer({ min: 0, max: 120 });
const POOLS = ['root', 'team', 'me', 'beside'] as const;

function poolsOf(depth: number): fc.Arbitrary<readonly OpenPool[]> {
  const parents: Record<(typeof POOLS)[number], string | undefined> = {
    root: undefined,
    team: 'root',
    me: 'team',
    beside: 'root',
  };
  const names =
    depth === 1 ? (['root'] as const) : depth === 2 ? (['root', 'team', 'beside'] as const) : POOLS;
  return fc.tuple(
    ...names.map((pool) =>
      fc
        .record({
          capacity,
          reclaim: fc.constantFrom('refund' as const, 'charge' as const),
          maxLeaseMs: fc.constantFrom(300, 2000),
        })
        .map((rest): OpenPool => {
          const parent = parents[pool];
          return { pool, ...rest, ...(parent !== undefined && { parent }) };
        }),
    ),
  );
}

function operationOn(names: readonly string[]): fc.Arbitrary<Operation> {
  // The deepest pool comes up most: its chain is the longest.
  const pool = fc.constantFrom(...names, names[names.length === 4 ? 2 : names.length - 1]!);
  return fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        op: fc.constant('reserve' as const),
        id,
        pool,
        taker: fc.constantFrom('', '', '', 'stranger'),
        amount,
        leaseMs,
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        op: fc.constantFrom('dispatch' as const, 'dispatch' as const, 'release' as const),
        id,
      }),
    },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('renew' as const), id, leaseMs }) },
    { weight: 2, arbitrary: fc.record({ op: fc.constant('extendTo' as const), id, total: amount }) },
    { weight: 5, arbitrary: fc.record({ op: fc.constant('settle' as const), id, actual: amount }) },
    {
      weight: 4,
      arbitrary: fc.record({
        op: fc.constant('reclaim' as const),
        pool,
        limit: fc.constantFrom(1, 2, 1000),
        force: fc.constantFrom(false, false, true),
      }),
    },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('adjust' as const), pool, capacity }) },
    {
      weight: 1,
      arbitrary: fc.record({
        op: fc.constant('refill' as const),
        pool,
        period: fc.integer({ min: 0, max: 9 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        op: fc.constantFrom('pause' as const, 'resume' as const, 'resume' as const),
        pool,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        op: fc.constant('post' as const),
        id: fc.constantFrom('p', 'q', 'r'),
        pool,
        side: fc.constantFrom('debit' as const, 'credit' as const),
        amount,
        hold: id,
      }),
    },
  );
}

/**
 * Random sequences of everything that a ledger can be asked: chains of 1 to 3 pools, each with a policy and a
 * longest lease of its own, and 0 to 50 operations in any order, at any time.
 */
export const operations: fc.Arbitrary<OperationSequence> = fc
  .integer({ min: 1, max: 3 })
  .chain((depth) => poolsOf(depth))
  .chain((pools) =>
    fc.record({
      pools: fc.constant(pools),
      steps: fc.array(
        fc
          .tuple(
            operationOn(pools.map(({ pool }) => pool)),
            fc.constantFrom(0, 0, 0, 1, 100, 100, 200, 900, -100),
          )
          .map(([operation, waitMs]): TimedOperation => ({ ...operation, waitMs })),
        { maxLength: 50, size: 'max' },
      ),
    }),
  );
