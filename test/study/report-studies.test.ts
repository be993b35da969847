// What a report looks into beyond its run: as far as an allowance of calls goes, or all of it.

import { describe, expect, test } from 'vitest';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { studyLeaseLengths } from '../../src/study/lease-lengths.ts';
import { studyRefusals } from '../../src/study/refusals.ts';
import { type StudiedRun, studyForReport } from '../../src/study/report-studies.ts';
import { SignalPeaks } from '../../src/study/signal-peaks.ts';
import { StrandedWatch } from '../../src/study/stranded-time.ts';
import { play } from '../../src/world/play.ts';
import { fleet, jobClass, once, pool, scenario, spoilt } from '../world/fleet-fixture.ts';
import { toTheEnd } from './to-the-end.ts';

function studied(one: Scenario, replications?: number) {
  const watch = new StrandedWatch(one.pool?.capacity ?? 0);
  const signals = new SignalPeaks(one.trips.leastEvents);
  const run = play(one, {
    observe: (event) => {
      watch.hear(event);
      signals.hear(event);
    },
  });
  const { tokenMinutes, phantomRefusals } = watch.result();
  const stranded = { strandedTokenMinutes: tokenMinutes, phantomRefusals };
  const given: StudiedRun = { scenario: one, run, stranded, peaks: signals.peaks(), replications };
  return toTheEnd(studyForReport(given));
}

/** Ten jobs that hold 2,000 and use 1,100; the pool has room for eight. */
const short = scenario({ pool: pool({ capacity: 10_000, quota: 10_000 }) });
const crashing = spoilt({ fleet: fleet({ workers: 2, crashes: once(5_000, 20_000) }) });
/** A night of 3,000 calls. */
const large = scenario({
  jobs: [jobClass({ count: 3_000 })],
  lanes: 64,
  window: { lastsMs: 7_200_000, everyMs: 86_400_000 },
  pool: pool({ capacity: 9_000_000, quota: 9_000_000 }),
});

describe('the studies of a report', () => {
  test('are those that the scenario calls for', () => {
    expect(studied(scenario())).toMatchObject({ leases: null, refusals: null });
    expect(studied(short).leases).toBeNull();
    expect(studied(crashing).refusals).toBeNull();
    expect(studied({ ...crashing, fleet: fleet({ workers: 2 }) }).leases).toBeNull();
    const counter = { ...crashing.policy, admission: 'shared-counter' } as const;
    expect(studied({ ...crashing, policy: counter }).leases).toBeNull();
  });

  test('find what the commands find, in steps of a hundredth of the pool', () => {
    const { refusals: found } = studied(short);
    const { changes, ...rest } = toTheEnd(studyRefusals(short, 0));
    expect(found).toEqual({ ...rest, changes: found?.changes, tokenStep: 100 });
    expect(found?.changes).toEqual({ ...changes, tokens: changes?.tokens });
    expect(changes?.tokens?.to).toBe(11_900);
  });

  test('take the own length of lease from the run, and play a few others once', () => {
    const { leases } = studied(crashing);
    const lengthsMs = [3_000, 9_000, 30_000, 90_000];
    expect(leases).toMatchObject({ replications: 1, ownMs: 30_000 });
    const played = toTheEnd(studyLeaseLengths(crashing, lengthsMs, 1));
    expect(leases?.lengths).toEqual(
      played.map((one) => ({ ...one, strandedTokenMinutes: Math.round(one.strandedTokenMinutes) })),
    );
  });

  test('play each length as often as was asked for', () => {
    const { leases, asked } = studied(crashing, 3);
    expect([asked, leases?.replications]).toEqual([3, 3]);
    expect(leases?.lengths.map(({ leaseMs }) => leaseMs)).toEqual([
      3_000, 6_000, 15_000, 30_000, 60_000, 150_000,
    ]);
  });

  test('replicate what is soon played ten times, what is not less often, and nothing less than five times', () => {
    expect(studied(short).trips?.replications).toBe(10);
    expect(studied(large).trips?.replications).toBe(5);
    expect(studied({ ...large, jobs: [jobClass({ count: 3_100 })] }).trips).toBeNull();
    expect(studied(short, 2).trips?.replications).toBe(2);
  });

  test('say nothing of trip conditions where none is watched', () => {
    const run = play(short);
    const stranded = { strandedTokenMinutes: 0, phantomRefusals: 0 };
    const given = { scenario: short, run, stranded, peaks: undefined };
    expect(toTheEnd(studyForReport(given)).trips).toBeNull();
  });

  test('count in each replication how close a signal came, and none twice', () => {
    const { trips } = studied({ ...short, jobs: [jobClass({ count: 40 })] }, 7);
    const counts = trips?.peaks['refusal-rate'].map(({ replications }) => replications) ?? [];
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(7);
    expect(trips?.peaks['refusal-rate'].at(-1)).toEqual({ share: 2, replications: 7 });
    expect(trips?.signals['refusal-rate'].replications).toBe(7);
  });

  test('place a peak on its own side of the threshold', () => {
    const run = play(short);
    const stranded = { strandedTokenMinutes: 0, phantomRefusals: 0 };
    const sharesOf = (share: number) => {
      const peaks = { 'refusal-rate': share, 'unspent-ratio': null, overspend: null, 'queue-age': null };
      const given = { scenario: short, run, stranded, peaks, replications: 1 };
      return toTheEnd(studyForReport(given)).trips?.peaks;
    };
    expect(sharesOf(0.9999)?.['refusal-rate']).toEqual([{ share: 0.99, replications: 1 }]);
    expect(sharesOf(1)?.['refusal-rate']).toEqual([{ share: 1, replications: 1 }]);
    expect(sharesOf(1.0001)?.['refusal-rate']).toEqual([{ share: 1.01, replications: 1 }]);
    expect(sharesOf(7)?.['refusal-rate']).toEqual([{ share: 2, replications: 1 }]);
    expect(sharesOf(7)?.overspend).toEqual([]);
  });

  test('leave out what would take too many calls', () => {
    // Of 3,000 calls each, four replays are allowed: enough for another order, too few for another pool.
    const drained = {
      ...large,
      pool: pool({ capacity: 3_430_000, quota: 3_430_000 }),
      jobs: [
        jobClass({ count: 1, name: 'heavy', envelope: { kind: 'tokens', tokens: 1_200_000 } }),
        jobClass({ count: 3_000 }),
      ],
      order: 'lightest-first',
    } as const;
    const { refusals: found, trips } = studied(drained);
    expect(found?.steps.refused).toBe(1);
    expect(found?.changes?.order).toMatchObject({ to: 'listed', refusedThen: 0 });
    expect(Object.keys(found?.changes ?? {})).toEqual(['order']);
    expect(trips).toBeNull();
    expect(Object.keys(studied(short, 1).refusals?.changes ?? {}).toSorted()).toEqual([
      'envelopePercent',
      'lanes',
      'order',
      'tokens',
    ]);
  });
});
