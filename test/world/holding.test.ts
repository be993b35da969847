// What is held for a job before its first attempt: everything that it may come to use, or one attempt's worth.

import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { classEnvelope } from '../../src/world/class-envelope.ts';
import { jobClass, played, pool, spoilt, told } from './fleet-fixture.ts';

/** Three attempts of 1,100 tokens, with envelopes that are exact. */
const exact = (over = {}) =>
  jobClass({
    count: 3,
    envelope: { kind: 'quantile', quantile: 0.95, fanout: 3, overhead: 0 },
    ...over,
  });

const night = (hold: 'whole-job' | 'per-attempt', over: Partial<Scenario> = {}) =>
  played(
    spoilt({
      lanes: 3,
      jobs: [exact()],
      pool: pool({ capacity: 3_300, quota: 3_300 }),
      policy: { ...spoilt({}).policy, hold },
      ...over,
    }),
  );

describe('an envelope', () => {
  it('for fewer attempts has their prompts, their outputs and the overhead', () => {
    const envelope = { kind: 'quantile', quantile: 0.95, fanout: 3, overhead: 7 } as const;
    expect([1, 2, 3].map((n) => classEnvelope(exact({ envelope }), n))).toEqual([1_107, 2_207, 3_307]);
  });

  it('that pays for fewer prompts than attempts pays for the first ones', () => {
    const envelope = { kind: 'quantile', quantile: 0.95, fanout: 1, overhead: 0 } as const;
    expect([1, 2, 3].map((n) => classEnvelope(exact({ envelope }), n))).toEqual([1_100, 1_200, 1_300]);
  });

  it('that is stated is an equal share for each', () => {
    const envelope = { kind: 'tokens', tokens: 10 } as const;
    expect([1, 2, 3].map((n) => classEnvelope(exact({ envelope }), n))).toEqual([4, 7, 10]);
  });
});

describe('a hold', () => {
  it('of a whole job keeps what its retries may cost from the other jobs', () => {
    const { events, night: one } = night('whole-job');
    expect(told(events, 'granted').map(({ atMs }) => atMs)).toEqual([0]);
    expect(one).toMatchObject({ done: 1, refused: 2 });
  });

  it('per attempt lets three jobs in at once where each needs one attempt', () => {
    const { events, night: one } = night('per-attempt');
    expect(told(events, 'granted').map(({ atMs }) => atMs)).toEqual([0, 0, 0]);
    expect(one).toMatchObject({ done: 3, refused: 0 });
    expect(one.pools.free).toMatchObject({ consumed: 3_300, refunded: 0 });
  });

  it('per attempt is raised for a retry, and no hold is larger than what its attempts need', () => {
    const { events, night: one } = night('per-attempt', {
      lanes: 1,
      jobs: [exact({ count: 1 })],
      provider: { ...spoilt({}).provider, invalid: 1 },
    });
    const moves = told(events, 'books').map(({ operation, delta }) => [operation, delta[0]?.held]);
    expect(moves.slice(2)).toEqual([
      ['reserve', 1_100],
      ['extend-to', 1_100],
      ['extend-to', 1_100],
      ['settle', -3_300],
    ]);
    expect(one).toMatchObject({ failed: 1, attempts: 3 });
  });

  it('per attempt that finds nothing left leaves its job pending, paid for as far as it went', () => {
    const { night: one } = night('per-attempt', { provider: { ...spoilt({}).provider, invalid: 1 } });
    // Each has used its share, and the pool has nothing more for anybody.
    expect(one).toMatchObject({ deferCauses: { 'not-extended': 3 }, attempts: 3 });
    expect(one.pools.free).toMatchObject({ consumed: 3_300, balance: 0, drift: 0 });
  });

  it('per attempt has smaller first holds go ahead of one that waits', () => {
    const job = (name: string, tokens: number) =>
      jobClass({ name, count: 1, envelope: { kind: 'tokens', tokens } });
    const { events } = night('per-attempt', {
      lanes: 2,
      jobs: [job('a', 3_000), job('b', 3_000), job('c', 1_500)],
      pool: pool({ capacity: 1_600, quota: 1_600 }),
    });
    const first = told(events, 'granted').filter(({ atMs }) => atMs === 0);
    expect(first.map((event) => event.job)).toEqual(['a:1:0', 'c:1:0']);
  });

  it('per attempt admits a job whose whole envelope the pool could never hold', () => {
    const small = { jobs: [exact({ count: 1 })], pool: pool({ capacity: 1_100, quota: 1_100 }) };
    expect(night('whole-job', small).night).toMatchObject({ inadmissible: 1 });
    expect(night('per-attempt', small).night).toMatchObject({ done: 1 });
  });
});
