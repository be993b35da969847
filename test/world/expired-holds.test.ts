// Holds whose lease has ended under living and under dead workers, until somebody closes them.

import { describe, expect, it } from 'vitest';
import { constant, fleet, jobClass, once, played, spoilt, told } from './fleet-fixture.ts';

const unreclaimed = (one: Parameters<typeof played>[0]) =>
  told(played(one).events, 'expired-unreclaimed').map(({ night, atMs, tokens }) => [night, atMs, tokens]);

describe('holds that have expired', () => {
  it('are none where leases are renewed and nobody dies', () => {
    expect(unreclaimed(spoilt({}))).toEqual([]);
  });

  it('are those of the dead, from the end of their leases until the next look', () => {
    const one = spoilt({ lanes: 2, fleet: fleet({ workers: 2, crashes: once(5_000, 20_000) }) });
    expect(unreclaimed(one)).toEqual([
      [1, 30_000, 2_000],
      [1, 30_000, 4_000],
      [1, 60_000, 0],
    ]);
  });

  it('are also those of the living who do not renew, until they settle', () => {
    const slow = { ...spoilt({}).provider, latency: { kind: 'direct', call: constant(40_000) } } as const;
    const one = spoilt({ jobs: [jobClass({ count: 1 })], provider: slow, fleet: fleet({ renewals: false }) });
    expect(unreclaimed(one)).toEqual([
      [1, 30_000, 2_000],
      [1, 40_100, 0],
    ]);
  });

  it('are told at an opening where an earlier night has left them', () => {
    const one = spoilt({
      nights: 2,
      jobs: [jobClass({ count: 1, arrive: 'first-night' })],
      window: { lastsMs: 9_000, everyMs: 60_000 },
      budget: { ...spoilt({}).budget, reserveMs: 0 },
      policy: { ...spoilt({}).policy, timeouts: 'fixed' },
    });
    expect(unreclaimed(one)).toEqual([
      [2, 0, 2_000],
      [2, 0, 0],
    ]);
  });
});
