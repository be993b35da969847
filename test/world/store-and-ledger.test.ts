// A store and a ledger that take their time, take nothing, or are not there at all.

import { describe, expect, it } from 'vitest';
import type { Incidents, ScenarioLedger } from '../../src/scenario/scenario.ts';
import { constant, fleet, jobClass, played, pool, spoilt, told } from './fleet-fixture.ts';

const period = (fromMs: number, lastsMs: number): Incidents => ({
  at: [{ night: 1, fromMs, lastsMs }],
  random: undefined,
});

const ledger = (over: Partial<ScenarioLedger> = {}): ScenarioLedger => ({
  latency: constant(0),
  contention: 0,
  outages: undefined,
  ...over,
});

describe('a store', () => {
  it('under contention takes longer for each other write in its line', () => {
    const store = { write: constant(1_000), writers: 2, flushMs: 0, contention: 0.5 };
    const { events } = played(spoilt({ store, lanes: 4, pool: undefined }));
    // Begun beside none, one, two others waiting beside one written, and so on.
    expect(told(events, 'written').map(({ atMs }) => atMs)).toEqual([11_000, 11_500, 13_000, 13_000]);
  });

  it('that is out refuses at once, and the worker asks again every second', () => {
    const store = { ...spoilt({}).store, outages: period(5_000, 8_500) };
    const { night, events } = played(spoilt({ store, jobs: [jobClass({ count: 1 })] }));
    expect(told(events, 'write-failed').map(({ atMs }) => atMs)).toEqual([10_000, 11_000, 12_000, 13_000]);
    expect(told(events, 'written')).toMatchObject([{ atMs: 14_100 }]);
    expect(night).toMatchObject({ done: 1, attempts: 1, lastWriteMs: 14_100 });
  });

  it('that goes out in mid-write has not written', () => {
    const store = { ...spoilt({}).store, outages: period(10_050, 500) };
    const { events } = played(spoilt({ store, jobs: [jobClass({ count: 1 })] }));
    expect(told(events, 'write-failed')).toMatchObject([{ atMs: 10_100 }]);
    expect(told(events, 'written')).toMatchObject([{ atMs: 11_200 }]);
  });

  it('that is out until the kill loses the writes, not the settles', () => {
    const store = { ...spoilt({}).store, outages: period(5_000, 600_000) };
    const { night } = played(spoilt({ store, jobs: [jobClass({ count: 1 })] }));
    expect(night).toMatchObject({ done: 0, lostWrites: 1, unsettled: 0 });
    expect(night.pools.free).toMatchObject({ consumed: 1_100, drift: 0 });
  });

  it('whose disk is full takes nothing, and neither does the ledger on it', () => {
    const store = { ...spoilt({}).store, full: period(5_000, 600_000) };
    const { night } = played(spoilt({ store }));
    expect(night).toMatchObject({ done: 0, lostWrites: 1, unsettled: 1, attempts: 1 });
    expect(night.pools.free).toMatchObject({ consumed: 0, drift: 1_100, stranded: 2_000 });
  });
});

describe('a ledger', () => {
  it('that takes its time delays the dispatch', () => {
    const { events, night } = played(spoilt({ ledger: ledger({ latency: constant(100) }) }));
    // Reserve and dispatch; then call, write and settle.
    expect(told(events, 'granted').map(({ atMs }) => atMs)).toEqual([200, 10_600, 21_000, 31_400]);
    expect(night.done).toBe(4);
  });

  it('under contention takes longer for each other operation under way', () => {
    const slow = ledger({ latency: constant(100), contention: 1 });
    const { events } = played(spoilt({ ledger: slow, lanes: 3 }));
    const asked = told(events, 'reserved').map(({ atMs }) => atMs);
    // The reclaimer asks first.
    expect(asked.slice(0, 3)).toEqual([200, 300, 400]);
  });

  it('that is out lets nothing be dispatched: every job it is asked for is deferred', () => {
    const { events, night } = played(spoilt({ ledger: ledger({ outages: period(0, 1_000) }) }));
    expect(told(events, 'granted')).toEqual([]);
    expect(night).toMatchObject({ deferCauses: { 'ledger-unavailable': 4 }, finishedMs: 0 });
  });

  it('that goes out in mid-operation has done nothing', () => {
    const slow = ledger({ latency: constant(100), outages: period(10_350, 500) });
    const { events } = played(spoilt({ ledger: slow, jobs: [jobClass({ count: 1 })] }));
    // Asked at 10.3 s, and again a second after it had no answer.
    expect(told(events, 'books').filter(({ operation }) => operation === 'settle')).toMatchObject([
      { atMs: 11_500 },
    ]);
  });

  it('that says nothing of a job’s end keeps another worker waiting no longer than a minute', () => {
    const { events } = played(
      spoilt({
        ledger: ledger({ outages: period(5_000, 600_000) }),
        jobs: [jobClass({ count: 1 })],
        fleet: fleet({ workers: 2 }),
      }),
    );
    expect(told(events, 'lane-ended')[0]).toMatchObject({ lane: 1, atMs: 60_000 });
  });

  it('that comes back in time is told what was used', () => {
    const { night } = played(
      spoilt({ ledger: ledger({ outages: period(5_000, 60_000) }), jobs: [jobClass({ count: 1 })] }),
    );
    expect(night).toMatchObject({ done: 1, unsettled: 0, finishedMs: 65_100 });
    expect(night.pools.free).toMatchObject({ consumed: 1_100, drift: 0 });
  });

  it('that does not leaves the hold to whoever reclaims it', () => {
    const { night } = played(
      spoilt({ ledger: ledger({ outages: period(5_000, 600_000) }), jobs: [jobClass({ count: 1 })] }),
    );
    expect(night).toMatchObject({ done: 1, unsettled: 1 });
    expect(night.pools.free).toMatchObject({ consumed: 0, billed: 1_100, stranded: 2_000 });
  });

  it('cannot be asked to pay for a further attempt while it is out', () => {
    const { night } = played(
      spoilt({
        jobs: [jobClass({ count: 1, attempts: 3 })],
        provider: { ...spoilt({}).provider, errors: 1 },
        pool: pool({ leaseMs: 30_000 }),
        ledger: ledger({ outages: period(5_000, 60_000) }),
      }),
    );
    expect(night).toMatchObject({ attempts: 1, deferCauses: { 'ledger-unavailable': 1 } });
  });
});
