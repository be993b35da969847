// The second field note, played: a pool of ten million, two thousand jobs, the heaviest class first. What a
// shared counter makes of it, and what envelopes do.

import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { constant } from '../../src/sim/distributions/constant.ts';
import { play } from '../../src/world/play.ts';
import type { WorldEvent } from '../../src/world/world-event.ts';
import notes from '../theory/field-notes.json' with { type: 'json' };
import { jobClass, pool, scenario } from './scenario-fixture.ts';

const { tokens, jobs, meanShare, heaviest, heaviestAdmitted, firstRefused } = notes.pool;

function headOfLine(admission: Scenario['policy']['admission']): Scenario {
  const heavyCount = 200;
  const one = (name: string, count: number, used: number) =>
    jobClass({
      name,
      count,
      tokens: { kind: 'independent', input: constant(used - 100), output: constant(100) },
      envelope: { kind: 'tokens', tokens: used },
    });
  return scenario({
    window: { lastsMs: 24 * 3_600_000, everyMs: 24 * 3_600_000 },
    pool: pool({ capacity: tokens, quota: tokens }),
    jobs: [one('heavy', heavyCount, heaviest), one('light', jobs - heavyCount, meanShare)],
    policy: { timeouts: 'clamp', admission, reclaim: 'refund' },
  });
}

function played(admission: Scenario['policy']['admission']) {
  const events: WorldEvent[] = [];
  const result = play(headOfLine(admission), { observe: (event) => events.push(event) });
  const dispatched = events.filter((event) => event.type === 'granted').map(({ job }) => job);
  return { night: result.nights[0]!, dispatched, events };
}

/** The wall's job as everybody counts, from 1, and as its id does, from 0. */
const wall = `heavy:1:${firstRefused - 1}`;

describe('the heaviest class first', () => {
  it('drains a shared counter: the job at the wall is dispatched and fails, and nobody after it is done', () => {
    const { night, dispatched, events } = played('shared-counter');
    expect(night).toMatchObject({
      jobs,
      done: heaviestAdmitted,
      refused: jobs - heaviestAdmitted,
      failed: 0,
    });
    expect(night.classes.heavy).toMatchObject({ done: heaviestAdmitted });
    expect(night.classes.light).toMatchObject({ done: 0, refused: jobs - 200 });
    expect(dispatched).toHaveLength(firstRefused);
    expect(dispatched.at(-1)).toBe(wall);
    expect(events.filter((event) => event.type === 'attempt').at(-1)).toMatchObject({
      job: wall,
      outcome: 'rejected',
      billed: tokens - heaviestAdmitted * heaviest,
    });
  });

  it('under envelopes is refused before anything is dispatched, and what is left goes to who fits', () => {
    const { night, dispatched, events } = played('envelope');
    const fits = Math.floor((tokens - heaviestAdmitted * heaviest) / meanShare);
    expect(night).toMatchObject({ jobs, done: heaviestAdmitted + fits, failed: 0 });
    expect(night.classes.heavy).toMatchObject({ done: heaviestAdmitted, refused: 200 - heaviestAdmitted });
    expect(night.classes.light).toMatchObject({ done: fits });
    expect(dispatched).not.toContain(wall);
    expect(dispatched).toHaveLength(heaviestAdmitted + fits);
    expect(events.filter((event) => event.type === 'reserved' && event.job === wall)).toMatchObject([
      { outcome: 'insufficient', returnable: false },
    ]);
  });
});
