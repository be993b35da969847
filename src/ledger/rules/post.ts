// post: a correcting entry after the bill. A debit takes from what the chain still has, a credit gives
// back what a settled hold was counted for too much.

import { InputError } from '../../base/errors.ts';
import type { Chain, LoadedHold, PostRecord } from '../books.ts';
import type { Hold, Post, PostAnswer, RowDelta, RowKey } from '../ledger.ts';
import { type Decision, journalLine, movedPools, moveRows, NOTHING, versionOf } from './decision.ts';

/** The first answer to a post, again. */
export function postedBefore(request: Post, chain: Chain, first: PostRecord): Decision<PostAnswer> {
  const { id, pool, side, amount, reason, hold } = request;
  const isRepeat =
    first.pool === pool &&
    first.side === side &&
    first.amount === amount &&
    first.reason === reason &&
    first.hold === hold;
  if (!isRepeat) {
    throw new InputError({
      code: 'id-reused',
      message: `post "${id}" was made before with other arguments`,
      expected: describePost(first),
      got: describePost(request),
    });
  }
  const { moved, shortfall } = first;
  return {
    answer: { outcome: 'posted', moved, shortfall, already: true, delta: NOTHING, version: versionOf(chain) },
    moved: NOTHING,
    reservations: NOTHING,
  };
}

function describePost({ side, amount, pool, reason, hold }: Omit<Post, 'id'>): string {
  return `${side} ${amount} on "${pool}"${hold === undefined ? '' : ` for hold "${hold}"`}: ${reason}`;
}

/** @param rows the keys of the chain's current rows */
export function decideDebit(request: Post, chain: Chain, rows: readonly RowKey[]): Decision<PostAnswer> {
  let moved = request.amount;
  for (const link of chain) moved = Math.min(moved, link.row.balance);
  const shortfall = request.amount - moved;
  const delta = moveRows(rows, { balance: -moved, consumed: moved, shortfall });
  return posted(request, chain, rows, delta, moved, shortfall, []);
}

export function decideCredit(request: Post, { hold, chain }: LoadedHold): Decision<PostAnswer> {
  if (hold.actual === undefined) {
    throw new InputError({
      code: 'hold-not-settled',
      message: `post "${request.id}" credits hold "${hold.id}", which has not been settled (it is ${hold.state})`,
    });
  }
  if (hold.pool !== request.pool) {
    throw new InputError({
      code: 'wrong-pool',
      message: `post "${request.id}" credits hold "${hold.id}", which was reserved on another pool`,
      expected: hold.pool,
      got: request.pool,
    });
  }
  const moved = Math.min(request.amount, hold.consumed);
  const delta = moveRows(hold.rows, { balance: moved, consumed: -moved });
  const credited: Hold = { ...hold, consumed: hold.consumed - moved };
  return posted(request, chain, hold.rows, delta, moved, 0, [credited]);
}

function posted(
  request: Post,
  chain: Chain,
  rows: readonly RowKey[],
  delta: readonly RowDelta[],
  moved: number,
  shortfall: number,
  reservations: readonly Hold[],
): Decision<PostAnswer> {
  const { nowMs, ...post } = request;
  const { id, pool, amount, side, reason, hold } = post;
  const pools = movedPools(chain, delta);
  return {
    answer: {
      outcome: 'posted',
      moved,
      shortfall,
      already: false,
      delta,
      version: versionOf(chain, pools.length),
    },
    moved: pools,
    reservations,
    post: { ...post, moved, shortfall, rows },
    line: journalLine('post', 'posted', delta, {
      atMs: nowMs,
      pool,
      id,
      amount,
      detail: `${side}${hold === undefined ? '' : ` of hold ${hold}`}: ${reason}`,
    }),
  };
}
