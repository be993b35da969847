// A server that is killed and started again under its workers: what it acknowledged is there, once, and nothing
// else is.

import { afterAll, expect, it } from 'vitest';
import { LedgerUnavailable } from '../../src/base/errors.ts';
import { PostgresLedger } from '../../src/stores/postgres-ledger.ts';
import { migratePostgres } from '../../src/stores/postgres-schema.ts';
import { describeWithOwnPostgres } from './postgres-server.ts';

const WORKERS = 8;
const isTorture = (process.env.PLIMSOLL_TORTURE ?? '') !== '';
const KILLS = isTorture ? 10 : 2;

/** Asked under one id until the server is there to answer. */
async function untilAnswered<Answer>(operate: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await operate();
    } catch (error) {
      if (!(error instanceof LedgerUnavailable && error.isTransient)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

await describeWithOwnPostgres('a server that is killed under its workers', (server) => {
  afterAll(() => server.stop());

  it('has every operation that it acknowledged, once, when it is back', async () => {
    await migratePostgres(server.url);
    const ledgers = Array.from({ length: WORKERS }, () => new PostgresLedger(server.url));
    const [first] = ledgers as [PostgresLedger];
    await first.openPool({ pool: 'root', capacity: 1_000_000 });
    await first.openPool({ pool: 'free', capacity: 1_000_000, parent: 'root' });
    const acknowledged = new Map<string, number>();
    let isOver = false;
    const work = async (ledger: PostgresLedger, worker: number): Promise<void> => {
      for (let turn = 0; !isOver; turn++) {
        const id = `${worker}/${turn}`;
        const request = { id, pool: 'free', job: 'j', amount: 10, leaseMs: 1000, nowMs: 0 };
        expect(await untilAnswered(() => ledger.reserve(request))).toMatchObject({ outcome: 'granted' });
        const actual = turn % 10;
        expect(await untilAnswered(() => ledger.settle({ id, actual }))).toMatchObject({ differs: false });
        acknowledged.set(id, actual);
      }
    };
    const working = ledgers.map(work);
    for (let kill = 0; kill < KILLS; kill++) {
      const before = acknowledged.size;
      await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(before + 50);
      await server.killAndRestart();
    }
    const before = acknowledged.size;
    await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(before + 50);
    isOver = true;
    await Promise.all(working);

    const holds = await first.holds();
    expect(holds.map(({ id, actual }) => [id, actual]).toSorted()).toEqual([...acknowledged].toSorted());
    const consumed = [...acknowledged.values()].reduce((sum, actual) => sum + actual, 0);
    expect(await first.pool('root')).toMatchObject({ held: 0, consumed });
    expect(await first.verify()).toEqual([]);
    for (const ledger of ledgers) await ledger.close();
  });
});
