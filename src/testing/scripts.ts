// Nights made up at random, in small round numbers so that a failing one can be read: a script of everything that
// a driver of the worker answers in one, and of what others do meanwhile.

import fc from 'fast-check';
import type { CallOutcome } from '../worker/effects.ts';

/** What one attempt meets. */
export interface CallScript {
  readonly outcome: Exclude<CallOutcome, 'timed-out'>;
  readonly elapsedMs: number;
  /** Undefined: the provider does not tell. */
  readonly usage: { readonly input: number; readonly output: number } | undefined;
  readonly retryAfterMs: number | undefined;
}

/** One job: what it reserves, and what becomes of its attempts and its checkpoints. */
export interface JobScript {
  readonly envelope: number;
  /** The attempt numbered n gets the nth, and starts again from the first after the last. */
  readonly calls: readonly CallScript[];
  readonly write: { readonly takesMs: number; readonly failures: number };
}

/** By the names of the ledger's methods. */
export const LEDGER_OPERATIONS = [
  'reserve',
  'dispatch',
  'renew',
  'extendTo',
  'release',
  'settle',
  'reclaim',
] as const;
export type LedgerOperation = (typeof LEDGER_OPERATIONS)[number];

/** One night of a worker. Times are milliseconds from its opening. */
export interface NightScript {
  readonly lanes: number;
  readonly backfill: 'smaller' | 'none';
  readonly budget: {
    readonly deadlineMs: number;
    readonly reserveMs: number;
    readonly floorMs: number;
    readonly capMs: number;
  };
  /** A chain, the jobs' own pool first. */
  readonly capacities: readonly number[];
  readonly reclaim: 'refund' | 'charge';
  readonly maxLeaseMs: number;
  readonly leaseMs: number;
  /** May be longer than the lease: then holds are lost in mid-call. */
  readonly renewEveryMs: number;
  readonly reclaimEveryMs: number;
  readonly attempts: number;
  /** Per attempt: each may use an equal share of the job's envelope. */
  readonly hold: 'whole-job' | 'per-attempt';
  readonly backoffMs: number;
  readonly jobs: readonly JobScript[];
  /** A lane stands still after so many answers, with whatever it has in hand. */
  readonly stalls: readonly { readonly lane: number; readonly afterAnswers: number; readonly ms: number }[];
  /** The whole process stands still, and is late for whatever was due meanwhile. */
  readonly pauses: readonly { readonly atMs: number; readonly ms: number }[];
  /** Holds of others on a pool of the chain, or on a sibling under its root. */
  readonly strangers: readonly {
    readonly atMs: number;
    readonly pool: number | 'sibling';
    readonly amount: number;
    readonly leaseMs: number;
    readonly end: 'settle' | 'release' | 'never';
    /** Under the very id that the worker will want for a job's first claim. */
    readonly squats: boolean;
    readonly afterMs: number;
  }[];
  /** What is done to the pools meanwhile. */
  readonly turns: readonly {
    readonly atMs: number;
    readonly what: 'pause' | 'resume' | 'refill' | 'adjust';
    readonly pool: number;
    readonly amount: number;
  }[];
  /** Somebody sets the wall clock. */
  readonly wallSteps: readonly { readonly atMs: number; readonly byMs: number }[];
  /** The worker's nth operation of a kind has no answer, and took effect all the same or not. */
  readonly outages: readonly {
    readonly operation: LedgerOperation;
    readonly nth: number;
    readonly tookEffect: boolean;
  }[];
  /** The process dies, and another takes over the queue. */
  readonly crash: { readonly atMs: number; readonly restartAfterMs: number } | undefined;
}

/** What so many attempts of a job may use together. */
export function envelopeOf({ hold, attempts: all }: NightScript, job: JobScript, attempts: number): number {
  return hold === 'whole-job' ? job.envelope : Math.ceil((job.envelope * attempts) / all);
}

const within = (min: number, max: number) => fc.integer({ min, max });
const upTo = (max: number) => within(0, max);
const few = <Value>(one: fc.Arbitrary<Value>, maxLength: number) => fc.array(one, { maxLength });
/** Mostly absent, so that most nights are troubled by a few things only. */
const seldom = <Value>(one: fc.Arbitrary<Value>, maxLength: number) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant<Value[]>([]) }, { weight: 1, arbitrary: few(one, maxLength) });

const call: fc.Arbitrary<CallScript> = fc.record({
  outcome: fc.oneof(
    { weight: 3, arbitrary: fc.constant('ok' as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...(['invalid', 'rate-limited', 'server-error', 'rejected', 'threw'] as const),
      ),
    },
  ),
  elapsedMs: upTo(120),
  usage: fc.option(fc.record({ input: upTo(10), output: upTo(10) }), { nil: undefined }),
  retryAfterMs: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: upTo(200) },
  ),
});

const job: fc.Arbitrary<JobScript> = fc.record({
  envelope: upTo(20),
  calls: fc.array(call, { minLength: 1, maxLength: 3 }),
  write: fc.record({
    takesMs: upTo(60),
    failures: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: upTo(3) }),
  }),
});

const atMs = upTo(1_500);

/** Nights of 0 to 8 jobs, with troubles in some of them. */
export const scripts: fc.Arbitrary<NightScript> = fc.record({
  lanes: within(1, 4),
  backfill: fc.constantFrom('smaller', 'none'),
  budget: fc
    .tuple(within(1, 3_000), upTo(100), within(1, 40), upTo(200))
    .map(([deadlineMs, reserveMs, floorMs, more]) => ({
      deadlineMs,
      reserveMs,
      floorMs,
      capMs: floorMs + more,
    })),
  capacities: fc.array(upTo(50), { minLength: 1, maxLength: 3 }),
  reclaim: fc.constantFrom('refund', 'charge'),
  maxLeaseMs: within(50, 2_000),
  leaseMs: within(5, 400),
  renewEveryMs: within(1, 300),
  reclaimEveryMs: within(20, 300),
  attempts: within(1, 3),
  hold: fc.constantFrom('whole-job', 'per-attempt'),
  backoffMs: upTo(100),
  jobs: few(job, 8),
  stalls: seldom(
    fc.record({ lane: upTo(3), afterAnswers: fc.oneof(fc.constant(2), within(1, 40)), ms: within(1, 800) }),
    3,
  ),
  pauses: seldom(fc.record({ atMs, ms: within(1, 800) }), 2),
  strangers: few(
    fc.record({
      atMs: fc.oneof(fc.constant(0), atMs),
      pool: fc.oneof(upTo(2), fc.constant('sibling' as const)),
      amount: upTo(40),
      leaseMs: within(1, 1_000),
      end: fc.constantFrom('settle', 'release', 'never'),
      squats: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 9),
      afterMs: upTo(800),
    }),
    3,
  ),
  turns: seldom(
    fc.record({
      atMs,
      what: fc.constantFrom('pause', 'resume', 'refill', 'adjust'),
      pool: upTo(2),
      amount: upTo(60),
    }),
    4,
  ),
  wallSteps: seldom(fc.record({ atMs, byMs: within(-500, 500) }), 2),
  outages: seldom(
    fc.record({
      // A release is rare, and rarer still without an answer.
      operation: fc.constantFrom(...LEDGER_OPERATIONS, ...(['release', 'release'] as const)),
      nth: fc.oneof(fc.constant(1), within(1, 6)),
      tookEffect: fc.boolean(),
    }),
    4,
  ),
  crash: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.record({ atMs, restartAfterMs: upTo(600) }) },
  ),
});
