// One lane of a worker: takes jobs off the queue and carries each through admission, its attempts, its
// checkpoint and its settle, for as long as the clamp grants. The same code in production and in the
// simulator; everything it waits for is an effect.

import {
  checkpoint,
  dispatch,
  leave,
  reclaim,
  release,
  reserve,
  settle,
  sleep,
  take,
  tokensReturned,
} from './ask.ts';
import { type Attempted, makeAttempts } from './attempts.ts';
import type { Bar, Offer, Process, Step } from './effects.ts';
import { waitHolding } from './wait-holding.ts';
import {
  type LaneBoard,
  type PoolUse,
  RETRY_STORE_EVERY_MS,
  type WorkerSettings,
} from './worker-settings.ts';

/** Runs until the queue is empty, the clamp declines or the board is closed. `lane` counts from 0 and only names it in records. */
export function* lane<Job>(settings: WorkerSettings<Job>, board: LaneBoard, lane: number): Process<Job> {
  try {
    while (!board.isClosed && (yield* passGate(settings, board))) {
      const taken = yield* take<Job>(barFor(settings, board));
      if (taken.kind === 'empty') return;
      if (taken.kind === 'job') {
        yield* carry(settings, board, lane, taken.offer);
      } else if (taken.kind === 'none-yet') {
        if (!(yield* waitForJob(settings, taken.nextInMs))) return;
      } else if (!(yield* waitForTokens(settings, board, taken))) {
        return;
      }
    }
  } finally {
    board.lanesRunning -= 1;
  }
}

/** False where nothing would be granted any more: this lane's night is over. */
function* passGate<Job>(settings: WorkerSettings<Job>, board: LaneBoard): Step<Job, boolean> {
  const { budget, clock } = settings;
  for (;;) {
    const waitMs = Math.max(0, board.gateUntilMs - clock.monotonicMs());
    if (!budget.canWait(clock.monotonicMs(), waitMs)) return false;
    if (waitMs === 0) return true;
    yield* sleep<Job>(waitMs);
  }
}

function barFor<Job>(settings: WorkerSettings<Job>, board: LaneBoard): Bar | undefined {
  if (board.bar === undefined || settings.backfill === 'smaller') return board.bar;
  return { ...board.bar, amount: 0 };
}

/** False where it would come too late for a call. */
function* waitForJob<Job>({ budget, clock }: WorkerSettings<Job>, nextInMs: number): Step<Job, boolean> {
  if (!budget.canWait(clock.monotonicMs(), nextInMs)) return false;
  yield* sleep<Job>(nextInMs);
  return true;
}

/** False where the clamp would decline before any token or job came, or nothing is taken up any more. */
function* waitForTokens<Job>(
  { pool, budget, clock }: WorkerSettings<Job>,
  board: LaneBoard,
  { version, nextInMs = Number.POSITIVE_INFINITY }: { readonly version: number; readonly nextInMs?: number },
): Step<Job, boolean> {
  if (board.isClosed) return false;
  const declinesMs = budget.declinesAfterMs();
  const comesMs = clock.monotonicMs() + nextInMs;
  const woken = yield* tokensReturned<Job>(pool?.name ?? '', version, Math.min(declinesMs, comesMs));
  if (woken === 'moved') board.movedFrom(version);
  return woken === 'moved' || comesMs < declinesMs;
}

/** One job, from its claim to its settle. */
function* carry<Job>(
  settings: WorkerSettings<Job>,
  board: LaneBoard,
  lane: number,
  offer: Offer<Job>,
): Step<Job, void> {
  const { pool } = settings;
  if (pool === undefined) {
    const attempted = yield* makeAttempts({ settings, board, lane, offer, hold: undefined });
    // No call went out: as with a hold that was never dispatched, there is nothing to write down.
    if (attempted.attempts.length > 0) yield* writeDown(settings, offer, attempted);
    else yield* leave(offer, { as: 'deferred', cause: 'out-of-time' });
    return;
  }
  const hold = yield* claim(settings, pool, board, offer);
  if (hold === undefined) return;
  const attempted = yield* makeAttempts({ settings, board, lane, offer, hold });
  yield* writeDown(settings, offer, attempted);
  yield* settleUntilExit(settings, board, hold, attempted.usedTokens);
}

/** Reserves and dispatches: the id of a dispatched hold, or undefined where the job was left. */
function* claim<Job>(
  settings: WorkerSettings<Job>,
  pool: PoolUse,
  board: LaneBoard,
  offer: Offer<Job>,
): Step<Job, string | undefined> {
  const id = `${offer.jobId}/${settings.night}/${offer.try}`;
  if (!(yield* admit(settings, pool, board, offer, id))) return undefined;
  const failure = yield* waitHolding<Job>(settings, board, { hold: id, pauseMs: 0, isSure: true });
  if (failure !== undefined) {
    const released = yield* release<Job>(id);
    if (released.outcome !== 'unavailable') board.seen(released.version);
    yield* leave(offer, { as: 'deferred', cause: failure });
    return undefined;
  }
  const answer = yield* dispatch<Job>(id);
  if (answer.outcome === 'dispatched') return id;
  const cause = answer.outcome === 'unavailable' ? 'ledger-unavailable' : 'hold-lost';
  yield* leave(offer, { as: 'deferred', cause });
  return undefined;
}

/** True where the job's envelope is held for this offer, and nothing was dispatched on it yet. */
function* admit<Job>(
  settings: WorkerSettings<Job>,
  pool: PoolUse,
  board: LaneBoard,
  offer: Offer<Job>,
  id: string,
): Step<Job, boolean> {
  const amount = settings.envelope(
    offer.job,
    settings.hold === 'per-attempt' ? 1 : settings.attempts(offer.job),
  );
  const answer = yield* reserve<Job>({
    id,
    pool: pool.name,
    job: offer.jobId,
    taker: pool.taker,
    amount,
    leaseMs: pool.leaseMs,
  });
  if (answer.outcome === 'unavailable') {
    yield* leave(offer, { as: 'deferred', cause: 'ledger-unavailable' });
    return false;
  }
  // Of an id that somebody else has used, the version told is that of their pools.
  if (answer.outcome !== 'id-reused') board.seen(answer.version);
  switch (answer.outcome) {
    case 'granted':
      if (answer.hold.state === 'held' && !answer.hold.dispatched) return true;
      yield* leave(offer, { as: 'deferred', cause: 'hold-lost' });
      return false;
    case 'id-reused':
      yield* leave(offer, { as: 'deferred', cause: 'claimed-elsewhere' });
      return false;
    case 'refused':
      if (answer.reason === 'exceeds-capacity') {
        yield* leave(offer, { as: 'inadmissible' });
      } else if (answer.reason === 'insufficient' && !answer.returnable) {
        yield* leave(offer, { as: 'refused' });
      } else {
        // At once, before another lane takes a job. A paused pool grants to nobody, whatever the size.
        board.raiseBar(answer.reason === 'paused' ? 0 : amount, answer.version);
        yield* leave(offer, { as: 'waiting' });
        const swept = yield* reclaim<Job>(pool.name);
        // What came back moved the version, and with that the bar is void: the lane asks again.
        if (swept.outcome === 'reclaimed') board.seen(swept.version);
      }
      return false;
  }
}

/** The checkpoint comes before the settle, because work must outlive its accounting. */
function* writeDown<Job>(
  settings: WorkerSettings<Job>,
  offer: Offer<Job>,
  attempted: Attempted,
): Step<Job, void> {
  const { status, result, cause, attempts, usedTokens } = attempted;
  const detail = {
    night: settings.night,
    try: offer.try,
    attempts,
    usedTokens,
    ...(result === undefined ? {} : { result }),
    ...(cause === undefined ? {} : { cause }),
  };
  do {
    const answer = yield* checkpoint(offer, status, detail);
    if (answer.written) return;
  } while (yield* pauseBeforeExit(settings));
}

function* settleUntilExit<Job>(
  settings: WorkerSettings<Job>,
  board: LaneBoard,
  hold: string,
  used: number,
): Step<Job, void> {
  do {
    const answer = yield* settle<Job>(hold, used);
    if (answer.outcome !== 'unavailable') {
      board.seen(answer.version);
      return;
    }
  } while (yield* pauseBeforeExit(settings));
  board.unsettledCount += 1;
}

/** Sleeps before another try at the store; false where the kill would come first. */
function* pauseBeforeExit<Job>({ budget, clock }: WorkerSettings<Job>): Step<Job, boolean> {
  if (clock.monotonicMs() + RETRY_STORE_EVERY_MS >= budget.deadlineMs) return false;
  yield* sleep<Job>(RETRY_STORE_EVERY_MS);
  return true;
}
