// What was in the way, and what to do about it: on each kind of night verdict and advice must name its cause,
// and none of another kind. Played in the real world, since only there is a crash a crash.

import { describe, expect, test } from 'vitest';
import type { Advice } from '../../src/report/advice.ts';
import { type ReportSummary, summarize } from '../../src/report/summary.ts';
import { calmButFor, playedText } from './played-text.ts';

interface Night {
  /** What differs from a calm night. */
  readonly scenario: string;
  readonly binds: string | null;
  readonly says: RegExp;
  /** The first piece of advice. */
  readonly advises: Advice['kind'];
  readonly set: string | null;
}

const JOBS_OF = (more: string): string =>
  `jobs:\n  - { class: job, count: 40, input: 1000, output: 100, ${more} }`;

const NIGHTS: Readonly<Record<string, Night>> = {
  'time is short': {
    scenario: 'window: { lasts: 100 s }',
    binds: 'time',
    says: /left after the night\. Time ran out: all that was left was not reached before the window closed\.$/,
    advises: 'lanes',
    set: 'lanes=7',
  },
  'the kill cuts a call off': {
    scenario: 'policy: { timeouts: fixed }\nwindow: { lasts: 65 s }',
    binds: 'time',
    says: /^Does not come home in time: the kill came before the worker had left, and it took 2 calls in mid-flight\.$/,
    advises: 'clamp',
    set: 'policy.timeouts=clamp',
  },
  'the last write is too slow': {
    scenario: 'store: { write: 40 s }',
    binds: 'time',
    says: /^Does not come home in time: .* it took 1 finished answer not yet written\.$/,
    advises: 'reserve',
    set: 'budget.reserve=60s',
  },
  'the only worker crashes': {
    scenario:
      'fleet: { crashes: { at: [{ night: 1, worker: 1, from: 35 s }], restart: 20 s } }\npool: { name: free, tokens: 1M, lease: 15 min }',
    binds: 'crash',
    says: /^Does not fit: 2 of 40 jobs are left after the night\. Workers crashed: all that was left was under way in them/,
    advises: 'shorter-lease',
    set: 'pool.lease=5min',
  },
  'a crashed worker is gone for long': {
    scenario:
      'fleet: { workers: 2, crashes: { at: [{ night: 1, worker: 1, from: 35 s }], restart: 3 min } }\nlanes: 1\nwindow: { lasts: 4 min }\npool: { name: free, tokens: 1M, lease: 1 min }',
    binds: 'crash',
    says: /Workers crashed: .* put off for the time that they were gone\.$/,
    advises: 'workers',
    set: 'fleet.workers=3',
  },
  'crashed workers hold the tokens': {
    scenario: `pool: { name: free, tokens: 100k, lease: 15 min }\n${JOBS_OF('envelope: { tokens: 50k }')}\nfleet: { workers: 2, crashes: { at: [{ night: 1, worker: 1, from: 35 s }], restart: 5 s } }\nlanes: 1`,
    binds: 'stranded',
    says: /Time ran out while lanes waited for tokens that crashed workers still held: most .* Workers that crashed took 1 call in mid-flight with them\.$/,
    advises: 'shorter-lease',
    set: 'pool.lease=5min',
  },
  'other jobs hold the tokens': {
    scenario: `pool: { name: free, tokens: 60k, lease: 15 min }\n${JOBS_OF('envelope: { tokens: 20k }')}\nlanes: 8\nwindow: { lasts: 100 s }`,
    binds: 'waiting',
    says: /Time ran out while lanes waited for tokens that other jobs held: all/,
    advises: 'waiting',
    set: 'policy.hold=per-attempt',
  },
  'the provider limits the calls': {
    scenario: 'provider: { latency: 10 s, limits: { requests: 6, retryAfter: false } }\nlanes: 8',
    binds: 'retries',
    says: /Calls to the provider failed: all that was left had used up its attempts, mostly on refusals by the rate limits \(HTTP 429\)\.$/,
    advises: 'limits',
    set: 'lanes=1',
  },
  'the provider is down': {
    scenario:
      'provider: { latency: 10 s, outages: { at: [{ night: 1, from: 30 s, lasts: 20 s }] } }\nbudget: { reserve: 30 s, floor: 3 s, cap: 60 s, attempts: 2 }',
    binds: 'retries',
    says: /mostly on server errors while the provider was down\.$/,
    advises: 'outage',
    set: 'backoff.base=40s',
  },
  'the provider errs': {
    scenario: 'provider: { latency: 10 s, errors: 60% }',
    binds: 'retries',
    says: /mostly on server errors\.$/,
    advises: 'attempts',
    set: 'budget.attempts=3',
  },
  'a class has attempts of its own': {
    scenario: `provider: { latency: 10 s, invalid: 60% }\n${JOBS_OF('attempts: 1, envelope: { tokens: 2200 }')}`,
    binds: null,
    says: /of 40 jobs \d+ are done and \d+ failed for good/,
    advises: 'nothing',
    set: null,
  },
  'the ledger is away': {
    scenario: 'ledger: { outages: { at: [{ night: 1, from: 30 s, lasts: 8 min }] } }',
    binds: 'ledger',
    says: /The token ledger did not answer: all that was left was put off for that\.$/,
    advises: 'ledger',
    set: null,
  },
  'the store takes nothing': {
    scenario: 'store: { write: 100 ms, outages: { at: [{ night: 1, from: 30 s, lasts: 9 min }] } }',
    binds: 'store',
    says: /The checkpoint store took no writes: /,
    advises: 'store',
    set: null,
  },
  'a trip condition sheds': {
    scenario: `trips: { onTrip: shed, queueAge: 10% }\n${JOBS_OF('slack: 5 min, envelope: { tokens: 2200 }')}`,
    binds: 'shed',
    says: /A trip condition stopped admission: all that was left was put off for that\.$/,
    advises: 'shed',
    set: 'trips.onTrip=none',
  },
  'a worker hangs': {
    scenario: 'fleet: { workers: 2, zombies: { at: [{ night: 1, worker: 1, from: 35 s }] } }\nlanes: 1',
    binds: 'time',
    says: /^Does not come home in time: the kill came before the worker had left, since a worker had hung; no answer was lost to it\.$/,
    advises: 'hung',
    set: null,
  },
  'a pause outlasts the lease': {
    scenario:
      'pool: { name: free, tokens: 1M, lease: 20 s }\nfleet: { workers: 2, pauses: { at: [{ night: 1, worker: 1, from: 35 s, lasts: 3 min }] } }\nlanes: 1',
    binds: null,
    says: /^Fits: all 40 jobs are done/,
    advises: 'longer-lease',
    set: 'pool.lease=6min',
  },
  'nobody renews leases': {
    scenario:
      'pool: { name: free, tokens: 1M, lease: 5 s }\nfleet: { workers: 2, renewals: false }\nlanes: 1',
    binds: null,
    says: /^Fits: all 40 jobs are done/,
    advises: 'renewals',
    set: 'fleet.renewals=true',
  },
  'a client retries by itself': {
    scenario: 'client: { attempts: 3 }\nprovider: { latency: 10 s, errors: 20% }',
    binds: null,
    says: /^Fits: all 40 jobs are done/,
    advises: 'layers',
    set: 'client.attempts=1',
  },
  'nothing is in the way': {
    scenario: '',
    binds: null,
    says: /^Fits: all 40 jobs are done/,
    advises: 'nothing',
    set: null,
  },
};

const summaries = new Map<string, ReportSummary>(
  Object.entries(NIGHTS).map(([name, { scenario }]) => [name, summarize(playedText(calmButFor(scenario)))]),
);

describe.each(Object.entries(NIGHTS))('where %s', (name, { binds, says, advises, set }) => {
  const summary = summaries.get(name)!;

  test('the verdict names the cause', () => {
    expect(summary.verdict.headline).toMatch(says);
    expect(summary.verdict.facts.binds).toBe(binds);
  });

  test('its remedy comes first', () => {
    const [first] = summary.advice;
    expect(first).toMatchObject(set === null ? { kind: advises } : { kind: advises, set });
  });
});

/** What is advised against one thing alone. */
const ONLY: readonly (readonly [kind: Advice['kind'], where: readonly string[]])[] = [
  ['reserve', ['the last write is too slow']],
  ['clamp', ['the kill cuts a call off']],
  ['limits', ['the provider limits the calls']],
  ['outage', ['the provider is down']],
  ['attempts', ['the provider errs']],
  ['shed', ['a trip condition sheds']],
  ['ledger', ['the ledger is away']],
  ['store', ['the store takes nothing']],
  ['hung', ['a worker hangs']],
  ['layers', ['a client retries by itself']],
  ['longer-lease', ['a pause outlasts the lease']],
  ['renewals', ['nobody renews leases']],
  ['shorter-lease', ['the only worker crashes', 'crashed workers hold the tokens']],
  ['lanes', ['time is short', 'the kill cuts a call off']],
  ['waiting', ['other jobs hold the tokens']],
];

test.each(ONLY)('%s is advised only where %j', (kind, where) => {
  const advised = [...summaries].filter(([, { advice }]) => advice.some((one) => one.kind === kind));
  expect(advised.map(([name]) => name).filter((name) => !where.includes(name))).toEqual([]);
});

test('a refusal by limits is no timeout, and an outage no error', () => {
  const ends = (name: string) => summaries.get(name)?.series.calls.attempts;
  expect(ends('the provider limits the calls')).toMatchObject({
    limited: 68,
    error: 0,
    timeout: 0,
    outage: 0,
  });
  expect(ends('the provider is down')).toMatchObject({ limited: 0, error: 0 });
  expect(ends('the provider is down')?.outage).toBeGreaterThan(0);
  expect(ends('the provider errs')).toMatchObject({ limited: 0, outage: 0 });
});

test('the attempts of a class that has its own are raised there', () => {
  const errors = `provider: { latency: 10 s, errors: 60% }\n${JOBS_OF('attempts: 1, envelope: { tokens: 2200 }')}`;
  const { advice } = summarize(playedText(calmButFor(errors)));
  expect(advice).toContainEqual(expect.objectContaining({ kind: 'attempts', set: 'jobs.job.attempts=2' }));
});

test('a call that died with its worker is in no way the kill’s', () => {
  const { losses } = summaries.get('the only worker crashes')!.series;
  expect(losses).toEqual({ calls: { crash: 2, kill: 0 }, answers: { crash: 0, store: 0, kill: 0 } });
  const killed = summaries.get('the kill cuts a call off')!.series.losses;
  expect(killed.calls).toEqual({ crash: 0, kill: 2 });
});

test('a checkpoint that the store refused, or that went with its worker, is not left for the kill to find', () => {
  for (const name of ['the store takes nothing', 'crashed workers hold the tokens']) {
    expect(summaries.get(name)?.series.writes.unwritten, name).toBe(0);
  }
  expect(summaries.get('the last write is too slow')?.series.writes.unwritten).toBe(1);
});

function adviceOn(scenario: string): readonly Advice['kind'][] {
  return summarize(playedText(calmButFor(scenario))).advice.map(({ kind }) => kind);
}

test('what decided the night is cured first, what else went wrong after it', () => {
  const flaky = 'provider: { latency: 10 s, errors: 20% }';
  const once = JOBS_OF('attempts: 1, envelope: { tokens: 2200 }');
  expect(adviceOn(`${flaky}\n${once}\nwindow: { lasts: 2 min }`).slice(0, 2)).toEqual(['lanes', 'attempts']);
  expect(adviceOn(`${flaky}\n${once}`)[0]).toBe('attempts');
});

test('where the provider turns calls away, neither more lanes nor smaller envelopes are advised', () => {
  const limits = 'provider: { latency: 10 s, limits: { requests: 6, retryAfter: true } }\nlanes: 2';
  const kinds = adviceOn(`${limits}\nwindow: { lasts: 3 min }`);
  expect(kinds).toContain('limits');
  expect(kinds).not.toContain('lanes');
  // By their mean the limit lets three lanes through; what they declare lets through one.
  const declared = 'provider: { latency: 10 s, limits: { tokens: 20k, charge: declared } }\nlanes: 2';
  const jobs = JOBS_OF('declared: 15000, attempts: 9, envelope: { tokens: 9900 }');
  expect(adviceOn(`${declared}\n${jobs}\nwindow: { lasts: 3 min }`)).toEqual(['limits', 'backlog']);
  expect(adviceOn(NIGHTS['the provider limits the calls']!.scenario)).not.toContain('unspent');
});

test('a full disk is told once, though the ledger lies on it too', () => {
  const full = 'store: { write: 100 ms, full: { at: [{ night: 1, from: 200 s, lasts: 60 s }] } }';
  expect(summarize(playedText(calmButFor(full))).findings.incidents).toEqual([
    { kind: 'store-full', count: 1, nights: 1, lastsMs: 60_000, longestMs: 60_000 },
  ]);
});
