// Rules about the books themselves: who shares them, what they are settled from, and where they lie.

import type { Rules } from './rule.ts';

/** Folders that are emptied at a restart, or gone with the container. */
const TEMPORARY = [
  /^\/tmp(\/|$)/,
  /^\/var\/tmp(\/|$)/,
  /^\/dev\/shm(\/|$)/,
  /^\/run(\/|$)/,
  /^\/var\/run(\/|$)/,
  /^\/private\/(var\/)?(tmp|folders)(\/|$)/,
  /^\/var\/folders(\/|$)/,
  /^[a-z]:[\\/].*[\\/]te?mp[\\/]/i,
  /[%$]\{?te?mp(dir)?\b/i,
];

export const BOOKS_RULES = {
  'shared-without-guarantees': {
    why: 'Whoever asks first gets all: one team’s backlog is every other team’s refusal.',
    find: ({ scenario: { pool }, stated: { teams } }) => {
      if (pool === undefined || teams === 1) return [];
      const message = `${teams} teams draw on the pool ${pool.name}, and none is guaranteed a share of it`;
      return [{ path: ['pool', 'teams'], message, figure: { measured: teams, limit: 1, unit: 'count' } }];
    },
  },
  'no-usage-source': {
    why: 'Holds are settled with estimates, and the ledger drifts away from the bill with every call.',
    find: ({ scenario: { pool, provider } }) =>
      pool === undefined || provider.usage === 'reported'
        ? []
        : [
            {
              path: ['provider', 'usage'],
              message: 'answers do not say what they used, so that holds are settled with estimates',
            },
          ],
  },
  'ephemeral-ledger': {
    why: 'A restart opens the pool anew, full, while the calls of before it are still on the bill.',
    find: ({ stated: { ledger } }) => {
      const { file, disk } = ledger;
      if (disk === 'ephemeral') {
        const message = 'the ledger is kept on a disk that is gone with its machine';
        return [{ path: ['ledger', 'disk'], message }];
      }
      if (file === undefined || !TEMPORARY.some((folder) => folder.test(file))) return [];
      return [{ path: ['ledger', 'file'], message: `the ledger is kept in a temporary folder: ${file}` }];
    },
  },
} as const satisfies Rules;
