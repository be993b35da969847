// One attempt of the worker through a client that retries by itself, without a worker around it: who hears
// what and when, and what is on the bill.

import { describe, expect, it } from 'vitest';
import { RandomRoot } from '../../src/base/random-streams.ts';
import type { RetryingClient, Scenario } from '../../src/scenario/scenario.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { Engine } from '../../src/sim/engine.ts';
import { Draws } from '../../src/world/draws.ts';
import { Errand } from '../../src/world/errand.ts';
import { ProviderService } from '../../src/world/provider-service.ts';
import { SharedCounter } from '../../src/world/shared-counter.ts';
import { jobClass, scenario } from './scenario-fixture.ts';

interface Sent {
  readonly provider?: Partial<Scenario['provider']>;
  readonly client?: Partial<RetryingClient> | undefined;
  readonly timeoutMs?: number;
  readonly hasSignal?: boolean;
  readonly counter?: SharedCounter;
  readonly outages?: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** The worker and its client are gone then. */
  readonly cutAtMs?: number;
}

/** Half a second and a second between calls, and never any luck in it. */
const CLIENT: RetryingClient = {
  attempts: 3,
  timeoutMs: 120_000,
  honoursSignal: true,
  timerEndsAtHeaders: false,
  backoff: { baseMs: 500, factor: 2, maxMs: 8_000, jitter: 'none' },
};

/** What one attempt comes to; 5 s to the first token and 100 tokens at 50 ms: 10 s, 1,000 in and 100 out. */
function send({
  provider,
  client,
  timeoutMs = 120_000,
  hasSignal = true,
  counter,
  outages = [],
  cutAtMs,
}: Sent) {
  const one = scenario({
    provider: {
      ...scenario().provider,
      latency: { kind: 'by-token', firstToken: constant(5_000), perToken: constant(50) },
      ...provider,
    },
  });
  const draws = new Draws(new RandomRoot('errand'), 0, one);
  const engine = new Engine();
  const service = new ProviderService({
    engine,
    settings: one.provider,
    draws,
    night: 1,
    incidents: { outages, slow: [] },
  });
  const seen = { atMs: -1, outcome: '', billed: 0, retryAfterMs: undefined as number | undefined };
  const unseen = { calls: 0, billed: 0 };
  const setup = {
    engine,
    service,
    draws,
    counter,
    client: client && { ...CLIENT, ...client },
    hasSignal,
    calledAgain: () => {
      unseen.calls += 1;
    },
    billedUnseen: (tokens: number) => {
      unseen.billed += tokens;
    },
  };
  const ordered = { job: draws.job(jobClass(), 1, 0), lane: 0, attempt: 1, timeoutMs, hold: undefined };
  const errand = new Errand(setup, ordered, ({ answer, billed }) => {
    Object.assign(seen, {
      atMs: engine.now,
      outcome: answer.outcome,
      billed,
      retryAfterMs: answer.retryAfterMs,
    });
  });
  errand.begin();
  let cut: number | undefined;
  if (cutAtMs !== undefined) {
    engine.scheduleAt(cutAtMs, () => {
      cut = errand.cut();
    });
  }
  engine.run();
  return { ...seen, unseen, endedMs: engine.now, cut };
}

describe('without a client', () => {
  it('an attempt is one call', () => {
    expect(send({})).toMatchObject({
      atMs: 10_000,
      outcome: 'ok',
      billed: 1_100,
      unseen: { calls: 0, billed: 0 },
    });
  });

  it('it ends with its grant, signal or not', () => {
    for (const hasSignal of [true, false]) {
      // 3 s of 5 s of streaming: 60 tokens.
      expect(send({ timeoutMs: 8_000, hasSignal })).toMatchObject({
        atMs: 8_000,
        outcome: 'timed-out',
        billed: 1_060,
      });
    }
  });

  it('a call that is given up may bill its input alone', () => {
    const provider = { billing: { abandoned: 'input' } } as const;
    expect(send({ provider, timeoutMs: 8_000 })).toMatchObject({ outcome: 'timed-out', billed: 1_000 });
    expect(send({ provider, cutAtMs: 8_000 }).cut).toBe(1_000);
    expect(send({ cutAtMs: 8_000 }).cut).toBe(1_060);
  });
});

describe('a client of three calls', () => {
  const hangs = { hangs: 1 };

  it('handed a timeout, makes all of them before the worker hears anything', () => {
    // 3 × 120 s, with 0.5 s and 1 s between them; each bills its input, and the worker hears of the last.
    expect(send({ provider: hangs, client: {}, hasSignal: false })).toMatchObject({
      atMs: 361_500,
      outcome: 'timed-out',
      billed: 1_000,
      unseen: { calls: 2, billed: 2_000 },
      endedMs: 361_500,
    });
  });

  it('handed a shorter timeout, gives each call no more than that', () => {
    expect(send({ provider: hangs, client: {}, hasSignal: false, timeoutMs: 60_000 })).toMatchObject({
      atMs: 181_500,
    });
  });

  it('that ends at the signal makes one call that takes the whole grant', () => {
    expect(send({ provider: hangs, client: {} })).toMatchObject({
      atMs: 120_000,
      outcome: 'timed-out',
      billed: 1_000,
      unseen: { calls: 0, billed: 0 },
      endedMs: 120_000,
    });
  });

  it('with a shorter timer makes as many as the grant leaves room for', () => {
    // 0 to 50 s, 50.5 s to 100.5 s, and one from 101.5 s that the signal ends.
    expect(send({ provider: hangs, client: { timeoutMs: 50_000 } })).toMatchObject({
      atMs: 120_000,
      outcome: 'timed-out',
      billed: 1_000,
      unseen: { calls: 2, billed: 2_000 },
    });
  });

  it('is ended by the signal between two calls as well', () => {
    // 0 to 60 s, and 60 s of pause would end at the very moment that the grant does.
    const backoff = { baseMs: 60_000, factor: 1, maxMs: 60_000, jitter: 'none' } as const;
    expect(send({ provider: hangs, client: { timeoutMs: 60_000, backoff } })).toMatchObject({
      atMs: 120_000,
      outcome: 'timed-out',
      billed: 0,
      unseen: { calls: 0, billed: 1_000 },
    });
  });

  it('that does not listen goes on when the worker has given up, and bills what nobody sees', () => {
    expect(send({ provider: hangs, client: { honoursSignal: false } })).toMatchObject({
      atMs: 120_000,
      outcome: 'timed-out',
      // The first is given up by both at the same time.
      billed: 1_000,
      unseen: { calls: 2, billed: 2_000 },
      endedMs: 361_500,
    });
  });

  it('that does not listen bills the worker up to the moment that it gave up', () => {
    // 0 to 6 s: 20 tokens have streamed. From 6.5 s again, and given up by the worker at 8 s, before its first
    // token; it ends at 12.5 s with the same 20. The third from 13.5 s.
    expect(send({ client: { honoursSignal: false, timeoutMs: 6_000 }, timeoutMs: 8_000 })).toMatchObject({
      atMs: 8_000,
      outcome: 'timed-out',
      billed: 1_000,
      unseen: { calls: 2, billed: 1_020 + 20 + 1_020 },
      endedMs: 19_500,
    });
  });

  it('hears an answer exactly at the grant in time', () => {
    expect(send({ client: { honoursSignal: false }, timeoutMs: 10_000 })).toMatchObject({
      outcome: 'ok',
      atMs: 10_000,
    });
    expect(send({ client: {}, timeoutMs: 10_000 })).toMatchObject({ outcome: 'ok', atMs: 10_000 });
  });

  it('hides server errors from the worker, and the time that they took', () => {
    // Errors come after the first token: 5 s each, and the pauses.
    expect(send({ provider: { errors: 1 }, client: {} })).toMatchObject({
      atMs: 16_500,
      outcome: 'server-error',
      billed: 0,
      unseen: { calls: 2, billed: 0 },
    });
  });

  it('does not try an answer again that is of no use', () => {
    expect(send({ provider: { invalid: 1 }, client: {} })).toMatchObject({
      outcome: 'invalid',
      unseen: { calls: 0 },
    });
  });

  it('whose timer ends at the first token lets the rest take any time', () => {
    const slowly = {
      latency: { kind: 'by-token', firstToken: constant(5_000), perToken: constant(10_000) },
    } as const;
    const waits = { provider: slowly, hasSignal: false };
    expect(send({ ...waits, client: { timerEndsAtHeaders: true } })).toMatchObject({
      atMs: 1_005_000,
      outcome: 'ok',
    });
    // Its timer on the whole call: 115 s of streaming are 11 tokens, three times.
    expect(send({ ...waits, client: {} })).toMatchObject({
      atMs: 361_500,
      outcome: 'timed-out',
      billed: 1_011,
      unseen: { billed: 2_022 },
    });
    // Before the first token it does end, and the signal ends everything.
    expect(send({ ...waits, client: { timerEndsAtHeaders: true, timeoutMs: 4_000 } })).toMatchObject({
      atMs: 13_500,
    });
    expect(send({ provider: slowly, client: { timerEndsAtHeaders: true } })).toMatchObject({ atMs: 120_000 });
  });

  it('and its worker go at once: what is out is billed as far as it went', () => {
    expect(send({ provider: hangs, client: {}, hasSignal: false, cutAtMs: 200_000 })).toMatchObject({
      outcome: '',
      cut: 1_000,
      unseen: { calls: 1, billed: 1_000 },
      endedMs: 200_000,
    });
    // Nobody waits for that one any more.
    expect(send({ provider: hangs, client: { honoursSignal: false }, cutAtMs: 200_000 })).toMatchObject({
      outcome: 'timed-out',
      cut: 0,
      unseen: { calls: 1, billed: 1_000 },
      endedMs: 200_000,
    });
  });

  it('draws the same for its first call whether or not there is a second', () => {
    const provider = { hangs: 0.3, errors: 0.3 };
    expect(send({ provider }).outcome).toBe(send({ provider, client: { attempts: 1 } }).outcome);
  });
});

describe('a client that is refused', () => {
  const limits = {
    requests: 1,
    tokens: undefined,
    counts: 'both',
    charge: 'use',
    enforced: 'minute',
    concurrency: undefined,
    retryAfter: true,
  } as const;

  it('waits as long as the provider asks, where that is a minute or less', () => {
    // The first call hangs until 10 s. A minute's request comes back at 60 s: 50 s from 10.5 s, in whole seconds.
    const sent = { provider: { limits, hangs: 1 }, client: { timeoutMs: 10_000 }, hasSignal: false };
    expect(send(sent)).toMatchObject({
      atMs: 70_500,
      outcome: 'timed-out',
      unseen: { calls: 2, billed: 1_000 },
    });
  });

  it('tells the worker what the provider asked for, when it gives up itself', () => {
    const sent = {
      provider: { limits, hangs: 1 },
      client: { timeoutMs: 10_000, attempts: 2 },
      hasSignal: false,
    };
    expect(send(sent)).toMatchObject({
      atMs: 10_500,
      outcome: 'rate-limited',
      retryAfterMs: 50_000,
      billed: 0,
    });
  });

  it('falls back on its own pauses where that would take longer', () => {
    // 2,000 of debt at 10 tokens a minute: hours.
    const slow = { ...limits, requests: undefined, tokens: 10 };
    const sent = { provider: { limits: slow, hangs: 1 }, client: { timeoutMs: 10_000 }, hasSignal: false };
    expect(send(sent)).toMatchObject({ atMs: 11_500, outcome: 'rate-limited' });
  });
});

describe('an outage', () => {
  it('answers with server errors after the first token, and breaks off what is under way', () => {
    const outages = [{ fromMs: 7_000, toMs: 20_000 }];
    expect(send({ outages })).toMatchObject({ atMs: 7_000, outcome: 'server-error', billed: 0 });
    expect(send({ outages: [{ fromMs: 0, toMs: 20_000 }] })).toMatchObject({
      atMs: 5_000,
      outcome: 'server-error',
    });
    // An answer at the very moment is in time.
    expect(send({ outages: [{ fromMs: 10_000, toMs: 20_000 }] })).toMatchObject({ outcome: 'ok' });
  });

  it('that a client sits out is nothing that the worker hears of', () => {
    // Broken off at 7 s; errors from 7.5 s to 12.5 s; the third call from 13.5 s.
    const outages = [{ fromMs: 7_000, toMs: 13_000 }];
    expect(send({ outages, client: {} })).toMatchObject({
      atMs: 23_500,
      outcome: 'ok',
      unseen: { calls: 2, billed: 0 },
    });
  });
});

describe('the shared counter', () => {
  it('is debited with what the client hides, and ends its calls', () => {
    const counter = new SharedCounter(2_500);
    const sent = send({ provider: { hangs: 1 }, client: {}, hasSignal: false, counter });
    // 1,000 and 1,000; the third takes the 500 that are left and hits the wall.
    expect(sent).toMatchObject({ outcome: 'rejected', billed: 500, unseen: { calls: 2, billed: 2_000 } });
    expect(counter.left).toBe(0);
  });
});
