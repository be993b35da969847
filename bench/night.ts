// Whole nights, the real worker on the event heap with ledger and invariants, beside a flat loop that draws
// the same night's numbers and does nothing else: what it costs to play the code that runs in production.

import { RandomRoot } from '../src/base/random-streams.ts';
import type { Scenario } from '../src/scenario/scenario.ts';
import { constant } from '../src/sim/distributions/constant.ts';
import { p50p95 } from '../src/sim/distributions/log-normal.ts';
import { DEFAULT_TRIPS } from '../src/worker/trip-settings.ts';
import { openBacklog } from '../src/world/backlog.ts';
import { Draws } from '../src/world/draws.ts';
import { play } from '../src/world/play.ts';
import { Provider } from '../src/world/provider.ts';
import type { BenchLine } from './bench-line.ts';
import { secondsOf } from './seconds-of.ts';

const NIGHTS = 20;
const LANES = 8;

const SCENARIO: Scenario = {
  name: 'bench',
  seed: 'bench',
  nights: NIGHTS,
  window: { lastsMs: 3_000_000, everyMs: 86_400_000 },
  budget: { reserveMs: 45_000, floorMs: 3_000, capMs: 120_000, attempts: 3 },
  lanes: LANES,
  pool: {
    name: 'free',
    quota: 10_000_000,
    capacity: 10_000_000,
    funded: 1,
    leaseMs: 900_000,
    refill: 'night',
  },
  jobs: [
    {
      name: 'summarize',
      count: 1_500,
      arrive: 'every-night',
      slackMs: 86_400_000,
      isSlackDeclared: false,
      attempts: 3,
      tokens: {
        kind: 'independent',
        input: p50p95({ p50: 3_000, p95: 6_000 }),
        output: p50p95({ p50: 400, p95: 1_000 }),
      },
      declaredOutput: undefined,
      envelope: { kind: 'tokens', tokens: 21_000 },
    },
  ],
  order: 'listed',
  backfill: 'smaller',
  backoff: { baseMs: 1_000, factor: 2, maxMs: 30_000, jitter: 'full' },
  provider: {
    latency: {
      kind: 'by-token',
      firstToken: p50p95({ p50: 900, p95: 3_000 }),
      perToken: p50p95({ p50: 11, p95: 25 }),
    },
    hangs: 0.005,
    errors: 0.01,
    invalid: 0.02,
    usage: 'reported',
    limits: undefined,
    slowdown: undefined,
    outages: undefined,
    slow: undefined,
    billing: { abandoned: 'generated' },
  },
  client: undefined,
  store: { write: constant(20), writers: 1, flushMs: 0 },
  policy: { timeouts: 'clamp', admission: 'envelope', reclaim: 'refund' },
  trips: { ...DEFAULT_TRIPS, onTrip: 'none' },
  compare: [],
};

export function nightBench(): readonly BenchLine[] {
  const jobs = NIGHTS * SCENARIO.jobs[0]!.count;
  const withPool = jobs / secondsOf(() => play(SCENARIO).total.done);
  const withoutPool = jobs / secondsOf(() => play({ ...SCENARIO, pool: undefined }).total.done);
  const flat = jobs / secondsOf(flatNights);
  return [
    { name: 'nights played, jobs/s', figure: Math.round(withPool).toLocaleString('en') },
    { name: 'nights played without a pool, jobs/s', figure: Math.round(withoutPool).toLocaleString('en') },
    { name: 'the same draws in a flat loop, jobs/s', figure: Math.round(flat).toLocaleString('en') },
    { name: 'played ÷ flat', figure: (withPool / flat).toFixed(3) },
  ];
}

/** Jobs in order onto the lane that is free first; attempts until one is good. No clamp, no books. */
function flatNights(): number {
  const draws = new Draws(new RandomRoot(SCENARIO.seed), 0, SCENARIO);
  const provider = new Provider(SCENARIO.provider, draws);
  let total = 0;
  for (let night = 1; night <= NIGHTS; night += 1) {
    const freeAt = new Float64Array(LANES);
    for (const { job } of openBacklog(SCENARIO, draws, [], night)) {
      let lane = 0;
      for (let other = 1; other < LANES; other += 1) if (freeAt[other]! < freeAt[lane]!) lane = other;
      for (let attempt = 1; attempt <= job.jobClass.attempts; attempt += 1) {
        const { elapsedMs, outcome } = provider.call(job, attempt, SCENARIO.budget.capMs);
        freeAt[lane] = freeAt[lane]! + elapsedMs;
        if (outcome === 'ok') break;
      }
    }
    total += Math.max(...freeAt);
  }
  return total;
}
