// Calls that meet in PostgreSQL: many connections at one pool, at one hold, at one chain. The full number of
// rounds is played where PLIMSOLL_TORTURE is set.

import { expect, it } from 'vitest';
import type { PostgresLedger } from '../../src/stores/postgres-ledger.ts';
import { PostgresLedgers } from './postgres-ledgers.ts';
import { spawnSettlers } from './postgres-processes.ts';
import { describeWithPostgres } from './postgres-server.ts';

const isTorture = (process.env.PLIMSOLL_TORTURE ?? '') !== '';
const rounds = (few: number, all: number) => (isTorture ? all : few);
const TIMEOUT_MS = 20 * 60_000;

const chances = (): number => Math.random();
const pick = <One>(from: readonly One[]): One => from[Math.floor(chances() * from.length)]!;

/** A few turns of the event loop, or none. */
async function aMoment(): Promise<void> {
  for (let turns = Math.floor(chances() * 4); turns > 0; turns--) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The conservation query, asked again and again until the work is done. */
async function whileVerifying(ledger: PostgresLedger, work: () => Promise<void>): Promise<number> {
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  let count = 0;
  while (!isDone) {
    expect(await ledger.verify()).toEqual([]);
    count += 1;
  }
  await working;
  return count;
}

await describeWithPostgres('calls that meet in PostgreSQL', (url) => {
  const ledgers = new PostgresLedgers(url);

  it(
    '50 connections ask a pool of 100 for 10 at once: exactly 10 are granted, round after round',
    async () => {
      const ledger = await ledgers.open({ connections: 50 });
      await ledger.openPool({ pool: 'free', capacity: 100 });
      for (let round = 1; round <= rounds(40, 200); round++) {
        await ledger.refill({ pool: 'free', period: round });
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, i) =>
            ledger.reserve({
              id: `${round}/${i}`,
              pool: 'free',
              job: `${i}`,
              amount: 10,
              leaseMs: 1000,
              nowMs: 0,
            }),
          ),
        );
        expect(answers.filter(({ outcome }) => outcome === 'granted')).toHaveLength(10);
        expect(
          answers.filter((one) => one.outcome === 'refused' && one.reason === 'insufficient'),
        ).toHaveLength(40);
        expect(await ledger.pool('free')).toMatchObject({ balance: 0, held: 100 });
      }
      expect(await ledger.verify()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'one id asked for at once by 20 connections is granted once and debited once',
    async () => {
      const ledger = await ledgers.open({ connections: 20 });
      await ledger.openPool({ pool: 'free', capacity: 1000 });
      await ledger.openPool({ pool: 'other', capacity: 1000 });
      for (let round = 0; round < rounds(20, 200); round++) {
        const request = { id: `${round}`, job: 'j', amount: 10, leaseMs: 1000, nowMs: 0 };
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, i) =>
            ledger.reserve({ ...request, pool: i < 15 ? 'free' : 'other' }),
          ),
        );
        const fresh = answers.filter(({ outcome, already }) => outcome === 'granted' && !already);
        expect(fresh).toHaveLength(1);
        const inFree = answers.slice(0, 15).map(({ outcome }) => outcome);
        const inOther = answers.slice(15).map(({ outcome }) => outcome);
        expect([new Set(inFree).size, new Set(inOther).size]).toEqual([1, 1]);
        expect([inFree[0], inOther[0]].toSorted()).toEqual(['granted', 'id-reused']);
        await ledger.settle({ id: request.id, actual: 0 });
      }
      expect(await ledger.pool('free')).toMatchObject({ balance: 1000, held: 0 });
      expect(await ledger.verify()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'two processes settle one hold at once: one moves the books, the other is told already',
    async () => {
      const schema = await ledgers.schema();
      const ledger = ledgers.at(schema);
      await ledger.openPool({ pool: 'free', capacity: 100 });
      const settlers = await spawnSettlers(url, schema, 2);
      try {
        for (let round = 0; round < rounds(50, 1000); round++) {
          const id = `${round}`;
          await ledger.reserve({ id, pool: 'free', job: 'j', amount: 10, leaseMs: 1000, nowMs: 0 });
          const before = await ledger.pool('free');
          const answers = await Promise.all(settlers.map((settler) => settler.settle(id, 0)));
          expect(answers.map(({ already }) => already).toSorted()).toEqual([false, true]);
          expect(answers.map(({ refunded }) => refunded)).toEqual([10, 10]);
          expect(answers.map(({ delta }) => delta.length).toSorted()).toEqual([0, 1]);
          expect(await ledger.pool('free')).toMatchObject({
            balance: before!.balance + 10,
            refunded: before!.refunded + 10,
          });
        }
      } finally {
        for (const settler of settlers) settler.end();
      }
    },
    TIMEOUT_MS,
  );

  it(
    'a hold reclaimed while its settle is on its way is closed by one, and the other says so',
    async () => {
      const schema = await ledgers.schema();
      const [lane, reclaimer, auditor] = [1, 2, 3].map(() => ledgers.at(schema)) as [
        PostgresLedger,
        PostgresLedger,
        PostgresLedger,
      ];
      await lane.openPool({ pool: 'root', capacity: 1_000_000 });
      const STREAMS = 4;
      for (let i = 0; i < STREAMS; i++) {
        const reclaim = i % 2 === 0 ? 'refund' : 'charge';
        await lane.openPool({ pool: `leaf ${i}`, capacity: 1_000_000, parent: 'root', reclaim });
      }
      const closedBy = { settle: 0, reclaim: 0 };
      const stream = async (pool: string, count: number): Promise<void> => {
        for (let round = 0; round < count; round++) {
          const id = `${pool}/${round}`;
          await lane.reserve({ id, pool, job: 'j', amount: 10, leaseMs: 100, nowMs: 0 });
          await lane.dispatch({ id, nowMs: 0 });
          const [settled, reclaimed] = await Promise.all([
            aMoment().then(() => lane.settle({ id, actual: 7, nowMs: 1000 })),
            aMoment().then(() => reclaimer.reclaim({ pool, nowMs: 1000 })),
          ]);
          const isReclaimed = reclaimed.closed.some((hold) => hold.id === id);
          expect(settled).toMatchObject({ already: false, late: isReclaimed, overspent: 0, shortfall: 0 });
          expect(settled.hold).toMatchObject({ state: isReclaimed ? 'expired' : 'settled', consumed: 7 });
          closedBy[isReclaimed ? 'reclaim' : 'settle'] += 1;
        }
      };
      const all = rounds(400, 10_000);
      const verified = await whileVerifying(auditor, async () => {
        await Promise.all(Array.from({ length: STREAMS }, (_, i) => stream(`leaf ${i}`, all / STREAMS)));
      });
      expect(verified).toBeGreaterThan(1);
      expect(closedBy.settle).toBeGreaterThan(0);
      expect(closedBy.reclaim).toBeGreaterThan(0);
      expect(await lane.pool('root')).toMatchObject({ held: 0, consumed: 7 * all });
    },
    TIMEOUT_MS,
  );

  it('many hosts reclaim at once, in batches, and each hold is closed by one of them', async () => {
    const schema = await ledgers.schema();
    const hosts = Array.from({ length: 8 }, () => ledgers.at(schema, { connections: 1 }));
    const [first] = hosts as [PostgresLedger];
    await first.openPool({ pool: 'root', capacity: 10_000 });
    await first.openPool({ pool: 'leaf', capacity: 10_000, parent: 'root' });
    for (let i = 0; i < 100; i++) {
      const pool = i % 2 === 0 ? 'leaf' : 'root';
      await first.reserve({ id: `${i}`, pool, job: 'j', amount: 10, leaseMs: 100, nowMs: 0 });
    }
    const closed: string[] = [];
    await Promise.all(
      hosts.map(async (host) => {
        for (;;) {
          const answer = await host.reclaim({ pool: 'root', nowMs: 1000, limit: 7 });
          closed.push(...answer.closed.map(({ id }) => id));
          if (answer.closed.length === 0) return;
        }
      }),
    );
    expect(closed.map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect(await first.pool('root')).toMatchObject({ balance: 10_000, held: 0 });
    expect(await first.verify()).toEqual([]);
  });

  it(
    '32 connections on 16 leaves of a chain of three never deadlock, and parents equal the sum of their leaves',
    async () => {
      const schema = await ledgers.schema();
      const ledger = ledgers.at(schema, { connections: 32 });
      await ledger.openPool({ pool: 'root', capacity: 100_000 });
      const middles = Array.from({ length: 4 }, (_, i) => `middle ${i}`);
      const leaves = Array.from({ length: 16 }, (_, i) => `leaf ${i}`);
      for (const pool of middles) await ledger.openPool({ pool, capacity: 40_000, parent: 'root' });
      for (const [i, pool] of leaves.entries()) {
        await ledger.openPool({ pool, capacity: 20_000, parent: middles[i % 4]! });
      }
      const deadlocksBefore = await deadlocks();
      const worker = async (name: number): Promise<void> => {
        for (let turn = 0; turn < rounds(30, 500); turn++) {
          const id = `${name}/${turn}`;
          await ledger.reserve({ id, pool: pick(leaves), job: 'j', amount: 10, leaseMs: 50, nowMs: turn });
          if ((await ledger.hold(id)) === undefined) continue;
          const dice = chances();
          if (dice < 0.1) await ledger.extendTo({ id, total: 15, nowMs: turn });
          if (dice < 0.2) await ledger.release({ id, nowMs: turn });
          else if (dice < 0.8) await ledger.dispatch({ id, nowMs: turn });
          if (dice < 0.9) await ledger.settle({ id, actual: Math.floor(chances() * 12), nowMs: turn });
          if (dice > 0.85)
            await ledger.reclaim({ pool: pick(['root', ...middles, ...leaves]), nowMs: turn + 100 });
          if (dice > 0.97)
            await ledger.refill({ pool: pick(['root', ...middles, ...leaves]), period: turn + 1 });
          if (dice > 0.95) {
            await ledger.post({
              id: `post ${id}`,
              pool: pick(leaves),
              side: 'debit',
              amount: 3,
              reason: 'bill',
            });
          }
        }
      };
      const auditor = ledgers.at(schema);
      await whileVerifying(auditor, async () => {
        await Promise.all(Array.from({ length: 32 }, (_, i) => worker(i)));
      });
      const total = async (names: readonly string[]) => {
        const { rows } = await ledgers.admin.query(
          `SELECT sum(held)::integer AS held, sum(consumed)::integer AS consumed FROM ${schema}.books WHERE pool = ANY ($1)`,
          [names],
        );
        return rows[0];
      };
      const ofLeaves = await total(leaves);
      expect(ofLeaves.consumed).toBeGreaterThan(0);
      expect(await total(middles)).toEqual(ofLeaves);
      expect(await total(['root'])).toEqual(ofLeaves);
      await ledger.close();
      expect(await deadlocks(), 'deadlocks that the server saw').toBe(deadlocksBefore);
    },
    TIMEOUT_MS,
  );

  async function deadlocks(): Promise<number> {
    const { rows } = await ledgers.admin.query(
      'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()',
    );
    return rows[0].deadlocks;
  }
});
