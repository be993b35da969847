import { describe, expect, test } from 'vitest';
import { DEFAULT_TRIPS } from '../../src/worker/trip-settings.ts';
import { edit, files, NIGHTLY, read, SMALLEST } from './nightly.ts';

/** The policies by default that are seldom set. */
const HELD = { clock: 'monotonic', hold: 'whole-job' };

describe('the scenario of the documentation', () => {
  const scenario = read(NIGHTLY);

  test('has its times in milliseconds, its tokens whole and its shares as fractions', () => {
    const { name, seed, nights, window, budget, lanes, pool, order, backoff, policy } = scenario;
    expect({ name, seed, nights, lanes, order }).toEqual({
      name: 'nightly-free-pool',
      seed: '2026-11',
      nights: 3,
      lanes: 8,
      order: 'listed',
    });
    expect(window).toEqual({ lastsMs: 3_000_000, everyMs: 86_400_000, graceMs: 0 });
    expect(budget).toEqual({ reserveMs: 45_000, floorMs: 3000, capMs: 120_000, attempts: 3 });
    expect(pool).toEqual({
      name: 'free',
      quota: 10_000_000,
      capacity: 10_000_000,
      funded: 1,
      leaseMs: 900_000,
      maxLeaseMs: 86_400_000,
      refill: 'night',
    });
    expect(backoff).toEqual({ baseMs: 1000, factor: 2, maxMs: 30_000, jitter: 'full' });
    expect(policy).toEqual({ timeouts: 'clamp', admission: 'envelope', reclaim: 'refund', ...HELD });
  });

  test('has its classes with what they overrode and what they inherited', () => {
    const [summarize, code] = scenario.jobs;
    expect(summarize).toMatchObject({
      name: 'summarize',
      count: 1200,
      arrive: 'every-night',
      slackMs: 2_955_000,
      isSlackDeclared: false,
      attempts: 2,
      envelope: { kind: 'quantile', quantile: 0.95, fanout: 2, overhead: 0 },
    });
    expect(code).toMatchObject({
      name: 'code',
      count: 300,
      slackMs: 21_600_000,
      isSlackDeclared: true,
      attempts: 3,
      envelope: { kind: 'quantile', quantile: 0.95, fanout: 3, overhead: 0 },
    });
  });

  test('has distributions whose stated quantiles come back exactly', () => {
    const tokens = scenario.jobs[0]!.tokens;
    expect([0.5, 0.95, 1].map((p) => tokens.input.quantile(p))).toEqual([3000, 6000, 8000]);
    expect([0, 0.5, 0.95, 1].map((p) => tokens.output.quantile(p))).toEqual([1, 400, 1000, 2000]);
    const { latency } = scenario.provider;
    if (latency.kind !== 'by-token') throw new Error('latency is not by token');
    expect([0.5, 0.95].map((p) => latency.firstToken.quantile(p))).toEqual([900, 3000]);
    expect([0.5, 0.95].map((p) => latency.perToken.quantile(p))).toEqual([11, 25]);
    expect([0.5, 0.95].map((p) => scenario.store.write.quantile(p))).toEqual([20, 200]);
  });

  test('draws the tokens of a file as pairs', () => {
    const { tokens } = scenario.jobs[1]!;
    if (tokens.kind !== 'pairs') throw new Error('tokens are not pairs');
    expect(tokens.rows).toEqual([
      [4808, 10],
      [3180, 8],
      [110, 27],
    ]);
    expect([0, 0.5, 1].map((p) => tokens.input.quantile(p))).toEqual([110, 3180, 4808]);
    expect([0, 0.5, 1].map((p) => tokens.output.quantile(p))).toEqual([8, 10, 27]);
  });

  test('has its variant, the same but for what it set', () => {
    const [naive] = scenario.compare;
    expect(naive!.name).toBe('naive');
    expect(naive!.scenario.policy).toEqual({
      timeouts: 'fixed',
      admission: 'shared-counter',
      reclaim: 'refund',
      ...HELD,
    });
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
    expect(plain({ ...naive!.scenario, policy: 0 })).toEqual(plain({ ...scenario, policy: 0, compare: [] }));
  });
});

test('what is left out has the documented default', () => {
  const scenario = read(SMALLEST);
  expect(JSON.parse(JSON.stringify(scenario))).toEqual({
    name: 'nightly',
    seed: '1',
    nights: 1,
    window: { lastsMs: 3_000_000, everyMs: 86_400_000, graceMs: 0 },
    budget: { reserveMs: 45_000, floorMs: 3000, capMs: 120_000, attempts: 3 },
    lanes: 1,
    jobs: [],
    order: 'listed',
    backfill: 'smaller',
    backoff: { baseMs: 1000, factor: 2, maxMs: 30_000, jitter: 'full' },
    provider: {
      latency: { kind: 'whole-grant' },
      hangs: 0,
      errors: 0,
      invalid: 0,
      usage: 'reported',
      billing: { abandoned: 'generated' },
    },
    store: { write: {}, writers: 1, flushMs: 0, contention: 0 },
    ledger: { latency: {}, contention: 0 },
    fleet: { workers: 1, renewals: true },
    clock: { steps: [], suspensions: [], suspension: 'shorten' },
    policy: { timeouts: 'clamp', admission: 'envelope', reclaim: 'refund', ...HELD },
    trips: { ...DEFAULT_TRIPS, onTrip: 'none' },
    compare: [],
  });
  expect(scenario.pool).toBeUndefined();
  expect(scenario.store.write.quantile(0.99)).toBe(0);
});

test('trip conditions are read with their units, each by itself', () => {
  const trips = 'trips: { window: 5 min, least: 50, refusalRate: 2%, queueAge: 150%, onTrip: shed }';
  expect(read(`${SMALLEST}${trips}\n`).trips).toEqual({
    ...DEFAULT_TRIPS,
    windowMs: 300_000,
    leastEvents: 50,
    refusalRate: 0.02,
    queueAgeOfSlack: 1.5,
    onTrip: 'shed',
  });
  const others = 'trips: { unspent: 60%, unspentAbove: 5%, confidence: 99% }';
  expect(read(`${SMALLEST}${others}\n`).trips).toMatchObject({
    unspentRatio: 0.6,
    unspentAboveExpected: 0.05,
    overspendConfidence: 0.99,
  });
});

test('zero jobs, one job, 10,000 lanes, a window of 1 ms without a reserve, 400 nights are scenarios', () => {
  const extremes = edit(SMALLEST, '50 min', '1 ms');
  const scenario = read(`${extremes}budget: { reserve: 0 s }\nlanes: 10_000\nnights: 400\n`);
  expect(scenario).toMatchObject({ lanes: 10_000, nights: 400, window: { lastsMs: 1 } });
  const one = read(edit(SMALLEST, '[]', '[{ class: a, count: 1, input: 10, output: 5 }]'));
  expect(one.jobs).toHaveLength(1);
  expect(read(edit(SMALLEST, '[]', '[{ class: a, count: 0, input: 10, output: 5 }]')).jobs[0]!.count).toBe(0);
});

test('a floor that is the cap, and a night that lasts until the next one, are scenarios', () => {
  expect(read(`${SMALLEST}budget: { floor: 9 s, cap: 9 s }\n`).budget.floorMs).toBe(9000);
  expect(read(edit(SMALLEST, '50 min', '24 h')).window.lastsMs).toBe(86_400_000);
});

test('shares that are 100 % in all are that, whatever their sum comes out as', () => {
  // 0.329 + 0.555 + 0.116 comes out above 1.
  const text = edit(SMALLEST, 'latency:', 'hangs: 32.9%, errors: 55.5%, invalid: 11.6%, latency:');
  expect(read(text).provider).toMatchObject({ hangs: 0.329, errors: 0.555, invalid: 0.116 });
});

test('a variant has nothing of the variants before it', () => {
  const compare = '[{ name: a, set: { lanes: 7 } }, { name: b, set: { nights: 2 } }]';
  const scenario = read(`${SMALLEST}compare: ${compare}\n`);
  expect(
    [scenario, ...scenario.compare.map((variant) => variant.scenario)].map(({ lanes }) => lanes),
  ).toEqual([1, 7, 1]);
});

test('a seed is the text that was written, whatever number it looks like', () => {
  for (const seed of ['1e3', '007', '0x10', '2026-11', '1.50']) {
    expect(read(`seed: ${seed}\n${SMALLEST}`).seed).toBe(seed);
  }
});

test('a pool is funded with whole tokens, rounded down and never by a rounding error', () => {
  const capacity = (tokens: string, funded: string) =>
    read(`${SMALLEST}pool: { tokens: ${tokens}, funded: ${funded} }\n`).pool?.capacity;
  expect(capacity('100', '29%')).toBe(29);
  expect(capacity('10M', '7%')).toBe(700_000);
  expect(capacity('10M', '33.33333%')).toBe(3_333_333);
  expect(capacity('3', '50%')).toBe(1);
});

test('a pool of none is no pool, as is one left out', () => {
  expect(read(`${SMALLEST}pool: none\n`).pool).toBeUndefined();
});

test('an envelope may be a number of tokens, or have its own quantile, prompts and overhead', () => {
  const envelope = (written: string) =>
    read(edit(SMALLEST, '[]', `[{ class: a, count: 1, input: 10, output: 5, envelope: ${written} }]`))
      .jobs[0]!.envelope;
  expect(envelope('{ tokens: 14k }')).toEqual({ kind: 'tokens', tokens: 14_000 });
  expect(envelope('{ quantile: 99%, fanout: 1.5, overhead: 200 }')).toEqual({
    kind: 'quantile',
    quantile: 0.99,
    fanout: 1.5,
    overhead: 200,
  });
});

test('anchors and aliases repeat a part of the file', () => {
  const scenario = read(
    edit(SMALLEST, '[]', '[{ class: a, count: 1, input: &n { p50: 10, p95: 20 }, output: *n }]'),
  );
  expect(scenario.jobs[0]!.tokens.output.quantile(0.95)).toBe(20);
});

test('a file with CRLF line ends and a byte order mark is read like any other', () => {
  const plain = read(NIGHTLY);
  const windows = read(`\uFEFF${NIGHTLY.replaceAll('\n', '\r\n')}`);
  expect(JSON.stringify(windows)).toBe(JSON.stringify(plain));
});

test('a file is read once, however many columns and variants use it', () => {
  let reads = 0;
  const io = files({ 'trace.csv': 'ContextTokens,GeneratedTokens\n1,2\n' });
  read(NIGHTLY, {
    readText: (path) => {
      reads += 1;
      return io.readText(path);
    },
  });
  expect(reads).toBe(1);
});
