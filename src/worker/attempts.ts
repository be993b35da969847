// The attempts of one offer: each clamped afresh, with backoff between them, until one is final, they are
// used up, the time is, or the hold is lost. Spends the tokens, and decides what the checkpoint will say.

import { backoffMs } from '../budget/backoff.ts';
import { call, extendTo } from './ask.ts';
import type {
  AttemptRecord,
  CallAnswer,
  CheckpointDetail,
  CheckpointStatus,
  Offer,
  Step,
} from './effects.ts';
import { waitHolding } from './wait-holding.ts';
import type { LaneBoard, WorkerSettings } from './worker-settings.ts';

/** What the attempts of one offer came to. */
export interface Attempted extends Verdict {
  readonly attempts: readonly AttemptRecord[];
  /** All attempts together, to be settled. */
  readonly usedTokens: number;
}

interface Verdict {
  readonly status: CheckpointStatus;
  readonly cause?: NonNullable<CheckpointDetail['cause']>;
  readonly result?: unknown;
}

/** One lane's offer and everything its attempts need to know. */
export interface Carrying<Job> {
  readonly settings: WorkerSettings<Job>;
  readonly board: LaneBoard;
  readonly lane: number;
  readonly offer: Offer<Job>;
  /** The dispatched hold's id; undefined where there is no pool. */
  readonly hold: string | undefined;
}

export function* makeAttempts<Job>(carrying: Carrying<Job>): Step<Job, Attempted> {
  const { settings, offer } = carrying;
  const allowed = settings.attempts(offer.job);
  const attempts: AttemptRecord[] = [];
  let verdict: Verdict | undefined;
  while (verdict === undefined) {
    verdict = yield* prepare(carrying, attempts.length);
    if (verdict !== undefined) break;
    const answer = yield* attempt(carrying, attempts);
    verdict = answer === undefined ? pending('out-of-time') : judge(answer, attempts.length >= allowed);
  }
  return { ...verdict, attempts, usedTokens: attempts.reduce((sum, record) => sum + record.tokens, 0) };
}

/** Waits out backoff and gate, and makes sure of hold and tokens. A verdict means: no further attempt. */
function* prepare<Job>(carrying: Carrying<Job>, made: number): Step<Job, Verdict | undefined> {
  const { settings, board, offer, hold } = carrying;
  const pauseMs =
    made === 0 ? 0 : backoffMs(made, settings.jitter(offer, offer.attemptsEver + made), settings.backoff);
  const failure = yield* waitHolding<Job>(settings, board, { hold, pauseMs, isSure: made === 0 });
  if (failure !== undefined) return pending(failure);
  if (made === 0 || hold === undefined || settings.hold !== 'per-attempt') return undefined;
  return yield* payForNext(carrying, hold, made + 1);
}

/** Where only the attempts so far are held for: raises the hold by the next one, or gives up. */
function* payForNext<Job>(
  { settings, board, offer }: Carrying<Job>,
  hold: string,
  attempts: number,
): Step<Job, Verdict | undefined> {
  const answer = yield* extendTo<Job>(hold, settings.envelope(offer.job, attempts));
  if (answer.outcome === 'unavailable') return pending('ledger-unavailable');
  if (answer.outcome === 'refused') {
    return pending(answer.reason === 'closed' ? 'hold-lost' : 'not-extended');
  }
  // The answer may have taken a while, and another lane may have closed the gate.
  const failure = yield* waitHolding<Job>(settings, board, { hold, pauseMs: 0, isSure: true });
  return failure === undefined ? undefined : pending(failure);
}

/** One call within its grant; undefined where the clamp declines. Adds its record to `attempts`. */
function* attempt<Job>(
  carrying: Carrying<Job>,
  attempts: AttemptRecord[],
): Step<Job, CallAnswer | undefined> {
  const { settings, board, lane, offer, hold } = carrying;
  const { budget, clock, pool } = settings;
  const startedMs = clock.monotonicMs();
  const remainingMs = budget.remainingMs(startedMs);
  const timeoutMs = budget.callTimeout(startedMs);
  if (timeoutMs === undefined) return undefined;
  const number = offer.attemptsEver + attempts.length + 1;
  const lease =
    hold === undefined || pool === undefined
      ? undefined
      : { id: hold, leaseMs: pool.leaseMs, renewEveryMs: pool.renewEveryMs };
  const answer = yield* call<Job>({ offer, attempt: number, timeoutMs, lease });
  const endedMs = clock.monotonicMs();
  if (answer.retryAfterMs !== undefined) board.closeGate(endedMs, answer.retryAfterMs);
  const record = {
    job: offer.jobId,
    night: settings.night,
    attempt: number,
    remainingMs,
    grantedMs: timeoutMs,
    elapsedMs: endedMs - startedMs,
    outcome: answer.outcome,
    tokens: costOf(answer, () => settings.abandonedUsage(offer.job)),
  };
  attempts.push(record);
  settings.record(record, lane);
  return answer;
}

/**
 * What the worker can know an attempt to have cost. A refusal or a server error bills nothing unless it
 * says so; an attempt that ended without an answer may have cost anything, so it is estimated.
 */
function costOf(answer: CallAnswer, abandonedUsage: () => number): number {
  if (answer.usage !== undefined) return answer.usage.input + answer.usage.output;
  switch (answer.outcome) {
    case 'rate-limited':
    case 'server-error':
    case 'rejected':
      return 0;
    case 'ok':
    case 'invalid':
    case 'timed-out':
    case 'threw':
      return abandonedUsage();
  }
}

/** Undefined where another attempt may follow. */
function judge(answer: CallAnswer, last: boolean): Verdict | undefined {
  if (answer.outcome === 'ok') return { status: 'done', result: answer.result };
  if (answer.outcome === 'rejected') return { status: 'failed', cause: 'rejected' };
  if (answer.outcome === 'invalid' && last) return { status: 'failed', cause: 'invalid' };
  if (answer.holdLost === true) return pending('hold-lost');
  return last ? pending('attempts-used-up') : undefined;
}

function pending(cause: NonNullable<CheckpointDetail['cause']>): Verdict {
  return { status: 'pending', cause };
}
