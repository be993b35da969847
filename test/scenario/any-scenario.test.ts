import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { InputError } from '../../src/base/errors.ts';
import { readScenario } from '../../src/scenario/read-scenario.ts';
import { scenarios, type WrittenAndMeant } from '../../src/testing/scenarios.ts';
import { TRIPS } from '../world/scenario-fixture.ts';
import { files, NIGHTLY, nightlyAsObject, read, TRACE } from './nightly.ts';

type Meant = typeof scenarios extends fc.Arbitrary<WrittenAndMeant<infer Scenario>> ? Scenario : never;

/** Distributions by what they say of themselves and some quantiles; the rest as it is. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ('describe' in value && 'quantile' in value) {
    const { describe, quantile } = value as { describe(): string; quantile(p: number): number };
    return [describe(), ...[0, 0.3, 0.95].map((p) => quantile(p))];
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]));
}

function compiledBackoff({ base, factor, max, jitter }: Meant['backoff']) {
  return { baseMs: base, factor, maxMs: max, jitter };
}

/** What reading must give: the names of the compiled scenario, and the defaults that depend on other keys. */
function compiled(meant: Meant) {
  const { window, budget, pool, backoff, store, client } = meant;
  return {
    ...meant,
    window: { lastsMs: window.lasts, everyMs: window.every, graceMs: window.grace },
    budget: {
      reserveMs: budget.reserve,
      floorMs: budget.floor,
      capMs: budget.cap,
      attempts: budget.attempts,
    },
    pool: pool && {
      name: pool.name,
      quota: pool.tokens,
      // In whole tenths of a percent, where nothing is rounded.
      capacity: Math.floor((pool.tokens * Math.round(pool.funded * 1000)) / 1000),
      funded: pool.funded,
      leaseMs: pool.lease,
      maxLeaseMs: pool.maxLease,
      refill: pool.refill,
    },
    client: client && {
      attempts: client.attempts,
      timeoutMs: client.timeout,
      honoursSignal: client.honoursSignal,
      timerEndsAtHeaders: client.timerEndsAtHeaders,
      backoff: compiledBackoff(client.backoff),
    },
    backoff: compiledBackoff(backoff),
    store: {
      write: store.write,
      writers: store.writers,
      contention: store.contention,
      flushMs: store.flush,
    },
    clock: { steps: [], suspensions: [], suspension: 'shorten' },
    jobs: meant.jobs.map((job) => {
      const attempts = job.attempts ?? budget.attempts;
      const { tokens, quantile, overhead, fanout = attempts } = job.envelope;
      return {
        name: job.class,
        count: job.count,
        arrive: job.arrive,
        slackMs: job.slack ?? window.lasts - budget.reserve,
        isSlackDeclared: job.slack !== undefined,
        attempts,
        tokens: { kind: 'independent', input: job.input, output: job.output },
        envelope:
          tokens === undefined
            ? { kind: 'quantile', quantile, fanout, overhead }
            : { kind: 'tokens', tokens },
      };
    }),
    trips: TRIPS,
    compare: [],
  };
}

test('for any valid scenario, however it is written, reading gives back what is meant', () => {
  const style = fc.record({
    collectionStyle: fc.constantFrom('any' as const, 'block' as const, 'flow' as const),
    defaultStringType: fc.constantFrom('PLAIN' as const, 'QUOTE_DOUBLE' as const),
  });
  fc.assert(
    fc.property(scenarios, style, ({ written, meant }, options) => {
      const text = stringify(written, options);
      expect(plain(read(text, files({})))).toEqual(plain(compiled(meant)));
    }),
    { numRuns: 200 },
  );
});

const JUNK: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  'm',
  '45',
  '45 s',
  '10M',
  '2%',
  '-3 s',
  '200%',
  'none',
  'whole-grant',
  '5 s to 2 s',
  '0 to 1',
  [],
  {},
  [null],
  [[]],
  { p50: 3 },
  { p50: 1, p95: 2 },
  { p50: '1 s', p95: '9999 d' },
  { quantiles: {} },
  { quantiles: { '0%': 5, '50%': null, '100%': 1 } },
  { mixture: [{ weight: 0, of: 1 }] },
  { mixture: [{}] },
  { file: 'trace.csv', column: 'Time' },
  { file: 'gone.csv' },
  { pareto: { min: '1 s', alpha: 0.01 } },
  { gamma: { shape: 10000, mean: 3 } },
  { uniform: { min: 2, max: 1 } },
  { weibull: { shape: 0.01, scale: 1 } },
  'constructor',
  '__proto__',
  '9007199254740993',
  '.inf',
  { tokens: 0 },
  { constructor: 1 },
];
const KEYS = [
  'p50',
  'p95',
  'max',
  'min',
  'truncate',
  'class',
  'count',
  'input',
  'from',
  'tokens',
  'nam',
  'constructor',
  'toString',
  'set',
  'quantiles',
  '0',
  '50%',
  'of',
  'a.b',
];

type Step = {
  readonly at: number;
  readonly change: 'drop' | 'replace' | 'rename' | 'add';
  readonly key: string;
  readonly junk: unknown;
};

/** Changes one place of an object somewhere; which one is `at`, counted over all places and wrapped around. */
function mutate(root: Record<string, unknown>, { at, change, key, junk }: Step): void {
  const places: { container: Record<string, unknown> | unknown[]; key: string }[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const inner of Object.keys(value)) {
      places.push({ container: value as Record<string, unknown>, key: inner });
      walk((value as Record<string, unknown>)[inner]);
    }
  };
  walk(root);
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return;
  const { container } = place;
  if (Array.isArray(container)) {
    if (change === 'drop') container.splice(Number(place.key), 1);
    else if (change === 'replace') container[Number(place.key)] = structuredClone(junk);
    else container.push(structuredClone(container[Number(place.key)]));
    return;
  }
  const value = container[place.key];
  if (change === 'drop' || change === 'rename') delete container[place.key];
  if (change === 'rename') container[key] = value;
  else if (change !== 'drop') container[change === 'add' ? key : place.key] = structuredClone(junk);
}

/** Reads; what it throws must be bad input, each problem with a place and something to say. */
function accepts(text: string, set: readonly string[] = []): boolean {
  const overrides = set.map((setting) => {
    const [key, ...value] = setting.split('=');
    return { key: key!, value: value.join('='), flag: `--set ${key}` };
  });
  try {
    readScenario({ name: 'any.yaml', text }, files({ 'trace.csv': TRACE }), { overrides });
    return true;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.problems.length).toBeGreaterThan(0);
    for (const { message, place, code } of error.problems) {
      expect(message).not.toMatch(/undefined|\[object|NaN|Invalid input/);
      expect(code).not.toBe('');
      expect(place?.flag ?? (place?.file && place.line)).toBeTruthy();
    }
    return false;
  }
}

const step: fc.Arbitrary<Step> = fc.record({
  at: fc.nat(300),
  change: fc.constantFrom('drop', 'replace', 'rename', 'add'),
  key: fc.constantFrom(...KEYS),
  junk: fc.constantFrom(...JUNK),
});

test('for any change of keys and values, there is a scenario or a list of located problems', () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), (steps) => {
      const object = nightlyAsObject();
      for (const one of steps) mutate(object, one);
      seen[accepts(stringify(object)) ? 'accepted' : 'refused'] += 1;
    }),
    { numRuns: 500 },
  );
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(0);
});

test('for any change of the text, there is a scenario or a list of located problems', () => {
  const piece = fc.constantFrom(
    '',
    ' ',
    '\n',
    '\t',
    ':',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '#',
    '>',
    '|',
    '*a',
    '&a ',
    '!t ',
    '%',
    '- ',
    '---\n',
    '?',
    '<<: ',
    '0',
    'é',
    '\u0000',
  );
  const slip = fc.tuple(fc.nat(NIGHTLY.length), fc.nat(3), piece);
  fc.assert(
    fc.property(fc.array(slip, { minLength: 1, maxLength: 3 }), (slips) => {
      let text = NIGHTLY;
      for (const [at, length, insert] of slips) text = text.slice(0, at) + insert + text.slice(at + length);
      accepts(text);
    }),
    { numRuns: 500 },
  );
});

test('for any flag, there is a scenario or a list of located problems', () => {
  const segment = fc.constantFrom(
    'budget',
    'reserve',
    'cap',
    'jobs',
    'summarize',
    'code',
    'input',
    'p50',
    'compare',
    'naive',
    'set',
    'policy',
    '0',
    '-1',
    '',
    'pool',
    'provider',
    'latency',
    'quantiles',
    '50%',
    'constructor',
    '__proto__',
  );
  const key = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('.'));
  const value = fc.oneof(
    fc.constantFrom('60s', '5', '2%', 'none', '{', '[]', '*a', '', '{ p50: 1 s, p95: 2 s }', '&a [*a]'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 3 }), (settings) => {
      accepts(
        NIGHTLY,
        settings.map(([name, text]) => `${name}=${text}`),
      );
    }),
    { numRuns: 500 },
  );
});
