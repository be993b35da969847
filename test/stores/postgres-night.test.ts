// Nights on a ledger in PostgreSQL: several workers at one pool, the wire to the server cut in between, and a
// server that stays away.

import { afterEach, expect, it } from 'vitest';
import { Budget } from '../../src/budget/budget.ts';
import { runQueue } from '../../src/live/run-queue.ts';
import type { RunQueueOptions } from '../../src/live/run-queue-options.ts';
import { PostgresLedger } from '../../src/stores/postgres-ledger.ts';
import { PostgresLedgers } from './postgres-ledgers.ts';
import { PostgresProxy } from './postgres-proxy.ts';
import { describeWithPostgres } from './postgres-server.ts';

interface Job {
  readonly id: string;
}

const JOBS: readonly Job[] = Array.from({ length: 60 }, (_, i) => ({ id: `job ${i}` }));

await describeWithPostgres('a night on a ledger in PostgreSQL', (url) => {
  const ledgers = new PostgresLedgers(url);
  const ends: (() => void | Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  function night(ledger: PostgresLedger, called: string[]): RunQueueOptions<Job, string> {
    return {
      jobs: JOBS,
      budget: new Budget({ deadlineMs: performance.now() + 10 * 60_000 }),
      ledger,
      pool: 'free',
      lanes: 4,
      envelope: () => 100,
      pollEveryMs: 20,
      suspension: 'ignore',
      call: async ({ id }) => {
        called.push(id);
        await new Promise((resolve) => setTimeout(resolve, 2));
        return { outcome: 'ok', result: id, usage: { input: 30, output: 10 } };
      },
      checkpoint: async () => {},
      onWarning: () => {},
    };
  }

  it('three workers share one list and one pool: each job is done once, and waits for tokens end', async () => {
    const schema = await ledgers.schema();
    const hosts = [1, 2, 3].map(() => ledgers.at(schema));
    const [first] = hosts as [PostgresLedger];
    // Room for 29 envelopes at first, for ten at the end.
    await first.openPool({ pool: 'free', capacity: 60 * 40 + 500 });
    const called: string[] = [];
    // A host that begins when another has finished jobs of its list would take them for work of an earlier night.
    const begun = new Set<PostgresLedger>();
    let begin = () => {};
    const everybodyBegan = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const results = await Promise.all(
      hosts.map((ledger) => {
        const options = night(ledger, called);
        return runQueue({
          ...options,
          call: async (job, context) => {
            begun.add(ledger);
            if (begun.size === hosts.length) begin();
            await everybodyBegan;
            return options.call(job, context);
          },
        });
      }),
    );
    expect(called.toSorted()).toEqual(JOBS.map(({ id }) => id).toSorted());
    expect(results.flatMap(({ done }) => done)).toHaveLength(60);
    expect(results.map(({ done, deferred }) => done.length + deferred.length)).toEqual([60, 60, 60]);
    expect(await first.pool('free')).toMatchObject({ held: 0, consumed: 60 * 40 });
    expect(await first.verify()).toEqual([]);
  });

  it('a wire that is cut again and again costs no job and no token', async () => {
    const schema = await ledgers.schema();
    await ledgers.at(schema).openPool({ pool: 'free', capacity: 100_000 });
    const proxy = await PostgresProxy.before(url);
    const ledger = new PostgresLedger(proxy.url, { schema });
    const called: string[] = [];
    ends.push(
      () => ledger.close(),
      () => proxy.end(),
    );
    const options = night(ledger, called);
    const { done, deferred, unsettled } = await runQueue({
      ...options,
      call: (job, context) => {
        if (called.length % 10 === 5) {
          proxy.cut();
          setTimeout(() => proxy.mend(), 20);
        }
        return options.call(job, context);
      },
    });
    expect(deferred).toEqual([]);
    expect(done).toHaveLength(60);
    expect(unsettled).toBe(0);
    expect(called).toHaveLength(60);
    expect(await ledgers.at(schema).pool('free')).toMatchObject({ held: 0, consumed: 60 * 40 });
    expect(await ledgers.at(schema).verify()).toEqual([]);
  });

  it('a server that goes away for good defers what is left: nothing is called without a hold', async () => {
    const schema = await ledgers.schema();
    await ledgers.at(schema).openPool({ pool: 'free', capacity: 100_000 });
    const proxy = await PostgresProxy.before(url);
    const ledger = new PostgresLedger(proxy.url, { schema });
    ends.push(
      () => ledger.close(),
      () => proxy.end(),
    );
    const called: string[] = [];
    const options = night(ledger, called);
    const budget = new Budget({ deadlineMs: performance.now() + 2_000, reserveMs: 500, floorMs: 100 });
    const { done, deferred } = await runQueue({
      ...options,
      budget,
      lanes: 1,
      busyWaitMs: 100,
      call: async (job, context) => {
        if (called.length === 10) proxy.cut();
        return options.call(job, context);
      },
    });
    expect(called).toHaveLength(11);
    expect(done).toHaveLength(11);
    expect(deferred).toHaveLength(49);
    expect(deferred.every(({ cause }) => cause === 'ledger-unavailable' || cause === 'out-of-time')).toBe(
      true,
    );
    // The last settle never arrived: its hold is left to its lease.
    expect(await ledgers.at(schema).pool('free')).toMatchObject({ held: 100, consumed: 10 * 40 });
  });
});
