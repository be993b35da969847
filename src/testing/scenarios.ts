// Scenarios made up at random, each as somebody might write it and as it is meant, side by side.

import fc from 'fast-check';
import type { Distribution } from '../sim/distribution.ts';
import { constant } from '../sim/distributions/constant.ts';
import { exponential } from '../sim/distributions/exponential.ts';
import { clipped } from '../sim/distributions/limits.ts';
import { p50p95 } from '../sim/distributions/log-normal.ts';
import { mixture } from '../sim/distributions/mixture.ts';
import { quantileTable } from '../sim/distributions/quantile-table.ts';

/** A value as a scenario file has it, and as it is meant: `written` is undefined where the key is left out. */
export interface WrittenAndMeant<Meant> {
  readonly written: unknown;
  readonly meant: Meant;
}

/** A map of keys under the names that files use; `meant` is under the same names. */
function map<Meant extends object>(
  keys: { [Key in keyof Meant]: fc.Arbitrary<WrittenAndMeant<Meant[Key]>> },
): fc.Arbitrary<WrittenAndMeant<Meant>> {
  return fc.record(keys as Record<string, fc.Arbitrary<WrittenAndMeant<unknown>>>).map((both) => {
    const entries = Object.entries(both);
    const written = entries
      .filter(([, { written }]) => written !== undefined)
      .map(([key, { written }]) => [key, written]);
    const meant = entries.map(([key, { meant }]) => [key, meant]);
    return { written: Object.fromEntries(written), meant: Object.fromEntries(meant) as Meant };
  });
}

function or<Meant>(
  fallback: Meant,
  arbitrary: fc.Arbitrary<WrittenAndMeant<Meant>>,
): fc.Arbitrary<WrittenAndMeant<Meant>> {
  return fc.oneof(arbitrary, fc.constant({ written: undefined, meant: fallback }));
}

function word<const Word extends string>(...words: Word[]): fc.Arbitrary<WrittenAndMeant<Word>> {
  return fc.constantFrom(...words).map((written) => ({ written, meant: written }));
}

function flag(): fc.Arbitrary<WrittenAndMeant<boolean>> {
  return fc.boolean().map((written) => ({ written, meant: written }));
}

function count(min: number, max: number): fc.Arbitrary<WrittenAndMeant<number>> {
  return fc
    .integer({ min, max })
    .chain((meant) => fc.constantFrom(meant, String(meant)).map((written) => ({ written, meant })));
}

const UNITS = [
  ['ms', 1],
  ['s', 1000],
  ['min', 60_000],
  ['h', 3_600_000],
] as const;

/** Of the units in which it is whole, any, with and without a space. */
function duration(min: number, max: number): fc.Arbitrary<WrittenAndMeant<number>> {
  return fc.integer({ min, max }).chain((meant) => {
    const exact = UNITS.filter(([, size]) => meant % size === 0);
    return fc
      .tuple(fc.constantFrom(...exact), fc.constantFrom('', ' '))
      .map(([[unit, size], space]) => ({ written: `${meant / size}${space}${unit}`, meant }));
  });
}

function tokens(min: number, max: number): fc.Arbitrary<WrittenAndMeant<number>> {
  return fc.integer({ min, max }).chain((meant) => {
    const forms: (string | number)[] = [meant, String(meant), `${meant / 1000}k`, `${meant / 1e6} M`];
    return fc.constantFrom(...forms).map((written) => ({ written, meant }));
  });
}

/** Tenths of a percent, so that what is meant is one division. */
function percent(min: number, max: number): fc.Arbitrary<WrittenAndMeant<number>> {
  return fc.integer({ min, max }).map((tenths) => ({ written: `${tenths / 10}%`, meant: tenths / 1000 }));
}

type Amount = (min: number, max: number) => fc.Arbitrary<WrittenAndMeant<number>>;

function distribution(amount: Amount, depth = 0): fc.Arbitrary<WrittenAndMeant<Distribution>> {
  const fixed = amount(0, 50_000).map(({ written, meant }) => ({ written, meant: constant(meant) }));
  const percentiles = fc
    .tuple(amount(500, 5000), amount(5000, 25_000), fc.option(amount(1, 90_000), { nil: undefined }))
    .map(([p50, p95, max]) => {
      const base = p50p95({ p50: p50.meant, p95: p95.meant });
      const written = { p50: p50.written, p95: p95.written };
      if (max === undefined) return { written, meant: base };
      return { written: { ...written, max: max.written }, meant: clipped(base, { max: max.meant }) };
    });
  const table = fc
    .tuple(amount(0, 100), amount(100, 1000), amount(1000, 9000))
    .map(([low, middle, high]) => ({
      written: { quantiles: { '100%': high.written, '0%': low.written, '37.5%': middle.written } },
      meant: quantileTable([
        { p: 0, x: low.meant },
        { p: 0.375, x: middle.meant },
        { p: 1, x: high.meant },
      ]),
    }));
  const family = amount(1, 50_000).map(({ written, meant }) => ({
    written: { exponential: { mean: written } },
    meant: exponential({ mean: meant }),
  }));
  if (depth > 1) return fc.oneof(fixed, percentiles);
  const parts = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), distribution(amount, depth + 1)), {
    minLength: 1,
    maxLength: 3,
  });
  const mixed = parts.map((components) => ({
    written: { mixture: components.map(([weight, { written }]) => ({ weight, of: written })) },
    meant: mixture(components.map(([weight, { meant }]) => ({ weight, distribution: meant }))),
  }));
  return fc.oneof(fixed, percentiles, table, family, mixed);
}

const name = fc.stringMatching(/^[a-z][a-z0-9_.-]{0,8}$/).map((written) => ({ written, meant: written }));

interface EnvelopeKeys {
  readonly quantile?: number;
  readonly fanout?: number | undefined;
  readonly overhead?: number;
  readonly tokens?: number;
}

const job = map({
  class: name,
  count: count(0, 10_000),
  arrive: or('every-night', word('every-night', 'first-night')),
  slack: or(undefined, duration(0, 86_400_000)),
  attempts: or(undefined, count(1, 9)),
  input: distribution(tokens),
  output: distribution(tokens),
  envelope: or<EnvelopeKeys>(
    { quantile: 0.95, fanout: undefined, overhead: 0 },
    fc.oneof<fc.Arbitrary<WrittenAndMeant<EnvelopeKeys>>[]>(
      map({
        quantile: or(0.95, percent(1, 999)),
        fanout: or(undefined, count(0, 9)),
        overhead: or(0, tokens(0, 5000)),
      }),
      map({ tokens: tokens(1, 100_000) }),
    ),
  ),
});

/**
 * Scenarios that agree with themselves: the window is longer than any reserve, the floor below any cap. What is
 * `meant` is under the names that files use, with times in milliseconds, shares from 0 to 1, and the defaults.
 */
export const scenarios = map({
  name,
  seed: or(
    '1',
    fc.constantFrom('1e3', '2026-11', 'x y', '007').map((seed) => ({ written: seed, meant: seed })),
  ),
  nights: or(1, count(1, 400)),
  window: map({
    lasts: duration(300_001, 3_600_000),
    every: or(86_400_000, duration(3_600_000, 604_800_000)),
    grace: or(0, duration(0, 0)),
  }),
  budget: or(
    { reserve: 45_000, floor: 3000, cap: 120_000, attempts: 3 },
    map({
      reserve: or(45_000, duration(0, 300_000)),
      floor: or(3000, duration(0, 10_000)),
      cap: or(120_000, duration(10_000, 900_000)),
      attempts: or(3, count(1, 9)),
    }),
  ),
  lanes: or(1, count(1, 10_000)),
  pool: or(
    undefined,
    map({
      name: or('pool', name),
      tokens: tokens(1, 1_000_000_000),
      funded: or(1, percent(1, 1000)),
      lease: or(900_000, duration(1, 86_400_000)),
      maxLease: or(86_400_000, duration(1, 864_000_000)),
      refill: or('night', word('night', 'never')),
    }),
  ),
  jobs: fc
    .uniqueArray(job, { maxLength: 4, selector: ({ meant }) => meant.class })
    .map((jobs) => ({ written: jobs.map(({ written }) => written), meant: jobs.map(({ meant }) => meant) })),
  order: or('listed', word('listed', 'shuffled', 'heaviest-first', 'lightest-first')),
  backfill: or('smaller', word('smaller', 'none')),
  backoff: or(
    { base: 1000, factor: 2, max: 30_000, jitter: 'full' },
    map({
      base: or(1000, duration(0, 60_000)),
      factor: or(2, count(1, 5)),
      max: or(30_000, duration(0, 600_000)),
      jitter: or('full', word('full', 'none')),
    }),
  ),
  provider: map({
    latency: fc.oneof(
      fc.constant({ written: 'whole-grant', meant: { kind: 'whole-grant' } as const }),
      distribution(duration).map(({ written, meant }) => ({
        written,
        meant: { kind: 'direct', call: meant } as const,
      })),
      map({ firstToken: distribution(duration), perToken: distribution(duration) }).map(
        ({ written, meant }) => ({
          written,
          meant: { kind: 'by-token', ...meant } as const,
        }),
      ),
    ),
    hangs: or(0, percent(0, 300)),
    errors: or(0, percent(0, 300)),
    invalid: or(0, percent(0, 300)),
    usage: or('reported', word('reported', 'none')),
    limits: or(
      undefined,
      map({
        requests: or(undefined, count(1, 10_000)),
        tokens: or(undefined, tokens(1, 1_000_000_000)),
        counts: or('both', word('input', 'output', 'both')),
        charge: or('use', word('use')),
        enforced: or('minute', word('minute', 'second')),
        concurrency: or(undefined, count(1, 1_000)),
        retryAfter: or(true, flag()),
      }),
    ),
    slowdown: or(undefined, map({ from: count(1, 100), factor: count(1, 5) })),
    billing: or({ abandoned: 'generated' }, map({ abandoned: word('generated', 'input') })),
  }),
  client: or(
    undefined,
    map({
      attempts: or(3, count(1, 100)),
      timeout: or(600_000, duration(1, 900_000)),
      honoursSignal: or(true, flag()),
      timerEndsAtHeaders: or(true, flag()),
      backoff: or(
        { base: 500, factor: 2, max: 8_000, jitter: 'full' },
        map({
          base: or(500, duration(0, 60_000)),
          factor: or(2, count(1, 5)),
          max: or(8_000, duration(0, 600_000)),
          jitter: or('full', word('full', 'none')),
        }),
      ),
    }),
  ),
  store: or(
    { write: constant(0), writers: 1, contention: 0, flush: 0 },
    map({
      write: or(constant(0), distribution(duration)),
      writers: or(1, count(1, 64)),
      contention: or(0, percent(0, 1000)),
      flush: or(0, duration(0, 60_000)),
    }),
  ),
  policy: or(
    { timeouts: 'clamp', admission: 'envelope', reclaim: 'refund', clock: 'monotonic', hold: 'whole-job' },
    map({
      timeouts: or('clamp', word('clamp', 'fixed')),
      admission: or('envelope', word('envelope', 'shared-counter')),
      reclaim: or('refund', word('refund', 'charge')),
      clock: or('monotonic', word('monotonic', 'wall')),
      hold: or('whole-job', word('whole-job', 'per-attempt')),
    }),
  ),
  ledger: or(
    { latency: constant(0), contention: 0 },
    map({ latency: or(constant(0), distribution(duration)), contention: or(0, percent(0, 1000)) }),
  ),
  fleet: or(
    { workers: 1, renewals: true },
    map({ workers: or(1, count(1, 1_000)), renewals: or(true, flag()) }),
  ),
});
