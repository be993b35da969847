// A batch worker in miniature, so that reports can be tested on nights whose every figure follows from a
// few lines: lanes take jobs in turn, durations and tokens run through a fixed sequence, and events and
// results come from the same counters. No world, no ledger.

import type { NightPlan, PlannedClass } from '../../src/plan/night-plan.ts';
import { NightRecorder } from '../../src/report/night-recorder.ts';
import type { ReportInput } from '../../src/report/report-input.ts';
import type { JobClass, Scenario, ScenarioPool } from '../../src/scenario/scenario.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { noDrift } from '../../src/world/drift-account.ts';
import type {
  ClassResult,
  NightResult,
  Outcome,
  OutcomeCounts,
  Played,
  PoolFigures,
} from '../../src/world/run-result.ts';
import type { WorldEvent } from '../../src/world/world-event.ts';
import { TRIPS } from '../world/scenario-fixture.ts';
import { withFindings } from './toy-findings.ts';

export interface ToyClass {
  readonly name: string;
  readonly count: number;
  readonly envelope: number;
  /** Tokens of job i run evenly from the first to the second. */
  readonly tokens: readonly [number, number];
  readonly arrive?: 'every-night' | 'first-night';
}

export interface Toy {
  readonly name?: string;
  readonly nights?: number;
  readonly windowMs?: number;
  readonly reserveMs?: number;
  readonly capMs?: number;
  readonly lanes?: number;
  readonly classes?: readonly ToyClass[];
  /** Undefined: no pool. */
  readonly capacity?: number | undefined;
  readonly funded?: number;
  readonly refill?: 'night' | 'never';
  /** Durations of calls run evenly from the first to the second. */
  readonly callMs?: readonly [number, number];
  readonly timeouts?: 'clamp' | 'fixed';
  readonly compare?: readonly { readonly name: string; readonly toy: Toy }[];
  /** With all that can be found beyond a run, and that a toy cannot play; needs a pool. */
  readonly isStudied?: boolean;
}

type Filled = Required<Omit<Toy, 'capacity' | 'compare' | 'isStudied'>> & Pick<Toy, 'capacity' | 'compare'>;

const MINUTE = 60_000;
/** No file of that name is read; hashes have digits like any other text. */
const SOURCES = [{ name: 'toy.yaml', sha256: '0123456789abcdef'.repeat(4) }];
const THREE_CLASSES: readonly ToyClass[] = [
  { name: 'summarize', count: 420, envelope: 14_000, tokens: [2_000, 14_500] },
  { name: 'extract-json', count: 120, envelope: 40_000, tokens: [9_000, 38_000] },
  { name: 'agent-loop', count: 30, envelope: 180_000, tokens: [30_000, 150_000] },
];

function filled(toy: Toy): Filled {
  return {
    name: 'toy',
    nights: 3,
    windowMs: 50 * MINUTE,
    reserveMs: 45_000,
    capMs: 120_000,
    lanes: 8,
    classes: THREE_CLASSES,
    funded: 1,
    refill: 'night',
    callMs: [8_000, 60_000],
    timeouts: 'clamp',
    ...toy,
  };
}

/** The input of a report on the toy's nights. */
export function toyInput(toy: Toy = {}): ReportInput {
  const scenario = scenarioOf(toy);
  const plan = planOf(toy);
  const recorder = new NightRecorder(scenario, plan);
  const own = play(filled(toy), (event) => recorder.record(event));
  const compare = Object.fromEntries(
    (toy.compare ?? []).map((variant) => [variant.name, play(filled(variant.toy), () => undefined)]),
  );
  const run = { scenario: scenario.name, seed: scenario.seed, ...own, compare };
  const input = { scenario, plan, run, series: recorder.series(), rerun: ['toy.yaml'], sources: SOURCES };
  return toy.isStudied === true ? withFindings(input) : input;
}

export function scenarioOf(toy: Toy): Scenario {
  const { name, nights, windowMs, reserveMs, capMs, lanes, classes, capacity, funded, refill, timeouts } =
    filled(toy);
  const pool: ScenarioPool | undefined =
    capacity === undefined
      ? undefined
      : {
          name: 'free',
          quota: capacity / funded,
          capacity,
          funded,
          leaseMs: 15 * MINUTE,
          refill,
        };
  return {
    name,
    seed: 'toy',
    nights,
    window: { lastsMs: windowMs, everyMs: 24 * 60 * MINUTE },
    budget: { reserveMs, floorMs: 3_000, capMs, attempts: 1 },
    lanes,
    pool,
    jobs: classes.map(jobClassOf),
    order: 'listed',
    backfill: 'smaller',
    backoff: { baseMs: 1_000, factor: 2, maxMs: 30_000, jitter: 'full' },
    provider: {
      latency: { kind: 'whole-grant' },
      hangs: 0,
      errors: 0.01,
      invalid: 0,
      usage: 'reported',
      limits: undefined,
      slowdown: undefined,
      outages: undefined,
      slow: undefined,
      billing: { abandoned: 'generated' },
    },
    client: undefined,
    store: { write: constant(50), writers: 1, flushMs: 0 },
    policy: { timeouts, admission: 'envelope', reclaim: 'refund' },
    trips: TRIPS,
    compare: (toy.compare ?? []).map((variant) => ({
      name: variant.name,
      scenario: scenarioOf(variant.toy),
    })),
  };
}

function jobClassOf({ name, count, envelope, tokens, arrive }: ToyClass): JobClass {
  return {
    name,
    count,
    arrive: arrive ?? 'every-night',
    slackMs: 6 * 60 * MINUTE,
    isSlackDeclared: true,
    attempts: 1,
    tokens: { kind: 'independent', input: constant(tokens[0]), output: constant(tokens[1] - tokens[0]) },
    declaredOutput: undefined,
    envelope:
      envelope % 1000 === 0
        ? { kind: 'quantile', quantile: 0.95, fanout: 1, overhead: 0 }
        : { kind: 'tokens', tokens: envelope },
  };
}

/** Arithmetic of the planner's kind, on the toy's numbers. */
export function planOf(toy: Toy): NightPlan {
  const { windowMs, reserveMs, capMs, lanes, classes, capacity, callMs, name } = filled(toy);
  const items = classes.reduce((total, { count }) => total + count, 0);
  const sequentialMs = items * capMs;
  const elapsedMs = items === 0 ? 0 : sequentialMs / lanes + (1 - 1 / lanes) * capMs;
  const planned = classes.map((one) => plannedOf(one, capacity, windowMs - reserveMs));
  const largest = planned.reduce<PlannedClass | undefined>(
    (best, one) => (best === undefined || (one.envelope ?? 0) > (best.envelope ?? 0) ? one : best),
    undefined,
  );
  const laneBound = (lanes * (windowMs - reserveMs)) / ((callMs[0] + callMs[1]) / 2);
  const meanUsed = classes.reduce(
    (total, one) => total + (one.count * (one.tokens[0] + one.tokens[1])) / 2,
    0,
  );
  const poolBound = capacity === undefined || items === 0 ? null : (capacity * items) / Math.max(1, meanUsed);
  const arrivals = classes.reduce((total, one) => total + (one.arrive === 'first-night' ? 0 : one.count), 0);
  const smallest = Math.min(laneBound, poolBound ?? laneBound);
  let reserved = 0;
  let admitted = 0;
  for (const one of classes) {
    const fits = Math.min(one.count, Math.floor(((capacity ?? 0) - reserved) / one.envelope));
    admitted += Math.max(0, fits);
    reserved += Math.max(0, fits) * one.envelope;
  }
  return {
    scenario: name,
    retries: null,
    worstCase: {
      items,
      attempts: 1,
      capMs,
      sequentialMs,
      lanes,
      elapsedMs,
      windowMs,
      reserveMs,
      fits: elapsedMs <= windowMs - reserveMs,
    },
    classes: planned,
    mix: capacity === undefined ? null : { admitted, jobs: items, reservedTokens: reserved },
    meanShare: capacity === undefined || items === 0 ? null : capacity / items,
    numbers: {
      poolTokens: capacity ?? null,
      envelopeTokens: largest?.envelope ?? null,
      envelopeClass: capacity === undefined ? null : (largest?.name ?? null),
      deadlineSlackMs: 6 * 60 * MINUTE,
      nextOpeningMs: 24 * 60 * MINUTE,
      roomForAnotherTry: false,
    },
    bounds: [
      { name: 'lanes', jobsPerNight: laneBound },
      { name: 'pool', jobsPerNight: poolBound },
      { name: 'writers', jobsPerNight: null },
    ],
    binding: items === 0 ? null : poolBound !== null && poolBound < laneBound ? 'pool' : 'lanes',
    arrivalsPerNight: arrivals,
    backlogGrows: arrivals > smallest,
    backlogPerNight: Math.max(0, arrivals - smallest),
    warnings: [],
  };
}

function plannedOf(one: ToyClass, capacity: number | undefined, slackMs: number): PlannedClass {
  const mean = (one.tokens[0] + one.tokens[1]) / 2;
  const fits = capacity === undefined ? null : Math.floor(capacity / one.envelope);
  return {
    name: one.name,
    count: one.count,
    arrivesEveryNight: one.arrive !== 'first-night',
    attempts: 1,
    expectedAttempts: 1,
    timeoutRatio: 0,
    meanJobMs: 1,
    envelope: capacity === undefined ? null : one.envelope,
    admitted: fits,
    maxInFlight: fits,
    meanInputTokens: one.tokens[0],
    meanOutputTokens: mean - one.tokens[0],
    p95InputTokens: one.tokens[0],
    p95OutputTokens: one.tokens[1] - one.tokens[0],
    meanUsedTokens: mean,
    expectedUnspentRatio: capacity === undefined ? null : Math.max(0, 1 - mean / one.envelope),
    slackMs,
  };
}

interface ToyJob {
  readonly id: string;
  readonly of: ToyClass;
  readonly tokens: number;
  readonly callMs: number;
}

type Emit = (event: WorldEvent) => void;

/** Golden-ratio steps: spread evenly over [0, 1), the same each time. */
function spread(index: number): number {
  const x = index * 0.6180339887498949;
  return x - Math.floor(x);
}

function play(toy: Filled, emit: Emit): Played {
  const tallies = new Map(toy.classes.map(({ name }) => [name, emptyClass()]));
  const nights: NightResult[] = [];
  let pending: ToyJob[] = [];
  let pool = emptyPool(toy.capacity ?? 0);
  for (let night = 1; night <= toy.nights; night += 1) {
    const carriedOver = pending.length;
    const arriving = toy.classes.flatMap((one) =>
      one.arrive === 'first-night' && night > 1 ? [] : jobsOf(one, night, toy),
    );
    if (toy.refill === 'night' || night === 1) pool = emptyPool(toy.capacity ?? 0);
    const played = playNight(toy, night, [...pending, ...arriving], carriedOver, pool, emit);
    nights.push(played.result);
    pending = played.pending;
    for (const [name, counts] of Object.entries(played.result.classes)) {
      const tally = tallies.get(name)!;
      for (const key of Object.keys(counts) as (keyof OutcomeCounts)[]) tally[key] += counts[key];
    }
    for (const { of, tokens } of played.called) {
      const tally = tallies.get(of.name)!;
      tally.attempts += 1;
      tally.heldTokens += of.envelope;
      tally.usedTokens += tokens;
    }
  }
  const total = { ...emptyCounts(), attempts: 0, unsettled: 0 };
  for (const night of nights) {
    for (const key of Object.keys(emptyCounts()) as (keyof OutcomeCounts)[]) total[key] += night[key];
    total.attempts += night.attempts;
  }
  const last = nights.at(-1)?.pools.free;
  const consumed = nights.reduce((sum, { pools }) => sum + (pools.free?.consumed ?? 0), 0);
  return {
    nights,
    total,
    pools:
      toy.capacity === undefined || last === undefined
        ? {}
        : { free: { ...last, consumed, billed: consumed } },
    classes: Object.fromEntries(tallies),
  };
}

function jobsOf(one: ToyClass, night: number, toy: Filled): ToyJob[] {
  return Array.from({ length: one.count }, (_, index) => {
    const u = spread(index + night);
    return {
      id: `${one.name}/${night}/${index}`,
      of: one,
      tokens: Math.round(one.tokens[0] + u * (one.tokens[1] - one.tokens[0])),
      callMs: Math.round(toy.callMs[0] + spread(index * 7 + 3) * (toy.callMs[1] - toy.callMs[0])),
    };
  });
}

function playNight(
  toy: Filled,
  night: number,
  jobs: readonly ToyJob[],
  carriedOver: number,
  pool: MutablePool,
  emit: Emit,
): { result: NightResult; pending: ToyJob[]; called: ToyJob[] } {
  const hasPool = toy.capacity !== undefined;
  const usableMs = toy.windowMs - toy.reserveMs;
  const outcomes = new Map<ToyJob, Outcome>();
  const called: ToyJob[] = [];
  const events: WorldEvent[] = [];
  const period = toy.refill === 'night' ? night : 0;
  const books = (
    atMs: number,
    operation: string,
    moved: { balance: number; held: number; consumed: number },
  ) => {
    if (!hasPool) return;
    const capacity = operation === 'refill' ? moved.balance : 0;
    const beside = { refunded: 0, overspent: 0, shortfall: 0 };
    events.push({
      night,
      atMs,
      type: 'books',
      operation,
      delta: [{ pool: 'free', period, capacity, ...moved, ...beside }],
    });
  };
  events.push({ night, atMs: 0, type: 'opened', jobs: jobs.length, carriedOver });
  if (toy.refill === 'night' || night === 1)
    books(0, 'refill', { balance: pool.balance, held: 0, consumed: 0 });
  const freeAt = new Array<number>(toy.lanes).fill(0);
  const settles: { atMs: number; refund: number; job: ToyJob; consumed: number }[] = [];
  const settleUntil = (atMs: number) => {
    settles.sort((a, b) => a.atMs - b.atMs);
    while (settles.length > 0 && settles[0]!.atMs <= atMs) {
      const { atMs: when, refund, job, consumed } = settles.shift()!;
      pool.balance += refund;
      pool.held -= job.of.envelope;
      pool.consumed += consumed;
      pool.refunded += refund;
      pool.overspent += Math.max(0, job.tokens - job.of.envelope);
      books(when, 'settle', { balance: refund, held: -job.of.envelope, consumed });
    }
  };
  let lastWriteMs: number | null = null;
  let endMs = 0;
  for (const job of jobs) {
    const lane = freeAt.indexOf(Math.min(...freeAt));
    const atMs = freeAt[lane]!;
    settleUntil(atMs);
    const remaining = usableMs - atMs;
    if (toy.timeouts === 'clamp' ? remaining < 3_000 : atMs >= toy.windowMs) {
      outcomes.set(job, 'deferred');
      continue;
    }
    if (hasPool) {
      const granted = pool.balance >= job.of.envelope;
      const answer = granted
        ? 'granted'
        : job.of.envelope > toy.capacity!
          ? 'exceeds-capacity'
          : 'insufficient';
      events.push({
        night,
        atMs,
        type: 'reserved',
        job: job.id,
        id: `${job.id}/1`,
        amount: job.of.envelope,
        outcome: answer,
        returnable: false,
      });
      if (!granted) {
        outcomes.set(job, answer === 'exceeds-capacity' ? 'inadmissible' : 'refused');
        continue;
      }
      pool.balance -= job.of.envelope;
      pool.held += job.of.envelope;
      books(atMs, 'reserve', { balance: -job.of.envelope, held: job.of.envelope, consumed: 0 });
    }
    const timeoutMs = toy.timeouts === 'clamp' ? Math.min(toy.capMs, remaining) : toy.capMs;
    events.push({ night, atMs, type: 'granted', job: job.id, lane, attempt: 1, timeoutMs });
    called.push(job);
    const elapsedMs = Math.min(job.callMs, timeoutMs);
    const doneMs = atMs + elapsedMs;
    freeAt[lane] = doneMs;
    if (doneMs > toy.windowMs) {
      outcomes.set(job, 'unknown');
      endMs = Number.POSITIVE_INFINITY;
      continue;
    }
    const ok = job.callMs <= timeoutMs;
    events.push({
      night,
      atMs: doneMs,
      type: 'attempt',
      lane,
      billed: job.tokens,
      job: job.id,
      attempt: 1,
      remainingMs: remaining,
      grantedMs: timeoutMs,
      elapsedMs,
      outcome: ok ? 'ok' : 'timed-out',
      tokens: job.tokens,
    });
    const writtenMs = doneMs + 50;
    events.push({ night, atMs: doneMs, type: 'write-queued', job: job.id, status: ok ? 'done' : 'pending' });
    events.push({ night, atMs: writtenMs, type: 'written', job: job.id, status: ok ? 'done' : 'pending' });
    if (hasPool) {
      const consumed = Math.min(job.tokens, job.of.envelope);
      settles.push({ atMs: writtenMs, refund: job.of.envelope - consumed, job, consumed });
    }
    outcomes.set(job, ok ? 'done' : 'deferred');
    lastWriteMs = Math.max(lastWriteMs ?? 0, writtenMs);
    endMs = Math.max(endMs, writtenMs);
  }
  settleUntil(Number.POSITIVE_INFINITY);
  if ([...outcomes.values()].includes('deferred') && toy.timeouts === 'clamp') {
    for (const [lane, atMs] of freeAt.entries()) events.push({ night, atMs, type: 'declined', lane });
  }
  for (const [job, outcome] of outcomes) {
    const cause = outcome === 'deferred' ? ({ cause: 'not-reached' } as const) : {};
    const of = { job: job.id, class: job.of.name };
    events.push({ night, atMs: toy.windowMs, type: 'outcome', ...of, outcome, ...cause });
  }
  const ended = Number.isFinite(endMs)
    ? ({ type: 'finished', atMs: endMs } as const)
    : ({ type: 'killed', atMs: toy.windowMs } as const);
  const [opened, ...rest] = events;
  for (const event of [opened!, ...rest.sort((a, b) => a.atMs - b.atMs)]) emit(event);
  emit({ night, ...ended });
  const counts = countsOf([...outcomes.values()]);
  const late = counts.deferred;
  return {
    result: {
      night,
      ...counts,
      carriedOver,
      deferCauses: late > 0 ? { 'not-reached': late } : {},
      attempts: called.length,
      timeouts: 0,
      errors: 0,
      invalid: 0,
      rateLimited: 0,
      hiddenCalls: 0,
      refusalRate: hasPool && jobs.length > 0 ? counts.refused / jobs.length : null,
      alerts: [],
      trips: [],
      firstTripMs: null,
      unsettled: 0,
      duplicated: 0,
      finishedMs: Number.isFinite(endMs) ? endMs : null,
      lastWriteMs,
      pools: hasPool
        ? {
            free: {
              ...pool,
              capacity: toy.capacity!,
              billed: pool.consumed + pool.overspent,
              drift: pool.overspent,
              driftCauses: { ...noDrift(), overspend: pool.overspent },
            },
          }
        : {},
      classes: Object.fromEntries(
        toy.classes.map(({ name }) => [
          name,
          countsOf([...outcomes].filter(([job]) => job.of.name === name).map(([, outcome]) => outcome)),
        ]),
      ),
    },
    pending: jobs.filter((job) => outcomes.get(job) !== 'done' && outcomes.get(job) !== 'failed'),
    called,
  };
}

interface MutablePool extends PoolFigures {
  balance: number;
  held: number;
  consumed: number;
  refunded: number;
  overspent: number;
}

function emptyPool(balance: number): MutablePool {
  return {
    capacity: balance,
    balance,
    held: 0,
    consumed: 0,
    refunded: 0,
    overspent: 0,
    shortfall: 0,
    stranded: 0,
    billed: 0,
    drift: 0,
    driftCauses: noDrift(),
  };
}

type Mutable<Record> = { -readonly [Key in keyof Record]: Record[Key] };

function emptyCounts(): Mutable<OutcomeCounts> {
  return {
    jobs: 0,
    done: 0,
    deferred: 0,
    refused: 0,
    inadmissible: 0,
    failed: 0,
    unknown: 0,
    lostWrites: 0,
  };
}

function emptyClass(): Mutable<ClassResult> {
  return { ...emptyCounts(), attempts: 0, heldTokens: 0, usedTokens: 0 };
}

function countsOf(outcomes: readonly Outcome[]): OutcomeCounts {
  const counts = { ...emptyCounts(), jobs: outcomes.length };
  for (const outcome of outcomes) counts[outcome === 'lostWrite' ? 'lostWrites' : outcome] += 1;
  return counts;
}
