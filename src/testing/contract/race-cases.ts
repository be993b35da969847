// Calls that meet: several workers, several hosts, an answer that was lost and is asked for again. Whatever the
// order, the books are those of some order, and each hold is closed once.

import type { PoolView, ReclaimPolicy } from '../../ledger/ledger.ts';
import type { Operation, TimedOperation } from '../operations.ts';
import { atOnce, inEveryOrder, type Race } from '../races.ts';
import { ask, askAndDispatch, books, withPool } from '../short-hand.ts';
import type { DeclareCase } from '../trial.ts';

const POOLS = [
  { pool: 'root', capacity: 100 },
  { pool: 'leaf', capacity: 80, parent: 'root' },
  { pool: 'other', capacity: 80, parent: 'root' },
] as const;

const reserve = (id: string, pool: string, amount: number, leaseMs = 1000) =>
  ({ op: 'reserve', id, pool, taker: '', amount, leaseMs }) as const;
const now = (operation: Operation): TimedOperation => ({ ...operation, waitMs: 0 });
const poolsUnder = (reclaim: ReclaimPolicy) => POOLS.map((pool) => ({ ...pool, reclaim }));

/** "a" holds 60 of the leaf, its call is out and its lease is over; "b" holds 20 of the root, and lives. */
const DEAD: readonly TimedOperation[] = [
  now(reserve('a', 'leaf', 60)),
  now({ op: 'dispatch', id: 'a' }),
  now(reserve('b', 'root', 20, 9000)),
  { op: 'renew', id: 'b', leaseMs: 9000, waitMs: 1001 },
];
const RECLAIM: Operation = { op: 'reclaim', pool: 'root', limit: 1000, force: false };

const RACES: readonly (readonly [title: string, race: Race])[] = [
  ...(['refund', 'charge'] as const).map(
    (policy) =>
      [
        `under ${policy}: a reclaim, a settle, a renew, a settle that comes late, a refill`,
        {
          pools: poolsUnder(policy),
          before: DEAD,
          meet: [
            RECLAIM,
            { op: 'settle', id: 'a', actual: 50 },
            { op: 'renew', id: 'a', leaseMs: 1000 },
            { op: 'settle', id: 'a', actual: 40 },
            { op: 'refill', pool: 'leaf', period: 1 },
          ],
        },
      ] as const,
  ),
  [
    'a reclaim, a late settle, and somebody who takes what came back',
    {
      pools: poolsUnder('refund'),
      before: DEAD,
      meet: [RECLAIM, { op: 'settle', id: 'a', actual: 70 }, reserve('c', 'other', 70)],
    },
  ],
  [
    'a settle, a release, a reclaim and a dispatch',
    {
      pools: poolsUnder('charge'),
      before: [now(reserve('a', 'leaf', 60, 100)), { op: 'resume', pool: 'leaf', waitMs: 101 }],
      meet: [
        { op: 'settle', id: 'a', actual: 10 },
        { op: 'release', id: 'a' },
        RECLAIM,
        { op: 'dispatch', id: 'a' },
      ],
    },
  ],
  [
    'an extendTo, a reserve, a settle and a refill',
    {
      pools: poolsUnder('refund'),
      before: [now(reserve('a', 'leaf', 30)), now(reserve('b', 'leaf', 40))],
      meet: [
        { op: 'extendTo', id: 'a', total: 40 },
        reserve('c', 'leaf', 10),
        { op: 'settle', id: 'b', actual: 30 },
        { op: 'refill', pool: 'leaf', period: 1 },
      ],
    },
  ],
  [
    'a pause, a reserve, an adjust and a debit',
    {
      pools: poolsUnder('refund'),
      before: [now(reserve('a', 'leaf', 50))],
      meet: [
        { op: 'pause', pool: 'root' },
        reserve('b', 'leaf', 20),
        { op: 'adjust', pool: 'leaf', capacity: 60 },
        { op: 'post', id: 'bill', pool: 'leaf', side: 'debit', amount: 25, hold: '' },
      ],
    },
  ],
  [
    'two leaves under one parent that has enough for one',
    {
      pools: poolsUnder('refund'),
      before: [],
      meet: [reserve('a', 'leaf', 60), reserve('b', 'other', 60), { op: 'refill', pool: 'root', period: 1 }],
    },
  ],
];

const TWICE: readonly (readonly [
  title: string,
  before: readonly TimedOperation[],
  meet: readonly Operation[],
])[] = [
  ['one id asked for twice', [], [reserve('a', 'leaf', 60), { ...reserve('a', 'leaf', 60) }]],
  ['one id asked for twice, refused', [], [reserve('a', 'leaf', 90), { ...reserve('a', 'leaf', 90) }]],
  ['one id asked for with two amounts', [], [reserve('a', 'leaf', 60), reserve('a', 'leaf', 50)]],
  ['one id asked for on two pools', [], [reserve('a', 'leaf', 40), reserve('a', 'other', 40)]],
  [
    'one id asked for by two takers',
    [],
    [reserve('a', 'leaf', 40), { ...reserve('a', 'leaf', 40), taker: 'stranger' }],
  ],
  [
    'one hold settled twice',
    [now(reserve('a', 'leaf', 60))],
    [
      { op: 'settle', id: 'a', actual: 30 },
      { op: 'settle', id: 'a', actual: 20 },
    ],
  ],
  [
    'one hold extended twice',
    [now(reserve('a', 'leaf', 10))],
    [
      { op: 'extendTo', id: 'a', total: 60 },
      { op: 'extendTo', id: 'a', total: 60 },
    ],
  ],
  [
    'one hold dispatched and released',
    [now(reserve('a', 'leaf', 60))],
    [
      { op: 'dispatch', id: 'a' },
      { op: 'release', id: 'a' },
    ],
  ],
  [
    'one bill posted twice',
    [now(reserve('a', 'leaf', 60))],
    [
      { op: 'post', id: 'p', pool: 'leaf', side: 'debit', amount: 15, hold: '' },
      { op: 'post', id: 'p', pool: 'leaf', side: 'debit', amount: 15, hold: '' },
    ],
  ],
];

export function raceCases(it: DeclareCase): void {
  const races = [
    ...RACES,
    ...TWICE.map(([title, before, meet]) => [title, { pools: POOLS, before, meet }] as const),
  ];
  for (const [title, race] of races) {
    it(`in every order: ${title}`, (trial) => inEveryOrder(trial, race));
    it(`at once: ${title}`, (trial) => atOnce(trial, race));
  }

  it('at once: fifty ask for a tenth of the pool each, and ten get it', async (trial) => {
    const ledger = await withPool(trial);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => ask(ledger, `${i}`, 10)));
    trial.equal(answers.filter(({ outcome }) => outcome === 'granted').length, 10, 'grants');
    trial.equal(await books(ledger), [0, 100, 0]);
  });

  it('at once: forty on two leaves get no more than their parent has', async (trial) => {
    const ledger = await trial.open();
    for (const request of POOLS) await ledger.openPool(request);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => ask(ledger, `${i}`, 5, { pool: i % 2 === 0 ? 'leaf' : 'other' })),
    );
    trial.equal(answers.filter(({ outcome }) => outcome === 'granted').length, 20, 'grants');
    const [, leaf] = await books(ledger, 'leaf');
    const [, other] = await books(ledger, 'other');
    trial.equal(
      [leaf + other, ...(await books(ledger, 'root'))],
      [100, 0, 100, 0],
      'the leaves and the parent',
    );
  });

  it('at once: twenty open the same pool, and one of them opens it', async (trial) => {
    const ledger = await trial.open();
    const open = () => ledger.openPool({ pool: 'free', capacity: 100 });
    const answers = await Promise.all(Array.from({ length: 20 }, open));
    trial.equal(answers.filter(({ already }) => !already).length, 1, 'openings');
    trial.equal(await books(ledger), [100, 0, 0]);
  });

  it('at once: twenty refills at one boundary are one', async (trial) => {
    const ledger = await withPool(trial);
    const refill = () => ledger.refill({ pool: 'free', period: 1 });
    const answers = await Promise.all(Array.from({ length: 20 }, refill));
    trial.equal(answers.filter(({ outcome }) => outcome === 'refilled').length, 1, 'refills');
  });

  it('at once: whoever is refused beside a settle has a version that the settle moves on from', async (trial) => {
    const ledger = await withPool(trial);
    for (let i = 0; i < 20; i++) {
      await ask(ledger, `all ${i}`, 100);
      const [answer] = await Promise.all([
        ask(ledger, `some ${i}`, 50),
        ledger.settle({ id: `all ${i}`, actual: 0 }),
      ]);
      // With the version of after the settle, it would wait for news that it has had.
      const { version } = (await ledger.pool('free')) as PoolView;
      const isWaiting = answer.outcome === 'refused';
      trial.equal(!isWaiting || answer.version < version, true, 'a refusal is older than the settle');
      if (!isWaiting) await ledger.release({ id: `some ${i}` });
    }
  });

  it('at once: several reclaims close each dead hold once', async (trial) => {
    const ledger = await withPool(trial);
    for (let i = 0; i < 20; i++) await askAndDispatch(ledger, `${i}`, 5);
    const reclaim = () => ledger.reclaim({ pool: 'free', nowMs: 1001, limit: 8 });
    const answers = await Promise.all(Array.from({ length: 6 }, reclaim));
    // Those who reclaim at once may leave each other's holds alone; somebody comes again.
    const last = await ledger.reclaim({ pool: 'free', nowMs: 1001 });
    const closed = [...answers, last].flatMap((answer) => answer.closed.map(({ id }) => Number(id)));
    trial.equal(
      closed.toSorted((one, other) => one - other),
      Array.from({ length: 20 }, (_, i) => i),
      'holds closed',
    );
    trial.equal(await books(ledger), [100, 0, 0]);
  });
}
