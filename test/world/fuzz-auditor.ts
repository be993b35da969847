// Watches a fuzzed night's processes from outside: sees every effect with its answer, and throws at the
// first thing that a worker must never do.

import { invariant } from '../../src/base/errors.ts';
import type { Budget } from '../../src/budget/budget.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Engine } from '../../src/sim/engine.ts';
import { envelopeOf, type JobScript, type NightScript } from '../../src/testing/scripts.ts';
import type {
  Answer,
  Answers,
  AttemptRecord,
  CallOutcome,
  CheckpointStatus,
  Effect,
  Offer,
} from '../../src/worker/effects.ts';
import type { JobQueue, JobStanding } from '../../src/worker/job-queue.ts';
import { type LaneBoard, RETRY_STORE_EVERY_MS } from '../../src/worker/worker-settings.ts';

export interface AuditorSetup {
  readonly night: NightScript;
  readonly engine: Engine;
  readonly budget: Budget;
  readonly ledger: Ledger;
  readonly pool: string;
  readonly queue: JobQueue<JobScript>;
  monotonicMs(): number;
}

/** What is known of one offer, from its `take` on. */
interface Carried {
  readonly offer: Offer<JobScript>;
  refusal?: { readonly returnable: boolean; readonly reason: string; readonly version: number };
  isDispatched: boolean;
  isLost: boolean;
  /** Its hold is as large as its next call needs. */
  isPaid: boolean;
  /** Its checkpoint has been asked for; from then on the lane only waits for the store and the ledger. */
  isWrittenDown: boolean;
  /** Its checkpoint is durable. */
  isChecked: boolean;
  attempts: number;
  tokens: number;
  lastOutcome?: CallOutcome;
}

interface Refused {
  readonly amount: number;
  readonly version: number;
}

/** How things stand when a lane asks for a job. */
interface AtTake {
  readonly version: number;
  /** The first job that waits, in order. */
  readonly first: string | undefined;
  /** Jobs that were refused at this very version. */
  readonly refused: readonly (readonly [string, Refused])[];
  readonly openJobs: ReadonlySet<string>;
  readonly done: ReadonlySet<string>;
}

type Told<Kind extends Effect<JobScript>['kind']> = Extract<Effect<JobScript>, { readonly kind: Kind }>;

/** Operations that lanes learn the books' version from. */
const VERSIONED: ReadonlySet<string> = new Set(['reserve', 'release', 'settle', 'reclaim']);

/** More than the few lanes and jobs of a fuzzed night can do at one moment without going in circles. */
const EVENTS_PER_MOMENT = 3_000;

export class FuzzAuditor {
  readonly #setup: AuditorSetup;
  readonly #foundNothing = new Set<string>();
  readonly #atTake = new Map<string, AtTake>();
  /** By lane of either process: the offer it has in hand. */
  readonly #inHand = new Map<string, Carried>();
  /** Jobs that were put back to wait for tokens, with the books' version at their refusal. */
  readonly #waiting = new Map<string, Refused>();
  readonly #done = new Set<string>();
  /** By process: the latest version of the books that a lane of it has heard of. */
  readonly #heard = new Map<LaneBoard, number>();
  #moment = { atMs: -1, events: 0 };

  constructor(setup: AuditorSetup) {
    this.#setup = setup;
  }

  /** Jobs whose checkpoint “done” is durable. */
  get done(): ReadonlySet<string> {
    return this.#done;
  }

  /** Every effect of every lane, before it is performed. */
  asked(lane: string, effect: Effect<JobScript>, board: LaneBoard): void {
    this.#countEvent();
    const carried = this.#inHand.get(lane);
    switch (effect.kind) {
      case 'take':
        this.#asksForJob(lane, effect, board);
        break;
      case 'sleep':
        this.#sleeps(carried, effect);
        break;
      case 'leave':
        this.#leaves(carried, effect);
        break;
      case 'dispatch':
        check(effect.id === idOf(carried), 'a lane dispatches the hold of its own job', effect.id);
        break;
      case 'call':
        this.#calls(carried, effect, board);
        break;
      case 'checkpoint':
        this.#checkpoints(carried, effect);
        break;
      case 'settle':
        this.#settles(carried, effect);
    }
  }

  /** When the lane hears the answer, which is later than it was given where the lane stood still. */
  answered(lane: string, effect: Effect<JobScript>, answer: Answer<JobScript>, board: LaneBoard): void {
    this.#countEvent();
    const carried = this.#inHand.get(lane);
    this.#hears(effect, answer, board);
    if (effect.kind === 'take') {
      this.#tookFrom(lane, answer as Answers<JobScript>['take']);
      return;
    }
    if (carried === undefined) return;
    const { outcome, holdLost } = (answer ?? {}) as {
      readonly outcome?: string;
      readonly holdLost?: boolean;
    };
    if (effect.kind === 'reserve' && outcome === 'refused') {
      carried.refusal = answer as NonNullable<Carried['refusal']>;
    }
    if (effect.kind === 'dispatch' && outcome === 'dispatched') carried.isDispatched = true;
    if (effect.kind === 'renew' && outcome === 'refused') carried.isLost = true;
    if (effect.kind === 'extend-to') carried.isPaid = outcome === 'extended';
    if (effect.kind === 'call') carried.isPaid = this.#setup.night.hold === 'whole-job';
    if (effect.kind === 'call' && holdLost === true) carried.isLost = true;
    if (effect.kind === 'checkpoint' && (answer as { readonly written: boolean }).written) {
      carried.isChecked = true;
    }
    if (effect.kind === 'settle' && outcome === 'settled') this.#inHand.delete(lane);
  }

  #hears({ kind }: Effect<JobScript>, answer: Answer<JobScript>, board: LaneBoard): void {
    const { version, outcome } = (answer ?? {}) as { readonly version?: number; readonly outcome?: string };
    // The version that comes with a reused id is that of the pools on which it was used.
    if (version === undefined || outcome === 'id-reused' || !VERSIONED.has(kind)) return;
    this.#heard.set(board, Math.max(version, this.#heard.get(board) ?? 0));
  }

  recorded(lane: string, { outcome, tokens }: AttemptRecord): void {
    const carried = this.#inHand.get(lane)!;
    carried.attempts += 1;
    carried.tokens += tokens;
    carried.lastOutcome = outcome;
  }

  /** @param before what the job stood at until its checkpoint became durable */
  durable(offer: Offer<JobScript>, status: CheckpointStatus, before: JobStanding): void {
    const { jobId } = offer;
    const after = this.#setup.queue.standing(jobId);
    if (status === 'done') this.#done.add(jobId);
    if (this.#done.has(jobId)) {
      this.#isDone(jobId);
    } else if (before.state === 'claimed' && before.offer === offer) {
      check(
        after.state === (status === 'failed' ? 'failed' : 'deferred'),
        'a claim writes what it says',
        jobId,
      );
    } else {
      check(after === before, 'a claim that has been superseded writes only “done”', jobId);
    }
  }

  /** A reclaim has closed the hold of this job and try. */
  lapsed(jobId: string, tryNumber: number, before: JobStanding): void {
    if (before.state !== 'claimed' || before.offer.try !== tryNumber) return;
    check(this.#setup.queue.standing(jobId).state === 'waiting', 'a claim lapses with its hold', jobId);
  }

  /** Nobody remembers a refusal across a crash. */
  restarted(): void {
    this.#waiting.clear();
    this.#inHand.clear();
  }

  /** Before the moment at which the clamp declines, a lane ends only where the queue had nothing for it. */
  laneEnded(lane: string, board: LaneBoard): void {
    const { budget } = this.#setup;
    const nowMs = this.#setup.monotonicMs();
    const gateMs = Math.max(0, board.gateUntilMs - nowMs);
    if (nowMs >= budget.declinesAfterMs() || !budget.canWait(nowMs, gateMs)) return;
    check(
      this.#foundNothing.has(lane),
      'no lane ends while there is something to take',
      `${lane} at ${nowMs}`,
    );
  }

  /** A job is handed out when it is asked for, and the lane hears of it a little later. */
  #asksForJob(lane: string, { bar }: Told<'take'>, board: LaneBoard): void {
    const { ledger, pool, queue } = this.#setup;
    const { version } = ledger.pool(pool)!;
    const isStale = bar !== undefined && bar.version < (this.#heard.get(board) ?? 0);
    check(!isStale, 'a bar is void once the books have moved', `${lane}: ${JSON.stringify(bar)}`);
    const waiting = [...queue.standings()].filter(({ standing }) => standing.state === 'waiting');
    this.#atTake.set(lane, {
      version,
      first: waiting[0]?.jobId,
      refused: [...this.#waiting].filter(([, refused]) => refused.version === version),
      openJobs: new Set(ledger.holds({ state: 'held' }).map(({ job }) => job)),
      done: new Set(this.#done),
    });
  }

  #tookFrom(lane: string, taken: Answers<JobScript>['take']): void {
    const { first } = this.#atTake.get(lane)!;
    if (taken.kind === 'job') this.#taken(lane, taken.offer);
    else
      check((taken.kind === 'empty') === (first === undefined), 'a queue is empty when no job waits', lane);
    if (taken.kind === 'empty') this.#foundNothing.add(lane);
  }

  #taken(lane: string, offer: Offer<JobScript>): void {
    const { night } = this.#setup;
    const { backfill } = night;
    const { jobId, job } = offer;
    const envelope = envelopeOf(night, job, 1);
    const { version, first, refused, openJobs, done } = this.#atTake.get(lane)!;
    check(!done.has(jobId), 'what is done is not taken again', jobId);
    check(!openJobs.has(jobId), 'a job with an open claim is not handed out', jobId);
    check(backfill === 'smaller' || jobId === first, 'without backfill jobs are taken in order', jobId);
    for (const [other, { amount }] of refused) {
      check(
        backfill === 'smaller' && envelope < amount,
        'while a job waits for tokens only smaller ones are taken, if any',
        `${jobId} (${envelope}) beside ${other} (${amount}) at version ${version}`,
      );
    }
    this.#waiting.delete(jobId);
    this.#inHand.set(lane, {
      offer,
      isDispatched: false,
      isLost: false,
      isPaid: true,
      isWrittenDown: false,
      isChecked: false,
      attempts: 0,
      tokens: 0,
    });
  }

  #leaves(carried: Carried | undefined, { offer, leave }: Told<'leave'>): void {
    check(carried?.offer === offer, 'a lane leaves the job that it has in hand', offer.jobId);
    check(!carried.isDispatched, 'a job that was dispatched is written down, not left', offer.jobId);
    const { refusal } = carried;
    const isRefused = refusal?.reason === 'insufficient' && !refusal.returnable;
    check(
      (leave.as === 'refused') === isRefused,
      'a job is refused exactly where its tokens cannot come back',
      `${offer.jobId} left as ${leave.as}`,
    );
    const isTooLarge = refusal?.reason === 'exceeds-capacity';
    check(
      (leave.as === 'inadmissible') === isTooLarge,
      'a job above the capacity is inadmissible',
      offer.jobId,
    );
    if (refusal !== undefined && leave.as === 'waiting') {
      const amount = refusal.reason === 'paused' ? 0 : envelopeOf(this.#setup.night, offer.job, 1);
      this.#waiting.set(offer.jobId, { amount, version: refusal.version });
    }
  }

  #calls(carried: Carried | undefined, { offer, timeoutMs, lease }: Told<'call'>, board: LaneBoard): void {
    const { night, ledger } = this.#setup;
    const { deadlineMs, reserveMs, floorMs, capMs } = night.budget;
    const nowMs = this.#setup.monotonicMs();
    const lastMs = this.#setup.budget.deadlineMs - reserveMs + 1e-3;
    check(
      timeoutMs >= floorMs && timeoutMs <= capMs && nowMs + timeoutMs <= lastMs,
      'a grant is within floor, cap and what is left before the reserve',
      `${timeoutMs} ms at ${nowMs}, deadline ${deadlineMs}`,
    );
    check(carried?.offer === offer, 'a lane calls for the job that it has in hand', offer.jobId);
    check(carried.isDispatched, 'no call goes out before its hold was dispatched', offer.jobId);
    check(!carried.isLost, 'no call goes out on a hold known to be lost', offer.jobId);
    check(carried.isPaid, 'no call goes out that its hold does not pay for', offer.jobId);
    check(
      verdictOf(carried, night) === 'pending',
      'nothing is tried again after a final answer',
      offer.jobId,
    );
    check(carried.attempts < night.attempts, 'no job is attempted more often than allowed', offer.jobId);
    check(
      board.gateUntilMs <= nowMs,
      'no call goes out while the provider asks to be left alone',
      offer.jobId,
    );
    const hold = ledger.hold(lease?.id ?? '');
    check(hold?.dispatched === true, 'a call names its hold', String(lease?.id));
  }

  #sleeps(carried: Carried | undefined, { ms }: Told<'sleep'>): void {
    if (carried?.isWrittenDown === true) return;
    const canWait = this.#setup.budget.canWait(this.#setup.monotonicMs(), ms);
    check(canWait, 'nobody sleeps up to a call that would not be granted', `${ms} ms`);
  }

  #checkpoints(carried: Carried | undefined, { offer, status, detail }: Told<'checkpoint'>): void {
    check(carried?.offer === offer, 'a lane writes down the job that it has in hand', offer.jobId);
    check(carried.isDispatched, 'nothing is written down for a job that was never dispatched', offer.jobId);
    check(detail.usedTokens === carried.tokens, 'a checkpoint tells the tokens of all attempts', offer.jobId);
    check(
      status === verdictOf(carried, this.#setup.night),
      'the last answer decides',
      `${offer.jobId}: ${status}`,
    );
    if (status === 'pending' && carried.isLost) {
      check(
        detail.cause === 'hold-lost',
        'a lost hold is told as the cause',
        `${offer.jobId}: ${detail.cause}`,
      );
    }
    carried.isWrittenDown = true;
  }

  #settles(carried: Carried | undefined, { id, actual }: Told<'settle'>): void {
    const { budget } = this.#setup;
    check(idOf(carried) === id && carried !== undefined, 'a lane settles the hold of its own job', id);
    check(actual === carried.tokens, 'a settle has the tokens of all attempts', `${id}: ${actual}`);
    const isAtExit = this.#setup.monotonicMs() + RETRY_STORE_EVERY_MS >= budget.deadlineMs;
    check(carried.isChecked || isAtExit, 'the checkpoint comes before the settle', id);
  }

  #isDone(jobId: string): void {
    check(this.#setup.queue.standing(jobId).state === 'done', 'what is done stays done', jobId);
  }

  #countEvent(): void {
    const { now } = this.#setup.engine;
    if (this.#moment.atMs !== now) this.#moment = { atMs: now, events: 0 };
    this.#moment.events += 1;
    check(this.#moment.events < EVENTS_PER_MOMENT, 'no lane spins', `at ${now} ms`);
    for (const jobId of this.#done) this.#isDone(jobId);
  }
}

/** What the attempts so far come to. */
function verdictOf({ lastOutcome, attempts }: Carried, night: NightScript): CheckpointStatus {
  if (lastOutcome === 'ok') return 'done';
  if (lastOutcome === 'rejected') return 'failed';
  return lastOutcome === 'invalid' && attempts === night.attempts ? 'failed' : 'pending';
}

function idOf(carried: Carried | undefined): string | undefined {
  return carried === undefined ? undefined : `${carried.offer.jobId}/1/${carried.offer.try}`;
}

function check(holds: boolean, claim: string, detail: string): asserts holds {
  invariant(holds, claim, () => detail);
}
