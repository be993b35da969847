// What is done to a pool itself: opened, adjusted, refilled, paused, resumed.

import type { WallMs } from '../../base/clock.ts';
import { InputError } from '../../base/errors.ts';
import type { Chain, Link, PoolRecord } from '../books.ts';
import type { AdjustAnswer, OpenPool, OpenPoolAnswer, PauseAnswer, RefillAnswer } from '../ledger.ts';
import { type Decision, fundRow, isMoved, journalLine, NOTHING, versionOf } from './decision.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** @param parent the parent's chain, where one is named; it exists by then */
export function decideOpen(
  request: OpenPool,
  existing: Chain | undefined,
  parent: Chain | undefined,
): Decision<OpenPoolAnswer> {
  const { pool, capacity, nowMs } = request;
  const record: PoolRecord = {
    pool,
    parent: request.parent,
    openedCapacity: capacity,
    quota: request.quota ?? capacity,
    reclaim: request.reclaim ?? 'refund',
    maxLeaseMs: request.maxLeaseMs ?? DAY_MS,
    capacity,
    period: 0,
    paused: false,
  };
  if (existing !== undefined) {
    checkSameOpening(record, ownLink(existing).pool);
    return {
      answer: { outcome: 'opened', already: true, delta: NOTHING, version: versionOf(existing) },
      moved: NOTHING,
      reservations: NOTHING,
    };
  }
  const delta = [fundRow(pool, 0, capacity)];
  return {
    answer: { outcome: 'opened', already: false, delta, version: versionOf(parent ?? []) },
    moved: NOTHING,
    reservations: NOTHING,
    pool: record,
    line: journalLine('open-pool', 'opened', delta, { atMs: nowMs, pool, amount: capacity }),
  };
}

function checkSameOpening(asked: PoolRecord, opened: PoolRecord): void {
  const facts = ['openedCapacity', 'quota', 'parent', 'reclaim', 'maxLeaseMs'] as const;
  const problems = facts
    .filter((fact) => asked[fact] !== opened[fact])
    .map((fact) => ({
      code: 'pool-differs',
      message: `pool "${opened.pool}" was opened with another ${fact === 'openedCapacity' ? 'capacity' : fact}`,
      expected: String(opened[fact] ?? 'none'),
      got: String(asked[fact] ?? 'none'),
    }));
  if (problems.length > 0) throw new InputError(problems);
}

export function decideAdjust(
  request: { readonly capacity: number; readonly nowMs?: WallMs },
  chain: Chain,
): Decision<AdjustAnswer> {
  const { capacity, nowMs } = request;
  const { pool, row } = ownLink(chain);
  const used = row.held + row.consumed;
  if (capacity < used) {
    throw new InputError({
      code: 'capacity-below-use',
      message: `pool "${pool.pool}" cannot be adjusted below what is held and consumed in period ${row.period}`,
      expected: `at least ${used}`,
      got: String(capacity),
    });
  }
  const funded = fundRow(pool.pool, row.period, capacity - row.capacity);
  const delta = [funded];
  const moved = isMoved(funded) ? [pool.pool] : NOTHING;
  return {
    answer: {
      outcome: 'adjusted',
      capacity,
      already: false,
      delta,
      version: versionOf(chain, moved.length),
    },
    moved,
    reservations: NOTHING,
    pool: { ...pool, capacity },
    line: journalLine('adjust', 'adjusted', delta, { atMs: nowMs, pool: pool.pool, amount: capacity }),
  };
}

export function decideRefill(
  request: { readonly period: number; readonly nowMs?: WallMs },
  chain: Chain,
): Decision<RefillAnswer> {
  const { period, nowMs } = request;
  const { pool } = ownLink(chain);
  if (period <= pool.period) {
    return {
      answer: {
        outcome: 'stale',
        period: pool.period,
        already: true,
        delta: NOTHING,
        version: versionOf(chain),
      },
      moved: NOTHING,
      reservations: NOTHING,
    };
  }
  const delta = [fundRow(pool.pool, period, pool.capacity)];
  return {
    answer: { outcome: 'refilled', period, already: false, delta, version: versionOf(chain, 1) },
    moved: [pool.pool],
    reservations: NOTHING,
    pool: { ...pool, period },
    line: journalLine('refill', 'refilled', delta, {
      atMs: nowMs,
      pool: pool.pool,
      amount: pool.capacity,
      detail: `period ${period}`,
    }),
  };
}

export function decidePause(
  request: { readonly nowMs?: WallMs },
  paused: boolean,
  chain: Chain,
): Decision<PauseAnswer> {
  const { pool } = ownLink(chain);
  const outcome = paused ? 'paused' : 'resumed';
  if (pool.paused === paused) {
    return {
      answer: { outcome, already: true, delta: NOTHING, version: versionOf(chain) },
      moved: NOTHING,
      reservations: NOTHING,
    };
  }
  return {
    answer: { outcome, already: false, delta: NOTHING, version: versionOf(chain, 1) },
    moved: [pool.pool],
    reservations: NOTHING,
    pool: { ...pool, paused },
    line: journalLine(paused ? 'pause' : 'resume', outcome, NOTHING, {
      atMs: request.nowMs,
      pool: pool.pool,
    }),
  };
}

/** The pool that a chain is the chain of. */
export function ownLink(chain: Chain): Link {
  return chain[0]!;
}
