// The provider's limits, outages and slow periods and the client under the worker: what they default to, and
// what cannot be meant.

import { describe, expect, test } from 'vitest';
import { edit, NIGHTLY, problemsOf, read, SMALLEST } from './nightly.ts';

const HOUR = 3_600_000;
const withProvider = (keys: string) => edit(NIGHTLY, 'invalid: 2%', `invalid: 2%\n  ${keys}`);
const withClient = (client: string) => edit(NIGHTLY, 'order: listed', `order: listed\nclient: ${client}`);

describe('what is not said', () => {
  test('is not played', () => {
    const { provider, client } = read(SMALLEST);
    expect(provider).toMatchObject({
      limits: undefined,
      slowdown: undefined,
      outages: undefined,
      slow: undefined,
      billing: { abandoned: 'generated' },
    });
    expect(client).toBeUndefined();
  });

  test('of limits is the usual', () => {
    expect(read(withProvider('limits: { requests: 500 }')).provider.limits).toEqual({
      requests: 500,
      tokens: undefined,
      counts: 'both',
      charge: 'use',
      enforced: 'minute',
      concurrency: undefined,
      retryAfter: true,
    });
  });

  test('of a client is what common clients do', () => {
    expect(read(withClient('{}')).client).toEqual({
      attempts: 3,
      timeoutMs: 600_000,
      honoursSignal: true,
      timerEndsAtHeaders: true,
      backoff: { baseMs: 500, factor: 2, maxMs: 8_000, jitter: 'full' },
    });
  });

  test('of outages is what has been published', () => {
    const { random, at } = read(withProvider('outages: {}')).provider.outages!;
    expect(at).toEqual([]);
    expect(random!.betweenMs).toBe(5.4 * 24 * HOUR);
    expect(random!.lasts.quantile(0.5)).toBeCloseTo(1.24 * HOUR, 3);
    expect(random!.lasts.quantile(0.95)).toBeCloseTo(6.2 * HOUR, 3);
    expect(random!.lasts.mean() / HOUR).toBeCloseTo(2, 2);
  });

  test('of outages that are stated is that there are others', () => {
    const stated = read(withProvider('outages: { at: [{ night: 2, from: 10 min, lasts: 5 min }] }'));
    expect(stated.provider.outages).toEqual({
      at: [{ night: 2, fromMs: 600_000, lastsMs: 300_000 }],
      random: undefined,
    });
  });

  test('of outages that come more often is how long they last', () => {
    const { random } = read(withProvider('outages: { between: 2 h }')).provider.outages!;
    expect(random!.betweenMs).toBe(2 * HOUR);
    expect(random!.lasts.quantile(0.5)).toBeCloseTo(1.24 * HOUR, 3);
  });

  test('of what a call declares is the most that its output can be, where that is charged', () => {
    const declared = (text: string) => read(text).jobs.map(({ declaredOutput }) => declaredOutput);
    expect(declared(NIGHTLY)).toEqual([undefined, undefined]);
    // The table ends at 2,000; the longest output of the trace is 27.
    const charged = withProvider('limits: { tokens: 1M, charge: declared }');
    expect(declared(charged)).toEqual([2_000, 27]);
    expect(declared(edit(charged, 'slack: 6 h', 'declared: 4k'))).toEqual([2_000, 4_000]);
  });
});

test('a variant can take away what its scenario has', () => {
  const text = edit(
    edit(withClient('{}'), 'invalid: 2%', 'invalid: 2%\n  limits: { requests: 5 }'),
    'policy.timeouts: fixed,',
    'client: none, provider.limits: none,',
  );
  const { scenario } = read(text).compare[0]!;
  expect([scenario.client, scenario.provider.limits]).toEqual([undefined, undefined]);
});

describe('what cannot be meant', () => {
  /** The place and what is said. */
  const told = (text: string) => problemsOf(text).map(({ place, message }) => `${place!.line}: ${message}`);

  test.each([
    ['limits: { requests: 0 }', 'provider.limits.requests: this is too little'],
    ['limits: { tokens: 0 }', 'provider.limits.tokens: this is too little'],
    ['limits: { concurrency: 0 }', 'provider.limits.concurrency: this is too little'],
    ['limits: { enforced: hour }', 'provider.limits.enforced: there is no such choice'],
    ['slowdown: { from: 8, factor: 0.5 }', 'provider.slowdown.factor: this is too little'],
    ['outages: { between: 0 s }', 'provider.outages.between: this is too little'],
    // Three nights, a day apart, and the last one's window.
    ['outages: { lasts: 3 d }', 'provider.outages.lasts: each of these is longer than the whole run'],
    [
      'outages: { at: [{ from: 0 s, lasts: 49 h }] }',
      'provider.outages.at.0.lasts: it is longer than the whole run',
    ],
    [
      'outages: { at: [{ from: 50 min, lasts: 1 min }] }',
      'provider.outages.at.0.from: it would begin after the kill',
    ],
    [
      'outages: { at: [{ night: 4, from: 1 min, lasts: 1 min }] }',
      'provider.outages.at.0.night: there is no such night',
    ],
    ['outages: { at: [{ from: 1 min, lasts: 0 s }] }', 'provider.outages.at.0.lasts: this is too little'],
    ['slow: { factor: 3, between: 1 h }', 'provider.slow: the key "lasts" is missing'],
    ['billing: { abandoned: all }', 'provider.billing.abandoned: there is no such choice'],
  ])('%s', (keys, message) => {
    expect(told(withProvider(keys)).join('\n')).toContain(message);
  });

  test.each([
    ['{ timeout: 0 s }', 'client.timeout: this is too little'],
    ['{ attempts: 0 }', 'client.attempts: this is too little'],
    ['{ honoursSignal: maybe }', 'client.honoursSignal'],
  ])('client: %s', (client, message) => {
    expect(told(withClient(client)).join('\n')).toContain(message);
  });

  test('an output without an end, where its end is charged', () => {
    const charged = withProvider('limits: { tokens: 1M, charge: declared }');
    const endless = edit(
      charged,
      '{ quantiles: { 0%: 1, 50%: 400, 95%: 1000, 100%: 2000 } }',
      '{ p50: 400, p95: 1000 }',
    );
    expect(told(endless)).toEqual([
      '12: jobs.summarize.output: the provider charges the declared maximum, and this has none: give it a max',
    ]);
  });

  test('an output that may be longer than what is declared', () => {
    expect(told(edit(NIGHTLY, 'slack: 6 h', 'declared: 20'))).toEqual([
      '17: jobs.code.declared: an output can be longer than what its call declares',
    ]);
  });

  test('an outage of 48 h is none of them: the run is longer', () => {
    expect(() =>
      read(withProvider('outages: { at: [{ from: 0 s, lasts: 48 h }], lasts: 2 d }')),
    ).not.toThrow();
  });
});
